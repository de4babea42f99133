import {
  type BarPart,
  barParts,
  type EndShape,
  endShape,
  heldSpan,
  inferredSpans,
  type QueuePart,
  queueParts,
} from '../../timeline/parts.ts';
import { type CallLabel, callLabel } from '../../timeline/words.ts';
import type { ToolCall } from '../../tool-call/state.ts';
import { type IconName, toolIcon } from '../icons.ts';

/** What the chart needs of a call beyond its columns. */
export type Detail = {
  readonly parts: readonly BarPart[];
  readonly queue: readonly QueuePart[];
  readonly end: EndShape;
  readonly held: { readonly from: number; readonly until: number | undefined } | undefined;
  readonly inferred: { readonly startUntil?: number; readonly endFrom?: number };
  readonly label: CallLabel;
  readonly icon: IconName;
};

type Cache = WeakMap<ToolCall, Detail>;
const whileOpen: Cache = new WeakMap();
const onceOver: Cache = new WeakMap();

/** Derived once per version of a call: calls are replaced, never changed. */
export function detailOf(call: ToolCall, isOver: boolean): Detail {
  const cache = isOver ? onceOver : whileOpen;
  const known = cache.get(call);
  if (known !== undefined) return known;
  const detail: Detail = {
    parts: barParts(call),
    queue: queueParts(call),
    end: endShape(call, isOver),
    held: heldSpan(call, isOver),
    inferred: inferredSpans(call),
    label: callLabel(call),
    icon: toolIcon(call.tool),
  };
  cache.set(call, detail);
  return detail;
}
