import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fileFor } from './protocol.ts';

vi.mock('electron', () => ({ protocol: {} }));

let root: string;
let folder: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-protocol-')));
  folder = join(root, 'renderer');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), 'page');
  writeFileSync(join(folder, 'assets', 'a b.js'), 'code');
  writeFileSync(join(root, 'secret'), 'secret');
  mkdirSync(join(root, 'renderer-evil'));
  writeFileSync(join(root, 'renderer-evil', 'x'), 'secret');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const text = async (url: string) => (await fileFor(url, folder))?.bytes.toString();

test('files of the folder are served, whatever the query', async () => {
  expect(await text('gantry://app/index.html')).toBe('page');
  expect(await text('gantry://app/index.html?theme=dark&x=../../secret#y')).toBe('page');
  expect(await text('gantry://app/assets/a%20b.js')).toBe('code');
});

test.each([
  'gantry://app/../secret',
  'gantry://app/%2e%2e/secret',
  'gantry://app/..%2fsecret',
  'gantry://app/assets/..%2f..%2fsecret',
  'gantry://app/..%2frenderer-evil/x',
  'gantry://app/%2fetc%2fpasswd',
  'gantry://app//etc/passwd',
  'gantry://app/',
  'gantry://app/assets',
  'gantry://app/index.html%00',
  'gantry://app/%E0%A4%A',
  'gantry://other/index.html',
  'gantry://app.evil/index.html',
  'gantry://x@other/index.html',
  'https://app/index.html',
  'file:///etc/passwd',
  'no address',
  '',
])('%s is nothing of ours', async (url) => {
  expect(await text(url)).toBeUndefined();
});

test('a link that leads out of the folder is not followed, one within it is', async () => {
  symlinkSync(join(root, 'secret'), join(folder, 'out'));
  symlinkSync(root, join(folder, 'up'));
  symlinkSync(join(folder, 'index.html'), join(folder, 'in'));
  expect(await text('gantry://app/out')).toBeUndefined();
  expect(await text('gantry://app/up/secret')).toBeUndefined();
  expect(await text('gantry://app/in')).toBe('page');
});
