import type { StopReason, Usage } from '../../../../src-shared/model/event.ts';
import { TurnEnd } from '../../../../src-shared/session/event.ts';
import {
  MAIN,
  type PlainAgent,
  type PlainBlock,
  type PlainCall,
  type PlainMessage,
  type PlainStep,
} from '../plain/session.ts';
import { numbersOf, resultOf } from '../plain/values.ts';
import { inputMessages, lastPrompt, outputMessages, type SpanMessage } from './messages.ts';
import { numberIn, type Span, textIn } from './spans.ts';
import { callOfSpan, toolCallId } from './tools.ts';

/** What the spans of a session say, in the words all formats share. */
export type SpanSteps = { readonly steps: readonly PlainStep[]; readonly agents: readonly PlainAgent[] };

export function stepsOf(spans: readonly Span[]): SpanSteps {
  return new Steps(spans).told();
}

type Draft = {
  readonly span: Span | undefined;
  readonly agent: string;
  readonly from: number;
  blocks: PlainBlock[];
  until: number;
};

class Steps {
  readonly #spans: readonly Span[];
  readonly #byId: ReadonlyMap<string, Span>;
  readonly #mainAgent: Span | undefined;
  readonly #zero: number;
  readonly #steps: { readonly at: number; readonly step: PlainStep }[] = [];
  readonly #responses: ReadonlyMap<string, unknown>;
  readonly #agentsById = new Map<string, Span>();
  /** Prompts that were told: each request to a model repeats those before it. */
  readonly #told = new Set<string>();

  constructor(spans: readonly Span[]) {
    this.#spans = [...spans].sort((a, b) => a.from - b.from);
    this.#byId = new Map(spans.map((span) => [span.id, span]));
    this.#zero = this.#spans[0]?.from ?? 0;
    for (const span of this.#spans) {
      const agentId = span.kind === 'agent' ? textIn(span, 'gen_ai.agent.id') : undefined;
      if (agentId !== undefined && !this.#agentsById.has(agentId)) this.#agentsById.set(agentId, span);
    }
    const roots = this.#spans.filter((span) => span.kind === 'agent' && this.#around(span) === undefined);
    this.#mainAgent = roots.find((span) => textIn(span, 'gen_ai.agent.id') === MAIN) ?? roots[0];
    this.#responses = responsesIn(this.#spans);
  }

  told(): SpanSteps {
    const drafts = this.#drafts();
    this.#placeTools(drafts);
    for (const span of this.#spans) if (span.kind === 'agent') this.#tellTurn(span);
    for (const draft of drafts) this.#tellDraft(draft);
    const steps = this.#steps.sort((a, b) => a.at - b.at).map(({ step }) => step);
    return { steps, agents: this.#agents() };
  }

  /** The agent's span around a span. */
  #around(span: Span): Span | undefined {
    let parent = this.#byId.get(span.parentId ?? '');
    for (let up = 0; parent !== undefined && up < 200; up++) {
      if (parent.kind === 'agent') return parent;
      parent = this.#byId.get(parent.parentId ?? '');
    }
    return undefined;
  }

  /** Spans of the main agent with no agent around them are its turns; all other agents are sub-agents. */
  #isTurn(span: Span): boolean {
    return span.kind === 'agent' && this.#around(span) === undefined && nameOf(span) === nameOf(this.#mainAgent);
  }

  #agentOf(span: Span): string {
    const around = this.#around(span);
    if (around !== undefined) return this.#keyOf(around);
    const named = textIn(span, 'gen_ai.agent.id');
    const known = this.#agentsById.get(named ?? '');
    return known === undefined ? MAIN : this.#keyOf(known);
  }

  #keyOf(agent: Span): string {
    return this.#isTurn(agent) ? MAIN : (textIn(agent, 'gen_ai.agent.id') ?? agent.id);
  }

  #agents(): readonly PlainAgent[] {
    const found = new Map<string, PlainAgent>();
    for (const span of this.#spans) {
      if (span.kind !== 'agent' || this.#isTurn(span)) continue;
      const key = this.#keyOf(span);
      if (key === MAIN || found.has(key)) continue;
      const caller = this.#toolAround(span);
      const prompt = textIn(span, 'gantry.agent.prompt', 'input.value') ?? lastPrompt(inputMessages(span)) ?? '';
      found.set(key, {
        key,
        name: textIn(span, 'gen_ai.agent.name') ?? span.name,
        agentType: textIn(span, 'gen_ai.agent.description') ?? 'agent',
        prompt,
        parentCallId: caller === undefined ? undefined : (toolCallId(caller) ?? caller.id),
      });
    }
    return [...found.values()];
  }

  #toolAround(span: Span): Span | undefined {
    let parent = this.#byId.get(span.parentId ?? '');
    for (let up = 0; parent !== undefined && parent.kind !== 'agent' && up < 200; up++) {
      if (parent.kind === 'tool') return parent;
      parent = this.#byId.get(parent.parentId ?? '');
    }
    return undefined;
  }

  #drafts(): Draft[] {
    return this.#spans
      .filter((span) => span.kind === 'model')
      .map((span): Draft => ({ span, agent: this.#agentOf(span), from: span.from, until: span.until, blocks: [] }));
  }

  /** Calls belong to the answer that names them, else to the last answer before them, else to one that was not recorded. */
  #placeTools(drafts: Draft[]): void {
    const tools = this.#spans.filter((span) => span.kind === 'tool');
    const byCallId = new Map(
      tools.flatMap((span) => (toolCallId(span) === undefined ? [] : [[toolCallId(span), span] as const])),
    );
    const placed = new Set<Span>();
    for (const draft of drafts) {
      for (const message of draft.span === undefined ? [] : outputMessages(draft.span)) {
        draft.blocks.push(...this.#blocksOf(message, draft.until, byCallId, placed));
      }
    }
    this.#guess(
      tools.filter((span) => !placed.has(span)),
      drafts,
    );
  }

  #guess(tools: readonly Span[], drafts: Draft[]): void {
    const byAgent = new Map<string, Draft[]>();
    for (const draft of drafts) {
      const own = byAgent.get(draft.agent);
      if (own === undefined) byAgent.set(draft.agent, [draft]);
      else own.push(draft);
    }
    const guesses = new Map<string, Draft>();
    for (const span of tools) {
      const agent = this.#agentOf(span);
      const before = lastBefore(byAgent.get(agent) ?? [], span.from);
      if (before !== undefined) {
        before.blocks.push({ kind: 'call', call: this.#callOf(span, before.until) });
        continue;
      }
      // What ran at one time was asked for at one time.
      let guessed = guesses.get(agent);
      if (guessed === undefined || span.from >= guessed.until) {
        guessed = { span: undefined, agent, from: span.from, until: span.until, blocks: [] };
        guesses.set(agent, guessed);
        drafts.push(guessed);
      }
      guessed.blocks.push({ kind: 'call', call: this.#callOf(span, undefined) });
      guessed.until = Math.max(guessed.until, span.until);
    }
  }

  /** `until`: when the answer was whole that asked for it. */
  #callOf(span: Span, until: number | undefined): PlainCall {
    const call = callOfSpan(span, this.#zero);
    return { ...call, id: call.id ?? span.id, askedAt: call.askedAt ?? until };
  }

  #blocksOf(
    { parts }: SpanMessage,
    until: number,
    tools: ReadonlyMap<string | undefined, Span>,
    placed: Set<Span>,
  ): readonly PlainBlock[] {
    return parts.map((part): PlainBlock => {
      if (part.kind === 'text' || part.kind === 'thinking') return { kind: part.kind, text: part.text, at: undefined };
      if (part.kind !== 'call') return { kind: 'other', raw: part.kind === 'other' ? part.raw : part, at: undefined };
      const span = part.id === undefined ? undefined : tools.get(part.id);
      if (span === undefined || placed.has(span)) return { kind: 'call', call: this.#unseenCall(part, until) };
      placed.add(span);
      const call = this.#callOf(span, until);
      return { kind: 'call', call: { ...call, input: call.input ?? part.input } };
    });
  }

  /** A call that has no span: what came of it may stand in what the model was sent later. */
  #unseenCall(
    part: { readonly id: string | undefined; readonly tool: string; readonly input: unknown },
    until: number,
  ): PlainCall {
    const answered = part.id !== undefined && this.#responses.has(part.id);
    return {
      ...part,
      askedAt: undefined,
      start: { at: until, source: 'line-time', earliest: until, latest: Number.POSITIVE_INFINITY },
      end: answered ? 'unknown' : 'open',
      group: 0,
      outcome: answered ? 'ok' : 'unknown',
      exit: undefined,
      refusal: undefined,
      cancel: undefined,
      result: answered ? resultOf(this.#responses.get(part.id ?? ''), false) : undefined,
      isShell: false,
    };
  }

  #tellTurn(span: Span): void {
    const agent = this.#keyOf(span);
    const prompt = lastPrompt(inputMessages(span)) ?? textIn(span, 'input.value');
    const begun: PlainStep =
      prompt === undefined
        ? { kind: 'mark', agent, at: span.from, says: 'begun', message: undefined }
        : this.#promptOf(agent, span.from, prompt);
    this.#steps.push({ at: span.from, step: begun });
    const recorded = TurnEnd.safeParse(span.attributes['gantry.turn.end']);
    const says = recorded.success ? recorded.data : span.failed ? 'error' : span.ended ? 'completed' : 'unknown';
    this.#steps.push({
      at: span.until,
      step: { kind: 'mark', agent, at: span.until, says, message: span.message },
    });
  }

  #promptOf(agent: string, at: number, text: string): PlainStep {
    this.#told.add(`${agent}\n${text}`);
    // A sub-agent is asked by the program.
    return { kind: 'entry', agent, at, text, says: 'prompt', from: agent === MAIN ? 'person' : 'program' };
  }

  #tellDraft({ span, agent, from, blocks, until }: Draft): void {
    const prompt = span === undefined ? undefined : lastPrompt(inputMessages(span));
    if (prompt !== undefined && !this.#told.has(`${agent}\n${prompt}`)) {
      this.#steps.push({ at: from, step: this.#promptOf(agent, from, prompt) });
    }
    const answered = span?.events.find((event) => event.name === 'gantry.first_block')?.at ?? until;
    const message: PlainMessage = {
      kind: 'message',
      agent,
      at: span === undefined ? from : answered,
      until: span === undefined ? undefined : until,
      askedAt: span === undefined ? undefined : from,
      id: span === undefined ? undefined : (textIn(span, 'gen_ai.response.id') ?? span.id),
      model: (span && textIn(span, 'gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name')) ?? 'unknown',
      blocks,
      usage: span === undefined ? {} : usageOf(span),
      stopReason: stopOf(span, blocks),
      failed: span?.failed ?? false,
      left: false,
    };
    this.#steps.push({ at: from, step: message });
  }
}

/** The last of these, which are in order, that began by then. */
function lastBefore(drafts: readonly Draft[], at: number): Draft | undefined {
  let low = 0;
  let high = drafts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((drafts[middle] as Draft).from <= at) low = middle + 1;
    else high = middle;
  }
  return drafts[low - 1];
}

const nameOf = (span: Span | undefined): string | undefined =>
  span && (textIn(span, 'gen_ai.agent.id', 'gen_ai.agent.name') ?? span.name);

function responsesIn(spans: readonly Span[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const span of spans) {
    if (span.kind !== 'model') continue;
    for (const { parts } of inputMessages(span)) {
      for (const part of parts) if (part.kind === 'response' && part.id !== undefined) found.set(part.id, part.value);
    }
  }
  return found;
}

const STOPS: Readonly<Record<string, StopReason>> = {
  stop: 'end-turn',
  end_turn: 'end-turn',
  tool_call: 'tool-use',
  tool_calls: 'tool-use',
  tool_use: 'tool-use',
  length: 'max-tokens',
  max_tokens: 'max-tokens',
  content_filter: 'refusal',
  refusal: 'refusal',
  stop_sequence: 'stop-sequence',
};

function stopOf(span: Span | undefined, blocks: readonly PlainBlock[]): StopReason {
  const reasons = span?.attributes['gen_ai.response.finish_reasons'];
  const reason = Array.isArray(reasons) ? reasons[0] : reasons;
  return STOPS[String(reason)] ?? (blocks.some((block) => block.kind === 'call') ? 'tool-use' : 'unknown');
}

function usageOf(span: Span): Usage {
  return numbersOf([
    [
      'inputTokens',
      numberIn(span, 'gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.token_count.prompt'),
    ],
    [
      'outputTokens',
      numberIn(span, 'gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens', 'llm.token_count.completion'),
    ],
    [
      'cacheReadTokens',
      numberIn(span, 'gen_ai.usage.cache_read.input_tokens', 'llm.token_count.prompt_details.cache_read'),
    ],
    [
      'cacheCreationTokens',
      numberIn(span, 'gen_ai.usage.cache_creation.input_tokens', 'llm.token_count.prompt_details.cache_write'),
    ],
    ['costUsd', numberIn(span, 'gantry.usage.cost_usd', 'llm.cost.total')],
  ]);
}
