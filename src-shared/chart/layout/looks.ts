import type { ColorName } from '../../theme/tokens.ts';
import { KIND, type PartKind, type QueuePartKind } from '../../timeline/parts.ts';
import type { ToolCall } from '../../tool-call/state.ts';
import type { TextureName } from '../display-list.ts';

/** The colours of a bar, or of a part of it. No fill: nothing ran there. */
export type Look = {
  readonly fill: ColorName | undefined;
  readonly fillAlpha: number;
  readonly edge: ColorName;
  readonly text: ColorName;
  readonly texture: TextureName | undefined;
};

const look = (
  fill: ColorName | undefined,
  edge: ColorName,
  text: ColorName,
  texture?: TextureName,
  fillAlpha = 1,
): Look => ({
  fill,
  fillAlpha,
  edge,
  text,
  texture,
});

const WORK = look('work.fill', 'work.edge', 'work.text');
const ERROR = look('outcome.error.fill', 'outcome.error.edge', 'outcome.error.text');
const CANCELLED = look('outcome.cancelled.fill', 'outcome.cancelled.edge', 'outcome.cancelled.text', 'cancelled');
const INTERRUPTED = look('outcome.cancelled.fill', 'outcome.human.edge', 'outcome.cancelled.text', 'cancelled');
/** Not used, or not known: work as a shadow of itself. */
const FADED = look('work.fill', 'outcome.unknown.edge', 'text.secondary', undefined, 0.5);

export const HOOKS = look('wait.hook.fill', 'wait.hook.edge', 'wait.hook.text', 'hooks');
export const HUMAN = look('wait.human.fill', 'wait.human.edge', 'wait.human.text', 'permission');
export const LOCK = look('wait.lock.fill', 'wait.lock.edge', 'wait.lock.text', 'lock');
export const QUEUED = look(undefined, 'wait.queued', 'text.secondary');
const HELD = look('wait.human.fill', 'wait.human.edge', 'wait.human.text');

/** A call that said no: by a person, by a hook, or by a rule. */
const barred = (edge: ColorName): Look => look(undefined, edge, 'text.primary');

/** The look of a call's working parts and of its outline: who is responsible for how it ended. */
export function lookOf(call: ToolCall, isOver: boolean): Look {
  if (call.phase === 'queued' || call.phase === 'executing') {
    if (isOver) return FADED;
    return call.cancellation === undefined ? WORK : CANCELLED;
  }
  switch (call.end.outcome) {
    case 'ok':
      return WORK;
    case 'error':
      return ERROR;
    case 'cancelled':
      return CANCELLED;
    case 'interrupted':
      return INTERRUPTED;
    case 'rejected':
      return barred('outcome.human.edge');
    case 'denied':
      return barred(call.permission?.by === 'hook' ? 'wait.hook.edge' : 'outcome.error.edge');
    case 'discarded':
    case 'unknown':
      return FADED;
  }
}

/** The look of one part of a bar whose working parts look like `own`. */
export function partLook(kind: PartKind, own: Look): Look {
  switch (kind) {
    case 'hooks':
      return HOOKS;
    case 'permission':
      return HUMAN;
    case 'paused':
      return HELD;
    case 'saving':
      return { ...own, texture: own === ERROR ? 'saving-error' : 'saving' };
    case 'empty':
      return { ...own, fill: undefined, texture: undefined };
    case 'running':
      return own;
  }
}

export const queueLook = (kind: QueuePartKind): Look => (kind === 'lock' ? LOCK : kind === 'held' ? HELD : QUEUED);

/** The look of a background shell's bar, by its kind. */
export function shellLook(kind: number): Look {
  switch (kind) {
    case KIND.error:
      return ERROR;
    case KIND.cancelled:
      return CANCELLED;
    case KIND.unknown:
      return FADED;
    default:
      return WORK;
  }
}

/** Edge colour of a bar too small for anything else, by its kind. */
export function inkOfKind(kind: number): ColorName {
  switch (kind) {
    case KIND.error:
      return 'outcome.error.edge';
    case KIND.cancelled:
      return 'outcome.cancelled.edge';
    case KIND.human:
      return 'wait.human.edge';
    case KIND.lock:
      return 'wait.lock.edge';
    case KIND.unknown:
      return 'outcome.unknown.edge';
    default:
      return 'work.edge';
  }
}

const HATCHES: Partial<Record<ColorName, TextureName>> = {
  'outcome.error.edge': 'inferred-error',
  'outcome.cancelled.edge': 'inferred-cancelled',
  'outcome.human.edge': 'inferred-human',
  'wait.human.edge': 'inferred-human',
  'wait.hook.edge': 'inferred-hook',
  'outcome.unknown.edge': 'inferred-quiet',
};

/** Hatching over what is guessed, in the colour of whoever is responsible. */
export const inferredTexture = (own: Look): TextureName => HATCHES[own.edge] ?? 'inferred';

/** Words on a part. On hatching the fill is mostly gone, and with it the ground for white words. */
export const textInk = (own: Look, isHatched: boolean): ColorName =>
  isHatched && own === ERROR ? 'outcome.error.ink' : own.text;

export const isFaded = (own: Look): boolean => own === FADED;
export const isPlainWork = (own: Look): boolean => own === WORK;
