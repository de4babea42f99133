import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Collector } from './claude-code/collect.ts';
import { Judgements } from './claude-code/judgements.ts';
import { SavedOutputs, type StoryOptions, storyToReading } from './claude-code/story-to-reading.ts';
import { fieldsOf, numberAt, textAt } from './common/fields.ts';
import { likenessOf } from './common/likeness.ts';
import { MAIN_KEY } from './common/story.ts';
import type { Importer, OnFinding, Reading, ReadOptions } from './importer.ts';
import { longLinesOf } from './lazy/cut-line.ts';
import { readHead, readRecords } from './read-records.ts';

/** Line types of a transcript on disk that belong to no other format we know. */
const OWN_TYPES: ReadonlySet<string> = new Set([
  'file-history-snapshot',
  'queue-operation',
  'last-prompt',
  'custom-title',
  'ai-title',
  'permission-mode',
  'attachment',
  'progress',
  'summary',
  'fork-context-ref',
]);

/** How much one line looks like a line of a Claude Code transcript, 0 to 1. */
function likeness(value: unknown): number {
  const line = fieldsOf(value);
  const type = textAt(line, 'type');
  if (line === undefined || type === undefined) return 0;
  // Streams name the session in another spelling and have no tree.
  const isStream = 'session_id' in line && !('sessionId' in line) && !('parentUuid' in line);
  if (isStream || 'payload' in line) return 0;
  if (OWN_TYPES.has(type)) return 1;
  if (type !== 'user' && type !== 'assistant' && type !== 'system') return 0;
  // Relatives of this format keep the envelope and put something else into it.
  const message = fieldsOf(line.message);
  if (type !== 'system' && message !== undefined && !('content' in message)) return 0.1;
  if ('parentUuid' in line || 'isSidechain' in line || 'sessionId' in line) return 1;
  if (type === 'system') return 'uuid' in line ? 0.6 : 0;
  return 'message' in line && !('parent_tool_use_id' in line) ? 0.6 : 0;
}

/** Transcripts that Claude Code keeps under `~/.claude/projects`, of all versions since 1.0 (JSONL). */
export const claudeCode: Importer = {
  name: 'claude-code',

  sniff(head) {
    const messages = head.map((value) => fieldsOf(fieldsOf(value)?.message)).filter((one) => one !== undefined);
    // Relatives of this format keep the envelope and put the model's own parts into all messages.
    if (messages.length > 0 && messages.every((one) => 'parts' in one && !('content' in one))) return 0;
    return likenessOf(head, likeness);
  },

  places: ({ home, env }) => [join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects')],

  async read(source, options) {
    const collector = new Collector(options.onFinding);
    const saved = new SavedOutputs(source.resultFolders);
    const telling = { format: claudeCode.name, source, judgements: new Judgements(), saved };
    await readMain(collector, telling, options);
    for (const file of source.agentFiles) await readAgentFile(collector, file, options);
    return storyToReading(collector.finish(0, 0), telling);
  },
};

async function readMain(collector: Collector, telling: StoryOptions, options: ReadOptions): Promise<void> {
  const { source } = telling;
  // Known before the first line: copies of their lines in the session's file are then not needed.
  for (const file of source.agentFiles) collector.ownFiles.add(agentKeyOf(file));
  if (source.main === undefined) return;
  const head = await readHead(source.main, 40, options.signal);
  collector.startFile({ path: source.main, agentKey: isOneAgents(head) ? MAIN_KEY : undefined });
  await addLines(collector, source.main, options, async () => {
    if (options.preview?.isDue()) await options.preview.take(await tellSoFar(collector, telling, options.onFinding));
  });
}

/** What is odd about the whole is only known when all was read. */
async function tellSoFar(collector: Collector, telling: StoryOptions, onFinding: OnFinding): Promise<Reading> {
  collector.onFinding = () => {};
  const story = collector.finish(0, 0);
  collector.onFinding = onFinding;
  return storyToReading(story, { ...telling, source: { ...telling.source, goesOn: true } });
}

/** A sub-agent's file opened by itself: there it is the main agent. */
export function isOneAgents(head: readonly unknown[]): boolean {
  const lines = head.map(fieldsOf).filter((line) => line !== undefined && 'message' in line);
  const [first] = lines;
  return first !== undefined && lines.every((line) => line?.isSidechain === true && line.agentId === first.agentId);
}

export const agentKeyOf = (file: string): string =>
  basename(file)
    .replace(/^agent-/, '')
    .replace(/\.jsonl$/, '');

async function readAgentFile(collector: Collector, file: string, options: ReadOptions): Promise<void> {
  const agentKey = agentKeyOf(file);
  collector.startFile({ path: file, agentKey });
  await addLines(collector, file, options);
  await readAgentMeta(collector, file, options);
}

/** What lies beside the file of a sub-agent about it. @returns whether there is something. */
export async function readAgentMeta(collector: Collector, file: string, options: ReadOptions): Promise<boolean> {
  const meta = await readMeta(file.replace(/\.jsonl$/, '.meta.json'), options);
  const agent = collector.agents.get(agentKeyOf(file));
  if (meta === undefined || agent === undefined) return false;
  agent.parentCallId ??= textAt(meta, 'toolUseId');
  agent.description = textAt(meta, 'description');
  agent.agentType = textAt(meta, 'agentType');
  agent.spawnDepth = numberAt(meta, 'spawnDepth');
  return true;
}

async function readMeta(file: string, options: ReadOptions) {
  let text: string;
  try {
    text = await readFile(file, { encoding: 'utf8', signal: options.signal });
  } catch (error) {
    options.signal.throwIfAborted();
    // Older versions wrote none.
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing) options.onFinding({ file, line: 0, kind: 'unreadable-file', message: 'The file could not be read' });
    return undefined;
  }
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    options.onFinding({ file, line: 1, kind: 'not-json', message: 'The description of the agent is not JSON' });
    return undefined;
  }
}

async function addLines(
  collector: Collector,
  file: string,
  options: ReadOptions,
  afterPiece?: () => Promise<void>,
): Promise<void> {
  for await (const records of readRecords(file, options, longLinesOf(file, options))) {
    for (const { value, line, length } of records) collector.add(value, line, length);
    await afterPiece?.();
  }
}
