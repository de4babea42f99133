import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { FailureError } from '../../../../src-shared/failure.ts';
import { MAIN_AGENT, type SessionId } from '../../../../src-shared/ids.ts';
import { foldSession, type SessionState } from '../../../../src-shared/session/state.ts';
import { resultText } from '../../../../src-shared/tool-call/content.ts';
import type { ToolCall } from '../../../../src-shared/tool-call/state.ts';
import type { ProcessHost } from '../../../adapters/process/process-host-client.ts';
import { until } from '../../../adapters/process/until.fixture.ts';
import { startAnthropicServer } from '../../../adapters/providers/testing/anthropic-server.ts';
import type { WireServer } from '../../../adapters/providers/testing/wire-server.ts';
import { type ReadJournal, readJournal } from '../../../adapters/storage/journal-file.ts';
import type { Chance } from '../../../core/bash/testing/random.ts';
import { inConversation } from '../../../core/conversation/in-conversation.ts';
import type { LiveSession } from '../../live-session.ts';
import { expectClosed } from '../closed.ts';
import type { Death, KilledSession } from './killed-session.child.ts';
import { openLibrary, type Place } from './library.ts';
import { BEGIN, FILES, GO_ON, messagesOf, storyteller, TYPED, textsIn } from './story.ts';

/** A death, and for one that the parent brings: after how many acknowledged events. */
export type Moment = { readonly death: Death; readonly afterEvents: number };

export type Programs = {
  readonly childPath: string;
  readonly hostPath: string;
  /** The parent's own. */
  readonly processes: ProcessHost;
};

/** What came of one death. Times in ms. */
export type Aftermath = {
  readonly acknowledged: number;
  /** Calls that had no end. */
  readonly openCalls: number;
  readonly torn: boolean;
  /** From the death until nothing was alive that the session had started. */
  readonly reapedMs: number;
  readonly requestsAfter: number;
};

/** A moment among the events of a life that has so many. */
export function momentOf(chance: Chance, events: number): Moment {
  const at = chance.below(events);
  const how = chance.pick(['told', 'told', 'told', 'before-write', 'torn-write', 'after-write'] as const);
  if (how === 'told') return { death: { how }, afterEvents: 1 + at };
  return { death: { how, seq: at, share: chance.next() }, afterEvents: Number.POSITIVE_INFINITY };
}

export const described = ({ death, afterEvents }: Moment): string =>
  death.how === 'told' ? `after event ${afterEvents} was told` : `${death.how} of event ${death.seq}`;

class Life {
  readonly root: string;
  readonly cwd: string;
  readonly marker: string;
  readonly server: WireServer;
  /** Lines of the events that everybody was told of. */
  readonly told: string[] = [];
  hostPid = 0;

  constructor(root: string, server: WireServer) {
    this.root = root;
    this.cwd = join(root, 'work');
    this.marker = `gantry-killed-${process.pid}-${root.replace(/\W+/g, '-')}`;
    this.server = server;
    mkdirSync(join(this.cwd, 'effects'), { recursive: true });
    for (const [name, content] of Object.entries(FILES)) writeFileSync(join(this.cwd, name), content);
    server.otherwise(storyteller(this.cwd));
  }

  get place(): Place {
    return { root: this.root, cwd: this.cwd, url: this.server.url, marker: this.marker };
  }

  get journalPath(): string | undefined {
    const sessions = join(this.root, 'sessions');
    const [id] = existsSync(sessions) ? readdirSync(sessions) : [];
    return id === undefined ? undefined : join(sessions, id, 'journal.jsonl');
  }

  /** Runs until its death. Settles when all it had to say was heard. */
  async live({ childPath, hostPath }: Programs, { death, afterEvents }: Moment): Promise<void> {
    const options: KilledSession = { ...this.place, hostPath, death };
    const child = spawn(process.execPath, [childPath, JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    });
    const closed = new Promise<NodeJS.Signals | null>((resolve) => {
      child.once('close', (_code, signal) => resolve(signal));
    });
    for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
      const [word, rest = ''] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];
      if (word === 'host') this.hostPid = Number(rest);
      else if (word === 'event') this.told.push(rest);
      if (line === 'over' || this.told.length === afterEvents) child.kill('SIGKILL');
    }
    expect(await closed).toBe('SIGKILL');
  }
}

/** The story when nobody dies. */
export async function rehearse(root: string, programs: Programs): Promise<ReadJournal> {
  const server = await startAnthropicServer();
  const life = new Life(root, server);
  await life.live(programs, { death: { how: 'told' }, afterEvents: Number.POSITIVE_INFINITY });
  const { faults } = server;
  await server.close();
  expect(faults).toEqual([]);
  return readJournal(life.journalPath ?? '');
}

/**
 * Lets a session live until that moment, opens what is left as the app does, and goes on with it. Fails when an event
 * is gone that somebody was told of, a call has no end or tells a lie of what it did, a request would be refused, or
 * something that the session had started is alive.
 */
export async function dieAndGoOn(root: string, programs: Programs, moment: Moment): Promise<Aftermath> {
  const server = await startAnthropicServer();
  const life = new Life(root, server);
  try {
    await life.live(programs, moment);
    const died = performance.now();
    const reaped = gone(life).then(() => performance.now() - died);
    const after = await goOn(life, programs);
    const reapedMs = await reaped;
    await gone(life);
    expect(server.faults).toEqual([]);
    return { acknowledged: life.told.length, reapedMs, ...after };
  } finally {
    await server.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

const run = promisify(execFile);

/** Neither the host nor anything that carries the session's mark in its environment is alive, as `ps` sees it. */
async function gone({ hostPid, marker }: Life): Promise<void> {
  await until('the end of all processes', async () => {
    const { stdout } = await run('ps', ['axeww', '-o', 'pid=,stat=,args='], { maxBuffer: 256 * 1024 * 1024 });
    const living = stdout.split('\n').flatMap((row) => {
      const [, pid, state, text = ''] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(row) ?? [];
      return state === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), text }];
    });
    return living.every(({ pid, text }) => pid !== hostPid && !text.includes(`=${marker}:`));
  });
}

const NOTHING = { openCalls: 0, torn: false, requestsAfter: 0 };

async function goOn(life: Life, { processes }: Programs): Promise<Omit<Aftermath, 'acknowledged' | 'reapedMs'>> {
  const path = life.journalPath;
  const left = path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : '';
  expectAllTold(life.told, left);
  const before = path === undefined || left === '' ? [] : readJournal(path).events;
  const library = openLibrary(life.place, processes);
  await library.load();
  const [listed] = library.list();
  if (listed === undefined || before.length === 0) {
    // It died before anybody can have known that it had begun.
    expect(life.told).toEqual([]);
    if (listed !== undefined) await expect(library.live(listed.sessionId)).rejects.toBeInstanceOf(FailureError);
    return NOTHING;
  }
  const { sessionId } = listed;
  const findings = await library.findings(sessionId);
  const session = await library.live(sessionId);
  const { log } = session;
  expect(log.events.slice(0, before.length)).toEqual(before);
  expect(findings.filter(({ kind }) => kind !== 'torn-line')).toEqual([]);
  expectClosed(log.state);
  expectHonest(log.state, life.cwd);

  const asked = life.server.requests.length;
  await continueWith(session);
  expectClosed(log.state);
  expect(log.state.turns.filter(({ agentId }) => agentId === MAIN_AGENT).at(-1)?.end?.reason).toBe('completed');
  expectOnceEach(life, log.state);
  await library.closeAll('closed');
  await expectSameAgain(life, processes, sessionId, log.state);
  const openCalls = foldSession(before).calls.filter(({ phase }) => phase === 'queued' || phase === 'executing').length;
  return { openCalls, torn: findings.length > 0, requestsAfter: life.server.requests.length - asked };
}

/** Each line that was told of stands in the journal, byte for byte, in the place of its number. */
function expectAllTold(told: readonly string[], journal: string): void {
  const lines = journal.split('\n');
  for (const line of told) {
    const { seq } = JSON.parse(line) as { seq: number };
    expect(lines[seq], `event ${seq}`).toBe(line);
  }
}

/** The file that a call leaves in `effects`, where it leaves one. */
function effectIn({ tool, input }: ToolCall): string | undefined {
  const { command = '', file_path = '' } = input as { readonly command?: string; readonly file_path?: string };
  if (tool === 'Bash') return /^touch effects\/(\S+);/.exec(command)?.[1];
  return tool === 'Write' ? /\/effects\/(\S+)$/.exec(file_path)?.[1] : undefined;
}

/** A call that is said to have worked has done so, and one that is said to have done nothing has done nothing. */
function expectHonest({ calls }: SessionState, cwd: string): void {
  const effects = calls.map(effectIn);
  for (const [at, call] of calls.entries()) {
    const effect = effects[at];
    if (effect === undefined || !('end' in call)) continue;
    const isThere = existsSync(join(cwd, 'effects', effect));
    const { outcome, result } = call.end;
    if (outcome === 'ok') expect(isThere, `${effect} is there`).toBe(true);
    // An attempt that was thrown away may have run the same command.
    const isAlone = effects.filter((other) => other === effect).length === 1;
    if (isAlone && resultText(result).includes('has done nothing'))
      expect(isThere, `${effect} is not there`).toBe(false);
  }
}

async function continueWith(session: LiveSession): Promise<void> {
  const answering = session.log.onEvents((events) => {
    for (const event of events) {
      if (event.type !== 'permission-asked') continue;
      queueMicrotask(() => session.answer(event.callId, event.askId, { kind: 'allow-once' }));
    }
  });
  session.send(GO_ON);
  await session.idle;
  answering.dispose();
}

/** What a person has said goes to the model, and once, as long as no summary has taken its place. */
function expectOnceEach({ server }: Life, state: SessionState): void {
  const last = server.requests.map(messagesOf).findLast((messages) => messages.flatMap(textsIn).includes(GO_ON)) ?? [];
  const texts = last.filter(({ role }) => role === 'user').flatMap(textsIn);
  const said = inConversation(state, MAIN_AGENT).flatMap((entry) =>
    entry.kind === 'user' && entry.from === 'person' ? [entry.text] : [],
  );
  for (const text of [BEGIN, TYPED, GO_ON]) {
    const times = texts.filter((one) => one === text).length;
    expect(times, text).toBe(said.includes(text) ? 1 : 0);
  }
  expect(said).toContain(GO_ON);
  expect(state.queuedMessages).toEqual([]);
}

/** Opened once more, it is the session that was closed. */
async function expectSameAgain(life: Life, processes: ProcessHost, id: SessionId, was: SessionState): Promise<void> {
  const { events, findings } = readJournal(life.journalPath ?? '');
  expect(findings).toEqual([]);
  expect(foldSession(events)).toEqual(was);
  const library = openLibrary(life.place, processes);
  await library.load();
  const { log } = await library.live(id);
  expect(log.events.slice(events.length)).toMatchObject([{ type: 'session-resumed', after: 'clean' }]);
  await library.closeAll('closed');
}
