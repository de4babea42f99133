import { basename, join } from 'node:path';
import { agentFilesOf, newestDay, parentFileOf } from './codex/files.ts';
import { metaOf, type RolloutMeta } from './codex/meta.ts';
import { likeness, rolloutOf } from './codex/record.ts';
import { Marks, marksOf, withoutReplay } from './codex/replay.ts';
import { RolloutReader, type RolloutRecord } from './codex/rollout.ts';
import { likenessOf } from './common/likeness.ts';
import { filesIn } from './files.ts';
import type { Importer, ReadOptions, TranscriptSource } from './importer.ts';
import { MAIN, type PlainAgent, type PlainStep } from './plain/session.ts';
import { plainToReading } from './plain/to-reading.ts';
import { UnknownKinds } from './plain/unknown.ts';
import { titleFrom } from './plain/values.ts';
import { readHead, readRecords } from './read-records.ts';

/** Rollouts that Codex keeps under `~/.codex/sessions`, from its first versions to paginated ones (JSONL). */
export const codex: Importer = {
  name: 'codex',

  sniff: (head) => likenessOf(head, likeness),

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
    const all = await recordsOf(main, options, unknown);
    const meta = metaOf(all);
    const records = await ownRecords(all, meta, main, options);
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

/** Without the history of the thread that started this one, where that is near: it is shown there. */
async function ownRecords(
  records: readonly RolloutRecord[],
  { parent }: RolloutMeta,
  main: string,
  options: ReadOptions,
): Promise<readonly RolloutRecord[]> {
  const file = parent === undefined ? undefined : await parentFileOf(main, parent, options.signal);
  if (file === undefined) return records;
  const quiet = { ...options, onFinding: () => {}, onBytes: () => {} };
  return withoutReplay(records, marksOf(await recordsOf(file, quiet, new UnknownKinds())));
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
