import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionEvent } from '../../../../src-shared/session/event.ts';
import { wholeEvents } from '../../../app/whole-events.ts';
import { locate } from '../locate.ts';
import { openTranscript } from '../open-transcript.ts';
import { ClaudeReading } from './claude-reading.ts';
import { newsBetween } from './news.ts';
import type { GrowingReading } from './reading.ts';
import { FIXTURES, filesBelow, type RecordedFile, Rewriter } from './recordings.fixture.ts';
import { WholeReading } from './whole-reading.ts';

const SEEDS = [7, 2026, ...(process.env.GANTRY_SEED === undefined ? [] : [Number(process.env.GANTRY_SEED)])];

/** What is left of the events that were told when each piece of news is taken in. */
function takeIn(told: SessionEvent[], now: readonly SessionEvent[]): SessionEvent[] {
  const { keep, events, amended } = newsBetween(told, now);
  const next = [...told.slice(0, keep), ...events];
  for (const event of amended) next[event.seq] = event;
  return next;
}

type Piece = { readonly file: number; readonly bytes: number };

/** Writes a recording in these pieces and follows it; answers what was told in the end, as over, and while it grew. */
async function followed(recording: string, main: (names: readonly string[]) => string, pieces: readonly Piece[]) {
  const files = (await filesBelow(recording)).filter(({ path }) => !/approved/.test(path));
  const folder = await mkdtemp(join(tmpdir(), 'gantry-follow-'));
  try {
    const writer = new Rewriter(folder, files);
    const own = files.find(({ path }) => path === main(files.map((one) => one.path))) as RecordedFile;
    // Enough of it to tell what it is.
    await writer.append(own, Math.max(own.bytes.indexOf(10) + 1, Math.min(own.bytes.length, 4_000)));
    const reading = await readingOf(join(folder, own.path));
    let told: SessionEvent[] = [];
    for (const { file, bytes } of pieces) {
      const { left } = writer;
      if (left.length === 0) break;
      await writer.append(left[file % left.length] as RecordedFile, bytes);
      await reading.grow();
      const { events } = await reading.tell(true);
      told = takeIn(told, events);
      expect(told.map(({ seq }) => seq)).toEqual(told.map((_, at) => at));
    }
    await writer.appendAll();
    await reading.grow();
    const live = await reading.tell(true);
    told = takeIn(told, live.events);
    const end = await reading.tell(false);
    told = takeIn(told, end.events);
    const whole = await openTranscript(join(folder, own.path));
    // Before the files go: long texts are still in them.
    const all = await wholeEvents(told, end.texts);
    return { told: all, findings: end.findings, whole };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readingOf(path: string): Promise<GrowingReading> {
  const { importer, source } = await locate(path, { onFinding: () => {}, signal: new AbortController().signal });
  if (importer.name === 'claude-code') return ClaudeReading.start(source, () => {});
  return new WholeReading(importer, source, () => {});
}

const pieces = fc.array(fc.record({ file: fc.nat(50), bytes: fc.integer({ min: 1, max: 9_000 }) }), { maxLength: 25 });

const claude = join(FIXTURES, 'claude-code-2.1.92');
const isClaudeMain = (path: string) => /^[0-9a-f-]{36}\.jsonl$/.test(path);
const recordings = await Promise.all(
  (await readdir(claude)).map(async (name) => ({
    name,
    files: (await filesBelow(join(claude, name))).map((one) => one.path),
  })),
);

for (const seed of SEEDS) {
  test.each(recordings.filter(({ files }) => files.some(isClaudeMain)))(
    `$name written in pieces and followed is the recording read whole (seed ${seed})`,
    async ({ name }) => {
      const main = (names: readonly string[]) => names.find(isClaudeMain) as string;
      await fc.assert(
        fc.asyncProperty(pieces, async (some) => {
          const { told, whole, findings } = await followed(join(claude, name), main, some);
          expect(told).toEqual(whole.events);
          expect(findings).toEqual(whole.findings);
        }),
        { seed, numRuns: 5 },
      );
    },
    60_000,
  );
}

/** Formats whose readers start anew each time; records of the first three are kept in between. */
const OTHERS = [
  { folder: 'codex/parallel-0.98', main: /\.jsonl$/ },
  { folder: 'codex/agents-0.155', main: /rollout-[^/]*\.jsonl$/ },
  { folder: 'copilot-cli/parallel-1.0', main: /events\.jsonl$/ },
  { folder: 'pi/tree-v3', main: /\.jsonl$/ },
];
for (const seed of SEEDS) {
  test.each(OTHERS)(
    `$folder written in pieces and followed is the recording read whole (seed ${seed})`,
    async (one) => {
      const main = (names: readonly string[]) => names.find((name) => one.main.test(name)) as string;
      await fc.assert(
        fc.asyncProperty(pieces, async (some) => {
          const { told, whole } = await followed(join(FIXTURES, one.folder), main, some);
          expect(told).toEqual(whole.events);
        }),
        { seed, numRuns: 5 },
      );
    },
    60_000,
  );
}
