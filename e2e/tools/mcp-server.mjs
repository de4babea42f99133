// An MCP server that misbehaves as it is told. Says `ready PID` on standard error.
//   --silent        never answers the greeting
//   --deaf          does not end when its input is closed or it is asked to
//   --tools N       has N more tools with long descriptions, in pages of ten
//   --dies-at-once  ends before it is greeted
//   --dies-after N  ends with code 9 once it has answered its Nth call

import { createInterface } from 'node:readline';

const words = process.argv.slice(2);
/** @typedef {{ id?: string | number, method?: string, params?: any, error?: { message: string } }} Message */

const has = (/** @type {string} */ word) => words.includes(`--${word}`);
const number = (/** @type {string} */ word) => Number(words[words.indexOf(`--${word}`) + 1] ?? 0) * Number(has(word));

const send = (/** @type {object} */ message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (/** @type {string} */ words) => ({ content: [{ type: 'text', text: words }] });

const PAGE = 10;
/** @type {(string | number)[]} */
const cancelled = [];
let fresh = false;
/** @type {Message | undefined} */
let asked;
/** @type {Message | undefined} */
let waiting;
let calls = 0;

const many = Array.from({ length: number('tools') }, (_, index) => ({
  name: `tool-${index}`,
  description: `Number ${index} of many. ${'It does this and that. '.repeat(30)}`,
  inputSchema: { type: 'object', properties: { weight: { type: 'number' } }, required: ['weight'] },
}));

const tools = () => [
  tool('say', { text: { type: 'string' } }, { readOnlyHint: true }),
  tool('wipe', { path: { type: 'string' } }, { destructiveHint: true }),
  tool('ask-a-person', {}, {}, { 'anthropic/requiresUserInteraction': true }),
  ...['die', 'hang', 'grow', 'flood', 'cancelled', 'show-env', 'sample', 'fail', 'odd', 'wait', 'beat'].map((name) =>
    tool(name),
  ),
  tool('large', { characters: { type: 'integer' } }),
  tool('progress', { steps: { type: 'integer' } }),
  ...(fresh ? [tool('fresh')] : []),
  ...many,
];

function tool(
  /** @type {string} */ name,
  properties = {},
  annotations = {},
  /** @type {object | undefined} */ meta = undefined,
) {
  const inputSchema = { type: 'object', properties, required: Object.keys(properties) };
  return { name, description: `What ${name} does.`, inputSchema, annotations, ...(meta && { _meta: meta }) };
}

function list(/** @type {{ cursor?: string }} */ { cursor }) {
  const from = Number(cursor ?? 0);
  const all = tools();
  return { tools: all.slice(from, from + PAGE), ...(from + PAGE < all.length && { nextCursor: String(from + PAGE) }) };
}

/** @type {Record<string, (input: any, request: Message) => object | undefined>} */
const answers = {
  say: ({ text: said }) => text(said),
  wipe: ({ path }) => text(`wiped ${path}`),
  'ask-a-person': () => text('asked'),
  die: () => {
    process.stderr.write('out of coal\n');
    process.exit(7);
  },
  hang: () => undefined,
  grow: () => {
    fresh = true;
    send({ method: 'notifications/tools/list_changed' });
    return text('grown');
  },
  fresh: () => text('here I am'),
  flood: () => {
    const line = `${'x'.repeat(1023)}\n`;
    for (let count = 0; count < 20_000; count++) process.stderr.write(line);
    return text('flooded');
  },
  cancelled: () => text(cancelled.join(' ')),
  'show-env': () => text(Object.keys(process.env).sort().join(' ')),
  fail: () => ({ ...text('no such train'), isError: true }),
  odd: () => ({ content: [{ type: 'hologram', depth: 3 }], structuredContent: { trains: 2 } }),
  large: ({ characters }) => text('y'.repeat(characters)),
  sample: (_input, request) => {
    asked = request;
    send({ id: 'sampling', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
    return undefined;
  },
  // Answered when `beat` says so; each beat before is its progress.
  wait: (_input, request) => {
    waiting = request;
    return undefined;
  },
  beat: ({ last }) => {
    if (last) send({ id: waiting?.id, result: text('waited') });
    else progress(waiting, { progress: 1 });
    return text('beaten');
  },
  progress: ({ steps }, request) => {
    let step = 0;
    const next = () => {
      if (step++ < steps) progress(request, { progress: step, total: steps, message: `step ${step}` });
      if (step > steps) send({ id: request.id, result: text('done') });
      else setImmediate(next);
    };
    next();
    return undefined;
  },
};

function progress(/** @type {Message | undefined} */ request, /** @type {object} */ facts) {
  const { progressToken } = request?.params._meta ?? {};
  send({ method: 'notifications/progress', params: { progressToken, ...facts } });
}

/** @type {Record<string, (params: any, request: Message) => object | undefined>} */
const methods = {
  initialize: () =>
    has('silent')
      ? undefined
      : {
          protocolVersion: '2025-06-18',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'misbehaving', version: '1.0.0' },
        },
  ping: () => ({}),
  'tools/list': (params) => list(params),
  'tools/call': ({ name, arguments: input = {} }, request) =>
    name.startsWith('tool-') ? text(`${name} weighs ${input.weight}`) : answers[name]?.(input, request),
};

function hear(/** @type {Message} */ message) {
  if (message.id === 'sampling' && message.method === undefined) {
    send({ id: asked?.id, result: text(message.error?.message ?? 'given') });
    return;
  }
  if (message.method === 'notifications/cancelled') cancelled.push(message.params.requestId);
  if (message.id === undefined) return;
  const result = methods[message.method ?? '']?.(message.params ?? {}, message);
  if (result === undefined) return;
  send({ id: message.id, result });
  if (message.method === 'tools/call' && ++calls === number('dies-after')) process.exit(9);
}

if (has('dies-at-once')) {
  process.stderr.write('no coal at all\n');
  process.exit(3);
}
if (has('deaf')) {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1_000_000);
}
process.stdout.write('A greeting that is no message\n');
process.stderr.write(`ready ${process.pid}\n`);
createInterface({ input: process.stdin }).on('line', (line) => hear(JSON.parse(line)));
