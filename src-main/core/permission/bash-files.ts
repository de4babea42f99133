import { toArg } from '../bash/arguments.ts';
import type { Redirection } from '../bash/syntax.ts';
import type { Folders, Step } from './bash-script.ts';
import { wordsOf } from './bash-script.ts';
import { FILE_PROGRAMS, type FileProgram, GIT_READERS, GIT_TEXTS, GIT_VALUES, NAME_NO_FILES } from './file-programs.ts';
import { joinPath, nameOf } from './paths.ts';
import { type Item, type Sorted, sortWords, tailOf } from './program-words.ts';
import type { ShellValues, Values } from './shell-values.ts';
import { baseOf, innerWords } from './wrapped-commands.ts';

/** Files or folders that a command opens, or may open. */
export type FileUse = {
  readonly access: 'read' | 'write';
  /** Paths as they are written, relative ones to `folders`. Undefined: which ones cannot be told. */
  readonly values: Values;
  readonly folders: Folders;
  /** What lies below is read too: all of it, or what has no dot in front of its name. */
  readonly below: 'all' | 'visible' | 'nothing';
  /** The program is known to open it. Otherwise a word only looks like a path. */
  readonly certain: boolean;
};

type Command = { readonly items: readonly Item[]; readonly folders: Folders; readonly certain: boolean };

/** What a step opens, behind wrappers and in `find -exec` too. Redirections have their own function. */
export function filesOf(step: Step, values: ShellValues): readonly FileUse[] {
  if (step.node.kind !== 'simple') return [];
  const all = innerWords(wordsOf(step.node));
  // `env -C x cat k` is in another folder by then.
  const moves = all.some(({ argv: [first, ...rest] }) => mayMove(baseOf(first?.text ?? ''), rest));
  return all.flatMap(({ argv, certain }, index) => {
    const folders = moves && index > 0 ? undefined : step.folders;
    const items = argv.map((arg): Item => ({ text: arg.text, values: values.of(arg, step.folders) }));
    const command = { items, folders, certain };
    const isWrapper = index < all.length - 1 && baseOf(argv[0]?.text ?? '') !== 'find';
    return isWrapper
      ? fromXargs(command, step)
      : commandFiles(
          command,
          all.slice(0, index).map((each) => each.argv.length),
        );
  });
}

const mayMove = (name: string, words: readonly { readonly text: string }[]): boolean =>
  /^(?:env|sudo|doas|chroot|unshare|nsenter)$/.test(name) &&
  (name === 'chroot' || words.some(({ text }) => /^(?:-[A-Za-z]*[CDR]|--(?:chdir|chroot|root|wd))/.test(text)));

const use = (
  { folders, certain }: Command,
  access: FileUse['access'],
  values: Values,
  below: FileUse['below'] = 'nothing',
): FileUse => ({ access, values, folders, below, certain });

/** A wrapper opens nothing itself, save for `xargs`, which reads names from a file or from the command before it. */
function fromXargs(command: Command, { before }: Step): readonly FileUse[] {
  if (baseOf(command.items[0]?.text ?? '') !== 'xargs') return [];
  const named = command.items.flatMap((item, at) => {
    if (/^(?:-a|--arg-file)$/.test(item.text)) return command.items[at + 1] ?? [];
    return /^(?:-a.|--arg-file=)/.test(item.text) ? tailOf(item, item.text.startsWith('--') ? 11 : 2) : [];
  });
  const files = named.map(({ values }) => use(command, 'read', values));
  // The files that are named by a lister are below the folder it works on.
  const lists =
    before.length > 0 && before.every((node, at) => isLister(baseOf(wordsOf(node)[0]?.text ?? ''), at === 0));
  return [...files, use(command, 'read', lists ? ['.'] : undefined, lists ? 'all' : 'nothing')];
}

const isLister = (name: string, isFirst: boolean): boolean =>
  (isFirst ? /^(?:find|fd|fdfind|ls|rg|grep|git)$/ : /^(?:grep|head|tail|sort|uniq)$/).test(name);

function commandFiles(command: Command, outer: readonly number[]): readonly FileUse[] {
  const [first, ...rest] = command.items;
  const name = baseOf(first?.text ?? '');
  const inner = { ...command, items: rest };
  if (first === undefined || NAME_NO_FILES.has(name)) return [];
  switch (name) {
    case 'find':
      return findFiles(inner);
    case 'git':
      return gitFiles(inner);
    case 'dd':
      return ddFiles(inner);
    case 'curl':
    case 'wget':
      return transferFiles(inner);
    case 'cd':
    case 'pushd':
      return [
        use(
          inner,
          'read',
          rest.find(({ text }) => !text.startsWith('-'))?.values ?? (rest.length === 0 ? ['~'] : undefined),
        ),
      ];
    default: {
      const program = FILE_PROGRAMS.get(name);
      if (program === undefined) return unknownFiles(inner);
      // `{}` of `find -exec` is any file that find has found.
      const found = outer.length > 0 && rest.some(({ text }) => text.includes('{}'));
      return [...programFiles(name, program, inner), ...(found ? [use(inner, 'read', ['.'], 'all')] : [])];
    }
  }
}

/** Of a program that nobody has described only words that look like paths are taken for such. */
function unknownFiles(command: Command): readonly FileUse[] {
  const parts = command.items.flatMap((item) => {
    const equals = item.text.indexOf('=');
    const at = item.text.indexOf('@');
    return [item, ...(equals > 0 ? [tailOf(item, equals + 1)] : []), ...(at >= 0 ? [tailOf(item, at + 1)] : [])];
  });
  return parts
    .filter(({ text }) => /[./~$]/.test(text) && !/[\s:]/.test(text) && !text.startsWith('-'))
    .map(({ values }) => ({ ...use(command, 'read', values), certain: false }));
}

function programFiles(name: string, program: FileProgram, command: Command): readonly FileUse[] {
  const sorted = sortWords(command.items, program);
  const replaced = program.instead?.some((option) => sorted.flags.includes(option)) === true;
  const operands = sorted.operands.slice(replaced ? 0 : (program.skip ?? 0));
  const { recursive } = program;
  const isWhole = recursive === true || (recursive !== undefined && sorted.flags.some((flag) => recursive.test(flag)));
  const { hiddenWith } = program;
  const isVisible = hiddenWith !== undefined && !sorted.flags.some((flag) => hiddenWith.test(flag));
  const below = isWhole ? (isVisible ? 'visible' : 'all') : 'nothing';
  const here = operands.length === 0 && (program.here === true || (isWhole && program.writesFrom === undefined));
  const written = sorted.written.map(({ values }) => use(command, 'write', values));
  const options = sorted.files.map(({ values }) => use(command, 'read', values));
  if (here) return [use(command, 'read', ['.'], below), ...options, ...written];
  if (program.writesFrom === 'last') return [...copyFiles(name, operands, sorted, command), ...written];
  const edits = program.access === 'write' || isInPlace(name, sorted);
  const uses = operands.flatMap(({ values }, at) => {
    const isWritten = edits || (typeof program.writesFrom === 'number' && at >= program.writesFrom);
    const reads = program.access === 'read' ? [use(command, 'read', values, below)] : [];
    return isWritten ? [...reads, use(command, 'write', values)] : reads;
  });
  return [...uses, ...options, ...written];
}

/** `sed -i` changes the files it reads. */
const isInPlace = (name: string, { flags }: Sorted): boolean =>
  /^g?sed$/.test(name) && flags.some((flag) => /^-[nErsuz]*i|^--in-place/.test(flag));

/** `cp a b`: all are read and the last is written, itself or as a folder. `mv` writes what it takes away too. */
function copyFiles(name: string, operands: readonly Item[], sorted: Sorted, command: Command): readonly FileUse[] {
  const toFolder = sorted.flags.some((flag) => /^-t$|^--target-directory$/.test(flag));
  const target = toFolder ? undefined : operands.at(-1);
  const sources = target === undefined ? operands : operands.slice(0, -1);
  const reads = [...operands, ...sorted.files].map(({ values }) => use(command, 'read', values, 'all'));
  const taken = name === 'mv' ? sources.map(({ values }) => use(command, 'write', values)) : [];
  const targets = target === undefined ? [...operands, ...sorted.files] : [target];
  const written = targets.flatMap(({ values }) => [
    use(command, 'write', values),
    ...sources.map((source) => use(command, 'write', into(values, source.values))),
  ]);
  return [...reads, ...taken, ...written];
}

/** Where a file lands in a folder. */
function into(folders: Values, files: Values): Values {
  if (folders === undefined || files === undefined) return undefined;
  return folders.flatMap((folder) => files.map((file) => `${folder}/${nameOf(joinPath('/', file))}`));
}

/** `find` reads names only; what it does with the files it finds is in its other words. */
function findFiles(command: Command): readonly FileUse[] {
  const { items } = command;
  const start = items.findIndex(({ text }) => !/^-(?:[HLP]+|O\d)$/.test(text));
  const paths = items.slice(Math.max(start, 0));
  const end = paths.findIndex(({ text }) => /^(?:-.|[(),!]$)/.test(text));
  const roots = end === -1 ? paths : paths.slice(0, end);
  const values = roots.length === 0 ? [['.']] : roots.map((root) => root.values);
  const deletes = items.some(({ text }) => text === '-delete');
  const written = items.flatMap(({ text }, at) =>
    /^-f(?:print0?|printf|ls)$/.test(text) ? (items[at + 1] ?? []) : [],
  );
  return [
    ...values.flatMap((each) => [use(command, 'read', each), ...(deletes ? [use(command, 'write', each, 'all')] : [])]),
    ...written.map((item) => use(command, 'write', item.values)),
  ];
}

function gitFiles(command: Command): readonly FileUse[] {
  const { items } = command;
  let { folders } = command;
  let at = 0;
  for (; items[at]?.text.startsWith('-'); at++) {
    const option = items[at]?.text ?? '';
    if (!GIT_VALUES.has(option)) continue;
    at++;
    const values = items[at]?.values;
    if (option !== '-C') continue;
    folders = folders?.flatMap((folder) => values?.map((value) => joinPath(folder, value)) ?? []);
    if (values === undefined) folders = undefined;
  }
  const there = { ...command, folders };
  const moved = folders === command.folders ? [] : [use(there, 'read', ['.'])];
  const verb = items[at]?.text;
  if (verb === undefined || !GIT_READERS.has(verb)) return moved;
  const { operands, files, flags } = sortWords(items.slice(at + 1), { texts: GIT_TEXTS });
  const isPattern = verb === 'grep' && !flags.some((flag) => /^-[ef]$/.test(flag));
  const named = (isPattern ? operands.slice(1) : operands).map((item) => {
    // `HEAD:.env` is a file of that commit.
    const colon = item.text.indexOf(':');
    return colon === -1 ? item : tailOf(item, colon + 1);
  });
  return [...moved, ...[...named, ...files].map(({ values }) => use(there, 'read', values))];
}

function ddFiles(command: Command): readonly FileUse[] {
  return command.items.flatMap((item) => {
    if (item.text.startsWith('if=')) return [use(command, 'read', tailOf(item, 3).values)];
    return item.text.startsWith('of=') ? [use(command, 'write', tailOf(item, 3).values)] : [];
  });
}

/** What is sent away is read: `-d @file`, `-F x=@file`, `-T file`. */
function transferFiles(command: Command): readonly FileUse[] {
  const { items } = command;
  return items.flatMap((item, at): readonly FileUse[] => {
    const next = items[at + 1];
    const sent = /^(?:-T|--upload-file|-K|--config|-i|--input-file|--post-file|--body-file|-b|--cookie)$/;
    if (sent.test(item.text) && next !== undefined) return [use(command, 'read', next.values)];
    if (/^(?:-o|--output|--output-document)$/.test(item.text) && next !== undefined) {
      return [use(command, 'write', next.values)];
    }
    const equals = /^--(?:upload-file|post-file|body-file|config|input-file)=/.exec(item.text)?.[0];
    if (equals !== undefined) return [use(command, 'read', tailOf(item, equals.length).values)];
    const sign = item.text.search(/(?:^|[=;])[@<]|^-[dF]@/);
    if (sign === -1) return [];
    return [use(command, 'read', tailOf(item, item.text.search(/[@<]/) + 1).values)];
  });
}

/** The files that redirections of a step open. Descriptors and `/dev/null` are none. */
export function redirectedFiles(
  redirections: readonly Redirection[],
  folders: Folders,
  values: ShellValues,
): readonly FileUse[] {
  return redirections.flatMap((redirection): readonly FileUse[] => {
    const { op, descriptor, target, heredoc } = redirection;
    const arg = toArg(target);
    if (heredoc !== undefined || op === '<<<') return [];
    if (/^[<>]&$/.test(op) && arg.fixed && /^(?:\d{1,2}|-)$/.test(arg.text)) return [];
    if (arg.fixed && arg.text === '/dev/null') return [];
    const of = (access: FileUse['access']): FileUse => ({
      access,
      values: descriptor.startsWith('{') ? undefined : values.of(arg, folders),
      folders,
      below: 'nothing',
      certain: true,
    });
    if (op === '<') return [of('read')];
    return op === '<>' ? [of('read'), of('write')] : [of('write')];
  });
}
