import { getEventListeners } from 'node:events';
import { createRequire } from 'node:module';
import { z } from 'zod';
import type { SessionId } from '../../../../src-shared/ids.ts';
import { defaultSettings } from '../../../../src-shared/session/settings.ts';
import { systemClock } from '../../../adapters/process/system-clock.ts';
import type { ModelItem, ModelProvider } from '../../../ports/model-provider.ts';
import { type AnyTool, defineTool } from '../../../ports/tool.ts';
import { LiveSession } from '../../live-session.ts';
import { SessionLog } from '../../session-log.ts';
import { countingIds, MemoryResultFiles } from '../bench.ts';

/**
 * One turn with many calls that have all ended, looked at while the turn is alive and after it. Needs `--expose-gc`.
 * The last message stays open until it has been looked at.
 */
export type SettledCalls = { readonly messages: number; readonly callsInEach: number };

export type Looked = {
  /** Abort signals that exist. */
  readonly signals: number;
  /** Listeners on all of them. */
  readonly listeners: number;
  /** Bytes on the heap. */
  readonly heap: number;
};
export type LookedAt = {
  readonly before: Looked;
  readonly live: Looked;
  readonly after: Looked;
  readonly calls: number;
};

/** Of Node 20.13 and later; the types of Node 20 lack it. */
type QueryObjects = (type: unknown, options: { readonly format: 'count' }) => number;
const { queryObjects } = createRequire(import.meta.url)('node:v8') as { readonly queryObjects: QueryObjects };

const { messages, callsInEach } = JSON.parse(process.argv[2] as string) as SettledCalls;

const seen = new Set<WeakRef<AbortSignal>>();
const addListener = AbortSignal.prototype.addEventListener;
AbortSignal.prototype.addEventListener = function (this: AbortSignal, ...args: Parameters<typeof addListener>) {
  seen.add(new WeakRef(this));
  return addListener.apply(this, args);
} as typeof addListener;

async function look(): Promise<Looked> {
  // A weak reference that was looked at holds its object until the task ends.
  await new Promise((resolve) => setImmediate(resolve));
  globalThis.gc?.();
  const living = new Set([...seen].flatMap((reference) => reference.deref() ?? []));
  const listeners = [...living].reduce((sum, signal) => sum + getEventListeners(signal, 'abort').length, 0);
  return { signals: queryObjects(AbortSignal, { format: 'count' }), listeners, heap: process.memoryUsage().heapUsed };
}

const nothing: AnyTool = defineTool({
  name: 'Nothing',
  description: 'Does nothing',
  inputSchema: z.strictObject({ n: z.number() }),
  isConcurrencySafe: ({ n }) => n % 4 !== 0,
  checkPermissions: async () => ({ verdict: 'allow', because: 'it does nothing' }),
  call: async ({ n }, _context, { signal }) => {
    // Uses its signal, and leaves it clean, as a tool should.
    const onAbort = (): void => undefined;
    signal.addEventListener('abort', onAbort, { once: true });
    await new Promise((resolve) => setImmediate(resolve));
    signal.removeEventListener('abort', onAbort);
    return { output: String(n), isError: false };
  },
  mapResult: (text) => ({ content: [{ type: 'text', text }], isError: false }),
  summarise: () => 'nothing',
});

let live: Looked | undefined;
const provider: ModelProvider = {
  name: 'child',
  model: 'child',
  async *stream(request): AsyncGenerator<ModelItem> {
    const said = request.messages.filter(({ role }) => role === 'assistant').length;
    yield { type: 'message-started', messageId: `m${said}`, model: 'child' };
    for (let n = 0; n < callsInEach && said < messages; n++) {
      yield { type: 'tool-use', id: `c${said}_${n}`, name: 'Nothing', input: { n } };
    }
    if (said === messages - 1) {
      while (log.state.calls.some((call) => call.phase !== 'yielded')) await new Promise((done) => setImmediate(done));
      live = await look();
    }
    yield { type: 'message-ended', stopReason: 'tool-use', usage: {} };
  },
};

const log = new SessionLog({
  store: { write: () => undefined, sync: () => undefined, close: () => undefined },
  clock: systemClock,
});
log.append({
  type: 'session-started',
  sessionId: 'settled' as SessionId,
  title: 'settled',
  cwd: '/work',
  origin: { kind: 'live', provider: 'child' },
  app: 'test',
  settings: defaultSettings(),
});
const session = new LiveSession({
  log,
  clock: systemClock,
  provider,
  tools: { all: [nothing], find: () => nothing },
  files: new MemoryResultFiles(),
  newId: countingIds(),
});
const before = await look();
session.send('Go.');
await session.idle;
const after = await look();
const looked = { before, live, after, calls: log.state.calls.length };
process.stdout.write(`${JSON.stringify(looked)}\n`);
