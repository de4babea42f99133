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

const baseOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

/** A command inside of another one. Where the words could not be told apart, it is only one way to read them. */
export type Inner = { readonly argv: readonly string[]; readonly certain: boolean };

/** The command itself and, when it runs others, those, however deep. */
export function innerWords(argv: readonly string[]): readonly Inner[] {
  return [{ argv, certain: true }, ...behind(argv)];
}

function behind(argv: readonly string[]): readonly Inner[] {
  const name = baseOf(argv[0] ?? '');
  if (name === 'find') return afterExec(argv);
  const known = RUNNERS.get(name);
  if (known === undefined) return OTHER_RUNNERS.has(name) ? anyReading(argv) : [];
  let at = 1;
  for (; argv[at]?.startsWith('-') && argv[at] !== '--'; at++) {
    const option = argv[at] ?? '';
    if (known.values.test(option)) at++;
    else if (!known.flags.test(option)) return anyReading(argv);
  }
  if (argv[at] === '--') at++;
  if (name === 'env' || name === 'sudo') while (/^\w+=/.test(argv[at] ?? '')) at++;
  const inner = argv.slice(at + known.leading);
  return inner.length === 0 ? [] : innerWords(inner);
}

const anyReading = (argv: readonly string[]): readonly Inner[] =>
  argv.slice(1).map((_, from) => ({ argv: argv.slice(from + 1), certain: false }));

function afterExec(argv: readonly string[]): readonly Inner[] {
  return argv.flatMap((word, at) => {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(word)) return [];
    const end = argv.findIndex((other, index) => index > at && (other === ';' || other === '+'));
    return innerWords(argv.slice(at + 1, end === -1 ? argv.length : end));
  });
}

/** Texts that are commands again: `bash -c TEXT`, `eval WORDS`, `watch TEXT`. */
export function innerTexts(argv: readonly string[]): readonly string[] {
  const [path = '', ...args] = argv;
  const name = baseOf(path);
  if (name === 'eval') return args.length === 0 ? [] : [args.join(' ')];
  if (name === 'watch' || name === 'su' || name === 'flock') return args.filter((arg) => arg.includes(' '));
  if (!SHELLS.has(name) || !args.some((arg) => /^[-+]\w*c\w*$/.test(arg))) return [];
  return args.filter((arg) => !/^[-+]/.test(arg));
}

/**
 * The command that an allow rule is compared with: behind `timeout`, `nice`, `nohup`, `stdbuf`, `command`, `builtin` and a
 * bare `xargs`. An option that is not known here keeps the wrapper on, and a rule for the inner command then does not fit.
 */
export function innerCommand(argv: readonly string[]): readonly string[] {
  const [name, first, second] = argv;
  const rest = (from: number): readonly string[] => (argv.length > from ? innerCommand(argv.slice(from)) : argv);
  switch (name) {
    case 'nohup':
    case 'builtin':
    case 'command':
    case 'time':
    case 'xargs':
      return first === undefined || first.startsWith('-') ? argv : rest(1);
    case 'timeout':
      return /^\d+(?:\.\d+)?[smhd]?$/.test(first ?? '') ? rest(2) : argv;
    case 'nice':
      if (first === '-n' && /^-?\d+$/.test(second ?? '')) return rest(3);
      return first === undefined || first.startsWith('-') ? argv : rest(1);
    case 'stdbuf':
      return /^-[ioe](?:L|\d+)$/.test(first ?? '') ? rest(2) : argv;
    default:
      return argv;
  }
}

/** Programs for which a rule with a star would allow anything: they are allowed word for word or not at all. */
export function isNeverWidened(argv: readonly string[]): boolean {
  const [name = '', ...args] = argv;
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
