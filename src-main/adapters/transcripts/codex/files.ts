import { basename, dirname } from 'node:path';
import { filesIn, foldersIn } from '../files.ts';
import { readHead } from '../read-records.ts';
import { metaOf, type RolloutMeta } from './meta.ts';
import { rolloutOf } from './record.ts';

/** The newest day of a folder of years, or of one of their months; undefined for a folder of another shape. */
export async function newestDay(folder: string): Promise<string | undefined> {
  let at = folder;
  for (const shape of /^\d{4}$/.test(basename(folder))
    ? [MONTH_OR_DAY, MONTH_OR_DAY]
    : [YEAR, MONTH_OR_DAY, MONTH_OR_DAY]) {
    const last = (await foldersIn(at)).findLast((path) => shape.test(basename(path)));
    if (last === undefined) return undefined;
    at = last;
  }
  return at;
}

const YEAR = /^20\d{2}$/;
const MONTH_OR_DAY = /^\d{2}$/;

/** More files than this in one folder are not looked into for sub-agents; the nearest by name are. */
const MOST_NEIGHBOURS = 400;

/** Files of the threads that this session started, and of those that they started: they lie beside it, by date. */
export async function agentFilesOf(main: string, signal: AbortSignal): Promise<readonly string[]> {
  const { id } = await headOf(main, signal);
  if (id === undefined) return [];
  const children = new Map<string, { readonly file: string; readonly meta: RolloutMeta }[]>();
  for (const file of await neighboursOf(main, 'next')) {
    const meta = await headOf(file, signal);
    if (meta.parent === undefined || meta.id === id) continue;
    children.set(meta.parent, [...(children.get(meta.parent) ?? []), { file, meta }]);
  }
  const found: string[] = [];
  const seen = new Set<string>([id]);
  const parents = [id];
  for (let parent = parents.shift(); parent !== undefined; parent = parents.shift()) {
    for (const { file, meta } of children.get(parent) ?? []) {
      if (found.includes(file)) continue;
      found.push(file);
      if (meta.id === undefined || seen.has(meta.id)) continue;
      seen.add(meta.id);
      parents.push(meta.id);
    }
  }
  return found;
}

/** The file of the thread that started this one: of the same day, or begun the day before. */
export async function parentFileOf(main: string, parent: string, signal: AbortSignal): Promise<string | undefined> {
  for (const file of await neighboursOf(main, 'previous')) {
    if ((await headOf(file, signal)).id === parent) return file;
  }
  return undefined;
}

async function headOf(file: string, signal: AbortSignal): Promise<RolloutMeta> {
  const head = await readHead(file, 3, signal).catch(() => []);
  return metaOf(head.flatMap((value) => rolloutOf(value) ?? []));
}

/** Other rollouts of the same day, and of a day beside it: a thread may be started past midnight. */
async function neighboursOf(main: string, beside: 'next' | 'previous'): Promise<readonly string[]> {
  const folder = dirname(main);
  const pattern = /\.jsonl$/;
  const files = (await filesIn(folder, pattern)).filter((file) => file !== main);
  const today = basename(folder);
  const days = MONTH_OR_DAY.test(today) ? await foldersIn(dirname(folder)) : [];
  const others = days.filter((path) => MONTH_OR_DAY.test(basename(path)));
  const day =
    beside === 'next'
      ? others.find((path) => basename(path) > today)
      : others.findLast((path) => basename(path) < today);
  if (day !== undefined) files.push(...(await filesIn(day, pattern)));
  return files.slice(0, MOST_NEIGHBOURS);
}
