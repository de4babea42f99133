import { expect, test } from 'vitest';
import { isWordy, ManifestFold, type ManifestLine, shortest } from './manifest.ts';

const sha256 = 'b'.repeat(64);
const file = (path: string, bytes = 1): ManifestLine => ({
  kind: 'file',
  path,
  from: `/src/${path}`,
  bytes,
  sha256,
  sourceBytes: bytes,
  mtimeMs: 1.5,
  at: 2,
});
const LINES: readonly ManifestLine[] = [
  { kind: 'vault', v: 1, id: 'vault_1', madeAt: 1 },
  { kind: 'source', folder: 'codex/sessions', program: 'codex', path: '/h/.codex/sessions' },
  file('codex/sessions/a.jsonl'),
  { kind: 'bad', path: 'codex/sessions/a.jsonl', at: 3 },
  { kind: 'older', path: 'codex/sessions/a.jsonl', kept: `older/bb/${sha256}.jsonl`, bytes: 1, sha256, at: 3 },
  file('codex/sessions/a.jsonl', 9),
  file('codex/sessions/b.jsonl'),
  { kind: 'run', at: 1, endedAt: 2, files: 2, bytes: 10, problems: 0, stopped: false },
];

function foldOf(lines: Iterable<string>): ManifestFold {
  const manifest = new ManifestFold();
  for (const line of lines) manifest.takeText(line);
  return manifest;
}
const texts = (lines: Iterable<ManifestLine>): readonly string[] => [...lines].map((line) => JSON.stringify(line));

test('the last word on a file counts, and a new copy takes back that the old one was bad', () => {
  const manifest = foldOf(texts(LINES));
  expect(manifest.files.get('codex/sessions/a.jsonl')).toMatchObject({ bytes: 9 });
  expect(manifest.bad.size).toBe(0);
  expect(manifest.older.size).toBe(1);
  expect(manifest.lastRun).toMatchObject({ files: 2 });
});

test('the short form comes to the same', () => {
  const manifest = foldOf(texts(LINES));
  const short = foldOf(texts(shortest(manifest)));
  for (const key of ['header', 'sources', 'files', 'older', 'bad', 'lastRun'] as const) {
    expect(short[key]).toEqual(manifest[key]);
  }
  expect(short.lines).toBeLessThan(manifest.lines);
});

test('lines that break off, say nothing known or lead out of the vault are counted and left out', () => {
  const bad = [
    JSON.stringify(file('a')).slice(0, 40),
    '{"kind":"unheard-of"}',
    '\u0000\u0000\u0000',
    ...texts([file('../a'), file('/etc/passwd'), file('a/../../b'), file('a//b')]),
  ];
  const manifest = foldOf([...texts(LINES), ...bad]);
  expect(manifest.unreadable).toBe(bad.length);
  expect(manifest.files.size).toBe(2);
});

test('a manifest is written anew when it is long for what it says', () => {
  const manifest = foldOf(texts(LINES));
  expect(isWordy(manifest)).toBe(false);
  for (let again = 0; again < 200; again++) manifest.take(file('codex/sessions/a.jsonl'));
  expect(isWordy(manifest)).toBe(true);
});
