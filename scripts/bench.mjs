import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainModule, projectRoot, runMain, SetupError } from './process.mjs';

/**
 * What the default export of a `bench/*.bench.ts` returns. All goals are ratios inside one run, so a row holds
 * ours, the floor's and the peers' figures beside each other, each with its unit in the column's name.
 * @typedef {{name: string, rows: readonly {readonly [column: string]: string | number}[]}} BenchResult
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
    ssr: { noExternal: true, external: ['electron', '@vscode/ripgrep', '@photostructure/sqlite'] },
    build: { ssr: file, outDir, target: 'node20', rolldownOptions: { output: { entryFileNames: 'bench.mjs' } } },
  });
  const module = await import(pathToFileURL(join(outDir, 'bench.mjs')).href);
  if (typeof module.default !== 'function') throw new SetupError(`${file} has no default function to run.`);
  return module.default;
}

/**
 * @param {BenchResult} result
 * @returns {string} a Markdown table; a column that a row lacks stays empty in it
 */
export function table({ name, rows }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  /** @param {readonly unknown[]} cells */
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const body = rows.map((row) => line(columns.map((column) => figure(row[column] ?? ''))));
  return [`### ${name}`, '', line(columns), line(columns.map(() => '---')), ...body].join('\n');
}

/**
 * Four digits are more than any of these measurements is sure of.
 * @param {string | number} value
 */
function figure(value) {
  return typeof value === 'number' ? Number(value.toPrecision(4)).toString() : value;
}

if (isMainModule(import.meta.url)) await runMain(main);
