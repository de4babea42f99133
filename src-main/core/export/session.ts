import type { ExportStretch } from '../../../src-shared/export/formats.ts';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import type { SessionState } from '../../../src-shared/session/state.ts';
import { isEnded, queueEnd } from '../../../src-shared/timeline/parts.ts';
import type { ToolCall } from '../../../src-shared/tool-call/state.ts';
import type { Timing } from '../../../src-shared/tool-call/timing.ts';

/** What a format is made from. Events are redacted already, and `state` is what they fold to. */
export type ExportInput = {
  readonly state: SessionState;
  readonly events: readonly SessionEvent[];
  /** Undefined: the whole session. */
  readonly stretch: ExportStretch | undefined;
  /** `Gantry 0.1.0`. */
  readonly generator: string;
};

/** Writes a session as pieces of text, in order. Asks for nothing and changes nothing. */
export type Exporter = (input: ExportInput) => Iterable<string>;

/** Whether something that lasts from `from` to `until` is in the stretch. What goes on has no `until`. */
export const isWithin = (stretch: ExportStretch | undefined, from: number, until: number | undefined): boolean =>
  stretch === undefined || (from <= stretch.until && (until ?? Number.POSITIVE_INFINITY) >= stretch.from);

/** From its arrival to the end of its bar, or of its wait where it never started. */
export const callEnd = (call: ToolCall): number | undefined => (isEnded(call) ? call.end.at : undefined);

export const callsIn = ({ state, stretch }: ExportInput): readonly ToolCall[] =>
  stretch === undefined
    ? state.calls
    : state.calls.filter((call) => isWithin(stretch, call.queuedAt, callEnd(call) ?? queueEnd(call)));

/** A time that was not seen: where it comes from and between which moments it lies. Undefined for a measured one. */
export const inferredFacts = (timing: Timing | undefined) =>
  timing === undefined || timing.certainty === 'measured'
    ? undefined
    : { source: timing.source, earliest: timing.earliest, latest: timing.latest };

/** Without recorded times positions are order. */
export const hasTimes = ({ origin }: SessionState): boolean =>
  origin?.kind !== 'imported' || origin.clock === 'recorded';

/** The run of a call that has started. */
export const runOf = (call: ToolCall) => (call.phase === 'queued' ? undefined : call.run);
