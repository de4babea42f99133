import { z } from 'zod';
import { systemClock } from '../src-main/adapters/process/system-clock.ts';
import { ResultFolder } from '../src-main/adapters/storage/result-folder.ts';
import { LiveSession } from '../src-main/app/live-session.ts';
import { SessionLog } from '../src-main/app/session-log.ts';
import type { EventStore } from '../src-main/ports/event-log.ts';
import type { ModelItem, ModelProvider } from '../src-main/ports/model-provider.ts';
import { type AnyTool, defineTool } from '../src-main/ports/tool.ts';
import type { SessionId } from '../src-shared/ids.ts';
import { defaultSettings, type SessionSettings } from '../src-shared/session/settings.ts';

/** A store for events that keeps none. */
export const nowhere: EventStore = { write: () => undefined, sync: () => undefined, close: () => undefined };

/** What the tool of these sessions does; `work` is called with the call's number. */
export type Call = { readonly safe: boolean };
export type Work = (n: number) => Promise<void> | undefined;

const toolFor = (calls: readonly Call[], work: Work): AnyTool =>
  defineTool({
    name: 'Work',
    description: 'Does what the benchmark says',
    inputSchema: z.strictObject({ n: z.number() }),
    isConcurrencySafe: ({ n }) => calls[n]?.safe ?? false,
    checkPermissions: async () => ({ verdict: 'allow', because: 'it is a benchmark' }),
    call: async ({ n }) => {
      await work(n);
      return { output: String(n), isError: false };
    },
    mapResult: (text) => ({ content: [{ type: 'text', text }], isError: false }),
    summarise: () => 'work',
  });

export type IdleSession = {
  readonly calls: readonly Call[];
  readonly work?: Work;
  readonly store?: EventStore;
  readonly settings?: Partial<SessionSettings>;
  /** What the model sends; all calls at once when left out. */
  readonly stream?: (block: (n: number) => ModelItem) => AsyncIterable<ModelItem>;
  /** Another model than the one that sends these calls; it calls `Work` with their numbers. */
  readonly provider?: ModelProvider;
};

/** Runs one message of calls through everything a live session does with them. */
export async function runIdleSession(options: IdleSession): Promise<void> {
  const { calls, work = () => undefined, store = nowhere } = options;
  const log = new SessionLog({ store, clock: systemClock });
  let ids = 0;
  log.append({
    type: 'session-started',
    sessionId: 'bench' as SessionId,
    title: 'bench',
    cwd: '/',
    origin: { kind: 'live', provider: 'bench' },
    app: 'bench',
    settings: { ...defaultSettings(), ...options.settings },
  });
  const tool = toolFor(calls, work);
  const session = new LiveSession({
    log,
    clock: systemClock,
    provider: options.provider ?? provider(calls.length, options.stream),
    tools: { all: [tool], find: () => tool },
    files: new ResultFolder('/tmp'),
    newId: (prefix) => `${prefix}-${ids++}`,
  });
  session.send('Go.');
  await session.idle;
  const done = log.state.calls.filter((call) => call.phase === 'yielded').length;
  await session.close('closed');
  if (done !== calls.length) throw new Error(`${calls.length - done} calls were left behind`);
}

function provider(count: number, stream: IdleSession['stream']): ModelProvider {
  const block = (n: number): ModelItem => ({ type: 'tool-use', id: `call_${n}`, name: 'Work', input: { n } });
  async function* all(): AsyncGenerator<ModelItem> {
    for (let n = 0; n < count; n++) yield block(n);
  }
  return {
    name: 'bench',
    model: 'bench',
    async *stream({ messages }): AsyncGenerator<ModelItem> {
      const first = messages.length === 1;
      yield { type: 'message-started', messageId: `message_${messages.length}`, model: 'bench' };
      if (first) yield* stream === undefined ? all() : stream(block);
      else yield { type: 'text', text: 'Done.' };
      yield { type: 'message-ended', stopReason: first ? 'tool-use' : 'end-turn', usage: {} };
    },
  };
}
