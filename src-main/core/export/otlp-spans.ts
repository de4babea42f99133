import { MAIN_AGENT } from '../../../src-shared/ids.ts';
import type { ModelRequest } from '../../../src-shared/session/state.ts';
import { agentName } from '../../../src-shared/timeline/agent-tree.ts';
import { outcomeWords } from '../../../src-shared/timeline/words.ts';
import { resultText } from '../../../src-shared/tool-call/content.ts';
import { sentResult, type ToolCall } from '../../../src-shared/tool-call/state.ts';
import type { Timing } from '../../../src-shared/tool-call/timing.ts';
import type { OtlpContext } from './otlp.ts';
import { codeOf, hexId, kindOf, type OtlpSpan, type Plain, valuesOf } from './otlp-values.ts';
import { callsIn, isWithin, runOf } from './session.ts';

const turnId = ({ traceId }: OtlpContext, id: string): string => hexId(`${traceId} turn ${id}`, 8);
const agentSpanId = ({ traceId }: OtlpContext, id: string): string => hexId(`${traceId} agent ${id}`, 8);
const callSpanId = ({ traceId }: OtlpContext, id: string): string => hexId(`${traceId} call ${id}`, 8);

/** `name` is `start` or `end`. Nothing for what was measured. */
const inferred = (name: string, timing: Timing | undefined): Readonly<Record<string, Plain>> =>
  timing === undefined || timing.certainty === 'measured'
    ? {}
    : {
        [`gantry.${name}.certainty`]: 'inferred',
        [`gantry.${name}.source`]: timing.source,
        [`gantry.${name}.earliest_ms`]: timing.earliest,
        [`gantry.${name}.latest_ms`]: timing.latest,
      };

const later = (from: number, until: number | undefined, now: number): number => Math.max(from, until ?? now);

/** The main agent's turns and every sub-agent, as `invoke_agent`. */
export function* agentSpans(context: OtlpContext): Iterable<OtlpSpan> {
  const { state, stretch, traceId, rootId, at } = context;
  const common = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.conversation.id': state.sessionId };
  for (const turn of state.turns) {
    if (turn.agentId !== MAIN_AGENT || !isWithin(stretch, turn.from, turn.end?.at)) continue;
    const failed = turn.end?.reason === 'error';
    yield {
      traceId,
      spanId: turnId(context, turn.turnId),
      parentSpanId: rootId,
      name: 'invoke_agent main agent',
      kind: kindOf.internal,
      startTimeUnixNano: at(turn.from),
      endTimeUnixNano: at(later(turn.from, turn.end?.at, state.now)),
      attributes: valuesOf({
        ...common,
        'gen_ai.agent.id': turn.agentId,
        'gen_ai.agent.name': 'main agent',
        'gantry.turn.id': turn.turnId,
        'gantry.turn.end': turn.end?.reason,
        'error.type': failed ? 'error' : undefined,
      }),
      events: [],
      links: [],
      status: failed ? { code: codeOf.error, message: turn.end?.message ?? '' } : {},
    };
  }
  for (const agent of state.agents) {
    if (!isWithin(stretch, agent.from, agent.until)) continue;
    const name = agentName(agent);
    const failed = agent.end?.reason === 'error';
    yield {
      traceId,
      spanId: agentSpanId(context, agent.agentId),
      parentSpanId: agent.parentCallId === undefined ? rootId : callSpanId(context, agent.parentCallId),
      name: `invoke_agent ${name}`,
      kind: kindOf.internal,
      startTimeUnixNano: at(agent.from),
      endTimeUnixNano: at(later(agent.from, agent.until, state.now)),
      attributes: valuesOf({
        ...common,
        'gen_ai.agent.id': agent.agentId,
        'gen_ai.agent.name': name,
        'gen_ai.agent.description': agent.agentType,
        'gen_ai.request.model': agent.model,
        'gantry.agent.prompt': agent.prompt,
        'error.type': failed ? 'error' : undefined,
      }),
      events: [],
      links: [],
      status: failed ? { code: codeOf.error } : {},
    };
  }
}

/** The span that a request or call hangs on: its sub-agent, or the turn of the main agent at that time. */
function parentOf(context: OtlpContext, agentId: string, t: number): string {
  const { state, rootId } = context;
  if (state.agents.some((agent) => agent.agentId === agentId)) return agentSpanId(context, agentId);
  const turn = state.turns.findLast((one) => one.agentId === MAIN_AGENT && one.from <= t);
  return turn === undefined || !isWithin(context.stretch, turn.from, turn.end?.at)
    ? rootId
    : turnId(context, turn.turnId);
}

/** Requests to the model, as `chat`. */
export function* chatSpans(context: OtlpContext): Iterable<OtlpSpan> {
  for (const request of context.state.requests) {
    if (isWithin(context.stretch, request.from, request.end?.at)) yield chatSpan(context, request);
  }
}

function chatSpan(context: OtlpContext, request: ModelRequest): OtlpSpan {
  const { state, traceId, at } = context;
  const { end, from } = request;
  const usage = end?.kind === 'completed' ? end.usage : undefined;
  const model = request.model;
  return {
    traceId,
    spanId: hexId(`${traceId} request ${request.requestId}`, 8),
    parentSpanId: parentOf(context, request.agentId, from),
    name: model === undefined ? 'chat' : `chat ${model}`,
    kind: kindOf.client,
    startTimeUnixNano: at(from),
    endTimeUnixNano: at(later(from, end?.at, state.now)),
    attributes: valuesOf({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': providerOf(context),
      'gen_ai.conversation.id': state.sessionId,
      'gen_ai.request.model': model,
      'gen_ai.response.model': model,
      'gen_ai.response.id': request.messageId,
      'gen_ai.response.finish_reasons': end?.kind === 'completed' ? [end.stopReason.replaceAll('-', '_')] : undefined,
      'gen_ai.usage.input_tokens': usage?.inputTokens,
      'gen_ai.usage.output_tokens': usage?.outputTokens,
      'gen_ai.usage.cache_read.input_tokens': usage?.cacheReadTokens,
      'gen_ai.usage.cache_creation.input_tokens': usage?.cacheCreationTokens,
      'gantry.usage.cost_usd': usage?.costUsd,
      'gantry.request.attempt': request.attempt,
      'error.type': end?.kind === 'failed' ? 'request_failed' : undefined,
      ...inferred('start', request.timing),
    }),
    events:
      request.firstBlockAt === undefined
        ? []
        : [{ timeUnixNano: at(request.firstBlockAt), name: 'gantry.first_block', attributes: [] }],
    links: [],
    status: end?.kind === 'failed' ? { code: codeOf.error, message: end.message } : {},
  };
}

const providerOf = ({ state }: OtlpContext): string | undefined => {
  if (state.origin?.kind === 'live') return state.origin.provider;
  return state.origin?.format.startsWith('claude') === true ? 'anthropic' : undefined;
};

/** Calls, as `execute_tool`: from their start, with the wait before it as facts and events. */
export function* toolSpans(context: OtlpContext): Iterable<OtlpSpan> {
  for (const call of callsIn(context)) yield toolSpan(context, call);
}

function toolSpan(context: OtlpContext, call: ToolCall): OtlpSpan {
  const { state, traceId, at } = context;
  const run = runOf(call);
  const ended = call.phase === 'completed' || call.phase === 'yielded' ? call : undefined;
  const end = ended?.end;
  const outcome = end?.outcome ?? 'unknown';
  const from = run?.at ?? call.queuedAt;
  const isFailure = outcome !== 'ok' && outcome !== 'unknown';
  const culprit = call.cancellation?.culprit;
  return {
    traceId,
    spanId: callSpanId(context, call.callId),
    parentSpanId: parentOf(context, call.agentId, call.queuedAt),
    name: `execute_tool ${call.tool}`,
    kind: kindOf.internal,
    startTimeUnixNano: at(from),
    endTimeUnixNano: at(later(from, end?.at, state.now)),
    attributes: valuesOf({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.conversation.id': state.sessionId,
      'gen_ai.agent.id': call.agentId,
      'gen_ai.tool.name': call.tool,
      'gen_ai.tool.call.id': call.callId,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.arguments': JSON.stringify(call.input),
      'gen_ai.tool.call.result': ended === undefined ? undefined : resultText(sentResult(ended)),
      'error.type': isFailure ? outcome : undefined,
      'gantry.outcome': outcome,
      'gantry.started': run !== undefined,
      'gantry.lane': run?.lane,
      'gantry.batch': run?.batchId,
      'gantry.safe': call.safety.safe,
      'gantry.safety.because': call.safety.because,
      'gantry.queued_ms': Math.max(0, from - call.queuedAt),
      'gantry.culprit': culprit,
      'gantry.exit_code': end?.exit?.code,
      'gantry.permission': call.permission?.verdict,
      'gantry.saved_output': call.saved?.path,
      ...inferred('start', run?.timing),
      ...inferred('end', end?.timing),
    }),
    events: eventsOf(context, call),
    links:
      culprit === undefined || state.callIndex[culprit] === undefined
        ? []
        : [{ traceId, spanId: callSpanId(context, culprit), attributes: valuesOf({ 'gantry.link': 'cascade' }) }],
    status: !isFailure
      ? outcome === 'ok'
        ? { code: codeOf.ok }
        : {}
      : { code: codeOf.error, message: outcomeWords(call) },
  };
}

function eventsOf({ at }: OtlpContext, call: ToolCall): OtlpSpan['events'] {
  const events: { t: number; name: string; facts: Readonly<Record<string, Plain>> }[] = [
    { t: call.queuedAt, name: 'gantry.queued', facts: {} },
    ...call.waits.map((wait) => ({ t: wait.from, name: 'gantry.blocked', facts: { why: wait.why, by: wait.by } })),
    ...call.stages.map(({ from, stage }) => ({ t: from, name: 'gantry.stage', facts: { stage } })),
    ...call.asks.map(({ from }) => ({ t: from, name: 'gantry.permission_asked', facts: {} })),
  ];
  if (call.permission !== undefined) {
    const { verdict, by } = call.permission;
    events.push({ t: call.permission.at, name: 'gantry.permission_settled', facts: { verdict, by } });
  }
  if (call.cancellation !== undefined) {
    const { reason, culprit } = call.cancellation;
    events.push({ t: call.cancellation.at, name: 'gantry.cancelled', facts: { reason, culprit } });
  }
  if (call.phase === 'yielded') events.push({ t: call.yieldedAt, name: 'gantry.yielded', facts: {} });
  return events
    .sort((a, b) => a.t - b.t)
    .map(({ t, name, facts }) => ({ timeUnixNano: at(t), name, attributes: valuesOf(facts) }));
}
