import { parseJson } from '../json-scan.ts';
import { Request, type UiItem } from './records.ts';

/** When a tool was shown to the person, and the first thing that was shown once it was done. */
export type ToolTimes = {
  readonly shownAt: number;
  readonly outputAt: number | undefined;
  readonly nextAt: number | undefined;
};

/** What a person saw of one request to the model, in the order it was shown. */
export type Round = {
  readonly askedAt: number;
  /** When the first piece of the answer was shown. */
  readonly answerAt: number | undefined;
  readonly tools: readonly ToolTimes[];
  readonly request: Request;
  readonly model: string | undefined;
  /** Place of the answer in the conversation, where the items tell it. */
  readonly index: number | undefined;
  readonly items: readonly UiItem[];
};

const TOOL_KINDS: ReadonlySet<string> = new Set([
  'tool',
  'command',
  'use_mcp_server',
  'browser_action_launch',
  'browser_action',
  'followup',
  'new_task',
]);
const ANSWER_KINDS: ReadonlySet<string> = new Set(['text', 'reasoning', 'completion_result', ...TOOL_KINDS]);

export const kindOf = (item: UiItem): string => item.say ?? item.ask ?? 'unknown';

/** Cuts what was shown into the requests it belongs to. What came before the first one (the task) is in none. */
export function roundsOf(items: readonly UiItem[]): readonly Round[] {
  const starts = items.flatMap((item, at) => (kindOf(item) === 'api_req_started' ? [at] : []));
  return starts.map((at, n) => {
    const until = starts[n + 1] ?? items.length;
    const own = items.slice(at, until);
    const next = items[until]?.ts;
    return roundOf(own, next);
  });
}

function roundOf(items: readonly UiItem[], next: number | undefined): Round {
  const [first, ...rest] = items;
  const tools: ToolTimes[] = [];
  let answerAt: number | undefined;
  rest.forEach((item, at) => {
    if (item.ts === undefined) return;
    if (ANSWER_KINDS.has(kindOf(item))) answerAt ??= item.ts;
    if (!TOOL_KINDS.has(kindOf(item))) return;
    const later = rest.slice(at + 1);
    const done = later.findIndex((one) => !isOfTool(one));
    const output = later.slice(0, done === -1 ? undefined : done).at(-1)?.ts;
    const nextAt = later[done]?.ts ?? next;
    tools.push({ shownAt: item.ts, outputAt: within(output, item.ts, nextAt), nextAt });
  });
  const parsed = Request.safeParse(parseJson(first?.text ?? ''));
  const index = rest.find((item) => ANSWER_KINDS.has(kindOf(item)) && item.conversationHistoryIndex !== undefined);
  return {
    askedAt: first?.ts ?? 0,
    answerAt,
    tools,
    request: parsed.success ? parsed.data : {},
    model: rest.find((item) => item.modelInfo?.modelId !== undefined)?.modelInfo?.modelId,
    // The items name the message before the answer they belong to.
    index: index?.conversationHistoryIndex === undefined ? undefined : index.conversationHistoryIndex + 1,
    items: rest,
  };
}

const isOfTool = (item: UiItem): boolean =>
  /^command_output$|_response$|^mcp_server_request_started$/.test(kindOf(item));

const within = (at: number | undefined, from: number, until: number | undefined): number | undefined =>
  at === undefined || at < from || (until !== undefined && at > until) ? undefined : at;
