import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainModule, projectRoot, runMain, SetupError } from './process.mjs';

/**
 * What the default export of a `bench/*.bench.ts` returns.
 * @typedef {object} BenchResult
 * @property {string} name what was measured, as a title
 * @property {readonly BenchRow[]} rows the first is the floor that the others are divided by
 *
 * @typedef {object} BenchRow
 * @property {string} label
 * @property {readonly number[]} samples one number per repetition, all of one unit
 * @property {string} [unit] `ms` unless told
 * @property {number} [goal] the largest ratio to the first row that is good
 */

/** `npm run bench [-- NAME…]`: runs the bench files whose names contain one of NAME, one after the other. */
async function main() {
  const wanted = process.argv.slice(2);
  const folder = join(projectRoot, 'bench');
  const all = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.bench.ts')).sort();
  const files = all.filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  if (files.length === 0) {
    if (all.length > 0)
      throw new SetupError(`no bench file matches ${wanted.join(' ')}. There are: ${all.join(' ')}`, 2);
    process.stdout.write('No bench files in bench/.\n');
    return 0;
  }
  process.stdout.write(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}\n`);
  for (const file of files) {
    const bench = await load(join(folder, file));
    process.stdout.write(`\n${table(await bench())}\n`);
  }
  return 0;
}

/**
 * Bundles the file for Node as the app's main process is bundled, so that what runs is what ships.
 * @param {string} file
 * @returns {Promise<() => Promise<BenchResult>>}
 */
async function load(file) {
  const { build } = await import('vite');
  const parent = join(projectRoot, 'out', 'bench');
  await mkdir(parent, { recursive: true });
  // Inside the project, where packages that stay outside of the bundle are found.
  const outDir = await mkdtemp(join(parent, 'run-'));
  // A bench may import further chunks while it runs.
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  await build({
    root: projectRoot,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['electron', '@vscode/ripgrep'] },
    build: { ssr: file, outDir, target: 'node20', rolldownOptions: { output: { entryFileNames: 'bench.mjs' } } },
  });
  const module = await import(pathToFileURL(join(outDir, 'bench.mjs')).href);
  if (typeof module.default !== 'function') throw new SetupError(`${file} has no default function to run.`);
  return module.default;
}

/**
 * @param {BenchResult} result
 * @returns {string} a Markdown table: median, spread and ratio of each row
 */
export function table({ name, rows }) {
  const floor = rows[0] === undefined ? Number.NaN : median(rows[0].samples);
  const lines = rows.map(({ label, samples, unit = 'ms', goal }) => {
    const middle = median(samples);
    const ratio = middle / floor;
    const verdict = goal === undefined ? '' : `≤ ${goal} ${ratio <= goal ? 'met' : 'missed'}`;
    const spread = `${figure(Math.min(...samples))}–${figure(Math.max(...samples))}`;
    return `| ${label} | ${figure(middle)} ${unit} | ${spread} | ${ratio.toFixed(2)} | ${verdict} |`;
  });
  return [`### ${name}`, '', '| what | median | spread | ratio | goal |', '|---|---|---|---|---|', ...lines].join('\n');
}

/** @param {readonly number[]} samples */
function median(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? Number(sorted[half]) : (Number(sorted[half - 1]) + Number(sorted[half])) / 2;
}

/** @param {number} value */
function figure(value) {
  return Number(value.toPrecision(4)).toString();
}

if (isMainModule(import.meta.url)) await runMain(main);
