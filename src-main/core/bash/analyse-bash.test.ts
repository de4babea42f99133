// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are expansions of bash, in texts that must not be templates.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyseBash } from './analyse-bash.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

type Case = {
  readonly id: string;
  readonly command: string;
  readonly expected: string;
  readonly why: string;
  readonly tier: string;
};

/** Our copy of the collected cases: id, command as JSON, expected, why, source, tier. */
const cases: readonly Case[] = readFileSync(new URL('./fixtures/bash.tsv', import.meta.url), 'utf8')
  .split('\n')
  .slice(1)
  .filter((line) => line !== '')
  .map((line) => {
    const [id = '', command = '""', expected = '', why = '', , tier = ''] = line.split('\t');
    return { id, command: JSON.parse(command) as string, expected, why, tier };
  });

const readOnlyCases = cases.filter(({ expected }) => expected === 'read_only');
const otherCases = cases.filter(({ expected }) => expected === 'not_read_only');
const show = ({ id, tier, command, why }: Case) => `${id} ${tier} ${JSON.stringify(command)} (${why})`;

describe('the collected cases', () => {
  test('the file holds cases of both kinds and tiers', () => {
    expect(readOnlyCases.length).toBeGreaterThan(150);
    expect(otherCases.length).toBeGreaterThan(250);
    expect(readOnlyCases.length + otherCases.length).toBe(cases.length);
    expect(new Set(cases.map(({ tier }) => tier))).toEqual(new Set(['A', 'B']));
  });

  test('no case that is not read-only is called read-only', () => {
    expect(otherCases.filter(({ command }) => analyseBash(command).readOnly).map(show)).toEqual([]);
  });

  test('at most 5 % of the read-only cases are not recognised', () => {
    const asked = readOnlyCases.filter(({ command }) => !analyseBash(command).readOnly).map(show);
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(readOnlyCases.length * 0.05);
  });

  test('every refusal says why and points into the text', () => {
    for (const { command, id } of otherCases) {
      const { reason, decides } = analyseBash(command);
      expect(reason, id).toMatch(/^[^\n]{10,}\.$/);
      if (decides === undefined) continue;
      expect(decides.start, id).toBeGreaterThanOrEqual(0);
      expect(decides.end, id).toBeLessThanOrEqual(command.length);
      expect(decides.end, id).toBeGreaterThan(decides.start);
    }
  });
});

/** What shell-quote alone would get wrong, or an eye would miss. */
const hazards: readonly (readonly [string, string])[] = [
  ['a newline separates commands', 'ls\nrm x'],
  ['a comment ends with its line', 'ls # c\nrm x'],
  ['a # inside a word starts no comment', 'echo a#;touch P'],
  ['a # after a quote starts no comment', "echo ''#;touch P"],
  ['a comment with a quote hides nothing', "ls # it's\ntouch P # it's"],
  ['CR is no blank', 'TZ=UTC\rls touch P'],
  ['a no-break space is no blank', 'TZ=UTC\u00a0ls touch P'],
  ['a vertical tab is no blank', 'TZ=UTC\u000bls touch P'],
  ['a form feed is no blank', 'TZ=UTC\fls touch P'],
  ['an em space is no blank', 'TZ=UTC\u2003ls touch P'],
  ['a line separator is no blank', 'TZ=UTC\u2028ls touch P'],
  ['a byte order mark is no blank', 'TZ=UTC\ufeffls touch P'],
  ['backticks substitute', 'echo `rm x`'],
  ['backticks substitute in double quotes', 'echo "`rm x`"'],
  ['$( substitutes in double quotes', 'echo "$(rm x)"'],
  ['a continued line can hide a substitution', 'echo "$\\\n(rm x)"'],
  ['a default value can substitute', 'echo ${x:-$(rm x)}'],
  ['an expansion can assign', 'echo ${x:=y}'],
  ['an expansion can be a prompt', 'echo ${x@P}'],
  ['arithmetic can substitute', 'echo $((a[$(rm x)]))'],
  ['arithmetic can evaluate a variable', 'echo $((x))'],
  ['an open double quote is an error', 'ls "a'],
  ['an open single quote is an error', "echo 'a"],
  ['an open quote can swallow a command', 'echo "a\nrm x'],
  ['an unquoted here-document substitutes', 'cat <<E\n$(rm x)\nE'],
  ['commands follow a here-document', "cat <<'E'\nx\nE\nrm x"],
  ['a here-document hides no pipe', "cat <<'E' | tee x\ny\nE"],
  ['a here-document without its end is not decided', "cat <<'E'\nx"],
  ['a continued line can hide the end of a here-document', 'cat <<E\nx\\\nE\nrm x\nE'],
  ['&> writes', 'ls &>x'],
  ['<> creates', ': 3<>x'],
  ['a named descriptor opens a file', ': {fd}>x'],
  ['a long number before > is a word', 'uniq a 999>/dev/null'],
  ['>& with a word writes', 'ls >&x'],
  ['braces build a command', '{touch,P}'],
  ['a function can replace a command', 'ls() { rm x; }; ls'],
  ['time is followed by a command', 'time rm x'],
  ['time with an option is another program', 'time -o x ls'],
  ['! is followed by a command', '! rm x'],
  ["a $' quote hides a command", "$'\\x72m' x"],
  ["a $' quote hides an option", "find . $'-delete'"],
  ['quotes hide a command', "r'm' x"],
  ['quotes hide an option', 'find . -"delete"'],
  ['a backslash hides an option', 'find . -de\\lete'],
  ['a glob can become an option', 'sort *.txt'],
  ['a variable can become an option', 'git log $REF'],
  ['a glob can become a program', '/bin/t?uch P'],
  ['xargs adds options', 'ls | xargs sed -n 1p'],
  ['a loop can set PATH', 'for PATH in x; do ls; done'],
  ['read can set PATH', 'read PATH < a.txt; ls'],
  ['printf can set PATH', 'printf %n PATH; ls'],
  ['the redirection of a group counts', '{ ls; } > x'],
  ['the redirection of an empty case counts', 'case x in y) ;; esac > x'],
  ['-eq in double brackets evaluates', "[[ 'a[$(rm x)]' -eq 0 ]]"],
  ['-v evaluates', "[ -v 'a[$(rm x)]' ]"],
  ['a device can be the network', 'cat < /dev/tcp/1.1.1.1/80'],
  ['git in another folder', 'cd sub && git log'],
  ['git in another folder, behind xargs', 'cd sub && ls | xargs timeout 5 git log'],
  ['the prototype of an object is no table', 'constructor'],
  ['the prototype of an object is no table of options', 'ls --__proto__'],
  ['a process left behind', 'sleep 100 &'],
];

test.each(hazards)('not read-only: %s', (_title, command) => {
  expect(analyseBash(command).readOnly).toBe(false);
});

const harmless: readonly (readonly [string, string])[] = [
  ['single quotes hold anything', "echo '$(rm x) `rm x` > x ; rm x # \" \\'"],
  ['double quotes hold operators', 'echo "a;b && c > d | e # f"'],
  ['escapes are literal', 'echo \\`rm\\` \\$\\(rm\\) \\; a\\ b \\#'],
  ['an escaped quote idiom', "echo 'don'\\''t'"],
  ['a word with a # in it', 'grep -n a#b a.txt'],
  ['a comment with a quote', "ls # it's\npwd"],
  ['a quoted line break', 'echo "a\nb"'],
  ['a continued line between words', 'ls \\\n  -la'],
  ['variables for a program without harmful options', 'ls "$HOME" $x ${y:-z} "${y%.*}"'],
  ['globs for a program without harmful options', 'wc -l *.ts src/**/[a-z]?.{ts,tsx}'],
  ['a $ quote as data', "grep $'\\t' a.txt"],
  ['a calculation with plain numbers', 'echo $(( (1 + 2) * 3 ))'],
  ['here-documents', 'cat <<\'A\' <<-"B"\n$(rm x)\nA\n\tb\n\tB\nls'],
  ['an unquoted here-document with plain variables', 'cat <<E\nhello $USER\nE'],
  [
    'groups, tests, loops',
    'if [[ -f a && $x == y* ]]; then { cat a; } 2>/dev/null; else for f in a b; do (wc "$f"); done; fi',
  ],
  ['reading lines', 'while IFS= read -r line; do echo "$line"; done < a.txt'],
  ['streams', 'ls 2>&1 >/dev/null 2>&- |& head -2'],
  ['wrappers', 'timeout -k 1 5 nice -n 5 stdbuf -oL command grep x a'],
  ['programs of the system by their path', '/bin/ls -la | /usr/bin/wc -l'],
];

test.each(harmless)('read-only: %s', (_title, command) => {
  const { readOnly, reason } = analyseBash(command);
  expect([readOnly, reason]).toEqual([true, expect.stringMatching(/\.$/)]);
});

describe('any text at all', () => {
  const shellText = fc
    .array(
      fc.constantFrom(
        ...' \t\n;&|<>(){}[]\'"\\$`#!*?=~-x1',
        '$(',
        '${',
        '<<',
        '&&',
        'echo',
        'ls',
        'PWNED',
        'if',
        'done',
      ),
      {
        maxLength: 40,
      },
    )
    .map((parts) => parts.join(''));

  test('never throws, and points into the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), shellText), (text) => {
        const { decides, commands, readOnly, reason } = analyseBash(text);
        expect(reason).not.toBe('');
        expect(readOnly).toBe(readOnly && commands.every((command) => command.readOnly));
        for (const { start, end } of [
          ...commands.map(({ span }) => span),
          ...(decides === undefined ? [] : [decides]),
        ]) {
          expect(start >= 0 && start <= end && end <= text.length).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('with a control, format or unusual blank character is not read-only', () => {
    const odd = [
      ...'\0\x01\x07\x08\x0b\x0c\r\x1b\x7f\x85\xa0\xad',
      '\u1680',
      '\u2003',
      '\u2028',
      '\u200b',
      '\u202e',
      '\u3000',
      '\ufeff',
      '\ue000',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom('ls -la', 'echo "a b"', "grep 'x' a.txt"),
        fc.constantFrom(...odd),
        fc.nat(),
        (text, c, at) => {
          const cut = at % (text.length + 1);
          expect(analyseBash(text.slice(0, cut) + c + text.slice(cut)).readOnly).toBe(false);
        },
      ),
    );
  });

  test('with one quote too many is not read-only', () => {
    const quiet = fc.constantFrom('ls', 'echo a', 'cat a.txt | wc -l', 'pwd; ls -la');
    fc.assert(
      fc.property(quiet, fc.constantFrom("'", '"', '`', '$(', '${', "$'", '\\'), (text, open) => {
        expect(analyseBash(`${text} ${open}`).readOnly).toBe(false);
      }),
    );
  });
});

describe('limits', () => {
  test('more than 50 commands are not decided, and all of them are listed', () => {
    const fifty = Array.from({ length: 50 }, () => 'true').join('; ');
    expect(analyseBash(fifty).readOnly).toBe(true);
    const { readOnly, commands, parsed } = analyseBash(`${fifty}; rm x`);
    expect([readOnly, parsed, commands.length, commands.at(-1)?.argv]).toEqual([false, true, 51, ['rm', 'x']]);
  });

  test('more than 10,000 characters are not decided', () => {
    expect(analyseBash(`echo ${'a'.repeat(9995)}`).readOnly).toBe(true);
    const { readOnly, commands } = analyseBash(`echo ${'a'.repeat(9996)}; rm x`);
    expect([readOnly, commands.map(({ argv }) => argv[0])]).toEqual([false, ['echo', 'rm']]);
  });

  test('deep nesting and long texts are refused, not followed', () => {
    const openers = [
      '(',
      '$(',
      '{ ',
      '${x:-',
      '"$(',
      '`',
      '$((',
      '((',
      'if ',
      'a=(',
      '<(',
      '{ ls; }>x;',
      '<<E ',
      '[[ -f ',
    ];
    for (const open of openers) {
      expect(analyseBash(open.repeat(5000)).readOnly, open).toBe(false);
    }
    for (const many of ['{,', '[a-', '[[:', '[[:a:]', '{a,', 's/[[:a', '/[[:a:', '\\[', '*?']) {
      for (const before of ['ls ', "sed '", "awk '", "sed 's/", "awk '/"]) {
        expect(analyseBash(`${before}${many.repeat(1500)}`).parsed, many).toBe(before === 'ls ');
        analyseBash(`${before}${many.repeat(1500)}'`);
      }
    }
    expect(analyseBash('x'.repeat(50_001))).toMatchObject({ readOnly: false, parsed: false, commands: [] });
  });
});
