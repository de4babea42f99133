// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are expansions of bash, in texts that must not be templates.
import { describe, expect, test } from 'vitest';
import { analyseBash } from './analyse-bash.ts';
import { commandNames } from './command-names.ts';

const argvs = (command: string) => analyseBash(command).commands.map(({ argv }) => argv.join(' '));
const underlined = (command: string) => {
  const { decides } = analyseBash(command);
  return decides === undefined ? undefined : command.slice(decides.start, decides.end);
};

describe('the commands of a text', () => {
  test.each([
    ['a pipeline', 'cat a | grep b |& wc', ['cat a', 'grep b', 'wc']],
    ['a list', 'a && b || c; d & e\nf', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['a subshell and a group', '(curl x); { rm y; }', ['curl x', 'rm y']],
    ['a substitution', 'echo $(curl x) "a $(rm y)"', ['echo $(curl x) a $(rm y)', 'curl x', 'rm y']],
    ['backticks', 'echo `curl x`', ['echo `curl x`', 'curl x']],
    ['backticks in backticks', 'echo `a \\`b c\\``', ['echo `a \\`b c\\``', 'b c', 'a `b c`']],
    ['process substitutions', 'diff <(a) >(b)', ['diff <(a) >(b)', 'a', 'b']],
    ['a default value', 'echo ${x:-$(a)} "${y:=`b`}"', ['echo ${x:-$(a)} ${y:=`b`}', 'a', 'b']],
    ['arithmetic', 'echo $((a[$(b)])) $[$(c)]', ['echo $((a[$(b)])) $[$(c)]', 'b', 'c']],
    ['an assignment', 'x=$(a) y=(1 $(b)) c', ['c', 'a', 'b']],
    ['control flow', 'if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    [
      'loops',
      'for i in $(a); do b; done; while c; do d; done; until e; do f; done',
      ['for i $(a)', 'a', 'b', 'c', 'd', 'e', 'f'],
    ],
    ['a case', 'case $(a) in x|y) b;; (z) c;& *) d; esac', ['case $(a) x y z *', 'a', 'b', 'c', 'd']],
    ['a here-document', 'cat <<E\n$(a)\nE\nb', ['cat', 'a', 'b']],
    ['a quoted here-document', "cat <<'E'\n$(a)\nE\nb", ['cat', 'b']],
    [
      'a here-document in a substitution',
      "git commit -m \"$(cat <<'E'\nit's (a)\nE\n)\"",
      ["git commit -m $(cat <<'E'\nit's (a)\nE\n)", 'cat'],
    ],
    ['a redirection target', 'a > $(b) 2>>`c`', ['a', 'b', 'c']],
    ['a comment', 'a # b; c\nd', ['a', 'd']],
    ['a text that cannot be read to its end', 'rm x; echo "', ['rm x']],
  ])('%s', (_title, command, expected) => {
    expect(argvs(command)).toEqual(expected);
  });

  test('a function and its body are listed', () => {
    expect(argvs('f() { rm x; }; function g { a; }')).toEqual(['function f', 'rm x', 'function g', 'a']);
  });

  test('what is no simple command but has to be asked about is listed too', () => {
    expect(argvs("npm test && [[ 'a[x]' -eq 0 ]]")).toEqual(['npm test', '[[ a[x] -eq 0 ]]']);
    expect(argvs('((x = 1))')).toEqual(['((']);
    expect(argvs('for PATH in /x; do npm test; done')).toEqual(['for PATH /x', 'npm test']);
    expect(argvs('for f in a b; do npm test; done')).toEqual(['npm test']);
  });

  test('words are decoded, and expansions stand as written', () => {
    const [command] = analyseBash('"c"\\u\'rl\' a\\ b "c d" $x"$HOME"*.ts $\'\\n\' \'\'').commands;
    expect(command).toMatchObject({ argv: ['curl', 'a b', 'c d', '$x$HOME*.ts', '\n', ''], exact: false });
    expect(analyseBash("rm 'a b'").commands[0]).toMatchObject({ argv: ['rm', 'a b'], exact: true });
  });

  test('prefixes and redirections are taken apart', () => {
    const [command] = analyseBash('A=1 B="x y" cmd >out 2>>"e r" <in 2>&1 3<&- arg &>all').commands;
    expect(command).toMatchObject({
      argv: ['cmd', 'arg'],
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: 'x y' },
      ],
      redirections: [
        { op: '>', target: 'out' },
        { op: '2>>', target: 'e r' },
        { op: '<', target: 'in' },
        { op: '2>&', target: '1' },
        { op: '3<&', target: '-' },
        { op: '&>', target: 'all' },
      ],
    });
  });

  test('the redirections of a group belong to the commands in it', () => {
    const { commands } = analyseBash('{ ls; for f in a; do wc; done 2>err; } > out; pwd');
    expect(
      commands.map(({ argv, redirections }) => [argv[0], ...redirections.map(({ op, target }) => op + target)]),
    ).toEqual([['ls', '>out'], ['wc', '>out', '2>err'], ['pwd']]);
    expect(commands.map(({ readOnly }) => readOnly)).toEqual([false, false, true]);
  });

  test('spans cover the commands in the source', () => {
    const text = '  A=1 ls -la >x ; (rm  y)\n echo "$(b c)" # end';
    expect(analyseBash(text).commands.map(({ span }) => text.slice(span.start, span.end))).toEqual([
      'A=1 ls -la >x',
      'rm  y',
      'echo "$(b c)"',
      'b c',
    ]);
  });

  test('a doubt about the text counts for all of its commands', () => {
    for (const text of ['ls; echo "$\\\n(rm x)"', 'ls\u00a0; pwd', 'ls; echo "a']) {
      const { parsed, commands } = analyseBash(text);
      expect([parsed, commands.some(({ readOnly }) => readOnly)], text).toEqual([false, false]);
    }
    expect(analyseBash('rm x "$y" $(z)').parsed).toBe(true);
  });

  test('what may run commands that are not shown is not taken for fully read', () => {
    for (const text of [
      'npm test ${x@P}',
      'npm test ${!x}',
      'npm test $((x))',
      '((x)); npm test',
      'x=$[y]',
      'a <<E\n${x@P}\nE',
      'a > ${x@P}',
    ]) {
      expect(analyseBash(text).parsed, text).toBe(false);
    }
  });

  test('each command says for itself whether it reads', () => {
    const { commands } = analyseBash('git status && npm test');
    expect(commands.map(({ readOnly }) => readOnly)).toEqual([true, false]);
    expect(commands.map(({ reason }) => reason)).toEqual(['git only reads here.', expect.stringContaining('version')]);
  });
});

test.each([
  ['ls && rm -rf /', 'rm'],
  ['cat a | sort -o x', '-o'],
  ['ls > out', '> out'],
  ['echo "$(date)"', '$(date)'],
  ['FOO=1 ls', 'FOO=1'],
  ['git log --output=x', '--output=x'],
  ['find . -name x -delete', '-delete'],
  ['ls & pwd', '&'],
  ["sed -n 'w x' a", "'w x'"],
  ['ls "a', '"a'],
])('%s underlines %s', (command, expected) => {
  expect(underlined(command)).toBe(expected);
});

test('the names of the commands come once, without folders', () => {
  expect(commandNames(analyseBash('/bin/ls; ls | timeout 5 grep x; A=1; echo $(curl y)'))).toEqual([
    'ls',
    'timeout',
    'echo',
    'curl',
  ]);
});
