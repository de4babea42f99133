import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Chance } from '../../core/bash/testing/random.ts';
import { bundleForNode } from '../process/bundle.fixture.ts';
import { readManifest } from './manifest-file.ts';
import { runVault } from './run-vault.ts';
import { verifyVault } from './verify-vault.ts';

const FILES = 12;

/** Bundles the run that is to be killed, and gives its path: Node 20 cannot run TypeScript. */
export async function bundleRun(outDir: string): Promise<string> {
  await bundleForNode({ run: fileURLToPath(new URL('./killed.fixture.ts', import.meta.url)) }, outDir);
  return join(outDir, 'run.mjs');
}

/** Lives through so many kills. What a kill has damaged fails. @returns how many runs were killed before their end */
export async function surviveKills(folder: string, program: string, chance: Chance, kills: number): Promise<number> {
  const world = new World(folder, program, chance);
  let killed = 0;
  for (let kill = 0; kill < kills; kill++) {
    world.live();
    if (await world.killedRun()) killed++;
    if (existsSync(join(world.vault, 'gantry-vault.jsonl'))) await world.check();
    if (chance.oneIn(4)) await world.wholeRun();
  }
  await world.wholeRun();
  await world.check();
  return killed;
}

const shaOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** A source that lives on, its vault, and every content that the manifest has ever said is kept. */
class World {
  readonly vault: string;
  readonly source: string;
  readonly #program: string;
  readonly #chance: Chance;
  readonly #kept = new Map<string, number>();

  constructor(folder: string, program: string, chance: Chance) {
    this.#program = program;
    this.vault = join(folder, 'vault');
    this.source = join(folder, 'projects');
    this.#chance = chance;
    mkdirSync(this.vault, { recursive: true });
    mkdirSync(this.source);
  }

  /** Some files grow, one is written anew, one is cut. */
  live(): void {
    const lines = (): string =>
      `${this.#chance.next()}\n`.repeat(1 + this.#chance.below(this.#chance.oneIn(5) ? 20_000 : 500));
    for (let n = 0; n < FILES; n++) {
      const file = join(this.source, `${n}.jsonl`);
      if (!existsSync(file) || this.#chance.oneIn(6)) writeFileSync(file, lines());
      else if (this.#chance.oneIn(8)) writeFileSync(file, readFileSync(file).subarray(0, 1_000));
      else if (this.#chance.oneIn(2)) appendFileSync(file, lines());
    }
  }

  /** A run that is killed after some steps and a moment more. */
  async killedRun(): Promise<boolean> {
    const child = spawn(process.execPath, [this.#program, this.vault, this.source], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise<boolean>((resolve) => child.once('exit', (code) => resolve(code === null)));
    const steps = this.#chance.below(3 * FILES);
    let said = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.length;
      if (said >= steps) void wait(this.#chance.below(8)).then(() => child.kill('SIGKILL'));
    });
    return ended;
  }

  /** Whatever the manifest says is kept has to be there, by its hash, now and ever after. */
  async check(): Promise<void> {
    const manifest = await readManifest(this.vault);
    for (const { sha256, bytes } of [...manifest.files.values(), ...manifest.older.values()])
      this.#kept.set(sha256, bytes);
    const all = this.#contents();
    for (const [sha256, bytes] of this.#kept) {
      if (all.has(sha256)) continue;
      const longer = [...all].find(([, path]) => beginsWith(path, sha256, bytes));
      expect(longer, `a copy of ${bytes} bytes is still there`).toBeDefined();
      // From now on the longer one has to be there.
      this.#kept.delete(sha256);
      if (longer !== undefined) this.#kept.set(longer[0], statSync(longer[1]).size);
    }
  }

  #contents(): ReadonlyMap<string, string> {
    const files = ['claude-code', 'older'].flatMap((name) => {
      const folder = join(this.vault, name);
      if (!existsSync(folder)) return [];
      return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
    });
    return new Map(files.map((path) => [shaOf(path), path]));
  }

  async wholeRun(): Promise<void> {
    const options = {
      folder: this.vault,
      now: () => Date.now(),
      signal: new AbortController().signal,
      onProgress: () => undefined,
    };
    const sources = [{ program: 'claude-code', path: this.source, onlyTranscripts: false }];
    const { problems } = await runVault({ ...options, sources, makeAs: 'vault_1', calm: false });
    expect(problems).toEqual([]);
    for (const name of readdirSync(this.source)) {
      expect(shaOf(join(this.vault, 'claude-code/projects', name))).toBe(shaOf(join(this.source, name)));
    }
    expect(await verifyVault(options)).toMatchObject({ problems: [] });
    expect(readdirSync(join(this.vault, 'gantry-parts'))).toEqual([]);
  }
}

function beginsWith(path: string, sha256: string, bytes: number): boolean {
  const content = readFileSync(path);
  return content.length > bytes && createHash('sha256').update(content.subarray(0, bytes)).digest('hex') === sha256;
}
