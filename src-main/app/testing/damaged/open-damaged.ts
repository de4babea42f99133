import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { FailureError } from '../../../../src-shared/failure.ts';
import type { SessionId } from '../../../../src-shared/ids.ts';
import type { SessionEvent } from '../../../../src-shared/session/event.ts';
import { parseLine, toLine } from '../../../../src-shared/session/stored-line.ts';
import type { Finding } from '../../../../src-shared/session/summary.ts';
import { systemClock } from '../../../adapters/process/system-clock.ts';
import { SessionFolders } from '../../../adapters/storage/session-folders.ts';
import { faultsOfRequest } from '../../../core/conversation/request-validator.ts';
import type { ModelItem, ModelProvider, ModelRequest } from '../../../ports/model-provider.ts';
import { SessionLibrary } from '../../session-library.ts';
import { countingIds } from '../bench.ts';
import { expectClosed } from '../closed.ts';
import { HandTools } from '../hand-tools.ts';
import { damaged, someDamages } from './damages.ts';

export type DamagedJournals = {
  readonly seed: number;
  readonly runs: number;
  /** Whole sessions to damage. */
  readonly sessions: readonly (readonly SessionEvent[])[];
  /** A folder that is there. */
  readonly scratch: string;
};

/** What came of all of them. */
export type OpenedJournals = {
  /** Sessions that went on. */
  continued: number;
  /** Sessions that were refused in words: there was no beginning. */
  refused: number;
  /** Events of the whole sessions that could not be read, and events that were read as something else. */
  lost: number;
  changed: number;
  findings: number;
};

const ID = 'session_damaged' as SessionId;

/** Damages journals by chance and opens each as the app does. Fails with the damage that it fails for. */
export async function openDamagedJournals({ seed, runs, sessions, scratch }: DamagedJournals): Promise<OpenedJournals> {
  const sum: OpenedJournals = { continued: 0, refused: 0, lost: 0, changed: 0, findings: 0 };
  let n = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(sessions.length - 1),
      someDamages,
      fc.string({ unit: 'binary' }),
      async (which, all, summary) => {
        const root = join(scratch, String(n++));
        const whole = sessions[which] ?? [];
        const bytes = damaged(Buffer.from(whole.map((event) => `${toLine(event)}\n`).join('')), all);
        mkdirSync(join(root, ID), { recursive: true });
        writeFileSync(join(root, ID, 'journal.jsonl'), bytes);
        writeFileSync(join(root, ID, 'summary.json'), summary);
        try {
          await open(root, whole, bytes, sum);
        } finally {
          rmSync(root, { recursive: true });
        }
      },
    ),
    { seed, numRuns: runs },
  );
  return sum;
}

async function open(root: string, whole: readonly SessionEvent[], bytes: Buffer, sum: OpenedJournals): Promise<void> {
  const path = join(root, ID, 'journal.jsonl');
  const folders = new SessionFolders(root);
  const { events, findings } = await folders.read(ID);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expectEachLineTold(bytes, events, findings);
  countLosses(whole, events, findings, sum);

  const model = new OneWordModel();
  const library = libraryOf(folders, model);
  await library.load();
  const [row, ...more] = library.list();
  expect(more).toEqual([]);
  // A file without a single byte is a session that died before its first event.
  expect(row === undefined).toBe(bytes.length === 0);
  if (row === undefined) return;
  expect(row.title).not.toBe('');
  const session = await library.live(ID).catch((error: unknown) => {
    if (!(error instanceof FailureError)) throw error;
    expect(error.failure).toMatchObject({ kind: 'not-readable', message: expect.stringContaining(path) });
    return undefined;
  });
  if (session === undefined) {
    // Only the beginning makes a session.
    expect(events.some(({ type }) => type === 'session-started')).toBe(false);
    sum.refused++;
    expectNothingThrownAway(path, bytes);
    return;
  }
  expect(session.log.events.slice(0, events.length)).toEqual(events);
  expect((await library.findings(ID)).length).toBe(findings.length);
  expectClosed(session.log.state);
  session.send('Go on.');
  await session.idle;
  expect(session.log.state.turns.at(-1)?.end).toMatchObject({ reason: 'completed' });
  expect(model.faults).toEqual([]);
  expect(model.asked).toBeGreaterThan(0);
  expectClosed(session.log.state);
  await library.closeAll('closed');
  expectNothingThrownAway(path, bytes);
  // What was damaged stays told, and what was added is whole.
  const again = await folders.read(ID);
  expect(again.events).toEqual(session.log.events);
  sum.continued++;
}

const NOTHING_LEFT_OUT = new Set(['missing-events', 'misplaced-line']);

const linesIn = (bytes: Buffer): readonly Buffer[] => {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    lines.push(bytes.subarray(start, end === -1 ? bytes.length : end));
    start = end === -1 ? bytes.length : end + 1;
  }
  return lines;
};

/** Every line that holds something was read or is told to be left out, each once. */
function expectEachLineTold(bytes: Buffer, events: readonly SessionEvent[], findings: readonly Finding[]): void {
  const lines = new Set(linesIn(bytes).flatMap((line, index) => (isBare(line, index) ? [] : [index + 1])));
  const leftOut = findings.filter(({ kind }) => !NOTHING_LEFT_OUT.has(kind)).map(({ line }) => line);
  expect(new Set(leftOut).size).toBe(leftOut.length);
  expect(leftOut.filter((line) => !lines.has(line))).toEqual([]);
  expect(events.length + leftOut.length).toBe(lines.size);
}

const isBare = (line: Buffer, index: number): boolean =>
  line.length === 0 || (index === 0 && line.equals(Buffer.from('\uFEFF')));

const MISSING = /^Before this line (\d+) events? (?:is|are) missing\.$/;

/** Events of the whole session that stand before one that was read are gone only where that is told. */
function countLosses(
  whole: readonly SessionEvent[],
  events: readonly SessionEvent[],
  findings: readonly Finding[],
  sum: OpenedJournals,
): void {
  const factsOf = ({ seq: _, ...facts }: SessionEvent): string => JSON.stringify(facts);
  const read = new Set(events.map(factsOf));
  // What the file says of an event is what comes back from its line.
  const known = whole.map((event) => {
    const parsed = parseLine(toLine(event));
    return factsOf(parsed.ok ? parsed.value : event);
  });
  const isRead = known.map((facts) => read.has(facts));
  const lost = isRead.slice(0, isRead.lastIndexOf(true) + 1).filter((is) => !is).length;
  const all = new Set(known);
  const changed = [...read].filter((facts) => !all.has(facts)).length;
  const told = findings.reduce((count, { kind, message }) => {
    if (kind === 'missing-events') return count + Number(MISSING.exec(message)?.[1]);
    return kind === 'misplaced-line' ? count : count + 1;
  }, 0);
  expect(lost).toBeLessThanOrEqual(told + changed);
  sum.lost += lost;
  sum.changed += changed;
  sum.findings += findings.length;
}

/** Each line lies in the journal or beside it. */
function expectNothingThrownAway(path: string, bytes: Buffer): void {
  const torn = existsSync(`${path}.torn`) ? readFileSync(`${path}.torn`) : Buffer.alloc(0);
  const textOf = (line: Buffer): string => line.toString('latin1');
  const kept = new Set([...linesIn(readFileSync(path)), ...linesIn(torn)].map(textOf));
  expect(linesIn(bytes).filter((line) => !kept.has(textOf(line)))).toEqual([]);
}

function libraryOf(store: SessionFolders, model: ModelProvider): SessionLibrary {
  return new SessionLibrary({
    store,
    clock: systemClock,
    newId: countingIds(100_000),
    readTranscript: () => Promise.reject(new Error('there is nothing to read')),
    toolsFor: () => new HandTools(),
    scriptedProvider: () => model,
    providerFor: () => model,
    prepareScenario: () => Promise.reject(new Error('no scenario is played here')),
    app: 'test',
  });
}

/** Says one word to everything, and looks at what it is asked. */
class OneWordModel implements ModelProvider {
  readonly name = 'one-word';
  readonly model = 'one-word-1';
  asked = 0;
  faults: readonly string[] = [];

  async *stream({ messages }: ModelRequest): AsyncGenerator<ModelItem> {
    this.faults = [...this.faults, ...faultsOfRequest(messages)];
    yield { type: 'message-started', messageId: `one-word-${this.asked++}`, model: this.model };
    yield { type: 'text', text: 'Fine.' };
    yield { type: 'message-ended', stopReason: 'end-turn', usage: {} };
  }
}
