import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MemoryFiles } from './memory-files.ts';

let root = '';
let trusted = false;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-memory-')));
  trusted = false;
  mkdirSync(join(root, 'home/shop/.git'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function read(folder = 'home/shop') {
  mkdirSync(join(root, folder), { recursive: true });
  const files = new MemoryFiles({
    home: join(root, 'home'),
    claudeHome: join(root, 'home/.claude'),
    isTrusted: () => trusted,
  });
  return files.read(join(root, folder)).map(({ path, kind, text, note }) => {
    const name = `${kind} ${path.slice(root.length + 1)}`;
    return note === undefined ? `${name}: ${text}` : `${name} (${note})${text === '' ? '' : `: ${text}`}`;
  });
}

test('the person’s own come first, then the project’s from its root down to the folder', () => {
  write('home/.claude/CLAUDE.md', 'mine');
  write('home/CLAUDE.md', 'above the repository');
  write('home/shop/CLAUDE.md', 'root');
  write('home/shop/AGENTS.md', 'agents');
  write('home/shop/src/CLAUDE.md', 'src');
  write('home/shop/src/CLAUDE.local.md', 'local');
  expect(read('home/shop/src')).toEqual([
    'user home/.claude/CLAUDE.md: mine',
    'project home/shop/CLAUDE.md: root',
    'project home/shop/AGENTS.md: agents',
    'project home/shop/src/CLAUDE.md: src',
    'local home/shop/src/CLAUDE.local.md: local',
  ]);
});

test('outside of a repository folders count up to home, and outside of home the folder alone', () => {
  write('home/CLAUDE.md', 'home');
  write('home/plain/deep/AGENTS.md', 'deep');
  write('CLAUDE.md', 'anybody’s');
  write('elsewhere/CLAUDE.md', 'here');
  expect(read('home/plain/deep')).toEqual(['project home/CLAUDE.md: home', 'project home/plain/deep/AGENTS.md: deep']);
  expect(read('elsewhere')).toEqual(['project elsewhere/CLAUDE.md: here']);
});

describe('imports', () => {
  test('follow the file they stand in, each once, and cycles end', () => {
    write('home/shop/CLAUDE.md', 'See @docs/a.md and @AGENTS.md. Not `@docs/code.md`, not @nobody.');
    write('home/shop/docs/a.md', 'a @b.md @../CLAUDE.md');
    write('home/shop/docs/b.md', 'b @a.md');
    write('home/shop/docs/code.md', 'code');
    write('home/shop/AGENTS.md', 'agents');
    expect(read().map((line) => line.split(':')[0])).toEqual([
      'project home/shop/CLAUDE.md',
      'import home/shop/docs/a.md',
      'import home/shop/docs/b.md',
      'import home/shop/AGENTS.md',
    ]);
  });

  test('end five files deep', () => {
    write('home/shop/CLAUDE.md', '@1.md');
    for (let at = 1; at <= 7; at++) write(`home/shop/${at}.md`, `@${at + 1}.md`);
    expect(read().slice(-2)).toEqual([
      'import home/shop/5.md: @6.md',
      'import home/shop/6.md (it is imported over too many files)',
    ]);
  });

  test('of a project lead out of it only when the folder is trusted, and never out of home', () => {
    write('home/notes.md', 'private');
    write('else.md', 'else');
    write('home/shop/CLAUDE.md', `@~/notes.md @${join(root, 'else.md')}`);
    const left = 'it lies outside of the project, and the folder is not trusted';
    expect(read().slice(1)).toEqual([`import home/notes.md (${left})`, `import else.md (${left})`]);
    trusted = true;
    expect(read().slice(1)).toEqual(['import home/notes.md: private', `import else.md (${left})`]);
  });

  test('of a folder in no repository stay in it, also where home is a repository', () => {
    write('home/secret.txt', 'secret');
    write('home/down/AGENTS.md', '@~/secret.txt');
    const left = ['import home/secret.txt (it lies outside of the project, and the folder is not trusted)'];
    expect(read('home/down').slice(1)).toEqual(left);
    mkdirSync(join(root, 'home/.git'));
    expect(read('home/down').slice(1)).toEqual(left);
  });

  test('of one’s own file may lie anywhere in one’s home', () => {
    write('home/.claude/CLAUDE.md', '@~/notes.md');
    write('home/notes.md', 'private');
    expect(read().slice(1)).toEqual(['import home/notes.md: private']);
  });
});

test('a link that leads out of the project is not followed', () => {
  write('home/secret.txt', 'secret');
  symlinkSync(join(root, 'home/secret.txt'), join(root, 'home/shop/CLAUDE.md'));
  write('home/shop/docs/real.md', 'real');
  symlinkSync('docs/real.md', join(root, 'home/shop/AGENTS.md'));
  expect(read()).toEqual([
    'project home/shop/CLAUDE.md (it lies outside of the project, and the folder is not trusted)',
    'project home/shop/AGENTS.md: real',
  ]);
});

test('what is no text is left out, and what is long is cut', () => {
  write('home/shop/CLAUDE.md', Buffer.from([0xff, 0xfe, 0x00]));
  write('home/shop/AGENTS.md', 'x\0y');
  write('home/shop/CLAUDE.local.md', 'y'.repeat(50_000));
  const [binary, zero, long] = read();
  expect(binary).toBe('project home/shop/CLAUDE.md (it is not UTF-8 text)');
  expect(zero).toBe('project home/shop/AGENTS.md (it is no text)');
  expect(long).toMatch(/^local home\/shop\/CLAUDE\.local\.md \(cut after 40000 of 50000 characters\): y{40000}$/);
});

test('a folder in the place of a file, and no files at all, are fine', () => {
  mkdirSync(join(root, 'home/shop/CLAUDE.md'));
  write('home/shop/AGENTS.md', 'Look into @docs/.');
  mkdirSync(join(root, 'home/shop/docs'));
  expect(read()).toEqual([
    'project home/shop/CLAUDE.md (it is a folder)',
    'project home/shop/AGENTS.md: Look into @docs/.',
  ]);
  expect(read('home/other')).toEqual([]);
});
