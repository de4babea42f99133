import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleForNode } from '../../../adapters/process/bundle.fixture.ts';

const run = promisify(execFile);

/** Programs that tests run, each in one file, with the process host beside them. */
export class Children {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async bundle(): Promise<Children> {
    const outDir = mkdtempSync(join(tmpdir(), 'gantry-children-'));
    const child = (name: string): string => join(import.meta.dirname, `${name}.child.ts`);
    await bundleForNode(
      {
        'process-host': join(import.meta.dirname, '../../../process-host/index.ts'),
        'measured-session': child('measured-session'),
        'settled-calls': child('settled-calls'),
        soak: child('soak'),
      },
      outDir,
    );
    return new Children(outDir);
  }

  get hostPath(): string {
    return join(this.#folder, 'process-host.mjs');
  }

  /** Runs a program to its end and gives what it printed. */
  async run(name: 'measured-session' | 'settled-calls' | 'soak', argument: object, flags: readonly string[] = []) {
    const program = join(this.#folder, `${name}.mjs`);
    const { stdout } = await run(process.execPath, ['--no-warnings', ...flags, program, JSON.stringify(argument)]);
    return JSON.parse(stdout) as unknown;
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
