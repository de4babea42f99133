import type { ToolResult } from '../../../../src-shared/tool-call/content.ts';
import type { BestTime } from '../common/judged.ts';
import type { PlainCall } from '../plain/session.ts';
import type { Output } from './outputs.ts';

/** A call while its file is read. All times in wall ms. */
export type OpenCall = {
  readonly id: string | undefined;
  readonly tool: string;
  readonly input: unknown;
  /** When the model had asked for it. */
  readonly at: number | undefined;
  readonly isShell: boolean;
  /** Where its output stands in the file, and whether that line waited for the output of a call before it. */
  output: { readonly at: number | undefined; readonly read: Output; readonly waited: boolean } | undefined;
  /** Recorded exactly, in events of some builds. */
  started: number | undefined;
  ended: number | undefined;
  /** How long it ran in ms, where an event says so. */
  duration: number | undefined;
  exitCode: number | undefined;
  failed: boolean;
  /** The turn was stopped while it had no output. */
  stopped: boolean;
  /** No output comes: the server ran it and its line stands at its end. */
  readonly endsAtLine: boolean;
  /** Output that an event holds, for calls of a script that have no line of their own. */
  eventResult: ToolResult | undefined;
};

const known = (at: number): BestTime => ({ at, source: 'measured', earliest: at, latest: at });

/** What is known of the call, with its start and end as best they can be told. */
export function plainCall(call: OpenCall): PlainCall {
  const { output, at } = call;
  const ending = output?.read.ending;
  const never = ending === 'rejected' || ending === 'never-ran';
  const end = endOf(call);
  const exitCode = output?.read.exitCode ?? call.exitCode;
  return {
    id: call.id,
    tool: call.tool,
    input: call.input,
    askedAt: at,
    start: never ? 'never' : startOf(call, end),
    end,
    group: undefined,
    outcome: outcomeOf(call),
    exit: exitCode === undefined ? undefined : { code: exitCode },
    refusal: ending === 'rejected' ? { by: 'user', text: 'The user refused it.', feedback: undefined } : undefined,
    cancel: ending === 'aborted' || (output === undefined && call.stopped) ? 'escape' : undefined,
    result: output?.read.result ?? call.eventResult,
    isShell: call.isShell,
  };
}

function outcomeOf(call: OpenCall): PlainCall['outcome'] {
  switch (call.output?.read.ending) {
    case 'ok':
      return call.failed ? 'error' : 'ok';
    case 'error':
    case 'never-ran':
      return 'error';
    case 'rejected':
      return 'rejected';
    case 'aborted':
      return 'interrupted';
    case undefined:
      if (call.stopped && call.ended === undefined) return 'interrupted';
      if (call.failed) return 'error';
      return call.endsAtLine || call.eventResult !== undefined ? 'ok' : 'unknown';
  }
}

/**
 * Outputs are written in the order of the calls, so the line of a fast one may have waited for a slow one before it:
 * then its end is told by how long it ran, and the line is only the latest it can have been.
 */
function endOf(call: OpenCall): PlainCall['end'] {
  if (call.ended !== undefined) return known(call.ended);
  const { output, at } = call;
  if (output === undefined) return call.endsAtLine && at !== undefined ? known(at) : 'open';
  if (output.at === undefined) return 'unknown';
  const ran = call.duration ?? output.read.wallMs;
  if (!output.waited || ran === undefined || at === undefined) return known(output.at);
  const earliest = Math.min(at + ran, output.at);
  return { at: earliest, source: 'duration-in-result', earliest, latest: output.at };
}

/** Calls of one response run side by side, so nothing but an answer of a person can have held it. */
const sinceAsked = (at: number): BestTime => ({
  at,
  source: 'block-time',
  earliest: at,
  latest: Number.POSITIVE_INFINITY,
});

function startOf(call: OpenCall, end: PlainCall['end']): PlainCall['start'] {
  if (call.started !== undefined) return known(call.started);
  const ran = call.duration ?? call.output?.read.wallMs;
  if (typeof end === 'string' || ran === undefined) return call.at === undefined ? 'unknown' : sinceAsked(call.at);
  const asked = call.at ?? end.earliest - ran;
  const latest = Math.max(asked, end.latest - ran);
  const at = Math.max(asked, end.at - ran);
  // An event that names both its time and its length is exact.
  if (call.ended !== undefined && call.duration !== undefined) {
    return { at, source: 'telemetry', earliest: at, latest: at };
  }
  return { at, source: 'duration-in-result', earliest: Math.min(asked, at), latest };
}
