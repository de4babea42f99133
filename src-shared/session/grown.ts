/**
 * The list with one more at its end. Grows in place: a copy for each of 10,000 blocks of a message, or calls of a batch,
 * would cost seconds. A list that somebody has frozen is kept as it is; then the copy grows.
 */
export function grown<T>(list: readonly T[], last: T): readonly T[] {
  if (Object.isFrozen(list)) return [...list, last];
  (list as T[]).push(last);
  return list;
}
