import { type Arg, type Refusal, refuse } from '../arguments.ts';
import type { Call } from '../options.ts';
import { diffOptions, logOptions, refFilterOptions, revisionOptions } from './git-options.ts';
import type { TableProgram } from './program.ts';

/** The forms of git commands that only read, by subcommand. */
export const gitCommands: ReadonlyMap<string, TableProgram> = new Map<string, TableProgram>([
  ['log', { numeric: true, options: logOptions }],
  ['show', { numeric: true, options: logOptions }],
  ['whatchanged', { numeric: true, options: logOptions }],
  [
    'diff',
    {
      numeric: true,
      options: `${diffOptions} --cached --staged --merge-base --no-index --ours --theirs --base -q -0 -1 -2 -3`,
    },
  ],
  ['diff-tree', { options: `${diffOptions} --root --no-commit-id --pretty? --format: --always --merge-base -v` }],
  ['diff-index', { options: `${diffOptions} --cached --merge-base` }],
  ['diff-files', { options: `${diffOptions} -q --base --ours --theirs -0` }],
  ['range-diff', { options: `${diffOptions} --creation-factor: --no-dual-color --left-only --right-only` }],
  [
    'status',
    {
      options:
        '-sbvuzu? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?',
    },
  ],
  [
    'blame',
    {
      options:
        '-ltsfnewL:M?C?pcS: --root --show-stats --porcelain --line-porcelain --incremental --encoding: --date: --score-debug --show-name --show-number --show-email --abbrev: --ignore-rev: --ignore-revs-file: --color-lines --color-by-age --since: --first-parent --reverse --progress --no-progress --minimal',
    },
  ],
  ['annotate', { options: '-ltsfnewL:M?C? --date: --abbrev:' }],
  ['shortlog', { options: `${revisionOptions} -nsecw? --numbered --summary --email --committer --group:` }],
  [
    'rev-parse',
    {
      options:
        '-q --abbrev-ref? --short? --symbolic --symbolic-full-name --verify --quiet --show-toplevel --show-prefix --show-cdup --show-superproject-working-tree --show-object-format? --git-dir --absolute-git-dir --git-common-dir --git-path: --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --all --branches? --tags? --remotes? --glob: --exclude: --not --revs-only --no-revs --flags --no-flags --default: --since: --after: --until: --before: --path-format: --local-env-vars --show-ref-format --sq',
    },
  ],
  [
    'rev-list',
    {
      numeric: true,
      options: `${revisionOptions} --objects --objects-edge --no-object-names --timestamp --header --disk-usage? --use-bitmap-index --filter: --quiet --no-commit-header --commit-header --missing:`,
    },
  ],
  [
    'ls-files',
    {
      options:
        '-cdomiskutvfzx:X: --cached --deleted --others --modified --ignored --stage --killed --unmerged --directory --no-empty-directory --exclude: --exclude-from: --exclude-per-directory: --exclude-standard --error-unmatch --with-tree: --full-name --recurse-submodules --abbrev? --eol --deduplicate --format: --debug --sparse',
    },
  ],
  [
    'ls-tree',
    { options: '-drtlz --name-only --name-status --object-only --full-name --full-tree --abbrev? --long --format:' },
  ],
  [
    'cat-file',
    {
      options:
        '-tspe --batch? --batch-check? --batch-all-objects --buffer --unordered --follow-symlinks --allow-unknown-type -Z',
    },
  ],
  // --dirty and --broken write the index even when git is told to leave it alone.
  [
    'describe',
    {
      options:
        '--all --tags --contains --abbrev? --candidates: --exact-match --debug --long --match: --exclude: --always --first-parent',
    },
  ],
  ['name-rev', { options: '--tags --refs: --exclude: --all --name-only --no-undefined --always' }],
  ['merge-base', { options: '-a --all --octopus --independent --is-ancestor --fork-point' }],
  ['cherry', { options: '-v --abbrev?' }],
  ['for-each-ref', { options: `${refFilterOptions} --shell --perl --python --tcl --exclude:` }],
  [
    'show-ref',
    { options: '-dqs? --head --tags --heads --branches --dereference --hash? --verify --exists --abbrev? --quiet' },
  ],
  [
    'show-branch',
    {
      options:
        '-ar --all --remotes --current --topo-order --date-order --sparse --more: --list --merge-base --independent --no-name --sha1-name --topics --color? --no-color',
    },
  ],
  ['symbolic-ref', { operands: 1, options: '-q --quiet --short --no-recurse' }],
  ['count-objects', { options: '-vH --verbose --human-readable' }],
  ['check-ignore', { options: '-qvnz --quiet --verbose --non-matching --no-index --stdin' }],
  ['check-attr', { options: '-az --all --cached --stdin --source:' }],
  ['check-ref-format', { options: '--branch --allow-onelevel --no-allow-onelevel --refspec-pattern --normalize' }],
  ['check-mailmap', { options: '--stdin' }],
  ['var', { operands: 1, options: '-l' }],
  ['version', { operands: 0, options: '--build-options' }],
  ['help', { operands: 1, options: '-ag --all --guides --no-external-commands --no-aliases', check: checkHelp }],
  [
    'grep',
    {
      numeric: true,
      options:
        '-aiIwvhHEGPFnlLzocpWqe:f:m:A:B:C:r --cached --no-index --untracked --no-exclude-standard --exclude-standard --recurse-submodules --text --ignore-case --max-depth: --recursive --no-recursive --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching --count --color? --no-color --break --heading --show-function --context: --after-context: --before-context: --function-context --max-count: --threads: --and --or --not --all-match --quiet',
    },
  ],
  [
    'branch',
    { options: `-arvil --all --remotes --verbose --list --show-current ${refFilterOptions}`, check: listsOnly },
  ],
  ['tag', { options: `-ln?i --list ${refFilterOptions}`, check: listsOnly }],
  ['remote', { options: '-v --verbose --all --push', check: checkRemote }],
  ['stash', { numeric: true, options: `${logOptions} --include-untracked --only-untracked`, check: checkStash }],
  ['reflog', { numeric: true, options: logOptions, check: checkReflog }],
  ['worktree', { operands: 1, options: '-vz --verbose --porcelain', check: onlyVerb(['list']) }],
  ['submodule', { operands: 20, options: '--cached --recursive --quiet', check: onlyVerb(['status']) }],
  ['notes', { operands: 2, options: '', check: onlyVerb(['list', 'show']) }],
  ['bisect', { operands: 1, options: '', check: onlyVerb(['log']) }],
  ['bundle', { operands: 2, options: '--quiet -q', check: onlyVerb(['verify', 'list-heads']) }],
  // Options after the key are taken for its new value.
  ['config', { optionsFirst: true, options: configOptions(), check: checkConfig }],
  [
    'format-patch',
    {
      numeric: true,
      options: `${logOptions} --stdout -kN --keep-subject --no-numbered --numbered --signoff -s --subject-prefix: --start-number: --no-signature --zero-commit --no-stat --no-attach --no-thread --base: -v: --reroll-count: --range-diff: --interdiff:`,
      check: needs('--stdout'),
    },
  ],
  ['archive', { options: '-lv0123456789 --list --verbose --format: --prefix:', check: checkArchive }],
  [
    'apply',
    {
      options:
        '-p:Rzv --check --stat --numstat --summary --reverse --verbose --directory: --exclude: --include: --ignore-whitespace --recount --unidiff-zero --no-index',
      check: needs('--check', '--stat', '--numstat', '--summary'),
    },
  ],
  ['clean', { options: '-ndxXqe: --dry-run --quiet --exclude:', check: needs('-n', '--dry-run') }],
  ['hash-object', { options: '-t: --stdin --no-filters --literally --path:' }],
  [
    'fsck',
    {
      options:
        '-v --tags --root --unreachable --cache --no-reflogs --full --no-full --strict --verbose --progress --no-progress --connectivity-only --name-objects --dangling --no-dangling',
    },
  ],
  ['diff-pairs', { options: diffOptions }],
  ['get-tar-commit-id', { operands: 0, options: '' }],
  ['patch-id', { operands: 0, options: '--stable --unstable --verbatim' }],
  ['stripspace', { operands: 0, options: '-sc --strip-comments --comment-lines' }],
]);

function configOptions(): string {
  return '-lz --get --get-all --get-regexp --get-urlmatch --get-color --list --global --local --system --worktree --show-origin --show-scope --name-only --null --includes --no-includes --type: --bool --int --bool-or-int --path --expiry-date --no-type --default: --fixed-value --all --regexp --value: --url: -f: --file: --blob:';
}

/** Passes when one of the options is there. */
function needs(...names: readonly string[]) {
  return ({ options, operands }: Call): Refusal | undefined =>
    options.some(({ name }) => names.includes(name))
      ? undefined
      : refuse(`Without ${names[0]} this changes files.`, operands[0]);
}

/** Passes when the first operand is one of the verbs. */
function onlyVerb(verbs: readonly string[]) {
  return ({ operands }: Call): Refusal | undefined =>
    verbs.includes(operands[0]?.text ?? '')
      ? undefined
      : refuse('This form of the command is not known to only read.', operands[0]);
}

/** `git branch name` and `git tag name` create; a name is a pattern only with --list. */
function listsOnly({ options, operands }: Call): Refusal | undefined {
  if (operands.length === 0 || options.some(({ name }) => name === '-l' || name === '--list')) return undefined;
  return refuse('Without --list this name is created.', operands[0]);
}

function checkRemote({ operands, options }: Call): Refusal | undefined {
  const [verb, ...names] = operands;
  if (verb === undefined) {
    const odd = options.find(({ name }) => name === '--all' || name === '--push');
    return odd === undefined ? undefined : refuse('This form of git remote is not understood.', odd.arg);
  }
  return verb.text === 'get-url' && names.length === 1
    ? undefined
    : refuse('This form of git remote is not known to only read.', verb);
}

function checkStash({ operands }: Call): Refusal | undefined {
  const [verb, ...rest] = operands;
  if (verb?.text === 'list' && rest.length === 0) return undefined;
  if (verb?.text === 'show' && rest.length <= 1) return undefined;
  return refuse('This form of git stash changes files.', verb);
}

/** `show` is the default; an operand is a ref unless it is one of the verbs. */
function checkReflog({ operands }: Call): Refusal | undefined {
  const changes = operands.find(({ text }) => /^(?:expire|delete|drop|write|exists)$/.test(text));
  return changes === undefined ? undefined : refuse('This form of git reflog changes the log.', changes);
}

function checkHelp({ operands }: Call): Refusal | undefined {
  const odd = operands.find(({ text }) => !/^[a-z][\w-]*$/.test(text));
  return odd === undefined ? undefined : refuse('This is not the plain name of a git command.', odd);
}

const configKey = /^[A-Za-z][A-Za-z0-9-]*(?:\..+)?\.[A-Za-z][A-Za-z0-9-]*$/;

/** `git config key` reads, `git config key value` writes; newer versions say `get` and `list`. */
function checkConfig({ options, operands }: Call): Refusal | undefined {
  const has = (...names: string[]) => options.some(({ name }) => names.includes(name));
  const isKey = (arg: Arg | undefined) => arg !== undefined && configKey.test(arg.text);
  const [first, second, third] = operands;
  if (has('-l', '--list')) return first === undefined ? undefined : refuse('A value is set here.', first);
  if (has('--get', '--get-all', '--get-regexp', '--get-urlmatch', '--get-color')) {
    return first !== undefined && third === undefined
      ? undefined
      : refuse('This form of git config is not understood.', third);
  }
  if (first?.text === 'list' && second === undefined) return undefined;
  if (first?.text === 'get' && isKey(second) && third === undefined) return undefined;
  if (isKey(first) && second === undefined) return undefined;
  return refuse('This form of git config is not known to only read.', second ?? first);
}

/** Other formats than these can be programs from the configuration. */
function checkArchive({ options }: Call): Refusal | undefined {
  const format = options.find(
    ({ name, value }) => name === '--format' && !/^(?:tar|zip|tgz|tar\.gz)$/.test(value?.text ?? ''),
  );
  return format === undefined ? undefined : refuse('This archive format may be a program.', format.arg);
}
