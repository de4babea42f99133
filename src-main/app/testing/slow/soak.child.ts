import { getEventListeners } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { startProcessHost } from '../../../adapters/process/process-host-client.ts';
import { systemClock } from '../../../adapters/process/system-clock.ts';
import { SessionFolders } from '../../../adapters/storage/session-folders.ts';
import { createRegistry } from '../../../adapters/tools/registry.ts';
import type { ModelItem, ModelProvider, ModelRequest } from '../../../ports/model-provider.ts';
import { SessionLibrary } from '../../session-library.ts';

/**
 * Sessions with real tools, processes and journals, one after the other, as the app's main process runs them: each is left
 * when its calls have ended. After every `callsBetweenLooks` calls this process and its host are looked at. Needs
 * `--expose-gc`.
 */
export type Soak = {
  readonly hostPath: string;
  /** Absolute, there already. */
  readonly folder: string;
  readonly sessions: number;
  readonly callsInEach: number;
  readonly callsBetweenLooks: number;
};

/** What the process and its host hold at a moment; sizes in bytes. */
export type SoakLook = {
  readonly calls: number;
  readonly heap: number;
  /** Outside of the heap: buffers. */
  readonly external: number;
  readonly resident: number;
  readonly descriptors: number;
  /** Of abort signals, of the process, of the host's channel. */
  readonly listeners: number;
  readonly signals: number;
  /** Functions, promises, maps and sets: what a session's record, which is plain data, has none of. */
  readonly machinery: number;
  readonly hostResident: number;
  readonly hostDescriptors: number;
};
export type Soaked = {
  readonly looks: readonly SoakLook[];
  /** After all sessions were closed. */
  readonly closed: SoakLook;
  readonly failed: number;
  readonly compactions: number;
};

/** Of Node 20.13 and later; the types of Node 20 lack it. */
type QueryObjects = (type: unknown, options: { readonly format: 'count' }) => number;
const { queryObjects } = createRequire(import.meta.url)('node:v8') as { readonly queryObjects: QueryObjects };

const CALLS_IN_MESSAGE = 50;
/** Between turns the process is looked at; one ends by itself after 500 requests. */
const MESSAGES_IN_TURN = 20;
const FILES = 40;
/** About what a call and its result take of the model's window; only decides how often the conversation is compacted. */
const TOKENS_OF_CALL = 120;
/** Of the model, in tokens: the conversation is compacted about every 1,300 calls. */
const WINDOW = 200_000;

const soak = JSON.parse(process.argv[2] as string) as Soak;
const processes = startProcessHost({ execPath: process.execPath, entryPath: soak.hostPath, env: process.env });
const work = join(soak.folder, 'work');
mkdirSync(work);
for (let n = 0; n < FILES; n++) writeFileSync(join(work, `file-${n}.txt`), `line of file ${n}\n`.repeat(3));

const seen = new Set<WeakRef<AbortSignal>>();
const addListener = AbortSignal.prototype.addEventListener;
const known = new WeakSet<AbortSignal>();
AbortSignal.prototype.addEventListener = function (this: AbortSignal, ...args: Parameters<typeof addListener>) {
  if (!known.has(this)) seen.add(new WeakRef(this));
  known.add(this);
  return addListener.apply(this, args);
} as typeof addListener;

function listenersNow(): number {
  let count = 0;
  for (const reference of seen) {
    const signal = reference.deref();
    if (signal === undefined) seen.delete(reference);
    else count += getEventListeners(signal, 'abort').length;
  }
  for (const name of process.eventNames()) count += process.listenerCount(name);
  return count;
}

const rssOf = (pid: number | undefined): number =>
  pid === undefined ? 0 : Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
const descriptorsOf = (pid: number | 'self' | undefined): number =>
  pid === undefined ? 0 : readdirSync(`/proc/${pid}/fd`).length;

const count = (...types: readonly unknown[]): number =>
  types.reduce<number>((sum, type) => sum + queryObjects(type, { format: 'count' }), 0);

async function look(calls: number): Promise<SoakLook> {
  // What a session leaves to the event loop is done by then; and a weak reference holds its object for a task.
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    calls,
    heap: heapUsed,
    external,
    resident: rss,
    descriptors: descriptorsOf('self'),
    listeners: listenersNow(),
    signals: count(AbortSignal),
    machinery: count(Function, Promise, Map, Set),
    hostResident: rssOf(processes.hostPid),
    hostDescriptors: descriptorsOf(processes.hostPid),
  };
}

/** Of fifty calls two are commands, two write files of the session's own, one sets the list; the others read. */
function use(n: number, session: number): { readonly name: string; readonly input: unknown } {
  const kind = n % CALLS_IN_MESSAGE;
  if (kind === 10 || kind === 30) return { name: 'Bash', input: { command: `echo call ${n}` } };
  if (kind === 20 || kind === 40) {
    return { name: 'Write', input: { file_path: `written-${session}-${kind}.txt`, content: `call ${n}\n` } };
  }
  if (kind === 45) {
    return {
      name: 'TodoWrite',
      input: { todos: [{ content: `call ${n}`, status: 'pending', activeForm: 'soaking' }] },
    };
  }
  return { name: 'Read', input: { file_path: `file-${n % FILES}.txt`, limit: 1 + (n % 3) } };
}

/** Answers with calls until the session has made all of its own; then each turn ends at once. */
class Model implements ModelProvider {
  readonly name = 'soak';
  readonly model = 'claude-sonnet-4-5';
  readonly #session: number;
  made = 0;
  compactions = 0;
  #inTurn = 0;
  #messages = 0;
  #sinceSummary = 0;

  constructor(session: number) {
    this.#session = session;
  }

  async *stream({ purpose }: ModelRequest): AsyncGenerator<ModelItem> {
    const message = this.#messages++;
    yield { type: 'message-started', messageId: `m${message}`, model: this.model };
    if (purpose === 'compact') {
      this.compactions++;
      this.#sinceSummary = 0;
      yield { type: 'text', text: '<summary>Files were read and written again and again.</summary>' };
      yield { type: 'message-ended', stopReason: 'end-turn', usage: { inputTokens: 100, outputTokens: 20 } };
      return;
    }
    const goesOn = this.made < soak.callsInEach && this.#inTurn < MESSAGES_IN_TURN;
    this.#inTurn = goesOn ? this.#inTurn + 1 : 0;
    const end = goesOn ? Math.min(this.made + CALLS_IN_MESSAGE, soak.callsInEach) : this.made;
    for (; this.made < end; this.made++) {
      this.#sinceSummary++;
      yield { type: 'tool-use', id: `c${this.made}`, ...use(this.made, this.#session) };
    }
    if (!goesOn) yield { type: 'text', text: 'Done.' };
    const usage = { inputTokens: 2_000 + this.#sinceSummary * TOKENS_OF_CALL, outputTokens: 10 };
    yield { type: 'message-ended', stopReason: goesOn ? 'tool-use' : 'end-turn', usage };
  }
}

let model = new Model(0);
let ids = 0;
const newId = (prefix: string): string => `${prefix}_${ids++}`;
const library = new SessionLibrary({
  store: new SessionFolders(join(soak.folder, 'sessions')),
  clock: systemClock,
  newId,
  readTranscript: () => Promise.reject(new Error('there is nothing to read')),
  toolsFor: (sessionId, _settings, agents) =>
    createRegistry({
      processes,
      clock: systemClock,
      markerFor: (callId) => `soak.${process.pid}:${sessionId}:${callId}`,
      ripgrep: 'rg',
      agents,
    }),
  scriptedProvider: () => model,
  providerFor: () => model,
  prepareScenario: () => Promise.reject(new Error('no scenario is played here')),
  app: 'test',
});

const looks: SoakLook[] = [];
let calls = 0;
let failed = 0;
let compactions = 0;

/** Runs one session until it has made its calls. */
async function run(number: number): Promise<void> {
  model = new Model(number);
  const sessionId = await library.startSession({
    cwd: work,
    model: { provider: 'anthropic', model: model.model, contextWindow: WINDOW },
    prompt: 'Go on.',
    mode: 'bypassPermissions',
  });
  const session = await library.live(sessionId);
  for (let before = 0; ; before = model.made) {
    await session.idle;
    if (model.made === before) throw new Error('the session does not go on');
    calls += model.made - before;
    if (soak.sessions === 1) await lookWhenDue();
    if (model.made >= soak.callsInEach) break;
    session.send('Go on.');
  }
  failed += session.log.state.calls.filter((call) => !('end' in call) || call.end.outcome !== 'ok').length;
  compactions += model.compactions;
  library.left(sessionId);
}

async function lookWhenDue(): Promise<void> {
  if (calls - (looks.at(-1)?.calls ?? 0) >= soak.callsBetweenLooks) looks.push(await look(calls));
}

for (let number = 0; number < soak.sessions; number++) {
  await run(number);
  if (soak.sessions > 1) await lookWhenDue();
}
await library.closeAll('closed');
const soaked: Soaked = { looks, closed: await look(calls), failed, compactions };
await processes.close();
process.stdout.write(`${JSON.stringify(soaked)}\n`);
