import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SET_UP = `
mkdir -p a/b c home && ln -s a/b link
for file in f g.txt .env a/f a/b/k c/.env home/f home/.env; do echo x > "$file"; done
`;

/** A command that loops for ever has opened what it opens long before that. */
const MOST_S_A_COMMAND = 3;

/** `cat` that says what it is given instead of showing it: as the path without links, and as it is from the folder. */
const RUNNER = `
cat() {
  local word after= named=
  for word in "$@"; do
    if [ -z "$after" ]; then case "$word" in --) after=1; continue;; -*) continue;; esac; fi
    named=1
    printf '%s\\0%s\\0' "$(realpath -m -- "$word")" "$(realpath -ms -- "$word")" >> "$LOG"
  done
  if [ -z "$named" ]; then
    local input; input=$(readlink /proc/self/fd/0)
    case "$input" in /dev/null|pipe:*) ;; *) printf '%s\\0%s\\0' "$input" "$input" >> "$LOG";; esac
  fi
}
export -f cat
export FUNCNEST=20
count=0
while IFS= read -r -d '' script <&3; do
  export LOG="$LOGS/$count"; count=$((count + 1)); : > "$LOG"
  # The substitution ends when everything has that was started in it, in the background too.
  : "$(cd "$ROOT" || exit; timeout -s KILL ${MOST_S_A_COMMAND} bash --norc --noprofile -c "$script" 2>&1 < /dev/null 3<&-)"
done 3< "$SCRIPTS"
`;

/** The system's own programs: a person's `PATH` may hold stand-ins that are slow, or wait for a lock. */
export const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

/** A file by the path without links and by the one with them. */
export type Opened = { readonly real: string; readonly written: string };

/** A folder with a few files in which commands run; `cat` is a function that takes notes. */
export class OpenedFiles implements Disposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-opened-')));
  readonly home = join(this.root, 'home');
  readonly #logs = mkdtempSync(join(tmpdir(), 'gantry-opened-logs-'));

  constructor() {
    execFileSync('bash', ['--norc', '--noprofile', '-c', SET_UP], { cwd: this.root, env: { PATH: SYSTEM_PATH } });
  }

  /** For each command the files that were given to `cat`. */
  run(commands: readonly string[]): readonly (readonly Opened[])[] {
    const scripts = join(this.#logs, 'scripts');
    writeFileSync(scripts, commands.map((command) => `${command}\0`).join(''));
    const env = {
      PATH: SYSTEM_PATH,
      HOME: this.home,
      LANG: 'C.UTF-8',
      LOGS: this.#logs,
      SCRIPTS: scripts,
      ROOT: this.root,
    };
    const end = spawnSync('bash', ['--norc', '--noprofile', '-c', RUNNER], {
      cwd: this.root,
      env,
      encoding: 'utf8',
    });
    if (end.status !== 0) throw new Error(`bash ended with ${end.status ?? end.signal}: ${end.stderr}`);
    return commands.map((_, at) => openedIn(readFileSync(join(this.#logs, String(at)), 'utf8')));
  }

  [Symbol.dispose](): void {
    for (const folder of [this.root, this.#logs]) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function openedIn(log: string): readonly Opened[] {
  const fields = log.split('\0');
  return Array.from({ length: Math.floor(fields.length / 2) }, (_, at) => ({
    real: fields[2 * at] ?? '',
    written: fields[2 * at + 1] ?? '',
  }));
}
