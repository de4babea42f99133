import { type Fields, fieldsOf, listAt, numberAt, textAt, timeOf } from './common/fields.ts';
import type { Importer } from './importer.ts';
import {
  MAIN,
  type PlainAgent,
  type PlainBlock,
  type PlainCall,
  type PlainSession,
  type PlainStep,
} from './plain/session.ts';
import { plainToReading } from './plain/to-reading.ts';
import { asText, inputOf, numbersOf, resultOf, titleFrom } from './plain/values.ts';
import { readValues } from './read-values.ts';

const isTrajectory = (fields: Fields | undefined): boolean =>
  fields !== undefined &&
  Array.isArray(fields.steps) &&
  (/^ATIF/i.test(textAt(fields, 'schema_version') ?? '') || 'agent' in fields);

const isStep = (fields: Fields | undefined): boolean =>
  fields !== undefined && 'step_id' in fields && 'source' in fields && ('message' in fields || 'observation' in fields);

/** Trajectories in the Agent Trajectory Interchange Format (ATIF 1.x), as harbor and others write them. */
export const atif: Importer = {
  name: 'atif',

  sniff(head) {
    const [first] = head.map(fieldsOf);
    if (isTrajectory(first)) return /^ATIF/i.test(textAt(first, 'schema_version') ?? '') ? 1 : 0.5;
    // What is left of a damaged one.
    return head.length > 0 && head.every((one) => isStep(fieldsOf(one))) ? 0.6 : 0;
  },

  async read(source, options) {
    const file = source.main ?? source.path;
    const values = (await readValues(file, options)).map(({ value }) => fieldsOf(value));
    const whole = values.find(isTrajectory);
    const steps = [...listAt(whole, 'steps'), ...values.filter(isStep)].flatMap((step) => fieldsOf(step) ?? []);
    return plainToReading(sessionOf(whole, steps as Fields[]), { format: atif.name, source });
  },
};

function sessionOf(whole: Fields | undefined, values: readonly Fields[]): PlainSession {
  const agent = fieldsOf(whole?.agent);
  const model = textAt(agent, 'model_name') ?? 'unknown';
  const agents: PlainAgent[] = [];
  const steps = values.flatMap((step, index) => stepsOf(step, { model, next: values[index + 1] }));
  // Sub-agents may stand inside, as trajectories of their own.
  for (const one of listAt(whole, 'subagent_trajectories')) {
    const inner = fieldsOf(one);
    const key = textAt(inner, 'trajectory_id') ?? textAt(inner, 'session_id') ?? `sub-agent-${agents.length + 1}`;
    const own = sessionOf(inner, listAt(inner, 'steps').flatMap((step) => fieldsOf(step) ?? []) as Fields[]);
    const name = textAt(fieldsOf(inner?.agent), 'name') ?? key;
    agents.push({
      key,
      name,
      agentType: 'sub-agent',
      prompt: promptOf(own.steps) ?? '',
      parentCallId: callThatNames(values, key),
    });
    steps.push(...own.steps.map((step): PlainStep => (step.kind === 'fact' ? step : { ...step, agent: key })));
  }
  return {
    sessionId: textAt(whole, 'session_id') ?? textAt(whole, 'trajectory_id'),
    title: titleFrom(promptOf(steps)) ?? textAt(agent, 'name'),
    cwd: undefined,
    version: textAt(agent, 'version'),
    startedAt: undefined,
    steps,
    agents,
  };
}

const promptOf = (steps: readonly PlainStep[]): string | undefined =>
  steps.flatMap((step) => (step.kind === 'entry' && step.says === 'prompt' ? [step.text] : []))[0];

/** The call whose observation refers to a sub-agent's trajectory. */
function callThatNames(steps: readonly Fields[], key: string): string | undefined {
  for (const step of steps) {
    for (const result of listAt(fieldsOf(step.observation), 'results')) {
      const fields = fieldsOf(result);
      const refs = JSON.stringify(fields?.subagent_trajectory_ref ?? '');
      if (refs.includes(JSON.stringify(key))) return textAt(fields, 'source_call_id');
    }
  }
  return undefined;
}

type Around = { readonly model: string; readonly next: Fields | undefined };

function stepsOf(step: Fields, around: Around): readonly PlainStep[] {
  const at = timeOf(step.timestamp);
  const text = asText(step.message);
  if (step.source === 'user') return [{ kind: 'entry', agent: MAIN, at, text, says: 'prompt', from: 'person' }];
  if (step.source === 'system') return [{ kind: 'entry', agent: MAIN, at, text, says: 'said', from: 'program' }];
  return [answerOf(step, { at, text, around })];
}

function answerOf(
  step: Fields,
  { at, text, around }: { readonly at: number | undefined; readonly text: string; around: Around },
): PlainStep {
  const reasoning = textAt(step, 'reasoning_content');
  const blocks: PlainBlock[] = [];
  if (reasoning) blocks.push({ kind: 'thinking', text: reasoning, at: undefined });
  if (text !== '') blocks.push({ kind: 'text', text, at: undefined });
  const results = listAt(fieldsOf(step.observation), 'results').flatMap((one) => fieldsOf(one) ?? []) as Fields[];
  const nextAt = timeOf(around.next?.timestamp);
  const calls = listAt(step, 'tool_calls').flatMap((one) => fieldsOf(one) ?? []) as Fields[];
  calls.forEach((call, index) => {
    blocks.push({ kind: 'call', call: callOf(call, resultFor(call, index, results), { at, nextAt }) });
  });
  const metrics = fieldsOf(step.metrics);
  const cached = numberAt(metrics, 'cached_tokens');
  const input = numberAt(metrics, 'prompt_tokens');
  return {
    kind: 'message',
    agent: MAIN,
    at,
    until: undefined,
    askedAt: undefined,
    id: step.step_id === undefined ? undefined : `step-${asText(step.step_id)}`,
    model: textAt(step, 'model_name') ?? around.model,
    blocks,
    usage: numbersOf([
      ['inputTokens', input === undefined ? undefined : Math.max(0, input - (cached ?? 0))],
      ['outputTokens', numberAt(metrics, 'completion_tokens')],
      ['cacheReadTokens', cached],
      ['costUsd', numberAt(metrics, 'cost_usd')],
    ]),
    stopReason: calls.length > 0 ? 'tool-use' : 'unknown',
    failed: false,
    left: false,
  };
}

/** By id; where results name none, by their place in the step. */
function resultFor(call: Fields, index: number, results: readonly Fields[]): Fields | undefined {
  const named = results.find((one) => one.source_call_id !== undefined && one.source_call_id === call.tool_call_id);
  const byPlace = results[index];
  return named ?? (byPlace?.source_call_id === undefined || byPlace.source_call_id === null ? byPlace : undefined);
}

/** A step has the time of its answer at most; its calls ran before the next step. */
function callOf(
  call: Fields,
  result: Fields | undefined,
  { at, nextAt }: { readonly at: number | undefined; readonly nextAt: number | undefined },
): PlainCall {
  const known = at !== undefined && nextAt !== undefined && nextAt >= at;
  const bounds = known ? ({ source: 'line-time', earliest: at, latest: nextAt } as const) : undefined;
  return {
    id: textAt(call, 'tool_call_id'),
    tool: textAt(call, 'function_name') ?? 'unknown tool',
    input: inputOf(call.arguments),
    askedAt: undefined,
    start: bounds === undefined ? 'unknown' : { ...bounds, at: bounds.earliest },
    end: result === undefined ? 'open' : bounds === undefined ? 'unknown' : { ...bounds, at: bounds.latest },
    group: 0,
    outcome: result === undefined ? 'unknown' : 'ok',
    exit: undefined,
    refusal: undefined,
    cancel: undefined,
    result: result === undefined ? undefined : resultOf(result.content, false),
    isShell: false,
  };
}
