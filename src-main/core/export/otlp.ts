import { agentSpans, chatSpans, toolSpans } from './otlp-spans.ts';
import { hexId, kindOf, nanos, type OtlpSpan, valuesOf } from './otlp-values.ts';
import { type ExportInput, hasTimes } from './session.ts';

/** What all spans of one export have in common. */
export type OtlpContext = ExportInput & {
  readonly traceId: string;
  readonly rootId: string;
  /** Wall time of a session time, as nanoseconds. */
  readonly at: (t: number) => string;
};

/**
 * OTLP/JSON traces with the GenAI semantic conventions: one trace a session; `invoke_agent` for each turn and
 * sub-agent, `chat` for each request, `execute_tool` for each call. One `resourceSpans` with one scope, a span a line.
 */
export function* exportOtlp(input: ExportInput): Iterable<string> {
  const { state } = input;
  const seed = `${state.sessionId ?? ''} ${state.startedAt} ${state.title}`;
  const context: OtlpContext = {
    ...input,
    traceId: hexId(`trace ${seed}`, 16),
    rootId: hexId(`session ${seed}`, 8),
    at: (t) => nanos(state.startedAt, t),
  };
  const [version = ''] = input.generator.split(' ').slice(1);
  const resource = {
    attributes: valuesOf({
      'service.name': 'gantry',
      'service.version': version,
      'gantry.session.title': state.title,
      'gantry.source': state.origin?.kind === 'imported' ? state.origin.format : 'gantry-journal',
      'gantry.strategy': state.settings.strategy,
      'gantry.cascade': state.settings.cascade,
      'gantry.clock': hasTimes(state) ? 'recorded' : 'order-only',
    }),
  };
  yield `{"resourceSpans":[{"resource":${JSON.stringify(resource)},"scopeSpans":[{"scope":${JSON.stringify({ name: 'gantry', version })},"spans":[\n`;
  yield JSON.stringify(root(context));
  for (const spans of [agentSpans, chatSpans, toolSpans]) {
    for (const span of spans(context)) yield `,\n${JSON.stringify(span)}`;
  }
  yield '\n]}]}]}\n';
}

function root({ state, traceId, rootId, at, stretch }: OtlpContext): OtlpSpan {
  return {
    traceId,
    spanId: rootId,
    name: 'session',
    kind: kindOf.internal,
    startTimeUnixNano: at(stretch?.from ?? 0),
    endTimeUnixNano: at(Math.max(stretch?.from ?? 0, Math.min(stretch?.until ?? state.now, state.now))),
    attributes: valuesOf({ 'gen_ai.conversation.id': state.sessionId, 'gantry.cwd': state.cwd }),
    events: [],
    links: [],
    status: {},
  };
}
