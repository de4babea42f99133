import { expect, test } from 'vitest';
import type { CallId } from '../../src-shared/ids.ts';
import type { ReadFile, ToolContext } from '../ports/tool.ts';
import { staleReads } from './stale-reads.ts';

const file = (mtimeMs: number, more: Partial<ReadFile> = {}): ReadFile => ({
  mtimeMs,
  size: 1,
  hash: '',
  callId: 'read' as CallId,
  by: 'read',
  range: 'whole',
  ...more,
});
const context = (files: Readonly<Record<string, ReadFile>>): ToolContext => ({
  cwd: '/work',
  directories: ['/work'],
  readFiles: new Map(Object.entries(files)),
  todos: [],
  discovered: new Set(),
});
const onDisk = (times: Readonly<Record<string, number>>) => async (path: string) => times[path];

test('files whose time has changed, or that are gone, are stale; others are not', async () => {
  const stale = await staleReads(
    context({ '/work/a': file(1), '/work/b': file(1), '/work/gone': file(1) }),
    [],
    onDisk({ '/work/a': 1, '/work/b': 2 }),
  );
  expect([...stale.keys()]).toEqual(['/work/b', '/work/gone']);
});

test('what the call says it wrote is not stale: it is known anew', async () => {
  expect((await staleReads(context({ '/work/a': file(1) }), ['/work/a'], onDisk({ '/work/a': 2 }))).size).toBe(0);
});

test('a change is told once, and the next change again', async () => {
  const first = await staleReads(context({ '/work/a': file(1) }), [], onDisk({ '/work/a': 2 }));
  const told = first.get('/work/a') as ReadFile;
  expect((await staleReads(context({ '/work/a': told }), [], onDisk({ '/work/a': 2 }))).size).toBe(0);
  expect((await staleReads(context({ '/work/a': told }), [], onDisk({ '/work/a': 3 }))).size).toBe(1);
});
