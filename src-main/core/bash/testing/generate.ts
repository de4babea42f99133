// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are expansions of bash, in texts that must not be templates.
import type { Chance } from './random.ts';

/** A command of the generator: the words, before it is decided how they are quoted. */
type Words = readonly string[];

const readers: readonly Words[] = [
  ['ls', '-la'],
  ['ls', 'src', 'sub'],
  ['cat', 'a.txt'],
  ['cat', 'my file.txt'],
  ['head', '-n', '2', 'a.txt'],
  ['tail', '-n', '1', 'b.txt'],
  ['wc', '-l', 'a.txt'],
  ['grep', '-n', 'a', 'a.txt'],
  ['grep', '-rn', 'one|two', 'src'],
  ['grep', '-c', '&&', 'a.txt'],
  ['sort', '-r', 'a.txt'],
  ['sort', '-k1,1', 'b.txt'],
  ['uniq', '-c', 'a.txt'],
  ['cut', '-d', ' ', '-f', '1', 'b.txt'],
  ['tr', 'a', 'b'],
  ['sed', '-n', '1,2p', 'a.txt'],
  ['sed', 's/a/w/g', 'a.txt'],
  ['sed', '-e', '/b/d', '-e', 's|c|>|', 'a.txt'],
  ['awk', '{print $1}', 'b.txt'],
  ['awk', 'NR>1 {print $2}', 'b.txt'],
  ['awk', '{ s += $2 } END { print s }', 'b.txt'],
  ['find', '.', '-name', '*.txt'],
  ['find', 'src', '-type', 'f', '-print0'],
  ['git', 'status', '--short'],
  ['git', 'log', '--oneline', '-2'],
  ['git', 'diff', 'HEAD~1', '--stat'],
  ['git', 'show', 'HEAD:a.txt'],
  ['git', 'branch', '--list'],
  ['git', 'tag', '-l', 'v*'],
  ['echo', 'a; touch PWNED'],
  ['echo', '$(touch PWNED)'],
  ['echo', '`touch PWNED`'],
  ['echo', '> PWNED'],
  ['printf', '%s\\n', 'x | tee PWNED'],
  ['test', '-f', 'a.txt'],
  ['xxd', '-l', '4', 'a.txt'],
  ['tar', 'tf', 'a.tar'],
  ['jq', '.version', 'package.json'],
  ['basename', 'src/one.ts'],
  ['diff', 'a.txt', 'b.txt'],
  ['base64', 'a.txt'],
  ['date', '+%Y'],
  ['true'],
  ['pwd'],
];

/** Commands that change the folder. All of them touch names inside it only. */
const writers: readonly Words[] = [
  ['touch', 'PWNED'],
  ['tee', 'PWNED'],
  ['rm', '-f', 'a.txt'],
  ['cp', 'a.txt', 'PWNED'],
  ['mkdir', 'PWNED'],
  ['sed', '-i', 's/a/z/', 'a.txt'],
  ['sed', 'w PWNED', 'a.txt'],
  ['sed', 's/a/b/w PWNED', 'a.txt'],
  ['sed', '1e touch PWNED', 'a.txt'],
  ['awk', 'BEGIN { print 1 > "PWNED" }'],
  ['awk', 'BEGIN { system("touch PWNED") }'],
  ['sort', '-o', 'PWNED', 'a.txt'],
  ['sort', 'a.txt', '-oPWNED'],
  ['uniq', 'a.txt', 'PWNED'],
  ['xxd', 'a.txt', 'PWNED'],
  ['find', '.', '-maxdepth', '1', '-name', 'b.txt', '-delete'],
  ['find', '.', '-maxdepth', '0', '-exec', 'touch', 'PWNED', ';'],
  ['find', '.', '-maxdepth', '1', '-fprint', 'PWNED'],
  ['git', 'branch', 'pwned'],
  ['git', 'tag', 'pwned'],
  ['git', 'log', '-1', '--output=PWNED'],
  ['git', 'config', 'a.b', 'c'],
  ['git', '-c', 'alias.x=!touch PWNED', 'x'],
  ['tar', 'cf', 'PWNED', 'a.txt'],
  ['tar', '-tf', 'a.tar', '--checkpoint=1', '--checkpoint-action=exec=touch PWNED'],
  ['shuf', '-o', 'PWNED', 'a.txt'],
  ['gzip', 'b.txt'],
  ['dd', 'if=a.txt', 'of=PWNED', 'status=none'],
  ['env', 'touch', 'PWNED'],
  ['command', 'touch', 'PWNED'],
  ['timeout', '5', 'touch', 'PWNED'],
  ['nice', '-n', '5', 'touch', 'PWNED'],
  ['eval', 'touch PWNED'],
  ['bash', '-c', 'touch PWNED'],
  ['xargs', 'touch', 'PWNED'],
  ['printf', '-v', 'a[$(touch PWNED)]', 'x'],
  ['[', '-v', 'a[$(touch PWNED)]', ']'],
];

/** Texts that can be put into a word or between words and make bash write. */
const injections: readonly string[] = [
  '$(touch PWNED)',
  '`touch PWNED`',
  '"$(touch PWNED)"',
  '"`touch PWNED`"',
  '${x:-$(touch PWNED)}',
  '"${x:=`touch PWNED`}"',
  '$((a[$(touch PWNED)]))',
  '$[a[$(touch PWNED)]]',
  '<(touch PWNED)',
  '>(touch PWNED)',
  '"$\\\n(touch PWNED)"',
  '>PWNED',
  ';}>PWNED',
  '2>PWNED',
  '&>PWNED',
  '>|PWNED',
  '<>PWNED',
  '>&PWNED',
  '{fd}>PWNED',
  ';touch PWNED;',
  '&touch PWNED;',
  '|tee PWNED|',
  '&&touch PWNED&&',
  '\ntouch PWNED\n',
  " # it's\ntouch PWNED # it's\n",
  '#;touch PWNED\n',
  "'$(touch PWNED)",
  '"\ntouch PWNED\n"',
  '\\\n;touch PWNED;',
  '\rtouch PWNED\n',
  '\u00a0;touch PWNED;',
  "$'\\n';touch PWNED;",
  "$'a\\'';touch PWNED;'",
  '<<A\n$(touch PWNED)\nA\n',
  '<<"A"\nx\nA\ntouch PWNED\n',
  '<<-A\n\tA\ntouch PWNED\n',
];

const joiners = [' && ', ' || ', '; ', ' | ', '\n', ' |& ', ';', '&&', '|', ' &&\n', ' |\n  '];
const decorations = [' 2>/dev/null', ' >/dev/null', ' 2>&1', ' < a.txt', ' &>/dev/null', ' 1>&2', ' # a comment', ''];
const prefixes = ['LC_ALL=C ', 'TZ=UTC ', 'NO_COLOR=1 ', '! ', 'time ', 'timeout 5 ', 'nice ', 'command ', ''];

/** A generated command; `changed` says whether something that writes was hidden in it. */
export type Generated = { readonly command: string; readonly changed: boolean };

/** One command of one to five parts, and in half of the cases one hidden change. */
export function generate(chance: Chance): Generated {
  const changed = chance.oneIn(2);
  const parts = Array.from({ length: 1 + chance.below(5) }, () => simple(chance, chance.pick(readers)));
  if (changed && chance.oneIn(2)) parts[chance.below(parts.length)] = simple(chance, chance.pick(writers));
  let command = parts.reduce((before, part) => before + chance.pick(joiners) + part);
  if (chance.oneIn(5)) command = chance.pick(wrappings)(command);
  if (changed && chance.oneIn(2)) command = inject(chance, command);
  return { command, changed };
}

function simple(chance: Chance, words: Words): string {
  const quoted = words.map((word) => quote(chance, word)).join(chance.oneIn(8) ? '  ' : ' ');
  const prefix = chance.oneIn(4) ? chance.pick(prefixes) : '';
  const decoration = chance.oneIn(3) ? chance.pick(decorations) : '';
  return `${prefix}${quoted}${decoration}${decoration.includes('#') ? '\n:' : ''}`;
}

/** Writes a word in one of the ways bash reads as that word. */
export function quote(chance: Chance, word: string): string {
  const isPlain = /^[\w./,:=@%+-]+$/.test(word);
  const style = chance.below(isPlain ? 12 : 5);
  if (style === 0) return `'${word.replaceAll("'", "'\\''")}'`;
  if (style === 1) return `"${word.replace(/[$`"\\]/g, '\\$&')}"`;
  if (style === 2) return word.replace(/[^\w./-]/g, '\\$&');
  if (style === 3 && word.length > 1) {
    const cut = 1 + chance.below(word.length - 1);
    return `${quote(chance, word.slice(0, cut))}${quote(chance, word.slice(cut))}`;
  }
  if (style === 4 && !isPlain) return `'${word.replaceAll("'", `'"'"'`)}'`;
  return isPlain ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const wrappings: readonly ((command: string) => string)[] = [
  (command) => `( ${command}\n)`,
  (command) => `{ ${command}\n}`,
  (command) => `if true; then ${command}\nfi`,
  (command) => `for f in a.txt b.txt; do ${command}\ndone`,
  (command) => `case x in x) ${command}\n;; esac`,
  (command) => `while read -r l; do ${command}\ndone < b.txt`,
  (command) => `[[ -f a.txt ]] && ${command}`,
  (command) => `{ ${command}\n} 2>/dev/null`,
];

function inject(chance: Chance, command: string): string {
  const at = chance.below(command.length + 1);
  const space = chance.oneIn(2) ? ' ' : '';
  return `${command.slice(0, at)}${space}${chance.pick(injections)}${space}${command.slice(at)}`;
}
