import type { Usage } from '../../../../src-shared/model/event.ts';
import { fieldsOf, timeOf } from '../common/fields.ts';
import { MAIN, type PlainBlock, type PlainMessage, type PlainStep } from '../plain/session.ts';
import { contentOf, numbersOf } from '../plain/values.ts';
import { callsOf, partsText, thoughtText } from './calls.ts';
import type { Message } from './records.ts';
import type { KeptMessage } from './session-file.ts';

/** What the messages of one agent say, in the words all formats share. */
export function stepsOf(messages: readonly KeptMessage[], agent: string): readonly PlainStep[] {
  const steps: PlainStep[] = [];
  let before: number | undefined;
  for (const { message, left } of messages) {
    const at = timeOf(message.timestamp);
    steps.push(...stepsOfOne(message, { agent, at, before, left }));
    if (at !== undefined) before = Math.max(before ?? at, at);
  }
  return steps;
}

type Frame = {
  readonly agent: string;
  readonly at: number | undefined;
  readonly before: number | undefined;
  readonly left: boolean;
};

function stepsOfOne(message: Message, frame: Frame): readonly PlainStep[] {
  const { agent, at } = frame;
  const text = partsText(message.content ?? message.parts);
  switch (message.type) {
    case 'user':
      // A sub-agent is asked by the program.
      return [{ kind: 'entry', agent, at, text, says: 'prompt', from: agent === MAIN ? 'person' : 'program' }];
    case 'gemini':
    case 'model':
    case 'assistant':
      return [answerOf(message, text, frame)];
    case 'error':
      return [
        { kind: 'fact', at, facts: { type: 'notice-given', level: 'error', text } },
        { kind: 'mark', agent, at, says: 'error', message: text },
      ];
    default: {
      // The program's own words for Esc.
      if (/^request cancelled\.?$/i.test(text.trim())) {
        return [{ kind: 'entry', agent, at, text, says: 'interrupt', from: 'program' }];
      }
      const level = message.type === 'warning' ? 'warning' : 'info';
      return [{ kind: 'fact', at, facts: { type: 'notice-given', level, text } }];
    }
  }
}

function answerOf(message: Message, text: string, { agent, at, before, left }: Frame): PlainMessage {
  const blocks: PlainBlock[] = [];
  for (const thought of message.thoughts ?? []) {
    blocks.push({
      kind: 'thinking',
      text: thoughtText(thought),
      at: earlier(timeOf(fieldsOf(thought)?.timestamp), at),
    });
  }
  if (text !== '') blocks.push({ kind: 'text', text, at: undefined });
  for (const content of contentOf(message.content ?? message.parts)) {
    if (content.type !== 'text')
      blocks.push({ kind: 'other', raw: content.type === 'other' ? content.raw : content, at: undefined });
  }
  const calls = callsOf(message.toolCalls ?? [], { before, written: at });
  for (const call of calls) blocks.push({ kind: 'call', call });
  // Written down when the first calls were done, so the answer itself came before they were asked for.
  const first = [
    at,
    ...calls.map((call) => call.askedAt),
    ...blocks.map((block) => ('at' in block ? block.at : undefined)),
  ]
    .filter((one) => one !== undefined)
    .reduce<number | undefined>((least, one) => (least === undefined ? one : Math.min(least, one)), undefined);
  return {
    kind: 'message',
    agent,
    at: first,
    until: undefined,
    askedAt: undefined,
    id: message.id,
    model: message.model ?? 'unknown',
    blocks,
    usage: usageOf(message),
    stopReason: calls.length > 0 ? 'tool-use' : 'unknown',
    failed: false,
    left,
  };
}

const earlier = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? a : Math.min(a, b);

/** `input` counts what came from the cache, `output` leaves the thoughts out. */
function usageOf({ tokens }: Message): Usage {
  if (tokens === undefined) return {};
  const { input, output, cached, thoughts } = tokens;
  return numbersOf([
    ['inputTokens', input === undefined ? undefined : Math.max(0, input - (cached ?? 0))],
    ['outputTokens', output === undefined ? undefined : output + (thoughts ?? 0)],
    ['cacheReadTokens', cached],
  ]);
}
