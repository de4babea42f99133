import { basename, dirname, join } from 'node:path';
import { blocksOf, Message, UiItem } from './cline/records.ts';
import { stepsOf } from './cline/steps.ts';
import { stepsOfItems } from './cline/ui-steps.ts';
import { roundsOf } from './cline/ui-times.ts';
import { fieldsOf, textAt } from './common/fields.ts';
import { filesIn, foldersIn } from './files.ts';
import type { Importer, ReadOptions, TranscriptSource } from './importer.ts';
import { MAIN, type PlainSession, type PlainStep } from './plain/session.ts';
import { plainToReading } from './plain/to-reading.ts';
import { UnknownKinds } from './plain/unknown.ts';
import { titleFrom } from './plain/values.ts';
import { readValues } from './read-values.ts';

const CONVERSATION = 'api_conversation_history.json';
const SHOWN = 'ui_messages.json';
const HISTORY_ITEM = 'history_item.json';

/** The program's own marks in a conversation that otherwise has the shape of the model's server. */
const MARKS = /<environment_details>|<task>|^\[[\w-]+[^\]]*\] Result:/;

const isUiItem = (value: unknown): boolean => {
  const fields = fieldsOf(value);
  return (fields?.type === 'say' && 'say' in fields) || (fields?.type === 'ask' && 'ask' in fields);
};

const isMessage = (value: unknown): boolean => {
  const fields = fieldsOf(value);
  const role = fields?.role === 'user' || fields?.role === 'assistant';
  return role && (Array.isArray(fields.content) || typeof fields.content === 'string') && !('message_id' in fields);
};

const isMarked = (value: unknown): boolean =>
  isMessage(value) && blocksOf(fieldsOf(value)?.content).some((block) => MARKS.test(block.text ?? ''));

/** A session of the SDK: one document that names itself and its messages. */
const isSdkSession = (value: unknown): boolean => {
  const fields = fieldsOf(value);
  return (
    fields !== undefined &&
    typeof fields.version === 'number' &&
    'sessionId' in fields &&
    Array.isArray(fields.messages)
  );
};

/** The list that a compact file is, or the objects a spread-out one gives. */
const flat = (values: readonly unknown[]): readonly unknown[] =>
  values.flatMap((value) => (Array.isArray(value) ? value : [value]));

/** Tasks of Cline and Roo: the conversation, what was shown of it (which has the times), and sessions of Cline's SDK. */
export const cline: Importer = {
  name: 'cline',

  sniff(head) {
    const values = flat(head).slice(0, 40);
    if (values.length === 0) return 0;
    if (values.some(isSdkSession)) return 0.9;
    const ui = values.filter(isUiItem).length / values.length;
    if (ui > 0) return ui;
    const messages = values.filter(isMessage).length / values.length;
    return messages > 0.5 && values.some(isMarked) ? 0.9 * messages : 0;
  },

  places: ({ home, env }) => clinePlaces(home, env),

  // What was shown lies beside the conversation it was shown of.
  isPart: (head) => flat(head).every(isUiItem),

  async sourceOf(main, { path }): Promise<TranscriptSource> {
    const folder = dirname(main);
    const name = basename(main);
    const beside =
      name === CONVERSATION || name === SHOWN
        ? await filesIn(folder, /^(?:api_conversation_history|ui_messages|history_item)\.json$/)
        : [];
    const conversation = beside.find((file) => basename(file) === CONVERSATION) ?? main;
    return {
      path,
      main: conversation,
      agentFiles: [],
      resultFolders: [],
      partFiles: beside.filter((file) => file !== conversation),
    };
  },

  async sessionsIn(folder) {
    const tasks = [folder, ...(await foldersIn(folder)), ...(await foldersIn(join(folder, 'tasks')))];
    const found: TranscriptSource[] = [];
    for (const task of tasks) {
      const files = await filesIn(task, /^(?:api_conversation_history|ui_messages)\.json$/);
      const main = files[0];
      if (main !== undefined) found.push({ path: folder, main, agentFiles: [], resultFolders: [] });
    }
    return found;
  },

  async read(source, options) {
    return plainToReading(await sessionOf(source, options), { format: cline.name, source });
  },
};

/** Editors of the same family keep the extensions' data in folders of the same shape. */
function clinePlaces(home: string, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const configs = [
    env.APPDATA,
    env.XDG_CONFIG_HOME || join(home, '.config'),
    join(home, 'Library', 'Application Support'),
  ];
  const editors = ['Code', 'Code - Insiders', 'Cursor', 'VSCodium', 'Windsurf'];
  const extensions = ['saoudrizwan.claude-dev', 'rooveterinaryinc.roo-cline', 'kilocode.kilo-code'];
  const inEditors = configs
    .filter((config) => config !== undefined && config !== '')
    .flatMap((config) => editors.map((editor) => join(config as string, editor)))
    .concat(join(home, '.vscode-server', 'data'))
    .flatMap((data) => extensions.map((extension) => join(data, 'User', 'globalStorage', extension, 'tasks')));
  return [...inEditors, join(home, '.cline', 'data', 'tasks'), join(home, '.cline', 'data', 'sessions')];
}

async function sessionOf(source: TranscriptSource, options: ReadOptions): Promise<PlainSession> {
  const main = source.main ?? source.path;
  const unknown = new UnknownKinds();
  const files = [main, ...(source.partFiles ?? [])];
  const values = new Map<string, readonly unknown[]>();
  for (const file of files) values.set(file, flat((await readValues(file, options)).map(({ value }) => value)));
  const all = [...values.values()].flat();
  const sdk = fieldsOf(all.find(isSdkSession));
  const items = all.filter(isUiItem).map((value) => UiItem.parse(value));
  const messages = (sdk === undefined ? all.filter(isMessage) : (sdk.messages as unknown[])).flatMap((value) => {
    const parsed = Message.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
  const rounds = roundsOf(items);
  const steps = messages.length > 0 ? stepsOf(messages, rounds, MAIN) : stepsOfItems(items, rounds, MAIN);
  for (const [file, list] of values) countUnknown(list, file, unknown);
  unknown.tell(options.onFinding);
  if (items.length > 0 && messages.length === 0) {
    const message = `Only what was shown is here; ${CONVERSATION} beside it has inputs and outputs`;
    options.onFinding({ file: main, line: 1, kind: 'no-conversation', message });
  }
  const history = all.map(fieldsOf).find((fields) => fields !== undefined && 'task' in fields && 'ts' in fields);
  return {
    sessionId: textAt(sdk, 'sessionId') ?? textAt(history, 'id') ?? idFrom(main),
    title: titleFrom(textAt(history, 'task')) ?? titleFrom(firstPrompt(steps)),
    cwd: textAt(history, 'workspace') ?? textAt(history, 'cwdOnTaskInitialization') ?? cwdIn(steps),
    version: undefined,
    startedAt: items[0]?.ts,
    steps,
    agents: [],
  };
}

/** A task's folder is named by its id. */
const idFrom = (main: string): string | undefined =>
  [CONVERSATION, SHOWN].includes(basename(main)) ? basename(dirname(main)) : undefined;

const firstPrompt = (steps: readonly PlainStep[]): string | undefined =>
  steps.flatMap((step) => (step.kind === 'entry' && step.says === 'prompt' ? [step.text] : []))[0];

function cwdIn(steps: readonly PlainStep[]): string | undefined {
  for (const step of steps) {
    const found =
      step.kind === 'entry'
        ? /# Current (?:Working|Workspace) Directory \(([^)\n]+)\)/.exec(step.text)?.[1]
        : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function countUnknown(values: readonly unknown[], file: string, unknown: UnknownKinds): void {
  for (const value of values) {
    const known = isUiItem(value) || isMessage(value) || isSdkSession(value) || basename(file) === HISTORY_ITEM;
    if (!known) unknown.count('values of another kind', { file, line: 1 });
  }
}
