import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { inspect } from '../../core/inspect/inspect.ts';
import { TranscriptUnreadable } from './importer.ts';
import { faultsOf } from './invariants.ts';
import { openTranscript } from './open-transcript.ts';

const fixtures = join(import.meta.dirname, 'fixtures');

type Session = { readonly name: string; readonly bytes: Buffer };

/** The sessions of these folders of fixtures, but for those that lie in files of their own beside them. */
export function sessionsIn(...folders: readonly string[]): readonly Session[] {
  return folders.flatMap((folder) =>
    readdirSync(join(fixtures, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.jsonl') && !/^persisted|subagents/.test(file))
      .map((file) => ({ name: `${folder}/${file}`, bytes: readFileSync(join(fixtures, folder, file)) })),
  );
}

type Damage = (bytes: Buffer) => Buffer;
const linesOf = (bytes: Buffer): string[] => bytes.toString('latin1').split('\n');
const joined = (lines: readonly string[]): Buffer => Buffer.from(lines.join('\n'), 'latin1');
const at = (share: number, length: number): number => Math.min(length - 1, Math.floor(share * length));

const share = fc.double({ min: 0, max: 1, noNaN: true });
export const damages: fc.Arbitrary<Damage> = fc.oneof(
  share.map((where) => (bytes: Buffer) => bytes.subarray(0, at(where, bytes.length))),
  share.map((where) => (bytes: Buffer) => bytes.subarray(at(where, bytes.length))),
  // Two lines become one.
  share.map((where) => (bytes: Buffer) => {
    const lines = linesOf(bytes);
    const first = at(where, lines.length - 1);
    return joined(lines.toSpliced(first, 2, `${lines[first]}${lines[first + 1]}`));
  }),
  fc.tuple(share, fc.integer({ min: 0, max: 255 })).map(([where, byte]) => (bytes: Buffer) => {
    const copy = Buffer.from(bytes);
    copy[at(where, copy.length)] = byte;
    return copy;
  }),
  fc.tuple(share, fc.integer({ min: 1, max: 5 })).map(([where, count]) => (bytes: Buffer) => {
    const lines = linesOf(bytes);
    return joined(lines.toSpliced(at(where, lines.length), count));
  }),
  fc.tuple(share, share).map(([from, to]) => (bytes: Buffer) => {
    const lines = linesOf(bytes);
    const [moved = ''] = lines.splice(at(from, lines.length), 1);
    return joined(lines.toSpliced(at(to, lines.length + 1), 0, moved));
  }),
  fc.tuple(share, share).map(([from, to]) => (bytes: Buffer) => {
    const lines = linesOf(bytes);
    return joined(lines.toSpliced(at(to, lines.length), 0, lines[at(from, lines.length)] ?? ''));
  }),
  // A torn line whose whole repeat follows.
  fc.tuple(share, share).map(([where, cut]) => (bytes: Buffer) => {
    const lines = linesOf(bytes);
    const line = lines[at(where, lines.length)] ?? '';
    return joined(lines.toSpliced(at(where, lines.length), 0, line.slice(0, at(cut, line.length + 1))));
  }),
  // Times that do not fit, ids that are gone, values of another kind.
  fc
    .tuple(
      share,
      fc.constantFrom(
        ...['timestamp', 'uuid', 'id', 'tool_use_id', 'type', 'message', 'content', 'name', 'input'],
        ...['call_id', 'toolCallId', 'parentId', 'output', 'role'],
      ),
    )
    .map(([where, key]) => (bytes: Buffer) => {
      const lines = linesOf(bytes);
      const index = at(where, lines.length);
      return joined(lines.with(index, (lines[index] ?? '').replace(`"${key}":"`, `"${key}":"2020-01-01T00:00:00Z`)));
    }),
  fc
    .tuple(
      share,
      fc.constantFrom('message', 'content', 'toolUseResult', 'isSidechain', 'usage', 'payload', 'data', 'item', 'info'),
    )
    .map(([where, key]) => (bytes: Buffer) => {
      const lines = linesOf(bytes);
      const index = at(where, lines.length);
      return joined(lines.with(index, (lines[index] ?? '').replace(`"${key}":`, `"${key}":true,"was-${key}":`)));
    }),
  fc.constant((bytes: Buffer) => Buffer.concat([Buffer.from('\uFEFF'), bytes, Buffer.alloc(100)])),
  fc.constant((bytes: Buffer) => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')),
);

/**
 * Damages recordings in every way that was seen in the wild, and some more, and opens them: each must make a sound
 * session or be refused in words. For tests.
 */
export async function openDamaged({
  sessions = sessionsIn('claude-code-2.1.92'),
  seed,
  runs,
  scratch,
}: {
  sessions?: readonly Session[];
  seed: number;
  runs: number;
  scratch: string;
}): Promise<void> {
  let read = 0;
  const file = join(scratch, `damaged-${seed}.jsonl`);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sessions),
      fc.array(damages, { minLength: 1, maxLength: 6 }),
      async (session, all) => {
        const bytes = all.reduce<Buffer>((left, damage) => (left.length === 0 ? left : damage(left)), session.bytes);
        await writeFile(file, bytes);
        try {
          const { events, findings } = await openTranscript(file);
          expect(faultsOf(events), session.name).toEqual([]);
          const inspection = inspect(events, findings, { calls: true });
          expect(inspection.results + inspection.callsWithoutResult.length).toBe(inspection.calls);
          read++;
        } catch (error) {
          if (!(error instanceof TranscriptUnreadable)) throw error;
        }
      },
    ),
    { seed, numRuns: runs },
  );
  // The property would hold for a reader that refuses everything.
  expect(read).toBeGreaterThan(runs * 0.6);
}
