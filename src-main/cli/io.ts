/** Where a command of the command line writes; tests pass their own. */
export type Io = { readonly stdout: (text: string) => void; readonly stderr: (text: string) => void };

/** The words of the command line do not fit. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
