/** Replaces the last item that matches, in place; the newest is the one events speak of, so the search is short. */
export function replaceLast<T>(list: T[], matches: (item: T) => boolean, next: (item: T) => T): void {
  for (let i = list.length - 1; i >= 0; i--) {
    const item = list[i] as T;
    if (matches(item)) {
      list[i] = next(item);
      return;
    }
  }
}
