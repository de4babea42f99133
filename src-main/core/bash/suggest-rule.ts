import { analyseBash } from './analyse-bash.ts';
import type { SimpleCommand } from './analysis.ts';

/** Tools whose second word says what they do; a rule for the first word alone would cover far too much. */
const severalVerbs = new Set(
  'git npm pnpm yarn bun deno npx bunx uvx pip pip3 poetry uv pipenv conda cargo rustup go docker-compose kubectl helm terraform make just task gradle gradlew mvn dotnet gh glab aws gcloud az brew apt apt-get dnf systemctl journalctl composer php bundle gem rails rake mix flutter dart swift nx turbo lerna hg svn cmake ctest vercel netlify fly heroku firebase supabase prisma'.split(
    ' ',
  ),
);

/** Words after which one more word belongs to the verb: `npm run test`, `docker compose up`. */
const twoWordVerbs = new Set(['run', 'compose', 'exec', 'tool', 'stash', 'remote', 'worktree', 'submodule']);

/**
 * Programs for which a rule with a wildcard would allow anything: they run other programs, remove, become somebody
 * else, or take code as an argument.
 */
const neverWiden = new Set(
  'sudo su doas bash sh zsh dash ksh fish env eval exec source . xargs parallel rm rmdir dd mkfs shred chmod chown kill pkill killall curl wget ssh scp rsync nc ncat python python2 python3 perl ruby node php lua osascript tclsh awk gawk mawk sed find watch setsid ionice flock nohup timeout nice time stdbuf command builtin script strace ltrace gdb at crontab trap export alias tee ln mv cp reboot shutdown mount umount docker podman tar'.split(
    ' ',
  ),
);

/** Subcommands that run whatever follows, or destroy. */
const neverWidenVerbs = new Set(
  'exec dlx x eval config filter-branch clean reset run-script bisect submodule rebase delete destroy'.split(' '),
);

/**
 * The permission rule to propose for a command, in settings syntax, or nothing when no rule can say it.
 *
 * - the first word and `:*`; two words for tools with verbs (`Bash(git push:*)`), three for `npm run test`;
 * - the exact command for what must not be widened (`sudo`, `rm`, `bash -c`, `find … -exec`, `xargs`, …);
 * - of several commands, the one that is not read-only, when there is just one: the others need no rule.
 */
export function suggestBashRule(command: string): string | undefined {
  const text = command.trim();
  const analysis = analyseBash(text);
  if (text === '' || !analysis.parsed) return undefined;
  const asking = analysis.commands.filter((one) => !one.readOnly);
  const [only] = asking.length === 0 && analysis.commands.length === 1 ? analysis.commands : asking;
  if (only === undefined || asking.length > 1) return exactRule(text);
  const prefix = isOnItsOwn(only) ? prefixOf(only.argv) : undefined;
  return prefix === undefined ? exactRule(text) : `Bash(${prefix}:*)`;
}

/** A rule covers words only: a file written or a variable set would still ask. */
function isOnItsOwn({ env, redirections }: SimpleCommand): boolean {
  return env.length === 0 && redirections.every(({ op, target }) => /^\d?>&/.test(op) || target === '/dev/null');
}

function prefixOf(argv: readonly string[]): string | undefined {
  const [name = '', verb, third] = argv;
  if (!isPlain(name) || neverWiden.has(baseOf(name))) return undefined;
  if (!severalVerbs.has(baseOf(name))) return name;
  // An option before the verb (`git -c alias=… status`) would make a prefix that says nothing.
  if (verb === undefined || !isPlain(verb) || neverWidenVerbs.has(verb)) return undefined;
  if (!twoWordVerbs.has(verb)) return `${name} ${verb}`;
  return third === undefined || !isPlain(third) ? undefined : `${name} ${verb} ${third}`;
}

function isPlain(word: string): boolean {
  return /^[\w./@+:-]+$/.test(word) && !word.startsWith('-') && !word.endsWith(':');
}

function baseOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** A star would be a wildcard and a line break cannot be read in a list of rules. */
function exactRule(text: string): string | undefined {
  return /[*\n]/.test(text) || text.length > 300 || text.endsWith(':') ? undefined : `Bash(${text})`;
}
