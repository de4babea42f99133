import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SYSTEM_PATH } from './opened-files.ts';

/** A folder to work in, one that is none of anybody's business, and links from the first to the second. */
const SET_UP = `
mkdir -p work/proj/a work/proj/b work/proj/.git work/outside work/home
for file in proj/f proj/g.txt proj/a/f proj/.git/config proj/.npmrc outside/f outside/g home/f; do echo x > "work/$file"; done
ln -s ../outside work/proj/out && ln -s ../../outside work/proj/a/up
cp -a work template
`;

/** Runs each command in a fresh copy and says whether anything has changed that may not. */
const RUNNER = `
guarded() { { find ../outside ../home .git .npmrc a/.npmrc -printf '%p %y %l %s %m\\n' 2>/dev/null; cat ../outside/* ../home/* .git/config .npmrc 2>/dev/null; } | sort | cksum; }
while IFS= read -r -d '' script <&3; do
  cd "$ROOT" && rm -rf work && cp -a template work && cd work/proj || exit 1
  before=$(guarded)
  : "$(eval "$script" 2>&1 < /dev/null 3<&-)"
  cd "$ROOT/work/proj" 2>/dev/null || { printf 'gone\\0' >> "$LOG"; continue; }
  if [ "$before" = "$(guarded)" ]; then printf 'same\\0' >> "$LOG"; else printf 'changed\\0' >> "$LOG"; fi
done 3< "$SCRIPTS"
`;

export class EditedFiles implements Disposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-edited-')));
  readonly folder = join(this.root, 'work', 'proj');
  readonly home = join(this.root, 'work', 'home');

  constructor() {
    execFileSync('bash', ['--norc', '--noprofile', '-c', SET_UP], { cwd: this.root, env: { PATH: SYSTEM_PATH } });
  }

  /** `same`: whatever lies outside of the folder, and what is protected in it, is as it was. */
  run(commands: readonly string[]): readonly string[] {
    const [log, scripts] = [join(this.root, 'log'), join(this.root, 'scripts')];
    writeFileSync(log, '');
    writeFileSync(scripts, commands.map((command) => `${command}\0`).join(''));
    const env = {
      PATH: SYSTEM_PATH,
      HOME: this.home,
      LANG: 'C.UTF-8',
      ROOT: this.root,
      LOG: log,
      SCRIPTS: scripts,
    };
    const end = spawnSync('bash', ['--norc', '--noprofile', '-c', RUNNER], {
      cwd: this.root,
      env,
      encoding: 'utf8',
      // Far above what it takes, so that a machine with other work on it is not taken for one that hangs.
      timeout: 60_000 + 1_000 * commands.length,
      killSignal: 'SIGKILL',
    });
    if (end.status !== 0) throw new Error(`bash ended with ${end.status ?? end.signal}: ${end.stderr}`);
    return readFileSync(log, 'utf8').split('\0').slice(0, -1);
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
