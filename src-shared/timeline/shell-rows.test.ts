import { expect, test } from 'vitest';
import type { AgentId, CallId, ShellId } from '../ids.ts';
import type { ShellEnd } from '../shell/event.ts';
import type { Shell } from '../shell/state.ts';
import { sessionTime } from '../units.ts';
import { KIND } from './parts.ts';
import { ShellRows, shellKind } from './shell-rows.ts';

const shell = (at: number, from: number, until?: number, how: ShellEnd = { kind: 'exited', code: 0 }): Shell => ({
  shellId: `bash_${at + 1}` as ShellId,
  callId: 'c' as CallId,
  agentId: 'main' as AgentId,
  command: 'x',
  path: undefined,
  from: sessionTime(from),
  progress: undefined,
  readUntil: 0,
  end: until === undefined ? undefined : { at: sessionTime(until), how, bytes: undefined, survivors: undefined },
});

/** Items of each row. */
const picture = (shells: ShellRows): readonly (readonly number[])[] =>
  shells.rows.map((row) => [...row.items.slice(0, row.length)]);

function rowsOf(...shells: readonly Shell[]): ShellRows {
  const rows = new ShellRows();
  for (const [at, one] of shells.entries()) rows.take(one, at);
  rows.finish();
  return rows;
}

test('shells one after another share a row, those at the same time do not', () => {
  expect(picture(rowsOf(shell(0, 0, 10), shell(1, 10, 20), shell(2, 15, 30), shell(3, 25)))).toEqual([[0, 1, 3], [2]]);
});

test('a shell stays in its row when it ends, and the row is free from then on', () => {
  const rows = rowsOf(shell(0, 0), shell(1, 5));
  rows.take(shell(0, 0, 8), 0);
  rows.take(shell(2, 9), 2);
  rows.finish();
  expect(picture(rows)).toEqual([[0, 2], [1]]);
  expect(rows.rows[0]?.ends[0]).toBe(8);
});

test('more than four at once share the last row', () => {
  const rows = rowsOf(...[0, 1, 2, 3, 4, 5].map((at) => shell(at, at)));
  expect(picture(rows)).toEqual([[0], [1], [2], [3, 4, 5]]);
});

test.each<[ShellEnd, number]>([
  [{ kind: 'exited', code: 0 }, KIND.ok],
  [{ kind: 'exited', code: 1 }, KIND.error],
  [{ kind: 'signalled', signal: 'SIGSEGV' }, KIND.error],
  [{ kind: 'killed', by: 'model' }, KIND.cancelled],
  [{ kind: 'session-closed' }, KIND.cancelled],
  [{ kind: 'unknown' }, KIND.unknown],
])('%o is told by its colour', (how, kind) => {
  expect(shellKind(shell(0, 0, 1, how))).toBe(kind);
});
