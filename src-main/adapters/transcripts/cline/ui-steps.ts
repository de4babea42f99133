import { fieldsOf, textAt } from '../common/fields.ts';
import { parseJson } from '../json-scan.ts';
import type { PlainBlock, PlainCall, PlainStep } from '../plain/session.ts';
import { numbersOf, resultOf } from '../plain/values.ts';
import type { UiItem } from './records.ts';
import { kindOf, type Round } from './ui-times.ts';

/** What a person typed, as the items name it. */
const TYPED: ReadonlySet<string> = new Set(['task', 'user_feedback', 'user_feedback_diff']);

/** What was shown says less than the conversation, but where that is gone it is all there is: no inputs, few outputs. */
export function stepsOfItems(items: readonly UiItem[], rounds: readonly Round[], agent: string): readonly PlainStep[] {
  const [task] = items;
  const steps: PlainStep[] = [];
  if (task !== undefined && kindOf(task) === 'text') {
    steps.push({ kind: 'entry', agent, at: task.ts, text: task.text ?? '', says: 'prompt', from: 'person' });
  }
  for (const round of rounds) {
    steps.push({
      kind: 'message',
      agent,
      at: round.answerAt ?? round.askedAt,
      until: undefined,
      askedAt: round.askedAt,
      id: undefined,
      model: round.model ?? 'unknown',
      blocks: blocksOfRound(round),
      usage: numbersOf([
        ['inputTokens', round.request.tokensIn],
        ['outputTokens', round.request.tokensOut],
        ['cacheReadTokens', round.request.cacheReads],
        ['cacheCreationTokens', round.request.cacheWrites],
        ['costUsd', round.request.cost],
      ]),
      stopReason: round.tools.length > 0 ? 'tool-use' : 'unknown',
      failed: false,
      left: false,
    });
    for (const item of round.items) steps.push(...stepOfItem(item, agent));
  }
  return steps;
}

function stepOfItem(item: UiItem, agent: string): readonly PlainStep[] {
  const kind = kindOf(item);
  const text = item.text ?? '';
  if (TYPED.has(kind)) return [{ kind: 'entry', agent, at: item.ts, text, says: 'prompt', from: 'person' }];
  if (kind === 'error' || kind === 'api_req_failed') {
    return [
      { kind: 'fact', at: item.ts, facts: { type: 'notice-given', level: 'error', text: text || 'A request failed' } },
    ];
  }
  return [];
}

function blocksOfRound(round: Round): readonly PlainBlock[] {
  const tools = [...round.tools];
  return round.items.flatMap((item, at): PlainBlock[] => {
    const kind = kindOf(item);
    const text = item.text ?? '';
    if (kind === 'reasoning') return [{ kind: 'thinking', text, at: item.ts }];
    if (kind === 'text' || kind === 'completion_result')
      return text === '' ? [] : [{ kind: 'text', text, at: item.ts }];
    if (item.ts === undefined || tools[0]?.shownAt !== item.ts) return [];
    tools.shift();
    const next = round.tools[round.tools.length - tools.length - 1];
    const output = round.items
      .slice(at + 1)
      .filter((one) => one.ts === next?.outputAt || kindOf(one) === 'command_output');
    return [{ kind: 'call', call: callOf(item, { outputs: output, nextAt: next?.nextAt, outputAt: next?.outputAt }) }];
  });
}

type Seen = {
  readonly outputs: readonly UiItem[];
  readonly nextAt: number | undefined;
  readonly outputAt: number | undefined;
};

function callOf(item: UiItem, { outputs, nextAt, outputAt }: Seen): PlainCall {
  const body = fieldsOf(parseJson(item.text ?? ''));
  const at = item.ts ?? 0;
  const text = outputs.map((one) => one.text ?? '').join('\n');
  const isCommand = kindOf(item) === 'command';
  return {
    id: undefined,
    tool: textAt(body, 'tool') ?? textAt(body, 'toolName') ?? kindOf(item),
    input: body ?? (isCommand ? { command: item.text } : { text: item.text }),
    askedAt: item.ts,
    start: { at, source: 'line-time', earliest: at, latest: outputAt ?? nextAt ?? at },
    end: nextAt === undefined ? 'open' : { at: nextAt, source: 'line-time', earliest: outputAt ?? at, latest: nextAt },
    group: undefined,
    outcome: 'unknown',
    exit: undefined,
    refusal: undefined,
    cancel: undefined,
    result: text === '' ? undefined : resultOf(text, false),
    isShell: isCommand,
  };
}
