import { z } from 'zod';
import { millis } from '../../../../src-shared/units.ts';
import type { ManualClock } from '../../../ports/clock.fake.ts';
import {
  type AnyTool,
  CallAborted,
  defineTool,
  type RunEnvironment,
  type Tool,
  type ToolContext,
  type ToolEnding,
  type ToolRegistry,
} from '../../../ports/tool.ts';
import type { CallPlan } from './plans.ts';

/** `call` names the plan; the command is what rules and the classifier see. */
const Input = z.strictObject({ call: z.string(), command: z.string() });
type Input = z.output<typeof Input>;

export const LONG = 2_000;

export const resultOf = (call: string, { long }: Pick<CallPlan, 'long'>): string =>
  long ? `${call} ${'x'.repeat(LONG)}` : `result of ${call}`;
export const failureOf = (call: string): string => `${call} went wrong by itself`;

/** Tools whose calls go as they were planned, on a clock moved by hand. */
export class PlannedTools implements ToolRegistry {
  readonly all: readonly AnyTool[];
  /** The context that each call was given. */
  readonly seen = new Map<string, ToolContext>();
  readonly #plans: ReadonlyMap<string, CallPlan>;
  readonly #clock: ManualClock;

  constructor(plans: ReadonlyMap<string, CallPlan>, clock: ManualClock) {
    this.#plans = plans;
    this.#clock = clock;
    const free = async () => ({ verdict: 'allow', because: 'it is a test' }) as const;
    const pass = async () => ({ verdict: 'pass', because: 'it is a test' }) as const;
    this.all = [
      this.#tool('Look', {
        isConcurrencySafe: () => true,
        interruptBehavior: () => 'cancel',
        checkPermissions: free,
      }),
      this.#tool('Change', { cascadeKind: () => 'write', checkPermissions: free }),
      this.#tool('Bash', {
        isConcurrencySafe: readsOnly,
        interruptBehavior: () => 'cancel',
        cascadeKind: (input) => (readsOnly(input) ? 'bash-read-only' : 'bash-mutating'),
        checkPermissions: async (input) => (readsOnly(input) ? free() : pass()),
      }),
      this.#tool('Ask', { isConcurrencySafe: () => true, checkPermissions: pass }),
    ];
  }

  find(name: string): AnyTool | undefined {
    return this.all.find((tool) => tool.name === name);
  }

  #tool(name: string, more: Partial<Tool<Input, unknown>>): AnyTool {
    return defineTool<Input, unknown>({
      name,
      description: `${name} as planned`,
      inputSchema: Input,
      call: (input, context, run) => this.#run(input.call, context, run),
      mapResult: (text) => ({ content: [{ type: 'text', text: String(text) }], isError: false }),
      summarise: (input) => String((input as Input).command),
      maxResultSizeChars: LONG / 2,
      ...more,
    });
  }

  #run(call: string, context: ToolContext, run: RunEnvironment): Promise<ToolEnding<unknown>> {
    const plan = this.#plans.get(call);
    if (plan === undefined) throw new Error(`nothing is planned for ${call}`);
    this.seen.set(call, context);
    if (plan.end === 'throws-at-once') throw new Error(failureOf(call));
    const later = (wait: number, then: () => void) => this.#clock.schedule(millis(wait), then);
    return new Promise((resolve, reject) => {
      const timer =
        plan.end === 'hangs' ? undefined : later(plan.runs, () => this.#end(call, plan, run, { resolve, reject }));
      run.onProgress({ bytes: 1, lines: 1, tail: call });
      const onAbort = (): void => {
        if (plan.stop === 'deaf') return;
        timer?.dispose();
        later(plan.stopsAfter, () => reject(stopError(call, plan)));
      };
      if (run.signal.aborted) onAbort();
      else run.signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #end(call: string, plan: CallPlan, run: RunEnvironment, how: Settle): void {
    const modifier = plan.modifies ? marking(call) : {};
    switch (plan.end) {
      case 'fails':
        how.resolve({ output: failureOf(call), isError: true, ...modifier });
        return;
      case 'throws':
        how.reject(new Error(failureOf(call)));
        return;
      case 'throws-no-error':
        how.reject(failureOf(call));
        return;
      case 'unkeepable':
        how.resolve({ output: 'x', isError: false, exit: { code: 1n } as never, ...modifier });
        return;
      case 'talks-on':
        this.#clock.schedule(millis(150), () => run.onProgress({ bytes: 2, lines: 2, tail: `${call} after its end` }));
        break;
      default:
    }
    how.resolve({ output: resultOf(call, plan), isError: false, ...modifier });
  }
}

type Settle = { readonly resolve: (ending: ToolEnding<unknown>) => void; readonly reject: (error: unknown) => void };

const readsOnly = ({ command }: Input): boolean => command.startsWith('ls');

/** Leaves its name in the context, behind those that are there. */
const marking = (call: string) =>
  ({
    modifier: (context) => ({ ...context, discovered: new Set([...context.discovered, call]) }),
    changes: [call],
  }) satisfies Partial<ToolEnding<unknown>>;

function stopError(call: string, { stop }: CallPlan): unknown {
  switch (stop) {
    case 'keeps-output':
      return new CallAborted({ path: `/results/${call}.txt`, bytes: 3 });
    case 'fails':
      return new Error(failureOf(call));
    default:
      return new CallAborted();
  }
}
