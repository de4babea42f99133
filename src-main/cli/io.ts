/** Where a command of the command line writes; tests pass their own. */
export type Io = { readonly stdout: (text: string) => void; readonly stderr: (text: string) => void };

/** The words of the command line do not fit. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What the words of a command ask for. @throws UsageError with the command's usage, for whatever `read` throws */
export function wordsOrUsage<T>(usage: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new UsageError(`${cause instanceof Error ? cause.message : String(cause)}\nusage: ${usage}`, { cause });
  }
}

/** The first sentence of what is wrong with the words: Node's next one names an escape that does not fit here. */
export const firstSentence = (error: unknown): string =>
  error instanceof Error ? `${error.message.split('. ')[0]}.` : String(error);
