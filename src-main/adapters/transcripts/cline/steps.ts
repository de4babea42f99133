import type { Usage } from '../../../../src-shared/model/event.ts';
import { timeOf } from '../common/fields.ts';
import type { PlainBlock, PlainCall, PlainMessage, PlainStep } from '../plain/session.ts';
import { inputOf, numbersOf } from '../plain/values.ts';
import { blocksOf, type Message } from './records.ts';
import { type SaidResult, userContentOf } from './results.ts';
import type { Round, ToolTimes } from './ui-times.ts';
import { piecesOf } from './xml-tools.ts';

/** Calls by which a model ends its answer: without a result they are the answer. */
const ANSWERS: ReadonlySet<string> = new Set(['attempt_completion', 'plan_mode_respond']);

type Asked = { readonly id: string | undefined; readonly tool: string; readonly input: unknown };
type Draft =
  | { readonly kind: 'text' | 'thinking'; readonly text: string }
  | { readonly kind: 'call'; readonly asked: Asked }
  | { readonly kind: 'other'; readonly raw: unknown };

/** The conversation in the words all formats share, with the times at which it was shown. */
export function stepsOf(messages: readonly Message[], rounds: readonly Round[], agent: string): readonly PlainStep[] {
  const roundFor = roundsByAnswer(messages, rounds);
  let answers = 0;
  return messages.flatMap((message, index): readonly PlainStep[] => {
    if (message.role !== 'assistant') {
      return userSteps(message, { agent, at: timeOf(message.ts) ?? roundFor.of(answers, index + 1)?.askedAt });
    }
    const next = messages[index + 1];
    const following = next === undefined || next.role === 'assistant' ? undefined : next;
    const results = following === undefined ? [] : userContentOf(following.content).results;
    const round = roundFor.of(answers++, index);
    return [answerOf(message, [...results], { agent, round, answeredAt: timeOf(following?.ts) })];
  });
}

/** Rounds and answers in their order; an answer that an item names by its place takes that round. */
function roundsByAnswer(messages: readonly Message[], rounds: readonly Round[]) {
  const answers = messages.filter((message) => message.role === 'assistant').length;
  const byIndex = new Map(
    rounds.flatMap((round) => (round.index === undefined ? [] : [[round.index, round] as const])),
  );
  const named = messages.some((message, index) => message.role === 'assistant' && byIndex.has(index));
  // The conversation is cut when it gets too long; what was shown is not.
  const skipped = Math.max(0, rounds.length - answers);
  const inOrder = (n: number) => rounds[n + skipped];
  return {
    of: (n: number, index: number) => (named ? byIndex.get(index) : inOrder(n)),
  };
}

type UserFrame = { readonly agent: string; readonly at: number | undefined };

function userSteps(message: Message, { agent, at }: UserFrame): readonly PlainStep[] {
  const { words, added } = userContentOf(message.content);
  const isSummary = message.metadata?.kind === 'compaction_summary';
  const steps: PlainStep[] = added.map((text) => ({ kind: 'entry', agent, at, text, says: 'said', from: 'program' }));
  if (isSummary) {
    steps.unshift({ kind: 'entry', agent, at, text: words, says: 'said', from: 'program' });
  } else if (words !== '') {
    steps.unshift({ kind: 'entry', agent, at, text: words, says: 'prompt', from: 'person' });
  }
  return steps;
}

type AnswerFrame = {
  readonly agent: string;
  readonly round: Round | undefined;
  /** When the results were sent, where messages have times of their own. */
  readonly answeredAt: number | undefined;
};

function answerOf(message: Message, results: SaidResult[], { agent, round, answeredAt }: AnswerFrame): PlainMessage {
  const drafts = blocksOf(message.content).flatMap(draftsOf);
  const at = timeOf(message.ts) ?? round?.answerAt;
  let shown = 0;
  const blocks = drafts.map((draft): PlainBlock => {
    if (draft.kind === 'other') return { kind: 'other', raw: draft.raw, at: undefined };
    if (draft.kind !== 'call') return { kind: draft.kind, text: draft.text, at: undefined };
    const said = takeResult(results, draft.asked);
    if (said === undefined && ANSWERS.has(draft.asked.tool)) return answerText(draft.asked);
    // What never ran was not shown either.
    const times = said?.outcome === 'cancelled' ? undefined : round?.tools[shown++];
    return { kind: 'call', call: callOf(draft.asked, said, times ?? timesBetween(at, answeredAt)) };
  });
  return {
    kind: 'message',
    agent,
    at,
    until: undefined,
    askedAt: round?.askedAt,
    id: message.id,
    model: message.modelInfo?.id ?? message.modelInfo?.modelId ?? round?.model ?? 'unknown',
    blocks,
    usage: usageOf(message, round),
    stopReason: blocks.some((block) => block.kind === 'call') ? 'tool-use' : 'unknown',
    failed: false,
    left: false,
  };
}

function draftsOf(block: ReturnType<typeof blocksOf>[number]): readonly Draft[] {
  switch (block.type) {
    case 'text':
      return piecesOf(block.text ?? '').map((piece) =>
        piece.kind === 'call'
          ? { kind: 'call', asked: { id: undefined, tool: piece.tool, input: piece.input } }
          : piece,
      );
    case 'thinking':
    case 'reasoning':
      return [{ kind: 'thinking', text: block.thinking ?? block.reasoning ?? block.text ?? '' }];
    case 'tool_use':
    case 'tool-call':
      return [
        { kind: 'call', asked: { id: block.id, tool: block.name ?? 'unknown tool', input: inputOf(block.input) } },
      ];
    default:
      return [{ kind: 'other', raw: block }];
  }
}

const answerText = ({ input }: Asked): PlainBlock => {
  const fields = typeof input === 'object' && input !== null ? Object.values(input) : [];
  return { kind: 'text', text: fields.find((value) => typeof value === 'string') ?? '', at: undefined };
};

/** The SDK's messages have times; its calls ran together between two of them. */
const timesBetween = (at: number | undefined, answeredAt: number | undefined): ToolTimes | undefined =>
  at === undefined || answeredAt === undefined || answeredAt < at
    ? undefined
    : { shownAt: at, outputAt: undefined, nextAt: answeredAt };

/** By id where results have one, else the next one that names this tool. */
function takeResult(results: SaidResult[], asked: Asked): SaidResult | undefined {
  const byId = asked.id === undefined ? -1 : results.findIndex((one) => one.callId === asked.id);
  const at = byId !== -1 ? byId : results.findIndex((one) => one.callId === undefined && one.tool === asked.tool);
  return at === -1 ? undefined : results.splice(at, 1)[0];
}

/** A call was shown when its answer had come to it; it was done before the next thing was shown. */
function callOf({ id, tool, input }: Asked, said: SaidResult | undefined, times: ToolTimes | undefined): PlainCall {
  const { shownAt, nextAt, outputAt } = times ?? {};
  const known = shownAt !== undefined && nextAt !== undefined;
  return {
    id,
    tool,
    input,
    askedAt: shownAt,
    start:
      said?.ran === false
        ? 'never'
        : known
          ? { at: shownAt, source: 'line-time', earliest: shownAt, latest: outputAt ?? nextAt }
          : 'unknown',
    end:
      said === undefined
        ? 'open'
        : known
          ? { at: nextAt, source: 'line-time', earliest: outputAt ?? shownAt, latest: nextAt }
          : 'unknown',
    group: undefined,
    outcome: said?.outcome ?? 'unknown',
    exit: undefined,
    refusal: said?.refusal,
    cancel: undefined,
    result: said?.result,
    isShell: tool === 'execute_command',
  };
}

function usageOf({ metrics }: Message, round: Round | undefined): Usage {
  const request = round?.request;
  const cached = metrics?.cacheReadTokens ?? metrics?.tokens?.cached ?? request?.cacheReads;
  const input = metrics?.inputTokens ?? metrics?.tokens?.prompt;
  return numbersOf([
    // The SDK counts what came from the cache among the input.
    ['inputTokens', input === undefined ? request?.tokensIn : Math.max(0, input - (cached ?? 0))],
    ['outputTokens', metrics?.outputTokens ?? metrics?.tokens?.completion ?? request?.tokensOut],
    ['cacheReadTokens', cached],
    ['cacheCreationTokens', metrics?.cacheWriteTokens ?? request?.cacheWrites],
    ['costUsd', metrics?.cost ?? request?.cost],
  ]);
}
