import { textAt } from './common/fields.ts';
import type { Importer } from './importer.ts';
import { eventsIn, isOwnEvent, sessionOfEvent, stepsOfEvents, type TelemetryEvent } from './otel-genai/events.ts';
import { isGenAi, type Span, spansIn, textIn } from './otel-genai/spans.ts';
import { stepsOf } from './otel-genai/steps.ts';
import { withoutTimes } from './plain/order-only.ts';
import type { PlainSession, PlainStep } from './plain/session.ts';
import { plainToReading } from './plain/to-reading.ts';
import { UnknownKinds } from './plain/unknown.ts';
import { titleFrom } from './plain/values.ts';
import { readValues } from './read-values.ts';

/** Exporters write one span, one request or a list of them into a file. */
const flat = (values: readonly unknown[]): readonly unknown[] =>
  values.flatMap((one) => (Array.isArray(one) ? one : [one]));

/**
 * Telemetry of agents: OTLP/JSON traces with the GenAI conventions, spans of OpenInference (as Phoenix exports them), and
 * Claude Code's own events. Spans have both their ends, so their times are certain.
 */
export const otelGenai: Importer = {
  name: 'otel-genai',

  sniff(head) {
    const values = flat(head).slice(0, 40);
    if (values.length === 0) return 0;
    const own = values.filter((value) => spansIn(value).some(isGenAi) || eventsIn(value).some(isOwnEvent)).length;
    return own === 0 ? 0 : 0.5 + (0.5 * own) / values.length;
  },

  async read(source, options) {
    const file = source.main ?? source.path;
    const unknown = new UnknownKinds();
    const spans: Span[] = [];
    const events: TelemetryEvent[] = [];
    for (const { value, line } of await readValues(file, options)) {
      for (const one of flat([value])) {
        const [newSpans, newEvents] = [spansIn(one), eventsIn(one)];
        spans.push(...newSpans);
        events.push(...newEvents);
        if (newSpans.length + newEvents.length === 0)
          unknown.count('records that are neither spans nor events', { file, line });
      }
    }
    unknown.tell(options.onFinding);
    const tell: Tell = (kind, message) => options.onFinding({ file, line: 0, kind, message });
    const session = spans.some(isGenAi) ? ofSpans(spans, tell) : ofEvents(events, tell);
    return plainToReading(session, { format: otelGenai.name, source });
  },
};

type Tell = (kind: string, message: string) => void;

const conversationOf = (span: Span): string | undefined => textIn(span, 'gen_ai.conversation.id', 'session.id');

function ofSpans(all: readonly Span[], tell: Tell): PlainSession {
  const unique = [...new Map(all.map((span) => [`${span.traceId} ${span.id}`, span])).values()];
  const copies = all.length - unique.length;
  if (copies > 0) tell('duplicate-ids', `${copies} spans stand in the file more than once; the last of each was read`);
  const spans = oneSession(unique, tell);
  const { steps, agents } = stepsOf(spans);
  const first = spans[0];
  const conversation = spans.map(conversationOf).find((id) => id !== undefined);
  const orderOnly = first?.resource['gantry.clock'] === 'order-only';
  return {
    sessionId: conversation ?? first?.traceId,
    title:
      (first && titleFrom(textAt(first.resource, 'gantry.session.title'))) ??
      titleFrom(promptOf(steps)) ??
      programOf(first),
    cwd: spans.map((span) => textIn(span, 'gantry.cwd')).find((cwd) => cwd !== undefined),
    version: first && textAt(first.resource, 'service.version'),
    startedAt: undefined,
    steps: orderOnly ? withoutTimes(steps) : steps,
    agents,
  };
}

/** Conversations in one trace are shown one after the other; of several traces the one with the most spans is. */
function oneSession(spans: readonly Span[], tell: Tell): readonly Span[] {
  const traces = new Map<string, Span[]>();
  // Spans of one conversation may be spread over traces.
  const traceOf = new Map<string, string>();
  for (const span of spans) {
    const conversation = conversationOf(span);
    const own = span.traceId ?? conversation ?? 'none';
    const key = (conversation === undefined ? undefined : traceOf.get(conversation)) ?? traceOf.get(own) ?? own;
    traceOf.set(own, key);
    if (conversation !== undefined) traceOf.set(conversation, key);
    const trace = traces.get(key);
    if (trace === undefined) traces.set(key, [span]);
    else trace.push(span);
  }
  const withCalls = [...traces.values()].filter((one) => one.some(isGenAi)).sort((a, b) => b.length - a.length);
  const [best = [], ...others] = withCalls;
  if (others.length > 0)
    tell('other-sessions', `The file holds ${others.length} more traces, which were not read; the longest one was`);
  const conversations = new Set(best.map(conversationOf).filter((id) => id !== undefined));
  if (conversations.size > 1)
    tell('several-conversations', `The trace holds ${conversations.size} conversations; all were read`);
  return best;
}

function ofEvents(all: readonly TelemetryEvent[], tell: Tell): PlainSession {
  const sessions = new Map<string, TelemetryEvent[]>();
  for (const event of all) {
    const key = sessionOfEvent(event) ?? 'none';
    const own = sessions.get(key);
    if (own === undefined) sessions.set(key, [event]);
    else own.push(event);
  }
  const [best, ...others] = [...sessions].sort(([, a], [, b]) => b.length - a.length);
  if (others.length > 0) {
    tell(
      'other-sessions',
      `The file holds events of ${others.length} more sessions, which were not read: ${others
        .map(([id]) => id)
        .slice(0, 5)
        .join(', ')}`,
    );
  }
  const { steps, agents } = stepsOfEvents(best?.[1] ?? []);
  return {
    sessionId: best?.[0],
    title: titleFrom(promptOf(steps)),
    cwd: best?.[1].map(({ attributes }) => textAt(attributes, 'cwd')).find((cwd) => cwd !== undefined),
    version: best?.[1].map(({ attributes }) => textAt(attributes, 'app.version')).find((one) => one !== undefined),
    startedAt: undefined,
    steps,
    agents,
  };
}

const promptOf = (steps: readonly PlainStep[]): string | undefined =>
  steps.flatMap((step) => (step.kind === 'entry' && step.says === 'prompt' ? [step.text] : []))[0];

const programOf = (span: Span | undefined): string | undefined => {
  const service = span && textAt(span.resource, 'service.name');
  return service === undefined ? undefined : `Trace of ${service}`;
};
