import { z } from 'zod';

/** What the text of a Bash command says of the files it works on. Absolute paths. */
export const TouchedFiles = z.object({
  /** Proved to change nothing: what the cascade policy `bash-mutating` distinguishes. */
  readOnly: z.boolean(),
  reads: z.array(z.string()),
  /** Folders of which everything below is read. */
  folders: z.array(z.string()),
  writes: z.array(z.string()),
  /** Nothing else is touched. False where a program may open files that its words do not name. */
  complete: z.boolean(),
});
export type TouchedFiles = z.output<typeof TouchedFiles>;
