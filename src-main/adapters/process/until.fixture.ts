type Looked<T> = T | undefined | false;

/**
 * Looks again and again until `look` gives something, and returns it. Throws with `what` after the deadline: for states
 * of other processes, which tell nobody when they change.
 */
export async function until<T>(
  what: string,
  look: () => Looked<T> | Promise<Looked<T>>,
  deadlineMs = 10_000,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
