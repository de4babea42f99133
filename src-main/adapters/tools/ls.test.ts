import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lsTool } from './ls.ts';
import { Workbench } from './workbench.fixture.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench({ 'src/a.ts': '', 'b.md': '', '.env': '' });
});
afterEach(() => bench.dispose());

test('files and folders of one folder, in order, links marked', async () => {
  symlinkSync(bench.path('b.md'), bench.path('link'));
  expect((await bench.run(lsTool, {})).text).toBe('.:\n.env\nb.md\nlink@\nsrc/');
  expect((await bench.run(lsTool, { path: 'src' })).text).toBe('src:\na.ts');
  expect((await bench.run(lsTool, { path: bench.path('src'), ignore: ['*.ts'] })).text).toBe('src is empty.');
});

test('what may not be read is not named', async () => {
  bench.host = { mayRead: (path) => !path.endsWith('.env') };
  expect((await bench.run(lsTool, {})).text).toBe('.:\nb.md\nsrc/\n(1 file was left out by permission rules.)');
});

test('a long list is cut and says so', async () => {
  mkdirSync(bench.path('many'));
  for (let at = 0; at < 1_002; at++) writeFileSync(join(bench.path('many'), String(at)), '');
  expect((await bench.run(lsTool, { path: 'many' })).text).toMatch(/\n\(2 more\. Use Glob/);
});

test('outside of the working folders it asks, and what is no folder is refused', async () => {
  expect(await lsTool.checkPermissions({ path: bench.outside }, bench.context)).toMatchObject({ verdict: 'pass' });
  expect(await lsTool.checkPermissions({ path: '.' }, bench.context)).toMatchObject({ verdict: 'allow' });
  expect(await bench.refusal(lsTool, { path: 'b.md' })).toContain('This is a file, not a folder');
  expect(await bench.refusal(lsTool, { path: 'nope' })).toContain('Directory does not exist');
});
