import type { AgentId, AskId, BatchId, CallId, MessageId, RequestId, SessionId } from '../../../src-shared/ids.ts';
import { MAIN_AGENT } from '../../../src-shared/ids.ts';
import type { PermissionMode } from '../../../src-shared/permission/event.ts';
import type { EventOf, SessionEvent, SessionEventType } from '../../../src-shared/session/event.ts';
import { defaultSettings, type SessionSettings } from '../../../src-shared/session/settings.ts';
import { callById } from '../../../src-shared/session/state.ts';
import { resultText } from '../../../src-shared/tool-call/content.ts';
import { millis } from '../../../src-shared/units.ts';
import { NO_RULES, type RuleSet } from '../../core/permission/rules.ts';
import type { Classifier } from '../../ports/classifier.ts';
import { ManualClock } from '../../ports/clock.fake.ts';
import { MemoryEventStore } from '../../ports/event-log.fake.ts';
import { type HookRunner, silentHookRunner } from '../../ports/hook-runner.ts';
import type { ResultFiles } from '../../ports/result-files.ts';
import { fakeHost } from '../../ports/tool.fake.ts';
import type { CallHost, ToolRegistry } from '../../ports/tool.ts';
import { AskBoard, type Asker } from '../ask-board.ts';
import { ContextHolder } from '../context-holder.ts';
import { Debugger } from '../debugger.ts';
import { Executor, type FinishedCall } from '../executor.ts';
import { SessionHooks } from '../session-hooks.ts';
import { SessionLog } from '../session-log.ts';
import { HandTools } from './hand-tools.ts';

/** Lets everything run that waits for nothing but promises. */
export const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Ids that are the same in every run. */
export function countingIds(first = 1): (prefix: string) => string {
  let next = first;
  return (prefix) => `${prefix}-${next++}`;
}

/** A store that can be told to refuse: `full` as a disk without room, `unsynced` as one that does not answer a sync. */
export class MoodyStore extends MemoryEventStore {
  full = false;
  unsynced = false;
  /** How many events each write brought. */
  readonly writes: number[] = [];

  override write(events: readonly SessionEvent[]): void {
    if (this.full) throw new Error('ENOSPC: no space left on device, write');
    this.writes.push(events.length);
    super.write(events);
  }

  override sync(): void {
    if (this.full || this.unsynced) throw new Error('EIO: i/o error, fdatasync');
    super.sync();
  }
}

/** Files in memory; `refuses` as a folder that takes nothing. */
export class MemoryResultFiles implements ResultFiles {
  readonly files = new Map<string, string>();
  refuses: string | undefined;
  /** There is no room on the disk. */
  isShort = false;
  /** Modification times of files outside of this folder. */
  readonly mtimes = new Map<string, number>();

  pathFor(callId: string): string {
    return `/results/${callId}.txt`;
  }

  async save(callId: string, text: string): Promise<{ readonly path: string; readonly bytes: number }> {
    if (this.refuses !== undefined) throw new Error(this.refuses);
    const path = this.pathFor(callId);
    this.files.set(path, text);
    return { path, bytes: Buffer.byteLength(text) };
  }

  async keep(): Promise<void> {
    if (this.refuses !== undefined) throw new Error(this.refuses);
  }

  async shortage(): Promise<string | undefined> {
    return this.isShort ? 'the disk is full' : undefined;
  }

  async head(path: string, bytes: number): Promise<Uint8Array> {
    return Buffer.from(this.#read(path)).subarray(0, bytes);
  }

  async text(path: string): Promise<string> {
    return this.#read(path);
  }

  async mtimeOf(path: string): Promise<number | undefined> {
    return this.mtimes.get(path);
  }

  async remove(path: string): Promise<void> {
    this.files.delete(path);
  }

  #read(path: string): string {
    const text = this.files.get(path);
    if (text === undefined) throw new Error(`${path} is not there`);
    return text;
  }
}

export type BenchOptions = {
  readonly settings?: Partial<SessionSettings>;
  readonly tools?: ToolRegistry;
  readonly rules?: Partial<RuleSet>;
  readonly mode?: PermissionMode;
  readonly asker?: Asker;
  readonly store?: MoodyStore;
  readonly clock?: ManualClock;
  readonly hooks?: HookRunner;
  readonly classifier?: Classifier;
  /** What the session around the calls says. */
  readonly host?: Partial<CallHost>;
};

/** One executor for one message, with everything around it in memory. */
export class ExecutorBench {
  readonly clock: ManualClock;
  readonly store: MoodyStore;
  readonly log: SessionLog;
  readonly tools: HandTools;
  readonly files = new MemoryResultFiles();
  readonly board: AskBoard;
  readonly context = new ContextHolder({
    cwd: '/work',
    directories: ['/work'],
    readFiles: new Map(),
    todos: [],
    discovered: new Set(),
  });
  readonly executor: Executor;
  readonly debug: Debugger;
  rules: RuleSet;
  mode: PermissionMode;
  turnRefused = 0;
  finished: readonly FinishedCall[] | undefined;

  constructor(options: BenchOptions = {}) {
    const newId = countingIds();
    this.clock = options.clock ?? new ManualClock();
    this.store = options.store ?? new MoodyStore();
    this.log = new SessionLog({ store: this.store, clock: this.clock });
    this.tools = options.tools instanceof HandTools ? options.tools : new HandTools();
    this.board = new AskBoard({ log: this.log, newAskId: () => newId('ask') as AskId });
    this.rules = { ...NO_RULES, ...options.rules };
    this.mode = options.mode ?? 'default';
    beginSession(this.log, options.settings);
    beginMessage(this.log);
    this.debug = new Debugger({ log: this.log, clock: this.clock });
    this.executor = new Executor({
      log: this.log,
      tools: options.tools ?? this.tools,
      settings: { ...defaultSettings(options.settings?.strategy), ...options.settings },
      context: this.context,
      agentId: MAIN_AGENT,
      newBatchId: () => newId('batch') as BatchId,
      onTurnRefused: () => {
        this.turnRefused++;
        this.executor.interrupt('escape');
      },
      runDeps: {
        clock: this.clock,
        asker: options.asker ?? this.board,
        rules: () => this.rules,
        addRule: (text, scope) => {
          this.rules = { ...this.rules, allow: [...this.rules.allow, { text, scope }] };
          this.board.ruleAdded(text);
        },
        mode: () => this.mode,
        hooks: new SessionHooks({
          runner: options.hooks ?? silentHookRunner,
          log: this.log,
          transcriptPath: '/sessions/journal.jsonl',
        }),
        files: this.files,
        saveThreshold: options.settings?.saveThreshold ?? 50_000,
        host: fakeHost(options.host),
        debug: this.debug,
        classifier: options.classifier,
      },
    });
    void this.executor.finished.then((calls) => {
      this.finished = calls;
    });
  }

  /** A block with a call arrives. */
  async add(id: string, tool: string, command: string | Record<string, unknown> = id): Promise<void> {
    const callId = id as CallId;
    const block = { kind: 'tool-use', callId, tool } as const;
    this.log.append({
      type: 'block-arrived',
      messageId: MESSAGE,
      agentId: MAIN_AGENT,
      index: this.executor.size,
      block,
    });
    this.executor.add({ callId, messageId: MESSAGE, tool, input: typeof command === 'string' ? { command } : command });
    await quiet();
  }

  async messageEnds(how: 'well' | 'refused' | 'cut-off' = 'well'): Promise<void> {
    this.executor.messageEnded(how);
    await quiet();
  }

  async advance(ms: number): Promise<void> {
    this.clock.advance(millis(ms));
    await quiet();
  }

  /** The events of one type, oldest first. */
  all<T extends SessionEventType>(type: T): readonly EventOf<T>[] {
    return eventsOf(this.log, type);
  }

  phase(id: string): string | undefined {
    return callById(this.log.state, id as CallId)?.phase;
  }

  outcome(id: string): string | undefined {
    const call = callById(this.log.state, id as CallId);
    return call !== undefined && 'end' in call ? call.end.outcome : undefined;
  }

  /** What the model gets for the call. */
  result(id: string): string | undefined {
    const call = callById(this.log.state, id as CallId);
    return call !== undefined && 'end' in call ? resultText(call.end.result) : undefined;
  }

  /** Ids of all calls with this phase. */
  inPhase(phase: string): readonly string[] {
    return this.log.state.calls.filter((call) => call.phase === phase).map((call) => call.callId);
  }

  askIdOf(id: string): AskId {
    const ask = callById(this.log.state, id as CallId)?.asks.at(-1);
    if (ask === undefined) throw new Error(`${id} has asked nothing`);
    return ask.askId;
  }
}

export const MESSAGE = 'message-1' as MessageId;

export function beginSession(log: SessionLog, settings: Partial<SessionSettings> = {}): void {
  log.append({
    type: 'session-started',
    sessionId: 'session-1' as SessionId,
    title: 'A test',
    cwd: '/work',
    origin: { kind: 'live', provider: 'hand' },
    app: 'test',
    settings: { ...defaultSettings(settings.strategy), ...settings },
  });
  log.flush();
}

export function beginMessage(log: SessionLog, agentId: AgentId = MAIN_AGENT): void {
  const requestId = 'request-1' as RequestId;
  log.append({ type: 'message-started', requestId, messageId: MESSAGE, agentId, model: 'test' });
}

export const eventsOf = <T extends SessionEventType>(log: SessionLog, type: T): readonly EventOf<T>[] =>
  log.events.filter((event): event is EventOf<T> => event.type === type);
