import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files that the generated commands know by name. */
const setUp = `
mkdir src sub && printf 'b\\na\\nc\\na\\n' > a.txt && printf 'x 1\\ny 2\\n' > b.txt
printf 'export const one = 1;\\n' > src/one.ts && printf 'nested\\n' > sub/deep.txt
printf '{"name": "scratch", "version": "1.0.0"}\\n' > package.json && printf 'has space\\n' > 'my file.txt'
git init -q . && git config user.name t && git config user.email t@example.com && git config gc.auto 0
git add . && git commit -q -m first && echo d >> a.txt && git commit -q -am second && git tag v1
tar cf a.tar b.txt && gzip -k b.txt
`;

/** Where everything a command may do must leave no trace. */
export class Scratch implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'gantry-bash-'));
  private readonly home = mkdtempSync(join(tmpdir(), 'gantry-bash-home-'));

  constructor() {
    execFileSync('bash', ['-c', setUp], { cwd: this.path, env: this.env });
  }

  private get env(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: this.home,
      LANG: 'C.UTF-8',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_PAGER: 'cat',
      PAGER: 'cat',
      GIT_CONFIG_NOSYSTEM: '1',
    };
  }

  /** Runs a command as the app would: bash without rc files, no input, no terminal. */
  run(command: string): { readonly stdout: string; readonly code: number | null } {
    const end = spawnSync('bash', ['--norc', '--noprofile', '-c', command], {
      cwd: this.path,
      env: this.env,
      input: '',
      encoding: 'utf8',
      timeout: 10_000,
      killSignal: 'SIGKILL',
      maxBuffer: 8_000_000,
    });
    return { stdout: end.stdout, code: end.status };
  }

  /** A print of every name, kind, size and time below the folder and the home folder; a write shows in the times. */
  fingerprint(): string {
    const hash = createHash('sha1');
    for (const root of [this.path, this.home]) addTree(hash, root, '');
    return hash.digest('hex');
  }

  [Symbol.dispose](): void {
    for (const path of [this.path, this.home]) rmSync(path, { recursive: true, force: true });
  }
}

function addTree(hash: ReturnType<typeof createHash>, root: string, below: string): void {
  for (const name of readdirSync(join(root, below)).sort()) {
    const { mode, size, ino, mtimeNs, ctimeNs } = lstatSync(join(root, below, name), { bigint: true });
    hash.update(`${below}/${name} ${mode} ${size} ${ino} ${mtimeNs} ${ctimeNs}\n`);
    if ((mode & 0o170000n) === 0o040000n) addTree(hash, root, join(below, name));
  }
}
