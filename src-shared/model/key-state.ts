import { z } from 'zod';

/** What is known of the key for one server, without the key. */
export const KeyState = z.object({
  /** `environment`: a variable holds it and wins · `stored`: on disk · `this-run`: forgotten when Gantry ends. */
  from: z.enum(['environment', 'stored', 'this-run', 'none']),
  /** The variable, where one holds it. */
  variable: z.string().optional(),
  /** A variable that holds a key, but for another address: it is not sent to this one. */
  unusedVariable: z.string().optional(),
  /** The server takes requests without one: most servers on one's own machine do. */
  isOptional: z.boolean(),
  /**
   * How a stored key is guarded: `system` by the keychain of the system; `weak` where there is none, so that whoever
   * reads the file can read the key.
   */
  protection: z.enum(['system', 'weak', 'none']),
});
export type KeyState = z.output<typeof KeyState>;
