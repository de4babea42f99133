import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settingsReader } from '../composition/settings.ts';
import { UsageError } from './io.ts';
import { trustCommand } from './trust.ts';

let root: string;
let shop: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-trust-')));
  shop = join(root, 'shop');
  mkdirSync(join(shop, '.claude'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function run(...args: string[]) {
  const out: string[] = [];
  const io = { stdout: (text: string) => void out.push(text), stderr: () => undefined };
  const env = { GANTRY_HOME: join(root, 'gantry'), CLAUDE_CONFIG_DIR: join(root, 'claude') };
  const code = trustCommand(args, io, settingsReader(env));
  return { code, out: out.join('') };
}

test('a folder is trusted, with a list of what takes effect, and taken off again', () => {
  writeFileSync(join(shop, '.claude', 'settings.json'), '{ "permissions": {\n "allow": ["Bash(make:*)"] } }');
  expect(run('--list').out).toBe('No folder is trusted.\n');
  expect(run(shop)).toEqual({
    code: 0,
    out: `${shop} is trusted. These settings of it take effect:\n  ${shop}/.claude/settings.json:2 allow rule Bash(make:*)\n`,
  });
  expect(run('--list').out).toBe(`${shop}\n`);
  expect(run(shop).out).toBe(`${shop} is trusted. It had no settings that waited for it.\n`);
  expect(run(shop, '--undo').out).toBe(`${shop} is not trusted. Its deny and ask rules count.\n`);
  expect(JSON.parse(readFileSync(join(root, 'gantry', 'trusted.json'), 'utf8'))).toEqual({ version: 2, folders: [] });
});

test('what comes later waits until the folder is trusted once more', () => {
  const file = join(shop, '.claude', 'settings.json');
  writeFileSync(file, '{ "permissions": {\n "allow": ["Read"] } }');
  run(shop);
  const command = `echo ${'x'.repeat(300)}`;
  const hooks = { Stop: [{ hooks: [{ type: 'command', command }] }] };
  writeFileSync(file, JSON.stringify({ permissions: { allow: ['Read'] }, hooks }));
  expect(run(shop).out).toBe(
    `${shop} is trusted. These settings of it take effect:\n  ${file}:1 hook Stop: ${command}\n`,
  );
});

test('with --json it answers with one object', () => {
  writeFileSync(join(shop, '.claude', 'settings.local.json'), '{ "env": { "A": "1" } }');
  expect(JSON.parse(run(shop, '--json').out)).toEqual({
    folder: shop,
    trusted: true,
    entries: [
      {
        kind: 'variable',
        text: 'A',
        full: 'A=1',
        key: expect.any(String),
        file: join(shop, '.claude', 'settings.local.json'),
        line: 1,
        why: 'folder-not-trusted',
      },
    ],
  });
  expect(JSON.parse(run('--list', '--json').out)).toEqual({ folders: [shop] });
});

test.each([[], ['a', 'b'], ['--list', 'a'], ['--list', '--undo'], ['--undo'], ['a', '--loud']])(
  'the words %j do not fit',
  (...args: string[]) => {
    expect(() => run(...args)).toThrow(UsageError);
  },
);

test('a folder that is not there is not trusted', () => {
  expect(() => run(join(root, 'nowhere'))).toThrow('is no folder');
  expect(run('--list').out).toBe('No folder is trusted.\n');
});
