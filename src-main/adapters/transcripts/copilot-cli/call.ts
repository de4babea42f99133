import { type ToolResult, resultText as textOf } from '../../../../src-shared/tool-call/content.ts';
import { type Fields, fieldsOf, numberAt, textAt } from '../common/fields.ts';
import type { BestTime } from '../common/judged.ts';
import type { PlainCall } from '../plain/session.ts';
import { inputOf, resultOf } from '../plain/values.ts';

/** A call while the file is read. All times in wall ms. */
export type OpenCall = {
  readonly id: string | undefined;
  readonly tool: string;
  readonly input: unknown;
  readonly askedAt: number | undefined;
  /** An answer of the model asks for it; until then only its start was seen. */
  asked: boolean;
  /** `execution_start` was there; its time may be missing. */
  started: { readonly at: number | undefined } | undefined;
  completed: { readonly at: number | undefined; readonly data: Fields } | undefined;
  /** How a question about it was answered, where that was a no. */
  denied: { readonly by: 'user' | 'rule' | 'no-user'; readonly feedback: string | undefined } | undefined;
  /** A person stopped the turn while it had no end. */
  aborted: boolean;
};

export function openCall(data: Fields, tool: string | undefined, askedAt: number | undefined): OpenCall {
  return {
    id: textAt(data, 'toolCallId'),
    tool: tool ?? 'unknown',
    input: inputOf(data.arguments) ?? {},
    askedAt,
    asked: false,
    started: undefined,
    completed: undefined,
    denied: undefined,
    aborted: false,
  };
}

const known = (at: number): BestTime => ({ at, source: 'measured', earliest: at, latest: at });
const SHELLS: ReadonlySet<string> = new Set(['bash', 'powershell', 'shell', 'local_shell']);
const EXIT = /<(?:exited|command completed) with exit code:? (-?\d+)/;

export function plainCall(call: OpenCall): PlainCall {
  const { started, completed, denied } = call;
  // A call that was asked for and never started was stopped before; one without a record of either may have run.
  const neverStarted = started === undefined && (completed === undefined || denied !== undefined);
  const result = completed === undefined ? undefined : resultIn(completed.data);
  const isShell = SHELLS.has(call.tool);
  const code = isShell ? EXIT.exec(resultText(call))?.[1] : undefined;
  return {
    id: call.id,
    tool: call.tool,
    input: call.input,
    askedAt: call.askedAt,
    start: neverStarted ? 'never' : started?.at === undefined ? 'unknown' : known(started.at),
    end: completed === undefined ? 'open' : completed.at === undefined ? 'unknown' : known(completed.at),
    group: undefined,
    outcome: outcomeOf(call),
    exit: code === undefined ? undefined : { code: Number(code) },
    refusal:
      denied === undefined
        ? undefined
        : {
            by: denied.by,
            text: denied.by === 'user' ? 'The user refused it.' : 'It was not allowed.',
            feedback: denied.feedback,
          },
    cancel: call.aborted && denied === undefined ? 'escape' : undefined,
    result,
    isShell,
  };
}

/** All text of what came back. */
export function resultText({ completed }: OpenCall): string {
  return completed === undefined ? '' : textOf(resultIn(completed.data));
}

function outcomeOf({ completed, denied, aborted }: OpenCall): PlainCall['outcome'] {
  if (denied !== undefined) return denied.by === 'user' ? 'rejected' : 'denied';
  if (aborted) return 'interrupted';
  if (completed === undefined) return 'unknown';
  return completed.data.success === false ? 'error' : 'ok';
}

/** What the model saw. What a screen showed instead stands beside it. */
function resultIn(data: Fields): ToolResult {
  const isError = data.success === false;
  const error = fieldsOf(data.error);
  const result = fieldsOf(data.result);
  const shown = textAt(error, 'message') ?? result?.contents ?? result?.content ?? data.result;
  const detailed = textAt(result, 'detailedContent');
  const metrics = fieldsOf(fieldsOf(data.toolTelemetry)?.metrics);
  const display: Record<string, unknown> = {};
  if (detailed !== undefined && detailed !== shown) display.detailedContent = detailed;
  if (textAt(error, 'code') !== undefined) display.code = textAt(error, 'code');
  if (numberAt(metrics, 'durationMs') !== undefined) display.durationMs = numberAt(metrics, 'durationMs');
  return { ...resultOf(shown, isError), ...(Object.keys(display).length === 0 ? {} : { display }) };
}
