import { assertNever } from '../../src-shared/assert-never.ts';
import type { AskId } from '../../src-shared/ids.ts';

/** Keys are ignored this long after a card appears or moves (spec 5.4), in ms. */
export const ARM_MS = 350;
/** How long a dangerous answer waits for its second Enter, in ms. */
export const CONFIRM_MS = 3_000;

/** What a person can answer with a key. The last two answer several questions at once. */
export type AnswerAction =
  | 'allow-once'
  | 'allow-always'
  | 'allow-edited'
  /** Approves a plan and goes on without questions about edits. */
  | 'allow-accepting-edits'
  | 'deny'
  | 'deny-with-reason'
  | 'allow-all-reads'
  | 'deny-all';

/**
 * Keeps a key that was meant for something else from answering a question.
 *
 *     shown ──► arming ──350 ms──► ready ──Enter on a dangerous one──► confirming ──Enter──► go
 *                 ▲                  │                                      │
 *                 └──────moved───────┴──────────────moved──────────────────┘   3 s: back to ready
 *
 * Times are milliseconds of any clock that does not run backwards; the caller passes them in.
 */
export type Guard =
  | { readonly mode: 'closed' }
  | { readonly mode: 'arming'; readonly askId: AskId; readonly until: number }
  | { readonly mode: 'ready'; readonly askId: AskId }
  | {
      readonly mode: 'confirming';
      readonly askId: AskId;
      readonly action: AnswerAction;
      readonly until: number;
    };

export type GuardInput =
  /** The board appeared, or another card was opened. */
  | { readonly type: 'shown'; readonly askId: AskId; readonly at: number }
  /** The open card is at another place than it was. */
  | { readonly type: 'moved'; readonly at: number }
  | { readonly type: 'hidden' }
  /** A key, or a click that a key made. */
  | { readonly type: 'pressed'; readonly action: AnswerAction; readonly dangerous: boolean; readonly at: number }
  | { readonly type: 'time-passed'; readonly at: number };

/** `go`: do it. `ignored`: the key came too early. `confirm`: ask for a second Enter. */
export type Wish = 'go' | 'ignored' | 'confirm' | undefined;

export const closedGuard: Guard = { mode: 'closed' };

const allows = (action: AnswerAction): boolean =>
  action !== 'deny' && action !== 'deny-with-reason' && action !== 'deny-all';

/** The next state, and what is to be done about the input. */
export function step(guard: Guard, input: GuardInput): readonly [Guard, Wish] {
  switch (input.type) {
    case 'hidden':
      return [closedGuard, undefined];
    case 'shown':
      return [{ mode: 'arming', askId: input.askId, until: input.at + ARM_MS }, undefined];
    case 'moved':
      if (guard.mode === 'closed') return [guard, undefined];
      return [{ mode: 'arming', askId: guard.askId, until: input.at + ARM_MS }, undefined];
    case 'time-passed':
      return [settled(guard, input.at), undefined];
    case 'pressed':
      return press(settled(guard, input.at), input);
    default:
      return assertNever(input, 'guard input');
  }
}

const settled = (guard: Guard, at: number): Guard =>
  (guard.mode === 'arming' || guard.mode === 'confirming') && at >= guard.until
    ? { mode: 'ready', askId: guard.askId }
    : guard;

function press(guard: Guard, input: Extract<GuardInput, { type: 'pressed' }>): readonly [Guard, Wish] {
  if (guard.mode === 'closed' || guard.mode === 'arming') return [guard, 'ignored'];
  const again = guard.mode === 'confirming' && guard.action === input.action;
  if (input.dangerous && allows(input.action) && !again) {
    return [{ mode: 'confirming', askId: guard.askId, action: input.action, until: input.at + CONFIRM_MS }, 'confirm'];
  }
  return [{ mode: 'ready', askId: guard.askId }, 'go'];
}

/** When the guard changes by itself, or undefined. What a timer is set for. */
export const changesAt = (guard: Guard): number | undefined =>
  guard.mode === 'arming' || guard.mode === 'confirming' ? guard.until : undefined;

/** Where a key went: to a card or the board itself, to a button, to a field, or to something outside the board. */
export type KeyPlace = 'card' | 'button' | 'field' | 'elsewhere';

export type KeyPress = {
  readonly key: string;
  readonly repeat: boolean;
  /** An input method is composing a character. */
  readonly composing: boolean;
  readonly modified: boolean;
  readonly place: KeyPlace;
};

/** What a key means on the board. A held key, a modified one and one typed into a field or elsewhere mean nothing. */
export function keyMeaning(press: KeyPress): 'allow-once' | 'deny' | 'next' | 'previous' | undefined {
  if (press.place !== 'card' || press.composing || press.modified) return undefined;
  switch (press.key) {
    case 'ArrowDown':
      return 'next';
    case 'ArrowUp':
      return 'previous';
    case 'Enter':
      return press.repeat ? undefined : 'allow-once';
    case 'd':
    case 'D':
      return press.repeat ? undefined : 'deny';
    default:
      return undefined;
  }
}
