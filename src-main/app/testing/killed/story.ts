import { join } from 'node:path';
import type { MessageImage } from '../../../../src-shared/model/image.ts';
import { says, streams, type WireBlock } from '../../../adapters/providers/testing/anthropic-server.ts';
import type { Answer, WireRequest } from '../../../adapters/providers/testing/wire-server.ts';

/** What persons say. */
export const BEGIN = 'Begin.';
export const TYPED = 'And look at the log.';
export const GO_ON = 'Go on.';
/** When this call starts, `TYPED` is typed. */
export const TYPED_AT_CALL = 'toolu_begin_1_write';
/** When this call starts, a person wants the conversation compacted, with these words. */
export const COMPACTED_AT_CALL = 'toolu_begin_4_reread';
export const SUMMARY_WANTED = 'Tell how far we have come.';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const IMAGE: MessageImage = { mediaType: 'image/png', data: PIXEL };

/** Files that lie in the working folder before the story begins, by name. */
export const FILES: Readonly<Record<string, string | Buffer>> = {
  'a.txt': 'alpha\nbeta\n',
  'b.txt': 'gamma\n',
  'pixel.png': Buffer.from(PIXEL, 'base64'),
};

/** A call that leaves a file of its own name in `effects`, so that it can be told afterwards whether it ran. */
export const effectOf = (cwd: string, callId: string): string => join(cwd, 'effects', callId);

type Uses = (
  name: string,
  tool: string,
  input: Readonly<Record<string, unknown>>,
) => Extract<WireBlock, { input: unknown }>;

/** The messages of one chapter, each made with the means to name its calls. */
type Chapter = readonly ((uses: Uses, cwd: string) => readonly WireBlock[])[];

const thinks = (what: string): WireBlock => ({ thinking: `I think of ${what}.`, signature: `signed-${what}` });
const bash = (uses: Uses, name: string, command: string, more: object = {}): WireBlock =>
  uses(name, 'Bash', { command, ...more });
/** Leaves its effect before anything else. */
const marks = (uses: Uses, name: string, then = 'true'): WireBlock => {
  const { id } = uses(name, 'Bash', {});
  return bash(uses, name, `touch effects/${id}; ${then}`);
};
const writes = (uses: Uses, name: string, cwd: string): WireBlock => {
  const { id } = uses(name, 'Write', {});
  return uses(name, 'Write', { file_path: effectOf(cwd, id), content: `${name}\n` });
};
const agent = (uses: Uses, name: string, prompt: string): WireBlock =>
  uses(name, 'Agent', { description: `Looks into ${name}`, prompt });

const BEGINNING: Chapter = [
  (uses, cwd) => [
    thinks('the files'),
    { text: 'I look at the files.' },
    ...['a.txt', 'b.txt', 'pixel.png'].map((file) => uses(file, 'Read', { file_path: join(cwd, file) })),
  ],
  (uses, cwd) => [
    writes(uses, 'write', cwd),
    uses('edit', 'Edit', { file_path: join(cwd, 'a.txt'), old_string: 'beta', new_string: 'delta' }),
    marks(uses, 'marks', 'echo done >> log'),
    uses('todo', 'TodoWrite', { todos: [{ content: 'Look', status: 'in_progress', activeForm: 'Looking' }] }),
  ],
  (uses) => [
    thinks('a server'),
    bash(uses, 'server', 'echo up; exec sleep 300', { run_in_background: true }),
    bash(uses, 'long', 'seq 1 20000'),
    bash(uses, 'same', 'seq 1 500'),
    bash(uses, 'again', 'seq 1 500'),
  ],
  (uses) => [
    uses('output', 'BashOutput', { bash_id: 'bash_1' }),
    bash(uses, 'fails', 'sleep 0.05; cat nothing'),
    marks(uses, 'falls'),
  ],
  (uses, cwd) => [
    agent(uses, 'one', 'Look into one.'),
    agent(uses, 'two', 'Look into two.'),
    uses('reread', 'Read', { file_path: join(cwd, 'b.txt') }),
  ],
  (uses, cwd) => [{ text: 'I try.' }, marks(uses, 'tries', 'sleep 0.05'), writes(uses, 'tried', cwd)],
  (uses) => [marks(uses, 'slow', 'for i in 1 2 3 4; do echo $i; echo $i >> log; sleep 0.05; done')],
  () => [{ text: 'Done.' }],
];

/** The message of the beginning whose first stream breaks behind its first call. */
const BREAKS = 5;

const CHAPTERS: Readonly<Record<string, Chapter>> = {
  [BEGIN]: BEGINNING,
  'Look into one.': [
    (uses, cwd) => [thinks('one'), marks(uses, 'marks', 'sleep 0.05'), writes(uses, 'write', cwd)],
    (uses) => [agent(uses, 'below', 'Look into what is below.')],
    () => [{ text: 'One is fine.' }],
  ],
  'Look into what is below.': [
    (uses, cwd) => [writes(uses, 'write', cwd), bash(uses, 'list', 'ls')],
    () => [{ text: 'It is deep.' }],
  ],
  'Look into two.': [
    (uses) => [marks(uses, 'marks', 'sleep 0.1; echo two >> log')],
    (uses) => [bash(uses, 'count', 'wc -l log'), marks(uses, 'more')],
    () => [{ text: 'Two is fine.' }],
  ],
  [GO_ON]: [
    (uses, cwd) => [
      thinks('going on'),
      uses('read', 'Read', { file_path: join(cwd, 'a.txt') }),
      writes(uses, 'write', cwd),
      marks(uses, 'marks'),
      agent(uses, 'three', 'Look into three.'),
    ],
    () => [{ text: 'All is done.' }],
  ],
  'Look into three.': [(uses) => [marks(uses, 'marks')], () => [{ text: 'Three is fine.' }]],
};

type Block = { readonly type: string; readonly text?: string; readonly id?: string };
type Message = { readonly role: string; readonly content: string | readonly Block[] };

export const messagesOf = ({ body }: WireRequest): readonly Message[] =>
  (body as { messages?: readonly Message[] } | undefined)?.messages ?? [];

export const textsIn = ({ content }: Message): readonly string[] =>
  typeof content === 'string' ? [content] : content.flatMap(({ type, text = '' }) => (type === 'text' ? [text] : []));

const idsIn = ({ content }: Message): readonly string[] =>
  typeof content === 'string' ? [] : content.flatMap(({ type, id = '' }) => (type === 'tool_use' ? [id] : []));

/** `toolu_begin_3_fails` is a call of the fourth message of the beginning. */
const SHORT: Readonly<Record<string, string>> = { [BEGIN]: 'begin', [GO_ON]: 'on' };
const shortOf = (chapter: string): string => SHORT[chapter] ?? chapter.toLowerCase().replace(/\W+/g, '');

type Position = { readonly chapter: string; readonly said: number };

const SUMMARY = /^So far: (\w+), (\d+)\.$/m;
const summaryOf = ({ chapter, said }: Position): string => `So far: ${shortOf(chapter)}, ${said}.`;

/**
 * The chapter that was begun last in the conversation, and how many messages of it have been said: all but the last hold
 * calls, whose ids tell. A summary tells what is not there any more.
 */
function positionIn(messages: readonly Message[]): Position | undefined {
  const texts = messages.filter(({ role }) => role === 'user').flatMap(textsIn);
  const [, shortened, saidBefore = '0'] = SUMMARY.exec(texts[0] ?? '') ?? [];
  const chapter =
    texts.findLast((text) => CHAPTERS[text] !== undefined) ??
    Object.keys(CHAPTERS).find((title) => shortOf(title) === shortened);
  if (chapter === undefined) return undefined;
  const prefix = `toolu_${shortOf(chapter)}_`;
  const said = messages
    .flatMap(idsIn)
    .flatMap((id) => (id.startsWith(prefix) ? [Number.parseInt(id.slice(prefix.length), 10) + 1] : []));
  return { chapter, said: Math.max(0, shortened === shortOf(chapter) ? Number(saidBefore) : 0, ...said) };
}

/** Answers each request by what stands in it, so that whoever asks again gets the same. */
export function storyteller(cwd: string): Answer {
  let isBroken = false;
  return (wire, request) => {
    const messages = messagesOf(request);
    const position = positionIn(messages);
    if (position === undefined) throw new Error('this conversation is not of the story');
    if (
      messages.at(-1) !== undefined &&
      textsIn(messages.at(-1) as Message)
        .at(-1)
        ?.includes(SUMMARY_WANTED)
    ) {
      return says([{ text: summaryOf(position) }])(wire, request);
    }
    const { chapter, said } = position;
    const make = CHAPTERS[chapter]?.[said];
    if (make === undefined) throw new Error(`there is no message ${said} in ${chapter}`);
    const uses: Uses = (name, tool, input) => ({
      tool,
      id: `toolu_${shortOf(chapter)}_${said}_${name.replace(/\W/g, '')}`,
      input,
    });
    const blocks = make(uses, cwd);
    if (chapter !== BEGIN || said !== BREAKS || isBroken) return says(blocks)(wire, request);
    isBroken = true;
    return streams(async (stream) => {
      await stream.start();
      for (const block of blocks.slice(0, 2)) await stream.block(block);
      stream.wire.cut();
    })(wire, request);
  };
}
