import { type ChildProcess, fork, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProcessHost, startProcessHost } from '../src-main/adapters/process/process-host-client.ts';
import { bundledHost } from './bundled-host.ts';
import { inTurn, median, rounded, share, spread, wallOf } from './measure.ts';

type Row = Readonly<Record<string, string | number>>;

const BLOCKS = 60;
const BIG_BLOCKS = 7;
const OUTPUT_BYTES = 200 * 1024 * 1024;
/** Resident bytes that the main process is made to hold: what a fork of it would have to copy the tables of. */
const BALLAST_BYTES = 1024 ** 3;

/** Starts bash with its output in a file and waits for its end: the floor, when done by a small process. */
const RAW = `
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
process.on('message', ([command, file]) => {
  const from = performance.now();
  const output = openSync(file, 'w');
  spawn('bash', ['-c', command], { stdio: ['ignore', output, output], detached: true }).on('exit', () => {
    closeSync(output);
    process.send(performance.now() - from);
  });
});
`;

/** A command through the process host beside a raw spawn (spec 7.2). */
export default async function processBench() {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  const host = startProcessHost({ execPath: process.execPath, entryPath: await bundledHost(folder), env: process.env });
  writeFileSync(join(folder, 'raw.mjs'), RAW);
  const small = fork(join(folder, 'raw.mjs'), [], { execArgv: ['--max-semi-space-size=1'] });
  const rows: Row[] = [await shortCommand(host, small, folder), await largeOutput(host, small, folder)];
  rows.push(await blocking(host, folder, 'small'));
  const ballast = Buffer.alloc(BALLAST_BYTES, 1);
  rows.push(await blocking(host, folder, `with ${ballast.length / 1024 ** 3} GB more`));
  small.disconnect();
  await host.close();
  rmSync(folder, { recursive: true });
  return { name: 'processes: through the process host beside a raw spawn', rows };
}

let runs = 0;

function throughHost(host: ProcessHost, command: string, folder: string) {
  const run = runs++;
  return host.run(
    {
      command,
      cwd: folder,
      env: {},
      outputFile: join(folder, `output-${run}.txt`),
      timeoutMs: 60_000,
      maxOutputBytes: 1e10,
      marker: `bench:${process.pid}:${run}`,
    },
    { signal: new AbortController().signal, onSpawn: () => undefined, onProgress: () => undefined },
  );
}

const raw = (small: ChildProcess, command: string, file: string): Promise<number> =>
  new Promise((resolve) => {
    small.once('message', (ms) => resolve(Number(ms)));
    small.send([command, file]);
  });

async function shortCommand(host: ProcessHost, small: ChildProcess, folder: string) {
  const file = join(folder, 'raw.txt');
  const times = await inTurn(
    {
      raw: () => raw(small, 'true', file),
      host: () => wallOf(() => throughHost(host, 'true', folder)),
    },
    BLOCKS,
  );
  return {
    what: 'bash -c true, start to result',
    'raw ms': rounded(median(times.raw)),
    'host ms': rounded(median(times.host)),
    'spread ms': rounded(spread(times.host)),
    '÷ raw': rounded(median(times.host) / median(times.raw)),
    // Of what a busy machine does to both, the quickest tenth has the least.
    'quickest tenth ÷ raw': rounded(share(times.host, 0.1) / share(times.raw, 0.1)),
  };
}

async function largeOutput(host: ProcessHost, small: ChildProcess, folder: string) {
  const command = `head -c ${OUTPUT_BYTES} /dev/zero`;
  const file = join(folder, 'raw-large.txt');
  const times = await inTurn(
    {
      raw: () => raw(small, command, file),
      host: async () => {
        const output = join(folder, `output-${runs}.txt`);
        const ms = await wallOf(() => throughHost(host, command, folder));
        if (statSync(output).size !== OUTPUT_BYTES) throw new Error('the output is not whole');
        rmSync(output);
        return ms;
      },
    },
    BIG_BLOCKS,
  );
  return {
    what: '200 MB of output to a file',
    'raw ms': rounded(median(times.raw)),
    'host ms': rounded(median(times.host)),
    'spread ms': rounded(spread(times.host)),
    '÷ raw': rounded(median(times.host) / median(times.raw)),
  };
}

/** How long the process that asks stands still: for a request to the host, and for a spawn of its own. */
async function blocking(host: ProcessHost, folder: string, how: string) {
  const file = join(folder, 'own.txt');
  // One after the other and not in turn: after a fork of its own the process pays for every page it writes to again.
  const own = await inTurn(
    {
      ms: async () => {
        const output = openSync(file, 'w');
        const from = performance.now();
        const child = spawn('bash', ['-c', 'true'], { stdio: ['ignore', output, output] });
        const ms = performance.now() - from;
        await new Promise((resolve) => child.once('exit', resolve));
        closeSync(output);
        return ms;
      },
    },
    BLOCKS,
  );
  const asked = await inTurn(
    {
      ms: async () => {
        const from = performance.now();
        const result = throughHost(host, 'true', folder);
        const ms = performance.now() - from;
        await result;
        return ms;
      },
    },
    BLOCKS,
    BLOCKS,
  );
  return {
    what: `asking process stands still, ${how}`,
    'raw ms': rounded(median(own.ms)),
    'host ms': rounded(median(asked.ms)),
    'host p95 ms': rounded(share(asked.ms, 0.95)),
    '÷ raw': rounded(median(asked.ms) / median(own.ms)),
  };
}
