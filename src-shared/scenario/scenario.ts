import { z } from 'zod';

const Delay = z.number().min(0).max(600_000).describe('milliseconds before the block arrives');

/** A block of a scripted assistant message: text, or a call of a real tool. */
export const ScenarioBlock = z.union([
  z.strictObject({ text: z.string(), delay: Delay.optional() }),
  z.strictObject({
    tool: z.string().min(1),
    input: z.unknown(),
    id: z.string().min(1).optional(),
    delay: Delay.optional(),
  }),
]);
export type ScenarioBlock = z.output<typeof ScenarioBlock>;

/**
 * A scenario file (YAML or JSON): what the scripted model says, one list of blocks per assistant message (spec 4.2).
 * `files` are laid into the empty scratch folder first; `prompt` is the user's message that starts it.
 */
export const Scenario = z.strictObject({
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  prompt: z.string().optional(),
  files: z.record(z.string(), z.string()).optional(),
  settings: z
    .strictObject({
      strategy: z.enum(['streaming', 'batch', 'serial']).optional(),
      cascade: z.enum(['any-error', 'except-writes', 'bash', 'bash-mutating', 'none']).optional(),
      cap: z.number().int().positive().optional(),
      treatAsSafe: z.array(z.string()).optional(),
    })
    .optional(),
  turns: z.array(z.array(ScenarioBlock)),
});
export type Scenario = z.output<typeof Scenario>;
