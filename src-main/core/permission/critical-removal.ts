import type { Arg } from '../bash/arguments.ts';
import { type Step, wordsOf } from './bash-script.ts';
import type { BashFacts } from './call-facts.ts';
import type { Ground } from './ground.ts';
import { hasShellWildcard, SHELL_ONE, SHELL_STAR } from './path-wildcards.ts';
import { liesIn, nameOf, parentOf } from './paths.ts';
import { baseOf, innerWords } from './wrapped-commands.ts';

/**
 * What a command removes that nobody wants removed by a slip: the root, the home folder, the working folder and what is
 * above them. Asked about in every mode, whatever rules and hooks say (reference, section 5). Undefined: nothing.
 */
export function criticalRemoval(facts: BashFacts): string | undefined {
  if (!facts.isClear && /\b(?:rm|rmdir)\b/.test(facts.command)) return 'What it removes cannot be told.';
  for (const step of facts.script.steps) {
    const found = removalIn(step, facts);
    if (found !== undefined) return found;
  }
  return facts.handed.map(criticalRemoval).find((found) => found !== undefined);
}

function removalIn(step: Step, facts: BashFacts): string | undefined {
  const inner = innerWords(wordsOf(step.node));
  // Names may come from the command before it.
  const takes = inner.some(({ argv: [name] }) => baseOf(name?.text ?? '') === 'xargs');
  const named = takes ? step.before.flatMap((node) => wordsOf(node).slice(1)) : [];
  for (const { argv } of inner) {
    const [name, ...args] = argv;
    if (!/^(?:rm|rmdir)$/.test(baseOf(name?.text ?? ''))) continue;
    const critical = [...operandsOf(args), ...named].find((arg) => isCritical(arg, step, facts));
    if (critical !== undefined) return `It removes ${critical.text}.`;
  }
  return undefined;
}

function operandsOf(args: readonly Arg[]): readonly Arg[] {
  const end = args.findIndex(({ text }) => text === '--');
  const before = end === -1 ? args : args.slice(0, end);
  return [...before.filter(({ text }) => !text.startsWith('-')), ...(end === -1 ? [] : args.slice(end + 1))];
}

function isCritical(arg: Arg, step: Step, facts: BashFacts): boolean {
  if (isRightUnderVariable(arg)) return true;
  const values = facts.values.of(arg, step.folders);
  // A command that has to run first says what is removed.
  if (values === undefined) return arg.word.parts.some(({ kind }) => kind === 'substitution');
  const use = { access: 'write', values, folders: step.folders, below: 'all', certain: true } as const;
  const places = facts.places(use);
  // The folder is not known: of what may be all of it, expect that.
  if (places === undefined) return values.some((value) => /^\.{1,2}\/?$/.test(value) || isEverything(nameOf(value)));
  return places.some(({ names }) => names.some((name) => isCriticalName(name, facts.ground)));
}

/** `"$DIR"/*`, `$DIR/`: the root of the file system as soon as the variable is empty. */
function isRightUnderVariable({ word: { parts } }: Arg): boolean {
  // Quotes around it leave empty texts.
  const [first, ...rest] = parts.filter((part) => part.kind !== 'text' || part.text !== '');
  if (first?.kind !== 'expansion' || rest.some(({ kind }) => kind !== 'text')) return false;
  const after = rest.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  return /^\/+(?:\.?\/*|[^/]*[*?[][^/]*)$/.test(after);
}

function isCriticalName(name: string, ground: Ground): boolean {
  if (!hasShellWildcard(name)) return isCriticalFolder(name, ground);
  const folder = parentOf(name);
  if (hasShellWildcard(folder)) return false;
  // A wildcard right under the root finds its folders; one that takes everything empties the folder.
  if (folder === '/') return true;
  return isEverything(nameOf(name)) && [isCriticalFolder, isAddedFolder].some((is) => is(folder, ground));
}

const isEverything = (name: string): boolean =>
  [
    SHELL_STAR,
    SHELL_STAR + SHELL_STAR,
    `.${SHELL_STAR}`,
    `${SHELL_STAR}.${SHELL_STAR}`,
    SHELL_ONE + SHELL_STAR,
  ].includes(name);

function isCriticalFolder(name: string, ground: Ground): boolean {
  const { platform } = ground;
  if (parentOf(name) === '/') return true;
  if (platform === 'win32' && /^\/[a-z](?:\/[^/]*)?$/.test(name)) return true;
  const guarded = [ground.home, ground.cwd, ground.startedIn, ground.projectRoot];
  const [home, ...working] = guarded.map((path) => ground.place(path).names);
  return home?.includes(name) === true || working.flat().some((folder) => liesIn(folder, name));
}

/** Of a folder that was added only its emptying counts, not the removal of the folder itself. */
const isAddedFolder = (name: string, ground: Ground): boolean =>
  ground.directories.some(({ names }) => names.some((folder) => liesIn(folder, name)));
