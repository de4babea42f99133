import { describe, expect, test } from 'vitest';
import { analyseBash } from './analyse-bash.ts';
import type { Arg } from './arguments.ts';
import { type OptionTable, readOptions } from './options.ts';

function arg(text: string): Arg {
  const isOpen = text.startsWith('$');
  const span = { start: 0, end: text.length };
  return {
    text,
    fixed: !isOpen,
    home: false,
    number: false,
    spreads: isOpen,
    span,
    word: { span, parts: [], forShellQuote: text },
  };
}

const table: OptionTable = { options: '-abn:U? --all --width: --color? --merged~' };
const read = (line: string, other: Partial<OptionTable> = {}) => {
  const call = readOptions(line.split(' ').filter(Boolean).map(arg), { ...table, ...other });
  if ('reason' in call) return call.reason;
  const options = call.options.map(({ name, value }) => (value === undefined ? name : `${name}=${value.text}`));
  return [...options, ...call.operands.map(({ text }) => text)].join(' ');
};

describe('options are read by the table', () => {
  test.each([
    ['-ab x', '-a -b x'],
    ['-an5 x', '-a -n=5 x'],
    ['-n 5 x', '-n=5 x'],
    ['-aU x', '-a -U x'],
    ['-U3 x', '-U=3 x'],
    ['--all --width 3 --width=4', '--all --width=3 --width=4'],
    ['--color --color=auto x', '--color --color=auto x'],
    ['--merged', '--merged'],
    ['--merged main', '--merged=main'],
    ['x -a -- -z --zz', '-a x -z --zz'],
    ['-', '-'],
  ])('%s', (line, expected) => {
    expect(read(line)).toBe(expected);
  });
});

describe('and refused when they are not in it', () => {
  test.each(['-z', '-az', '--al', '--all=x', '--zero', '-n', '--width', '-5', '-a5', '$x', '-n $x', '-n -b', '-- $x'])(
    '%s',
    (line) => {
      expect(read(line)).toMatch(/\.$/);
    },
  );

  test('operands can be limited, counted and kept behind the options', () => {
    expect(read('x y', { operands: 1 })).toMatch(/more arguments/);
    expect(read('x -a', { optionsFirst: true })).toMatch(/file name/);
    expect(read('-20 x', { numeric: true })).toBe('-number x');
  });

  test('values that are not known may stand anywhere in a harmless program', () => {
    expect(read('$x -n $y -n -b', { harmless: true })).toBe('-n=$y -n=-b $x');
    expect(read('-z', { harmless: true })).toMatch(/not known/);
  });
});

/** One line for each program or rule that a table could get wrong: what it may do, and what it may not. */
test.each([
  ['uniq -f 1 a', 'uniq a b'],
  ['xxd -r -p a', 'xxd -r a b'],
  ['tar -tzf a.tgz', 'tar tf host:a'],
  ['tar -xOf a.tar', 'tar -xf a.tar'],
  ['unzip -l a.zip', 'unzip a.zip'],
  ['gzip -dc a.gz', 'gzip -d a.gz'],
  ['date +%s', 'date 0101'],
  ['hostname', 'hostname x'],
  ['sysctl a.b', 'sysctl a.b=1'],
  ['git branch --list x', 'git branch x'],
  ['git tag -n5', 'git tag v1'],
  ['git config a.b', 'git config a.b c'],
  ['git config --null --list', 'git config a.b --null'],
  ['kill -l 9', 'kill 9 -l'],
  ['gzip -c a', 'gzip a -c'],
  ['tar -xOf a.tar b', 'tar -xf a.tar b -O'],
  ["sed -e p 'w x'", "sed 'w x' -e p"],
  ['unzip -l a.zip', 'unzip a.zip -l'],
  ['git config --get a.b', 'git config --add a.b c'],
  ['git stash list', 'git stash'],
  ['git remote get-url x', 'git remote add x y'],
  ['git reflog show HEAD', 'git reflog expire --all'],
  ['git worktree list', 'git worktree add x'],
  ['git format-patch --stdout -1', 'git format-patch -1'],
  ['git archive --format=zip HEAD', 'git archive --format=own HEAD'],
  ['git apply --check x', 'git apply x'],
  ['git clean -n', 'git clean -f'],
  ["git log --format='%h %an'", "git log --format='%G?'"],
  ['git --no-pager log', 'git -C /x log'],
  ['find . -name -delete', 'find . -delete'],
  ['find . -printf %p', 'find . -fprintf x %p'],
  ['rg -n x', 'rg --pre y x'],
  ['rg --files', 'rg -z x'],
  ['fd -e ts', 'fd -x rm'],
  ['sort -t o -k 2 a', 'sort -to -o x a'],
  ['tree -L 2', 'tree -o x'],
  ['jq -r .a b.json', 'jq env'],
  ['yq .a b.yml', 'yq -i .a=1 b.yml'],
  ['ps aux', 'ps axe'],
  ['top -b -n1', 'top -b'],
  ['ip -br addr show', 'ip link set lo up'],
  ['docker ps -a', 'docker -H x ps'],
  ['systemctl status x', 'systemctl stop x'],
  ['journalctl -n 5', 'journalctl --rotate'],
  ['dmesg -T', 'dmesg -c'],
  ['kill -l', 'kill -9 1'],
  ['mount -l', 'mount /x'],
  ['man 3 printf', 'man ./x'],
  ['node --version', 'node --version x'],
  ['printf %5d 3', 'printf -v x 3'],
  ['[ "$a" = b ]', '[ $a = b ]'],
  ['test -f "$a"', 'test "$a" "$b"'],
  ['while read -r line; do ls; done', 'while read -r PATH; do ls; done'],
  ['while IFS= read -r a b; do ls; done', 'read -r line'],
  ['exit $?', 'exit $x'],
  ['command -v git', 'command git push'],
  ['builtin echo x', 'builtin eval x'],
  ['nice -n 5 ls', 'nice -n 5 rm x'],
  ['nohup ls', 'nohup ./server'],
  ['ls | xargs wc -l', 'ls | xargs -n1 wc -l'],
  ['LC_ALL=C ls', 'LC_ALL=../x ls'],
  ['TZ=UTC date', 'TZ=$x date'],
  ['find ~ -name x', 'awk ~ a'],
  ["sort -t$'\\t' a", "sort $'-o' a"],
  ['git log --help', 'git own-alias --help'],
  ['cd ~/x && sort ~/a', 'sed ~ a'],
])('%s reads, %s may not', (reads, acts) => {
  expect([analyseBash(reads).readOnly, analyseBash(acts).readOnly]).toEqual([true, false]);
});
