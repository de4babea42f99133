import type { StopReason, Usage } from '../../../../src-shared/model/event.ts';
import { fieldsOf, numberAt } from '../common/fields.ts';
import { MAIN, type PlainBlock, type PlainCall, type PlainStep } from '../plain/session.ts';
import type { UnknownKinds } from '../plain/unknown.ts';
import { asText, numbersOf, resultOf } from '../plain/values.ts';
import type { Message, Part } from './records.ts';

/** A message with its parts, in their order. */
export type WithParts = { readonly info: Message; readonly parts: readonly Part[] };
type Told = { readonly agent: string; readonly unknown: UnknownKinds; readonly file: string };

/** Parts that only keep the program's books. */
const INERT: ReadonlySet<string> = new Set([
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'agent',
  'file',
  'subtask',
]);

/** What the messages of one session say, in the words all formats share. */
export function stepsOf(messages: readonly WithParts[], told: Told): readonly PlainStep[] {
  return messages.flatMap(({ info, parts }): readonly PlainStep[] =>
    info.role === 'user' ? userSteps(info, parts, told) : answerSteps(info, parts, told),
  );
}

function userSteps(info: Message, parts: readonly Part[], { agent }: Told): readonly PlainStep[] {
  const at = info.time?.created;
  const typed = parts.filter((part) => part.type === 'text' && part.synthetic !== true);
  const added = parts.filter((part) => part.type === 'text' && part.synthetic === true && part.text);
  const text = typed.map((part) => part.text ?? '').join('\n');
  const files = parts
    .filter((part) => part.type === 'file')
    .map((part) => `[file ${asText(part.filename ?? part.url)}]`);
  const whole = [text, ...files].filter((one) => one !== '').join('\n');
  const summary = fieldsOf(info.summary);
  // Some versions keep a user's words in the summary alone.
  const words = whole === '' ? asText(summary?.body ?? summary?.title) : whole;
  const compaction = parts.some((part) => part.type === 'compaction');
  const prompt: PlainStep = {
    kind: 'entry',
    agent,
    at,
    text: words,
    says: 'prompt',
    from: agent === MAIN && (typed.length > 0 || added.length === 0) ? 'person' : 'program',
  };
  return [
    ...(words === '' && (added.length > 0 || compaction) ? [] : [prompt]),
    ...added.map(
      (part): PlainStep => ({ kind: 'entry', agent, at, text: part.text ?? '', says: 'said', from: 'program' }),
    ),
    ...(compaction ? [noticeOf('The conversation was summed up to make room', at)] : []),
  ];
}

const noticeOf = (text: string, at: number | undefined): PlainStep => ({
  kind: 'fact',
  at,
  facts: { type: 'notice-given', level: 'info', text },
});

function answerSteps(info: Message, parts: readonly Part[], told: Told): readonly PlainStep[] {
  const { agent } = told;
  const created = info.time?.created;
  const blocks = parts.flatMap((part) => blocksOf(part, info, told));
  const aborted = info.error?.name === 'MessageAbortedError';
  const failed = info.error !== undefined && !aborted;
  const times = blocks.map(timeOfBlock).filter((one) => one !== undefined);
  const completed = info.time?.completed;
  const message = info.error?.data?.message ?? info.error?.name;
  const steps: PlainStep[] = [
    {
      kind: 'message',
      agent,
      at: times.length > 0 ? Math.min(...times) : (completed ?? created),
      // Completed are its calls, too.
      until: blocks.some((block) => block.kind === 'call') ? undefined : completed,
      askedAt: created,
      id: info.id,
      model: info.modelID ?? info.model?.modelID ?? 'unknown',
      blocks,
      usage: usageOf(info),
      stopReason: stopOf(info, blocks),
      failed,
      left: false,
    },
  ];
  const end = completed ?? lastTime(blocks) ?? created;
  for (const part of parts) if (part.type === 'retry') steps.push(retryNotice(part));
  if (aborted) {
    steps.push({ kind: 'entry', agent, at: end, text: message ?? 'Aborted', says: 'interrupt', from: 'program' });
  } else if (failed) {
    steps.push({ kind: 'mark', agent, at: end, says: 'error', message });
  }
  return steps;
}

function retryNotice(part: Part): PlainStep {
  const detail = part.error?.data?.message ?? part.error?.name;
  const text = detail === undefined ? 'The request was tried again' : `The request was tried again: ${detail}`;
  return {
    kind: 'fact',
    at: part.time?.start ?? numberAt(fieldsOf(part.time), 'created'),
    facts: { type: 'notice-given', level: 'warning', text },
  };
}

const timeOfBlock = (block: PlainBlock): number | undefined => (block.kind === 'call' ? block.call.askedAt : block.at);

function lastTime(blocks: readonly PlainBlock[]): number | undefined {
  const times = blocks.flatMap((block) => {
    if (block.kind !== 'call') return block.at ?? [];
    return typeof block.call.end === 'string' ? (block.call.askedAt ?? []) : block.call.end.at;
  });
  return times.length === 0 ? undefined : Math.max(...times);
}

function blocksOf(part: Part, info: Message, { unknown, file }: Told): readonly PlainBlock[] {
  const at = part.time?.start;
  switch (part.type) {
    case 'text':
      return part.text ? [{ kind: 'text', text: part.text, at }] : [];
    case 'reasoning':
      return part.text ? [{ kind: 'thinking', text: part.text, at }] : [];
    case 'tool':
      return [{ kind: 'call', call: callOf(part, info) }];
    case 'retry':
    case 'compaction':
      return [];
    default:
      if (!INERT.has(part.type ?? '')) unknown.count(`parts of type "${part.type ?? 'none'}"`, { file, line: 1 });
      return part.type === 'file' || !INERT.has(part.type ?? '') ? [{ kind: 'other', raw: part, at }] : [];
  }
}

/** The program records start and end of each call to the millisecond. */
function callOf(part: Part, info: Message): PlainCall {
  const state = part.state ?? {};
  const { start, end } = state.time ?? {};
  const failed = state.status === 'error';
  const words = asText(state.error);
  const refused = failed && /rejected permission|rejected this|user rejected/i.test(words);
  const denied = failed && /prevents you from using|rule which|not allowed by/i.test(words);
  const done = failed || state.status === 'completed' || state.status === 'success' || state.output !== undefined;
  const exit = state.metadata?.exit;
  const never = state.status === 'pending' || refused || denied;
  // What had not ended when its message was aborted was aborted with it.
  const aborted = (failed && /abort/i.test(words)) || (!done && info.error?.name === 'MessageAbortedError');
  const outcome = refused ? 'rejected' : denied ? 'denied' : aborted ? 'interrupted' : outcomeOf(failed, done);
  return {
    id: part.callID ?? part.id,
    tool: part.tool ?? 'unknown tool',
    input: state.input,
    askedAt: part.time?.start ?? start,
    start: never ? 'never' : (measured(start) ?? 'unknown'),
    end: done ? (measured(end) ?? 'unknown') : 'open',
    group: undefined,
    outcome,
    exit: exit === undefined ? undefined : { code: exit },
    refusal: refused || denied ? { by: refused ? 'user' : 'rule', text: words, feedback: undefined } : undefined,
    cancel: outcome === 'interrupted' ? 'escape' : undefined,
    result: done ? resultOf(failed ? words : state.output, failed) : undefined,
    isShell: part.tool === 'bash',
  };
}

const outcomeOf = (failed: boolean, done: boolean) => (failed ? 'error' : done ? 'ok' : 'unknown');

const measured = (at: number | undefined) =>
  at === undefined ? undefined : ({ at, source: 'measured', earliest: at, latest: at } as const);

function stopOf(info: Message, blocks: readonly PlainBlock[]): StopReason {
  if (info.finish === 'tool-calls') return 'tool-use';
  if (info.finish === 'stop') return 'end-turn';
  if (info.finish === 'length') return 'max-tokens';
  return blocks.some((block) => block.kind === 'call') ? 'tool-use' : 'unknown';
}

function usageOf({ tokens, cost }: Message): Usage {
  const output = tokens?.output;
  return numbersOf([
    ['inputTokens', tokens?.input],
    ['outputTokens', output === undefined ? undefined : output + (tokens?.reasoning ?? 0)],
    ['cacheReadTokens', tokens?.cache?.read],
    ['cacheCreationTokens', tokens?.cache?.write],
    ['costUsd', cost],
  ]);
}
