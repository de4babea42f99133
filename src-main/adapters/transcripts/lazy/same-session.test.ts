import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keptIn } from '../../../../src-shared/tool-call/content.ts';
import { wholeEvents } from '../../../app/whole-events.ts';
import { damages } from '../damage.ts';
import { TranscriptUnreadable } from '../importer.ts';
import { openTranscript } from '../open-transcript.ts';
import { missing, publicFolder } from '../public.fixture.ts';
import { Writer } from '../write-transcript.ts';
import { KeptTexts } from './kept-texts.ts';

const recordings = join(import.meta.dirname, '..', 'fixtures', 'claude-code-2.1.92');

let scratch = '';
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'gantry-lazy-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** A session read in both ways, or the words in which it was refused. */
async function inBothWays(path: string) {
  const said = (error: unknown): string => {
    if (error instanceof TranscriptUnreadable) return error.message;
    throw error;
  };
  const whole = await openTranscript(path).catch(said);
  const keptTexts = new KeptTexts();
  const lazy = await openTranscript(path, { keptTexts }).catch(said);
  if (typeof lazy === 'string') return { whole, restored: lazy, kept: 0 };
  const kept = lazy.events.flatMap((event) => (event.type === 'call-completed' ? keptIn(event.result.content) : []));
  const events = await wholeEvents(lazy.events, keptTexts);
  return { whole, restored: { ...lazy, events }, kept: kept.length, lazy };
}

describe.each(readdirSync(recordings))('%s', (name) => {
  test('is the same session in both ways', async () => {
    const { whole, restored } = await inBothWays(join(recordings, name));
    expect(restored).toEqual(whole);
  });
});

test.skipIf(missing)('public files are the same sessions in both ways', async () => {
  const files = readdirSync(publicFolder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.jsonl?$/.test(file),
  );
  let kept = 0;
  for (const file of files) {
    const both = await inBothWays(join(publicFolder, file));
    expect(both.restored, file).toEqual(both.whole);
    kept += both.kept;
  }
  expect(kept).toBeGreaterThan(0);
});

/** Long texts of all that JSON has to escape, and of what looks like it. */
const pieces = fc.constantFrom(
  ...[
    'plain words ',
    'line\n',
    '\ttab',
    'say "so"',
    'C:\\new\\u0041',
    '\\',
    '\\\\"',
    'größer ',
    '日本語',
    '😀',
    '\ud800',
  ],
  ...['\u0001', '/slash/', '</persisted-output>', '{"type":"user"}', '\u2028', 'Exit code 1\n', '\r\n', '\u007f'],
);
const longText = fc
  .tuple(fc.array(pieces, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 9_000 }))
  .map(([parts, length]) => parts.join('').repeat(Math.ceil(length / parts.join('').length)));
const anyText = fc.oneof(
  longText,
  longText.map((text) => `<persisted-output>\nOutput too large (1.2MB). Full output saved to: /tmp/x.txt\n\n${text}`),
  longText.map((text) => `Exit code 137\n[Request interrupted by user for tool use]${text}`),
  fc.constantFrom('', ' ', 'short'),
);

type Shape = { readonly content: unknown; readonly twin: unknown; readonly fails: boolean };
const shapes: fc.Arbitrary<Shape> = fc
  .record({
    text: anyText,
    other: anyText,
    fails: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    list: fc.constantFrom('text', 'blocks', 'texts', 'mixed'),
    twin: fc.constantFrom('same', 'begins', 'other', 'file', 'text', 'list', 'nested', 'short', 'none'),
  })
  .map(({ text, other, fails, list, twin }) => ({
    content: contentOf(list, text, other),
    twin: twinOf(twin, text, other),
    fails,
  }));

function contentOf(list: string, text: string, other: string): unknown {
  if (list === 'text') return text;
  if (list === 'texts') return [text, other];
  const blocks = [
    { type: 'text', text },
    { type: 'text', text: other },
  ];
  return list === 'blocks' ? blocks : [null, { type: 'tool_reference', tool_name: other }, ...blocks, 7];
}

function twinOf(kind: string, text: string, other: string): unknown {
  switch (kind) {
    case 'same':
      return { stdout: text, stderr: '', interrupted: false, isImage: false };
    case 'begins':
      return { stdout: text.slice(0, Math.ceil(text.length * 0.7)), stderr: other.slice(0, 40), interrupted: false };
    case 'other':
      return { stdout: other, content: text, originalFile: other, agentId: 'a1', message: text.slice(3, 9) };
    case 'file':
      return { type: 'text', file: { filePath: '/x', content: text, numLines: 3, note: other }, '\u0000': other };
    case 'text':
      return text;
    case 'list':
      return [{ type: 'text', text }, other];
    case 'nested':
      return { file: other, structuredPatch: [{ lines: [text] }], deep: { content: text } };
    case 'short':
      return { stdout: '', file: null, part: text.slice(1, 5), tail: ` ${text.slice(-6)}\n` };
    default:
      return undefined;
  }
}

function sessionOf(results: readonly Shape[], escapes: boolean): Buffer {
  const writer = new Writer().says(0, 'go');
  for (const [n, { content, twin, fails }] of results.entries()) {
    writer.calls(n * 100 + 10, `m${n}`, `call-${n}`, n % 2 === 0 ? 'Bash' : 'Read', { command: `do ${n}` });
    const extra = { toolUseResult: twin, ...(fails ? { is_error: true } : {}) };
    writer.result(n * 100 + 60, `call-${n}`, content, extra);
  }
  const text = writer.toString();
  // Other writers escape what need not be.
  return Buffer.from(escapes ? text.replaceAll('/', '\\/').replaceAll('ö', '\\u00f6') : text);
}

/** Fixed seeds, and one more from outside to look further. */
const seeds = [1, 2026, ...(process.env.GANTRY_SEED === undefined ? [] : [Number(process.env.GANTRY_SEED)])];

test.each(seeds)('made-up and damaged sessions are the same in both ways (seed %s)', async (seed) => {
  const file = join(scratch, `made-${seed}.jsonl`);
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(shapes, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      fc.array(damages, { maxLength: 2 }),
      async (results, escapes, all) => {
        const bytes = all.reduce<Buffer>(
          (left, damage) => (left.length === 0 ? left : damage(left)),
          sessionOf(results, escapes),
        );
        await writeFile(file, bytes);
        const both = await inBothWays(file);
        expect(both.restored).toEqual(both.whole);
        kept += both.kept;
      },
    ),
    { seed, numRuns: 120 },
  );
  expect(kept).toBeGreaterThan(100);
});

test('a text that is left in its file is told by its beginning, its length and its lines', async () => {
  const file = join(scratch, 'long.jsonl');
  const text = 'größer "als"\n'.repeat(1_000);
  const lines = new Writer().says(0, 'go').calls(10, 'm', 'c', 'Bash', { command: 'x' }).result(20, 'c', text);
  await writeFile(file, lines.toString());
  const { lazy } = await inBothWays(file);
  const done = lazy?.events.find((event) => event.type === 'call-completed');
  const [block] = done?.type === 'call-completed' ? done.result.content : [];
  expect(block).toMatchObject({ type: 'text', kept: { id: 0, characters: text.length, lines: 1_001 } });
  const head = block?.type === 'text' ? block.text : '';
  expect(text.startsWith(head)).toBe(true);
  expect(head.length).toBeGreaterThan(500);
  expect(head.length).toBeLessThan(1_100);
});

test('a text is not read from a file that has changed', async () => {
  const file = join(scratch, 'changed.jsonl');
  const lines = new Writer()
    .says(0, 'go')
    .calls(10, 'm', 'c', 'Bash', { command: 'x' })
    .result(20, 'c', 'y'.repeat(9_000));
  await writeFile(file, lines.toString());
  const keptTexts = new KeptTexts();
  await openTranscript(file, { keptTexts });
  await writeFile(file, `${' '.repeat(50)}${lines}`);
  await expect(keptTexts.read(0)).rejects.toThrow(/was moved or changed/);
  await rm(file);
  await expect(keptTexts.read(0)).rejects.toThrow(/was moved or changed/);
});
