import type * as fs from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventOf } from './events.fixture.ts';
import { JournalFile, readJournal } from './journal-file.ts';

/** A disk that takes a part of what is written and then refuses, as one does that fills up. */
const disk = vi.hoisted(() => ({ room: Number.POSITIVE_INFINITY, refusesToCut: false }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const refuse = (): never => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  return {
    ...real,
    writeSync(descriptor: number, bytes: Buffer, offset: number): number {
      if (disk.room === 0) return refuse();
      const written = real.writeSync(descriptor, bytes, offset, Math.min(disk.room, bytes.length - offset));
      disk.room -= written;
      return written;
    },
    ftruncateSync: (descriptor: number, length: number) =>
      disk.refusesToCut ? refuse() : real.ftruncateSync(descriptor, length),
  };
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-full-'));
  path = join(folder, 'journal.jsonl');
  disk.room = Number.POSITIVE_INFINITY;
  disk.refusesToCut = false;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const EVENTS = ['one', 'two', 'three'].map((text, seq) => eventOf({ type: 'notice-given', level: 'info', text }, seq));

test.each([1, 40, 120])('what a full disk took %i bytes of is taken back, and written whole later', (room) => {
  const journal = JournalFile.create(path);
  journal.write(EVENTS.slice(0, 1));
  disk.room = room;
  expect(() => journal.write(EVENTS.slice(1))).toThrow(/ENOSPC/);
  expect(readJournal(path)).toEqual({ events: EVENTS.slice(0, 1), findings: [] });
  disk.room = Number.POSITIVE_INFINITY;
  journal.write(EVENTS.slice(1));
  journal.close();
  expect(readJournal(path)).toEqual({ events: EVENTS, findings: [] });
});

test('what cannot be taken back is a bad line by itself, and spoils no other', () => {
  const journal = JournalFile.create(path);
  disk.room = 40;
  disk.refusesToCut = true;
  expect(() => journal.write(EVENTS)).toThrow(/ENOSPC/);
  disk.room = Number.POSITIVE_INFINITY;
  journal.write(EVENTS);
  journal.close();
  const { events, findings } = readJournal(path);
  expect(events).toEqual(EVENTS);
  expect(findings).toMatchObject([{ line: 1, kind: 'bad-line' }]);
});
