import { type Fields, fieldsOf, listAt, numberAt, textAt, timeOf } from '../common/fields.ts';
import {
  MAIN,
  type PlainAgent,
  type PlainBlock,
  type PlainCall,
  type PlainMessage,
  type PlainStep,
} from '../plain/session.ts';
import { asText, inputOf, numbersOf, resultOf } from '../plain/values.ts';
import { attributesOf, plainValue, timeOfNanos } from './spans.ts';

/** One event that Claude Code sends as telemetry. */
export type TelemetryEvent = { readonly name: string; readonly at: number; readonly attributes: Fields };

const NAMES: ReadonlySet<string> = new Set([
  'user_prompt',
  'api_request',
  'api_error',
  'tool_result',
  'tool_decision',
  'subagent_completed',
  'skill_activated',
]);

/** Events in one object: OTLP logs, or a line of a collector that writes them flat. Metrics and strangers give none. */
export function eventsIn(value: unknown): readonly TelemetryEvent[] {
  const fields = fieldsOf(value);
  if (fields === undefined) return [];
  if (!Array.isArray(fields.resourceLogs)) {
    const event =
      fields._type === 'log' ? eventOf(fields.name, timeOf(fields.ts), attributesOf(fields.attrs)) : undefined;
    return event === undefined ? [] : [event];
  }
  return fields.resourceLogs.flatMap((group) =>
    listAt(fieldsOf(group), 'scopeLogs').flatMap((scope) =>
      listAt(fieldsOf(scope), 'logRecords').flatMap((one) => {
        const record = fieldsOf(one);
        const at = timeOfNanos(record?.timeUnixNano) ?? timeOfNanos(record?.observedTimeUnixNano);
        const event = eventOf(plainValue(record?.body), at, attributesOf(record?.attributes));
        return event === undefined ? [] : [event];
      }),
    ),
  );
}

function eventOf(name: unknown, at: number | undefined, attributes: Fields): TelemetryEvent | undefined {
  const own =
    textAt(attributes, 'event.name') ??
    textAt(attributes, 'event_type') ??
    (typeof name === 'string' ? name : undefined);
  if (own === undefined || at === undefined) return undefined;
  return { name: own.replace(/^claude_code\./, ''), at, attributes };
}

/** Telemetry of Claude Code has names of its own. */
export const isOwnEvent = (event: TelemetryEvent): boolean =>
  NAMES.has(event.name) && ('session.id' in event.attributes || 'prompt.id' in event.attributes);

export const sessionOfEvent = ({ attributes }: TelemetryEvent): string | undefined =>
  textAt(attributes, 'session.id') ?? textAt(attributes, 'session_id');

/** The events of one session: each call ends at its event and began as long before as the event says it took. */
export function stepsOfEvents(events: readonly TelemetryEvent[]): {
  readonly steps: readonly PlainStep[];
  readonly agents: readonly PlainAgent[];
} {
  const inOrder = [...events].sort((a, b) => startedAt(a) - startedAt(b));
  const steps: PlainStep[] = [];
  const agents = new Map<string, PlainAgent>();
  const blocks = new Map<string, PlainBlock[]>();
  /** When the last answer of each agent was whole: its calls were asked for by then. */
  const askedAt = new Map<string, number>();
  let lastAgent = MAIN;
  for (const event of inOrder) {
    if (event.name === 'api_request') {
      const agent = agentOf(event, agents);
      lastAgent = agent;
      const own: PlainBlock[] = [];
      blocks.set(agent, own);
      askedAt.set(agent, event.at);
      steps.push(answerOf(event, agent, own));
    } else if (event.name === 'tool_result') {
      const own = blocks.get(lastAgent);
      const block: PlainBlock = { kind: 'call', call: callOf(event, askedAt.get(lastAgent)) };
      if (own !== undefined) own.push(block);
      else {
        const made: PlainBlock[] = [block];
        blocks.set(lastAgent, made);
        steps.push({
          ...answerOf(event, lastAgent, made),
          at: startedAt(event),
          until: undefined,
          askedAt: undefined,
          usage: {},
          model: 'unknown',
        });
      }
    } else {
      if (event.name === 'user_prompt') {
        blocks.clear();
        askedAt.clear();
        lastAgent = MAIN;
      }
      steps.push(...otherSteps(event));
    }
  }
  return { steps, agents: [...agents.values()] };
}

/** What lasted begins before its event. */
const startedAt = (event: TelemetryEvent): number =>
  event.name === 'tool_result' ? event.at - (numberIn(event, 'duration_ms') ?? 0) : event.at;

/** Numbers come as text from some collectors. */
const numberIn = ({ attributes }: TelemetryEvent, key: string): number | undefined => {
  const value = attributes[key];
  return typeof value === 'string' && value !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : numberAt(attributes, key);
};

function agentOf({ attributes }: TelemetryEvent, agents: Map<string, PlainAgent>): string {
  const source = textAt(attributes, 'query_source') ?? '';
  if (!source.startsWith('agent:')) return MAIN;
  const name = source.slice('agent:'.length);
  if (!agents.has(source))
    agents.set(source, { key: source, name, agentType: name, prompt: '', parentCallId: undefined });
  return source;
}

function answerOf(event: TelemetryEvent, agent: string, blocks: readonly PlainBlock[]): PlainMessage {
  const took = numberIn(event, 'duration_ms');
  return {
    kind: 'message',
    agent,
    at: event.at,
    until: event.at,
    askedAt: took === undefined ? undefined : event.at - took,
    id: undefined,
    model: textAt(event.attributes, 'model') ?? 'unknown',
    blocks,
    usage: numbersOf([
      ['inputTokens', numberIn(event, 'input_tokens')],
      ['outputTokens', numberIn(event, 'output_tokens')],
      ['cacheReadTokens', numberIn(event, 'cache_read_tokens')],
      ['cacheCreationTokens', numberIn(event, 'cache_creation_tokens')],
      ['costUsd', numberIn(event, 'cost_usd')],
    ]),
    stopReason: 'unknown',
    failed: false,
    left: false,
  };
}

function callOf(event: TelemetryEvent, askedAt: number | undefined): PlainCall {
  const { attributes, at } = event;
  const took = numberIn(event, 'duration_ms');
  const ok = attributes.success === true || attributes.success === 'true';
  const error = textAt(attributes, 'error');
  const from = at - (took ?? 0);
  return {
    id: textAt(attributes, 'tool_use_id'),
    tool: textAt(attributes, 'tool_name') ?? 'unknown tool',
    input: inputOf(attributes.tool_input ?? attributes.tool_parameters),
    askedAt,
    start: took === undefined ? 'unknown' : { at: from, source: 'duration-in-result', earliest: from, latest: from },
    end: { at, source: 'measured', earliest: at, latest: at },
    group: undefined,
    outcome: ok ? 'ok' : 'error',
    exit: undefined,
    refusal: undefined,
    cancel: undefined,
    result: error === undefined ? undefined : resultOf(error, true),
    isShell: false,
  };
}

function otherSteps({ name, at, attributes }: TelemetryEvent): readonly PlainStep[] {
  if (name === 'user_prompt') {
    const text = textAt(attributes, 'prompt') ?? '';
    return [{ kind: 'entry', agent: MAIN, at, text, says: 'prompt', from: 'person' }];
  }
  if (name === 'api_error') {
    const text = textAt(attributes, 'error') ?? 'The model answered with an error';
    return [{ kind: 'fact', at, facts: { type: 'notice-given', level: 'error', text } }];
  }
  if (name === 'subagent_completed') {
    const text = `The agent ${asText(attributes.agent_type)} ended after ${asText(attributes.duration_ms)} ms`;
    return [{ kind: 'fact', at, facts: { type: 'notice-given', level: 'info', text } }];
  }
  return [];
}
