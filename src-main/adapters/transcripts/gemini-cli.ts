import { basename, dirname, join } from 'node:path';
import { fieldsOf, textAt, timeOf } from './common/fields.ts';
import { filesIn } from './files.ts';
import { MESSAGE_TYPES } from './gemini-cli/records.ts';
import { contentsIn, isContent, stepsOfContents } from './gemini-cli/saved-chat.ts';
import { isHead, sessionFileOf } from './gemini-cli/session-file.ts';
import { stepsOf } from './gemini-cli/session-steps.ts';
import type { Importer, ReadOptions, TranscriptSource } from './importer.ts';
import { linkByTime } from './plain/link-by-time.ts';
import { MAIN, type PlainAgent, type PlainSession, type PlainStep } from './plain/session.ts';
import { plainToReading } from './plain/to-reading.ts';
import { UnknownKinds } from './plain/unknown.ts';
import { titleFrom } from './plain/values.ts';
import { readValues } from './read-values.ts';

/** How much one object looks like a part of what Gemini CLI writes, 0 to 1. */
function likeness(value: unknown): number {
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => isContent(one) || isLogged(one)) ? 0.9 : 0;
  const fields = fieldsOf(value);
  if (fields === undefined) return 0;
  if (Array.isArray(fields.clientHistory) || (Array.isArray(fields.history) && fields.history.some(isContent)))
    return 0.95;
  if (isHead(fields)) return 'projectHash' in fields || 'startTime' in fields ? 1 : 0.5;
  if ('$set' in fields || '$rewindTo' in fields) return 1;
  if (isContent(value)) return 0.8;
  if (isLogged(value)) return 1;
  const ownType = MESSAGE_TYPES.has(textAt(fields, 'type') ?? '');
  const plain = 'id' in fields && 'timestamp' in fields && ('content' in fields || 'parts' in fields);
  if (!ownType || !plain || 'message' in fields || 'uuid' in fields) return 0;
  return fields.type === 'gemini' ? 1 : 0.5;
}

/** A line of `logs.json`: what a person typed, of all sessions of a project. */
const isLogged = (value: unknown): boolean => {
  const fields = fieldsOf(value);
  return typeof fields?.messageId === 'number' && typeof fields.message === 'string' && !('uuid' in fields);
};

/** Sessions of Gemini CLI: one JSON document up to 0.38, JSONL since; also checkpoints and saved chats. */
export const geminiCli: Importer = {
  name: 'gemini-cli',

  sniff(head) {
    if (head.length === 0) return 0;
    const rated = head.map(likeness);
    const best = Math.max(...rated);
    return best * (0.5 + (0.5 * rated.filter((one) => one > 0).length) / head.length);
  },

  places: ({ home, env }) => [join(env.GEMINI_CLI_HOME || home, '.gemini', 'tmp')],

  // Prompts of all sessions, copies of conversations that have a file of their own, and sub-agents.
  isPart: (head) => {
    const [first] = head;
    const values = Array.isArray(first) ? first : head;
    const agent = textAt(fieldsOf(first), 'kind') === 'subagent';
    return agent || values.every(isLogged) || contentsIn(head) !== undefined;
  },

  // Sub-agents lie in a folder named by the session, beside it.
  async sourceOf(main, { path, signal }): Promise<TranscriptSource> {
    const head = fieldsOf((await readValuesQuietly(main, signal))[0]?.value);
    const id = textAt(head, 'sessionId');
    const folder = join(dirname(main), id === undefined || /[\\/]/.test(id) ? '' : id);
    const agentFiles = id === undefined || folder === dirname(main) ? [] : await filesIn(folder, /\.jsonl?$/);
    return { path, main, agentFiles, resultFolders: [] };
  },

  async read(source, options) {
    return plainToReading(await sessionOf(source, options), { format: geminiCli.name, source });
  },
};

const readValuesQuietly = (file: string, signal: AbortSignal) =>
  readValues(file, { signal, onBytes: () => {}, onFinding: () => {} });

async function sessionOf(source: TranscriptSource, options: ReadOptions): Promise<PlainSession> {
  const path = source.main ?? source.path;
  const unknown = new UnknownKinds();
  const values = await readValues(path, options);
  const contents = contentsIn(values.map(({ value }) => value));
  if (contents !== undefined) return savedChat(stepsOfContents(contents, MAIN));
  const logged = values.flatMap(({ value }) => (Array.isArray(value) ? value : [value])).filter(isLogged);
  if (logged.length > 0) return promptLog(logged, path, options);
  const file = sessionFileOf(values, path, unknown);
  const own = stepsOf(file?.messages ?? [], MAIN);
  const agents: PlainAgent[] = [];
  const steps: PlainStep[] = [...own];
  for (const agentFile of source.agentFiles) {
    const agentSession = sessionFileOf(await readValues(agentFile, options), agentFile, unknown);
    if (agentSession === undefined) continue;
    const key = textAt(agentSession.head, 'sessionId') ?? basename(agentFile).replace(/\.jsonl?$/, '');
    const theirs = stepsOf(agentSession.messages, key);
    agents.push(linkByTime({ key, steps: theirs, startedAt: timeOf(agentSession.head.startTime) }, own));
    steps.push(...theirs);
  }
  unknown.tell(options.onFinding);
  const head = file?.head;
  const directory = head?.directories?.find((one) => typeof one === 'string');
  return {
    sessionId: head?.sessionId,
    title: titleFrom(head?.summary) ?? titleFrom(own.find((step) => step.kind === 'entry')?.text),
    cwd: typeof directory === 'string' ? directory : undefined,
    version: undefined,
    startedAt: timeOf(head?.startTime),
    steps,
    agents,
  };
}

const savedChat = (steps: readonly PlainStep[]): PlainSession => ({
  sessionId: undefined,
  title: titleFrom(steps.find((step) => step.kind === 'entry')?.text),
  cwd: undefined,
  version: undefined,
  startedAt: undefined,
  steps,
  agents: [],
});

/** The log of prompts holds those of many sessions, of which the last is shown. */
function promptLog(values: readonly unknown[], file: string, { onFinding }: ReadOptions): PlainSession {
  const sessionId = textAt(fieldsOf(values.at(-1)), 'sessionId');
  const own = values.map(fieldsOf).filter((one) => textAt(one, 'sessionId') === sessionId);
  const others = values.length - own.length;
  const more = others === 0 ? '' : `; those of other sessions (${others}) were left out`;
  onFinding({
    file,
    line: 1,
    kind: 'prompts-only',
    message: `The file is a log of prompts, without answers and calls${more}`,
  });
  const steps = own.map((fields): PlainStep => {
    const text = textAt(fields, 'message') ?? '';
    return { kind: 'entry', agent: MAIN, at: timeOf(fields?.timestamp), text, says: 'prompt', from: 'person' };
  });
  return { ...savedChat(steps), sessionId };
}
