import { z } from 'zod';
import {
  type AnyTool,
  defineTool,
  type RunEnvironment,
  type Tool,
  type ToolContext,
  type ToolEnding,
  type ToolRegistry,
} from '../../ports/tool.ts';

const Input = z.strictObject({ command: z.string(), times: z.number().optional() });
export type HandInput = z.output<typeof Input>;

/** One running call of a hand tool: it goes on until the test ends it. It does not heed its signal by itself. */
export class HandCall {
  readonly input: HandInput;
  readonly context: ToolContext;
  readonly run: RunEnvironment;
  readonly ended: Promise<ToolEnding<string>>;
  #end: (ending: ToolEnding<string>) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  constructor(input: HandInput, context: ToolContext, run: RunEnvironment) {
    this.input = input;
    this.context = context;
    this.run = run;
    this.ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
  }

  end(output = 'done', more: Partial<ToolEnding<string>> = {}): void {
    this.#end({ output, isError: false, ...more });
  }

  /** Ends as a command ends that failed: news, not an exception. */
  fail(output = 'Exit code 1'): void {
    this.end(output, { isError: true });
  }

  throw(error: unknown): void {
    this.#fail(error);
  }
}

/** Tools without effects. `Look` is safe and stops for a new message, `Change` is neither, `Bash` is what the command says. */
export class HandTools implements ToolRegistry {
  readonly calls = new Map<string, HandCall>();
  readonly all: readonly AnyTool[];
  readonly #byName: ReadonlyMap<string, AnyTool>;

  constructor(more: readonly AnyTool[] = []) {
    const readsOnly = ({ command }: HandInput) => /^(?:ls|cat|sleep)\b/.test(command);
    this.all = [
      this.tool('Look', { isConcurrencySafe: () => true, interruptBehavior: () => 'cancel', ...FREE }),
      this.tool('Change', { cascadeKind: () => 'write', ...FREE }),
      this.tool('Bash', {
        isConcurrencySafe: readsOnly,
        interruptBehavior: () => 'cancel',
        cascadeKind: (input) => (readsOnly(input) ? 'bash-read-only' : 'bash-mutating'),
        ...FREE,
      }),
      this.tool('Ask', { isConcurrencySafe: () => true }),
      ...more,
    ];
    this.#byName = new Map(this.all.map((tool) => [tool.name, tool]));
  }

  find(name: string): AnyTool | undefined {
    return this.#byName.get(name);
  }

  /** The running call with this id. Fails when it has not started. */
  call(id: string): HandCall {
    const call = this.calls.get(id);
    if (call === undefined) throw new Error(`${id} has not started`);
    return call;
  }

  tool(name: string, more: Partial<Tool<HandInput, string>> = {}): AnyTool {
    return defineTool<HandInput, string>({
      name,
      description: `${name} for tests`,
      inputSchema: Input,
      call: (input, context, run) => {
        const call = new HandCall(input, context, run);
        this.calls.set(run.callId, call);
        return call.ended;
      },
      mapResult: (text) => ({ content: [{ type: 'text', text }], isError: false }),
      summarise: (input) => String((input as HandInput).command),
      ...more,
    });
  }
}

/** Needs no question. */
const FREE = {
  checkPermissions: async () => ({ verdict: 'allow', because: 'it is a test' }),
} satisfies Partial<AnyTool>;
