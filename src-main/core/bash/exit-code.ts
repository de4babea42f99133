import { toArg } from './arguments.ts';
import { readBash } from './grammar.ts';
import { shellWrappers, wrappers } from './programs/wrappers.ts';
import type { CommandNode, Pipeline, Script, SimpleNode } from './syntax.ts';

export type ExitCodeMeaning = {
  readonly isError: boolean;
  /** What a code that is no error says, for the result and the bar. */
  readonly meaning?: string;
};

const grep = 'No matches found';
const differ = 'The files differ';
const untrue = 'The condition is false';

/** What exit code 1 says when it is an answer and not a failure (spec 1.8). */
const answers: ReadonlyMap<string, string> = new Map([
  ['grep', grep],
  ['egrep', grep],
  ['fgrep', grep],
  ['rg', grep],
  ['git grep', grep],
  ['diff', differ],
  ['cmp', differ],
  ['git diff', differ],
  ['find', 'Some folders could not be read'],
  ['test', untrue],
  ['[', untrue],
]);

/** Commands that do not fail with code 1 in front of `&&`, so that a 1 comes from what follows. */
const surelySucceeds = new Set(['true', ':', 'echo', 'printf', 'pwd']);

/** After one of these, the code of the whole need not be that of the last command. */
const changesTheShell = new Set([
  'set',
  'shopt',
  'trap',
  'exec',
  'exit',
  'return',
  'source',
  '.',
  'eval',
  'alias',
  'enable',
]);

/**
 * Whether an exit code is an error. Some programs answer "no" with code 1; that counts only when the text shows
 * that the code is theirs, which is to say the last command's: in `cd x && grep y z` it could as well be `cd`'s.
 */
export function exitCodeMeaning(command: string, code: number): ExitCodeMeaning {
  if (code === 0) return { isError: false };
  if (code !== 1) return { isError: true };
  const { script, found, trouble } = readBash(command);
  if (trouble !== undefined) return { isError: true };
  const spoils = found.some((node) =>
    node.kind === 'compound' ? node.form === 'function' : changesTheShell.has(firstWord(node)),
  );
  const last = spoils ? undefined : lastCommand(script);
  const meaning = last === undefined ? undefined : answerOf(last);
  return meaning === undefined ? { isError: true } : { isError: false, meaning };
}

/** The command whose code is the code of the whole when that is not zero, if there is one for certain. */
function lastCommand(script: Script): CommandNode | undefined {
  const item = script.items.at(-1);
  const last = item?.pipelines.at(-1);
  if (item === undefined || last === undefined || item.background !== undefined || last.negated) return undefined;
  const before = item.pipelines.slice(0, -1);
  const isCertain = before.every((pipeline, index) => item.connectors[index] === '||' || cannotFail(pipeline));
  return isCertain ? last.stages.at(-1) : undefined;
}

function cannotFail({ stages, negated }: Pipeline): boolean {
  const last = stages.at(-1);
  return !negated && last?.kind === 'simple' && last.redirections.length === 0 && surelySucceeds.has(firstWord(last));
}

function answerOf(node: CommandNode): string | undefined {
  if (node.kind === 'compound') return node.form === 'test' ? untrue : undefined;
  let words = node.words.map(toArg);
  for (;;) {
    const wrapper = wrappers.get(words[0]?.text ?? '') ?? shellWrappers.get(words[0]?.text ?? '');
    const unwrapped = wrapper?.(words.slice(1));
    if (unwrapped === undefined || 'reason' in unwrapped) break;
    words = [...unwrapped.inner];
  }
  const [first, second] = words;
  if (first === undefined || !first.fixed) return undefined;
  const name = first.text.slice(first.text.lastIndexOf('/') + 1);
  return answers.get(name === 'git' && second?.fixed ? `git ${second.text}` : name);
}

function firstWord(node: SimpleNode): string {
  return node.words[0] === undefined ? '' : toArg(node.words[0]).text;
}
