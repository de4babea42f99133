import { basename, dirname, join } from 'node:path';
import { metaOf, type RolloutMeta } from './codex/meta.ts';
import { likeness, rolloutOf } from './codex/record.ts';
import { Marks, withoutReplay } from './codex/replay.ts';
import { RolloutReader, type RolloutRecord } from './codex/rollout.ts';
import { entriesIn, filesIn, foldersIn } from './files.ts';
import type { Importer, ReadOptions, TranscriptSource } from './importer.ts';
import { MAIN, type PlainAgent, type PlainStep } from './plain/session.ts';
import { plainToReading } from './plain/to-reading.ts';
import { UnknownKinds } from './plain/unknown.ts';
import { titleFrom } from './plain/values.ts';
import { readHead, readRecords } from './read-records.ts';

/** The newest day of a folder of years, or of one of their months; undefined for a folder of another shape. */
async function newestDay(folder: string): Promise<string | undefined> {
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

/** Rollouts that Codex keeps under `~/.codex/sessions`, from its first versions to paginated ones (JSONL). */
export const codex: Importer = {
  name: 'codex',

  sniff(head) {
    if (head.length === 0) return 0;
    const sum = head.reduce<number>((total, value) => total + likeness(value), 0);
    const best = Math.max(...head.map(likeness));
    return Math.min(1, best * (0.5 + (0.5 * sum) / head.length));
  },

  isPart: (head) => metaOf(head.flatMap((value) => rolloutOf(value) ?? [])).parent !== undefined,

  async sessionsIn(folder) {
    const day = await newestDay(folder);
    const found: TranscriptSource[] = [];
    for (const main of day === undefined ? [] : await filesIn(day, /\.jsonl$/)) {
      const head = await readHead(main, 3, new AbortController().signal).catch(() => []);
      if (codex.isPart?.(head) !== true) found.push({ path: folder, main, agentFiles: [], resultFolders: [] });
    }
    return found;
  },

  places: ({ home, env }) => {
    const folder = env.CODEX_HOME || join(home, '.codex');
    return [join(folder, 'sessions'), join(folder, 'archived_sessions')];
  },

  async sourceOf(main, { path, signal }) {
    const agentFiles = await agentFilesOf(main, signal);
    return { path, main, agentFiles, resultFolders: [] };
  },

  async read(source, options) {
    const main = source.main ?? source.path;
    const unknown = new UnknownKinds();
    const records = await recordsOf(main, options, unknown);
    const meta = metaOf(records);
    const own = new RolloutReader(records, { agent: MAIN, file: main, unknown, onFinding: options.onFinding });
    const agents: PlainAgent[] = [];
    const steps: PlainStep[] = [...own.steps.done()];
    const readers = [own];
    const files = await agentRecords(source, options, unknown);
    const marks = new Marks(
      new Map([[meta.id, records], ...files.map((one) => [one.meta.id, one.records] as const)]),
      records,
    );
    for (const { file, records: copied, meta: child } of files) {
      const fresh = withoutReplay(copied, marks.of(child.parent));
      const key = child.id ?? basename(file);
      const reader = new RolloutReader(fresh, { agent: key, file, unknown, onFinding: options.onFinding });
      for (const step of reader.steps.done()) steps.push(step);
      readers.push(reader);
      agents.push(agentOf(key, child, reader));
    }
    unknown.tell(options.onFinding);
    return plainToReading(
      {
        sessionId: meta.id,
        title: titleFrom(own.firstPrompt),
        cwd: meta.cwd,
        version: meta.version,
        startedAt: meta.at,
        steps,
        agents: agents.map((agent) => ({ ...agent, parentCallId: parentOf(agent, files, readers) })),
      },
      { format: codex.name, source },
    );
  },
};

async function recordsOf(file: string, options: ReadOptions, unknown: UnknownKinds): Promise<readonly RolloutRecord[]> {
  const records: RolloutRecord[] = [];
  for await (const piece of readRecords(file, options)) {
    for (const { value, line } of piece) {
      const rollout = rolloutOf(value);
      if (rollout === undefined) unknown.count('values that are no records', { file, line });
      else records.push({ ...rollout, line });
    }
  }
  return records;
}

type AgentFile = { readonly file: string; readonly records: readonly RolloutRecord[]; readonly meta: RolloutMeta };

async function agentRecords(source: TranscriptSource, options: ReadOptions, unknown: UnknownKinds) {
  const files: AgentFile[] = [];
  for (const file of source.agentFiles) {
    const records = await recordsOf(file, options, unknown);
    files.push({ file, records, meta: metaOf(records) });
  }
  return files;
}

function agentOf(key: string, meta: RolloutMeta, reader: RolloutReader): PlainAgent {
  const name = meta.nickname ?? meta.path?.split('/').at(-1) ?? meta.role ?? 'sub-agent';
  const agentType = meta.role ?? 'sub-agent';
  return { key, name, agentType, prompt: reader.firstPrompt ?? '', parentCallId: undefined };
}

/** The call that started an agent, in whichever file it stands. */
function parentOf(
  agent: PlainAgent,
  files: readonly AgentFile[],
  readers: readonly RolloutReader[],
): string | undefined {
  const meta = files.find((one) => (one.meta.id ?? basename(one.file)) === agent.key)?.meta;
  for (const { threads } of readers) {
    const call = threads.get(agent.key) ?? threads.get(meta?.path ?? '');
    if (call !== undefined) return call;
  }
  return undefined;
}

/** Files of the threads that this session started, and of those that they started: they lie beside it, by date. */
async function agentFilesOf(main: string, signal: AbortSignal): Promise<readonly string[]> {
  const headOf = async (file: string): Promise<RolloutMeta> => {
    const head = await readHead(file, 3, signal).catch(() => []);
    return metaOf(head.flatMap((value) => rolloutOf(value) ?? []));
  };
  const { id } = await headOf(main);
  if (id === undefined) return [];
  const children = new Map<string, { readonly file: string; readonly meta: RolloutMeta }[]>();
  for (const file of await neighboursOf(main)) {
    const meta = await headOf(file);
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

/** Other rollouts of the same day, and of the day after: a thread may be started past midnight. */
async function neighboursOf(main: string): Promise<readonly string[]> {
  const folder = dirname(main);
  const pattern = /\.jsonl$/;
  const files = (await filesIn(folder, pattern)).filter((file) => file !== main);
  const days = /^\d{2}$/.test(basename(folder)) ? (await entriesIn(dirname(folder))).map((entry) => entry.name) : [];
  const next = days.find((day) => /^\d{2}$/.test(day) && day > basename(folder));
  if (next !== undefined) files.push(...(await filesIn(join(dirname(folder), next), pattern)));
  return files.slice(0, MOST_NEIGHBOURS);
}
