import { expect, test } from 'vitest';
import type { SourceRecord } from './manifest.ts';
import { placesFor, refusal, type Source } from './places.ts';

const source = (program: string, path: string): Source => ({ program, path, onlyTranscripts: false });
const NONE: ReadonlyMap<string, SourceRecord> = new Map();

test('a source has its own name in the vault, with a number where another has it', () => {
  const places = placesFor(
    [
      source('cline', '/a/tasks'),
      source('cline', '/b/tasks'),
      source('codex', '/h/.codex/sessions'),
      source('folders', '/'),
    ],
    NONE,
  );
  expect(places.map(({ folder }) => folder)).toEqual([
    'cline/tasks',
    'cline/tasks-2',
    'codex/sessions',
    'folders/root',
  ]);
});

test('a source keeps the name that the manifest has for it, whatever comes before it', () => {
  const known = new Map<string, SourceRecord>([
    ['cline/tasks', { kind: 'source', folder: 'cline/tasks', program: 'cline', path: '/b/tasks' }],
  ]);
  const places = placesFor([source('cline', '/a/tasks'), source('cline', '/b/tasks')], known);
  expect(places.map(({ folder }) => folder)).toEqual(['cline/tasks-2', 'cline/tasks']);
});

test.each([
  ['/h/.claude/projects', 'lies in'],
  ['/h/.claude/projects/vault', 'lies in'],
  ['/h', 'which is to be copied, lies in /h.'],
  ['/', 'which is to be copied, lies in /.'],
])('a vault in %s is refused', (vault, why) => {
  expect(refusal(vault, [{ path: '/h/.claude/projects' }])).toContain(why);
});

test('a vault beside the sources is fine, though its name begins like theirs', () => {
  expect(refusal('/h/.claude/projects-vault', [{ path: '/h/.claude/projects' }])).toBeUndefined();
  expect(refusal('/h/.claude/..projects', [{ path: '/h/.claude/projects' }])).toBeUndefined();
});
