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

const rule = z.string().min(1);
const times = z.number().int().positive().optional();

/**
 * An assistant message: its blocks, or those and what goes wrong with it. After `break` blocks the stream breaks, the
 * first time; the first requests `fail`; with `slow` each block takes so many ms to arrive, letter by letter.
 */
export const ScenarioTurn = z.union([
  z.array(ScenarioBlock),
  z.strictObject({
    blocks: z.array(ScenarioBlock),
    break: z.number().int().nonnegative().optional(),
    fail: z
      .strictObject({
        kind: z.enum(['rate-limited', 'overloaded']),
        after: Delay.describe('milliseconds after which the server wants to be asked again').optional(),
        times: z.number().int().positive().max(5).optional(),
      })
      .optional(),
    slow: Delay.optional(),
  }),
]);
export type ScenarioTurn = z.output<typeof ScenarioTurn>;

/** A breakpoint: `{kind: before, rule: Bash(git push:*)}`, `{kind: failure}`, `{kind: cascade}`. */
export const ScenarioBreakpoint = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('before'), rule }),
  z.strictObject({ kind: z.literal('failure'), rule: rule.optional() }),
  z.strictObject({ kind: z.literal('cascade'), rule: rule.optional() }),
]);

/** A fault: `{kind: delay, rule: Read, ms: 2000, times: 1}`. */
export const ScenarioFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('delay'), rule, times, ms: Delay }),
  z.strictObject({ kind: z.literal('fail'), rule, times, message: z.string().optional() }),
  z.strictObject({ kind: z.literal('hang'), rule, times }),
  z.strictObject({ kind: z.literal('break-stream'), rule, times }),
  z.strictObject({ kind: z.literal('slow-permission'), rule, times, ms: Delay }),
]);

/**
 * A scenario file (YAML or JSON): what the scripted model says, one list of blocks per assistant message (spec 4.2), and
 * what it says as sub-agents: `agents` has their messages by the description of their call, or by their type.
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
      agentConcurrency: z.enum(['read-only', 'always', 'never']).optional(),
    })
    .optional(),
  /** Where the window stops for its person (spec 4.4). A run without a window passes them over. */
  breakpoints: z.array(ScenarioBreakpoint).optional(),
  /** Trouble on purpose. */
  faults: z.array(ScenarioFault).optional(),
  agents: z.record(z.string(), z.array(ScenarioTurn)).optional(),
  turns: z.array(ScenarioTurn),
});
export type Scenario = z.output<typeof Scenario>;

export const blocksOf = (turn: ScenarioTurn): readonly ScenarioBlock[] => ('blocks' in turn ? turn.blocks : turn);

/** Every call that the scripted model may make, as the main agent and as sub-agents. */
export const callsIn = ({ turns, agents = {} }: Pick<Scenario, 'turns' | 'agents'>) =>
  [turns, ...Object.values(agents)].flatMap((list) =>
    list.flatMap((turn) => blocksOf(turn).flatMap((block) => ('tool' in block ? [block] : []))),
  );
