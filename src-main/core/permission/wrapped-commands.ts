import type { Arg } from '../bash/arguments.ts';
import { shellWrappers, wrappers } from '../bash/programs/wrappers.ts';

/** How a program that runs the words behind it takes its own options. */
type Runner = {
  /** Options that stand alone or hold their value. */
  readonly flags: RegExp;
  /** Options whose value is the next word. */
  readonly values: RegExp;
  /** Words between the options and the command: a duration, a lock file. */
  readonly leading: number;
};
const NONE = /^(?!)/;
const runner = ({ flags = NONE, values = NONE, leading = 0 }: Partial<Runner>): Runner => ({ flags, values, leading });

const RUNNERS: ReadonlyMap<string, Runner> = new Map(
  Object.entries({
    sudo: runner({
      flags: /^-[nEHSbkis]+$|^--(?:non-interactive|preserve-env|set-home|stdin)/,
      values: /^-[ugpCrtTRDh]$/,
    }),
    doas: runner({ flags: /^-[nLs]$/, values: /^-[uC]$/ }),
    env: runner({ flags: /^-[iv0]*$|^--(?:ignore-environment|unset=|chdir=)/, values: /^-[uC]$|^--(?:unset|chdir)$/ }),
    nice: runner({ flags: /^-(?:n?-?\d+|-adjustment=.*)$/, values: /^-n$|^--adjustment$/ }),
    nohup: runner({}),
    setsid: runner({ flags: /^-[cfw]+$/ }),
    time: runner({ flags: /^-[pv]$/ }),
    command: runner({ flags: /^-p$/ }),
    builtin: runner({}),
    exec: runner({ flags: /^-[cl]+$/, values: /^-a$/ }),
    timeout: runner({
      flags: /^-(?:v|[sk].+|-(?:signal|kill-after)=.*|-foreground|-preserve-status|-verbose)$/,
      values: /^-[sk]$|^--(?:signal|kill-after)$/,
      leading: 1,
    }),
    stdbuf: runner({ flags: /^-[ioe].+$|^--(?:input|output|error)=/, values: /^-[ioe]$/ }),
    watch: runner({ flags: /^-(?:[bcdegtwx]+|n[\d.]+)$/, values: /^-n$|^--interval$/ }),
    ionice: runner({ flags: /^-(?:t|[cn]\d)$/, values: /^-[cn]$/ }),
    flock: runner({ flags: /^-[sxunoF]+$/, values: /^-[wE]$/, leading: 1 }),
    chroot: runner({ flags: /^--(?:userspec|groups)=/, leading: 1 }),
    xargs: runner({ flags: /^-(?:[0rtpxo]+|[nPLIsadE].+)$|^--(?:null|no-run-if-empty)$/, values: /^-[nPLIsadE]$/ }),
  }),
);
/** They run others too, in ways that nobody has written down here. */
const OTHER_RUNNERS = new Set(
  'su strace ltrace parallel busybox unshare nsenter chrt taskset fakeroot script coproc watchexec entr'.split(' '),
);
const SHELLS = new Set('bash sh zsh dash ksh fish rbash'.split(' '));

export const baseOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

/** A word of a command; only its decoded text is looked at here. */
type Word = { readonly text: string };

/** A command inside of another one. Where the words could not be told apart, it is only one way to read them. */
export type Inner<W extends Word = Word> = { readonly argv: readonly W[]; readonly certain: boolean };

/** The command itself and, when it runs others, those, however deep. */
export function innerWords<W extends Word>(argv: readonly W[]): readonly Inner<W>[] {
  return [{ argv, certain: true }, ...behind(argv)];
}

function behind<W extends Word>(argv: readonly W[]): readonly Inner<W>[] {
  const name = baseOf(argv[0]?.text ?? '');
  if (name === 'find') return afterExec(argv);
  const known = RUNNERS.get(name);
  if (known === undefined) return OTHER_RUNNERS.has(name) ? anyReading(argv) : [];
  const text = (at: number): string => argv[at]?.text ?? '';
  let at = 1;
  for (; text(at).startsWith('-') && text(at) !== '--'; at++) {
    if (known.values.test(text(at))) at++;
    else if (!known.flags.test(text(at))) return anyReading(argv);
  }
  if (text(at) === '--') at++;
  if (name === 'env' || name === 'sudo') while (/^\w+=/.test(text(at))) at++;
  const inner = argv.slice(at + known.leading);
  return inner.length === 0 ? [] : innerWords(inner);
}

const anyReading = <W extends Word>(argv: readonly W[]): readonly Inner<W>[] =>
  argv.slice(1).map((_, from) => ({ argv: argv.slice(from + 1), certain: false }));

function afterExec<W extends Word>(argv: readonly W[]): readonly Inner<W>[] {
  return argv.flatMap(({ text }, at) => {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(text)) return [];
    const end = argv.findIndex((other, index) => index > at && (other.text === ';' || other.text === '+'));
    return innerWords(argv.slice(at + 1, end === -1 ? argv.length : end));
  });
}

/** Texts that are commands again: `bash -c TEXT`, `eval WORDS`, `watch TEXT`. */
export function innerTexts(argv: readonly Word[]): readonly string[] {
  const [path = '', ...args] = argv.map(({ text }) => text);
  const name = baseOf(path);
  if (name === 'eval') return args.length === 0 ? [] : [args.join(' ')];
  if (name === 'watch' || name === 'su' || name === 'flock') return args.filter((arg) => arg.includes(' '));
  if (!SHELLS.has(name) || !args.some((arg) => /^[-+]\w*c\w*$/.test(arg))) return [];
  return args.filter((arg) => !/^[-+]/.test(arg));
}

/** A shell that reads its commands from standard input. */
export function readsCommands(argv: readonly Word[]): boolean {
  const [path, ...args] = argv.map(({ text }) => text);
  if (path === undefined || !SHELLS.has(baseOf(path))) return false;
  return args.every((arg) => /^[-+]/.test(arg) && !/^-\w*c/.test(arg)) || args.some((arg) => /^-\w*s/.test(arg));
}

/**
 * The command that an allow rule is compared with: behind `timeout`, `nice`, `nohup`, `stdbuf`, `command`, `builtin`,
 * `noglob` and a bare `xargs` (reference, section 2.3). An option that is not known to be harmless keeps the wrapper on,
 * and a rule for the inner command then does not fit.
 */
export function withoutWrappers(words: readonly Arg[]): readonly Arg[] {
  const [name, ...rest] = words;
  if (name === undefined || !name.fixed || rest.length === 0) return words;
  if (name.text === 'noglob' || (name.text === 'xargs' && !rest[0]?.text.startsWith('-'))) return withoutWrappers(rest);
  const unwrapped = (wrappers.get(name.text) ?? shellWrappers.get(name.text))?.(rest);
  return unwrapped === undefined || 'reason' in unwrapped ? words : withoutWrappers(unwrapped.inner);
}

/** `xargs` adds arguments that are not in the text. */
export const takesMoreArguments = (words: readonly Arg[]): boolean =>
  words.slice(0, words.length - withoutWrappers(words).length).some(({ text }) => text === 'xargs');

/** Programs for which a rule with a star would allow anything: they are allowed word for word or not at all. */
export function isNeverWidened(argv: readonly Word[]): boolean {
  const [name = '', ...args] = argv.map(({ text }) => text);
  switch (baseOf(name)) {
    case 'watch':
    case 'setsid':
    case 'ionice':
    case 'flock':
      return true;
    case 'find':
      return args.some((arg) => /^-(?:exec|execdir|ok|okdir|delete|fls|fprint)/.test(arg));
    default:
      return false;
  }
}
