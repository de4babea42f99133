import { toArg } from '../bash/arguments.ts';
import { readOptions } from '../bash/options.ts';
import { findSedTrouble } from '../bash/programs/sed-script.ts';
import type { FileUse } from './bash-files.ts';
import { wordsOf } from './bash-script.ts';
import type { BashFacts, StepFiles } from './call-facts.ts';
import { hasWildcard } from './path-wildcards.ts';
import { isProtectedPlace } from './protected-paths.ts';
import { withoutWrappers } from './wrapped-commands.ts';

/** The commands that mode acceptEdits lets work on files (reference, section 5), with the options they may have. */
const COMMANDS: ReadonlyMap<string, string> = new Map([
  ['mkdir', '-pvm: --parents --verbose --mode:'],
  ['touch', '-acmhd:t:r: --no-create --date: --reference: --time:'],
  ['rm', '-rRfivdI --recursive --force --verbose --dir --interactive?'],
  ['rmdir', '-pv --parents --verbose --ignore-fail-on-non-empty'],
  ['mv', '-fnivuT --force --no-clobber --verbose --update? --no-target-directory'],
  [
    'cp',
    '-rRafnivupLPHdT --recursive --archive --force --no-clobber --verbose --update? --preserve? --no-target-directory',
  ],
  ['sed', '-nErsuzi?e: --in-place? --expression: --regexp-extended --quiet --silent --null-data --separate'],
]);

/**
 * Does mode acceptEdits take a command for an edit in the working folders? All it reads and writes lies inside, nothing
 * of it is protected, and every word is known. After a change of folder it does not (CVE-2026-25722).
 */
export function isAcceptedEdit({ step, uses }: StepFiles, facts: BashFacts): boolean {
  const words = withoutWrappers(wordsOf(step.node));
  const [name, ...args] = words;
  const options = name?.fixed ? COMMANDS.get(name.text) : undefined;
  if (options === undefined || facts.script.changesFolder) return false;
  const call = readOptions(args, { options });
  if ('reason' in call || call.operands.length === 0) return false;
  if (name?.text === 'sed' && !isHarmlessSed(call)) return false;
  // Each operand, whatever is known of the program, and what the program does with them.
  const operands = call.operands.map(
    (arg): FileUse => ({
      access: 'write',
      values: facts.values.of(arg, step.folders),
      folders: step.folders,
      below: 'nothing',
      certain: true,
    }),
  );
  return [...operands, ...uses].every((use) => isInside(use, facts));
}

function isInside(use: FileUse, facts: BashFacts): boolean {
  const places = facts.places(use);
  return (
    places?.every(
      (place) =>
        !hasWildcard(place) && facts.ground.isInside(place) && (use.access === 'read' || !isProtectedPlace(place)),
    ) === true
  );
}

/** A script that writes only into the files it is given; GNU sed takes a slash in a suffix for another folder. */
function isHarmlessSed({
  options,
  operands,
}: Exclude<ReturnType<typeof readOptions>, { readonly reason: string }>): boolean {
  const suffixes = options.filter(({ name }) => name === '-i' || name === '--in-place').map(({ value }) => value?.text);
  if (suffixes.some((suffix) => suffix !== undefined && !/^[.\w~-]+$/.test(suffix))) return false;
  const expressions = options.filter(({ name }) => name === '-e' || name === '--expression').map(({ value }) => value);
  const scripts = expressions.length > 0 ? expressions : operands.slice(0, 1);
  const isKnown = scripts.every((script) => script?.fixed === true);
  return isKnown && findSedTrouble(scripts.map((script) => script?.text ?? '').join('\n')) === undefined;
}

/** Does mode acceptEdits let a redirection write there? */
export const isAcceptedTarget = (use: FileUse, facts: BashFacts): boolean =>
  !facts.script.changesFolder && isInside(use, facts);

/** A target that says exactly which file: no `~`, no wildcard, no variable (reference, section 2.5). */
export const isPlainTarget = (redirection: StepFiles['step']['redirections'][number]): boolean =>
  toArg(redirection.target).fixed;
