import { Outcome } from '../../../../src-shared/tool-call/event.ts';
import { TimeSource } from '../../../../src-shared/tool-call/timing.ts';
import type { BestTime } from '../common/judged.ts';
import type { PlainCall } from '../plain/session.ts';
import { inputOf, resultOf } from '../plain/values.ts';
import { numberIn, type Span, textIn } from './spans.ts';

/** `zero`: wall ms of the session's start, from which our own exports count their bounds. */
export function callOfSpan(span: Span, zero: number): PlainCall {
  const output = span.attributes['gen_ai.tool.call.result'] ?? span.attributes['output.value'];
  const outcome = outcomeOf(span);
  const failed = outcome !== 'ok' && outcome !== 'unknown';
  const exit = numberIn(span, 'gantry.exit_code');
  const asked = span.events.find((event) => event.name === 'gantry.queued')?.at;
  const tool = textIn(span, 'gen_ai.tool.name', 'tool.name') ?? span.name.replace(/^execute_tool /, '');
  const shown = output ?? (failed ? span.message : undefined);
  return {
    id: toolCallId(span),
    tool,
    input: inputOf(
      span.attributes['gen_ai.tool.call.arguments'] ??
        span.attributes['input.value'] ??
        span.attributes['tool.parameters'],
    ),
    askedAt: asked,
    start: span.attributes['gantry.started'] === false ? 'never' : bestTime(span, 'start', zero),
    end: span.ended ? bestTime(span, 'end', zero) : 'open',
    group: undefined,
    outcome,
    exit: exit === undefined ? undefined : { code: exit },
    refusal: refusalOf(span, outcome),
    cancel: outcome === 'cancelled' ? 'sibling_error' : outcome === 'interrupted' ? 'escape' : undefined,
    result:
      shown === undefined || (outcome === 'unknown' && output === undefined) ? undefined : resultOf(shown, failed),
    isShell: false,
  };
}

export const toolCallId = (span: Span): string | undefined =>
  textIn(span, 'gen_ai.tool.call.id', 'tool_call.id', 'tool.call.id');

function outcomeOf(span: Span): PlainCall['outcome'] {
  const said = Outcome.safeParse(span.attributes['gantry.outcome']);
  if (said.success) return said.data;
  if (span.failed) return /cancel/i.test(textIn(span, 'error.type') ?? '') ? 'interrupted' : 'error';
  return span.ended ? 'ok' : 'unknown';
}

function refusalOf(span: Span, outcome: PlainCall['outcome']): PlainCall['refusal'] {
  if (outcome !== 'rejected' && outcome !== 'denied') return undefined;
  return { by: outcome === 'rejected' ? 'user' : 'rule', text: span.message ?? outcome, feedback: undefined };
}

/** Spans are measured, unless they were made from a recording that was not and say so. */
function bestTime(span: Span, which: 'start' | 'end', zero: number): BestTime {
  const at = which === 'start' ? span.from : span.until;
  const source = TimeSource.safeParse(span.attributes[`gantry.${which}.source`]);
  if (!source.success) return { at, source: 'measured', earliest: at, latest: at };
  const earliest = numberIn(span, `gantry.${which}.earliest_ms`);
  const latest = numberIn(span, `gantry.${which}.latest_ms`);
  return {
    at,
    source: source.data,
    earliest: earliest === undefined ? at : zero + earliest,
    latest: latest === undefined ? at : zero + latest,
  };
}
