import type { Choice } from '../../src-shared/permission/event.ts';
import type { KeyPress } from './guard.ts';

/** What the person has chosen for one question so far. */
export type Picked = {
  /** Options by their place in the list. */
  readonly chosen: readonly number[];
  /** The answer in own words counts. */
  readonly isOther: boolean;
  readonly other: string;
};

/** How far the person is with the questions of one call. */
export type ChoiceDraft = {
  readonly step: number;
  /** The option that the arrow keys are at; behind the last one stands the answer in own words. -1: none yet. */
  readonly cursor: number;
  readonly picks: readonly Picked[];
};

const NOTHING: Picked = { chosen: [], isOther: false, other: '' };

export const emptyChoices = (choices: readonly Choice[]): ChoiceDraft => ({
  step: 0,
  cursor: -1,
  picks: choices.map(() => NOTHING),
});

export const pickedAt = ({ picks }: ChoiceDraft, step: number): Picked => picks[step] ?? NOTHING;

const withPick = (draft: ChoiceDraft, pick: Picked, cursor: number): ChoiceDraft => ({
  ...draft,
  cursor,
  picks: draft.picks.map((before, at) => (at === draft.step ? pick : before)),
});

/** Chooses an option of the question at hand, or takes it back where several may be chosen. */
export function pick(draft: ChoiceDraft, choice: Choice, at: number): ChoiceDraft {
  const before = pickedAt(draft, draft.step);
  const isOther = at === choice.options.length;
  if (at < 0 || at > choice.options.length) return draft;
  if (!choice.multiSelect) return withPick(draft, { ...before, chosen: isOther ? [] : [at], isOther }, at);
  if (isOther) return withPick(draft, { ...before, isOther: !before.isOther }, at);
  const has = before.chosen.includes(at);
  const chosen = has ? before.chosen.filter((one) => one !== at) : [...before.chosen, at].sort((a, b) => a - b);
  return withPick(draft, { ...before, chosen }, at);
}

/** What is written in own words is meant as the answer. */
export function writeOther(draft: ChoiceDraft, choice: Choice, other: string): ChoiceDraft {
  const { chosen } = pickedAt(draft, draft.step);
  const isOther = other.trim() !== '';
  return withPick(
    draft,
    { chosen: choice.multiSelect || !isOther ? chosen : [], isOther, other },
    choice.options.length,
  );
}

/**
 * The arrow keys. As with radio buttons, moving to an option chooses it, except where several may be chosen.
 * Undefined at the end of the list: the key is meant for the next card.
 */
export function moveCursor(draft: ChoiceDraft, choice: Choice, by: 1 | -1): ChoiceDraft | undefined {
  const to = draft.cursor + by;
  if (to > choice.options.length || to < 0) return undefined;
  return choice.multiSelect ? { ...draft, cursor: to } : pick(draft, choice, to);
}

export const goTo = (draft: ChoiceDraft, step: number): ChoiceDraft => ({ ...draft, step, cursor: -1 });

const isAnswered = ({ chosen, isOther, other }: Picked): boolean =>
  chosen.length > 0 ? !isOther || other.trim() !== '' : isOther && other.trim() !== '';

/** Why the question at hand is not answered yet, in words for the person; undefined when it is. */
export function missing(draft: ChoiceDraft, step = draft.step): string | undefined {
  const picked = pickedAt(draft, step);
  if (isAnswered(picked)) return undefined;
  return picked.isOther ? 'Write your answer first.' : 'Choose an answer first.';
}

/** The answers by question, as the tool takes them; undefined while one is missing. */
export function answersOf(choices: readonly Choice[], draft: ChoiceDraft): Record<string, string> | undefined {
  if (choices.some((_, at) => missing(draft, at) !== undefined)) return undefined;
  return Object.fromEntries(choices.map((choice, at) => [choice.question, answerText(choice, pickedAt(draft, at))]));
}

const answerText = ({ options }: Choice, { chosen, isOther, other }: Picked): string =>
  [...chosen.map((at) => options[at]?.label ?? ''), ...(isOther ? [other.trim()] : [])].join(', ');

export type ChoiceKey =
  | { readonly type: 'pick'; readonly at: number }
  | { readonly type: 'pick-here' | 'next' | 'previous' | 'go-back' }
  | { readonly type: 'go-on' }
  | { readonly type: 'deny' };

/** What a key means where answers are chosen. One that is typed into a field or elsewhere means nothing. */
export function choiceKey(press: KeyPress): ChoiceKey | undefined {
  if (press.place !== 'card' || press.composing || press.modified) return undefined;
  if (/^[1-9]$/.test(press.key)) return press.repeat ? undefined : { type: 'pick', at: Number(press.key) - 1 };
  switch (press.key) {
    case 'ArrowDown':
      return { type: 'next' };
    case 'ArrowUp':
      return { type: 'previous' };
    case 'ArrowLeft':
      return { type: 'go-back' };
    case ' ':
      return press.repeat ? undefined : { type: 'pick-here' };
    case 'Enter':
      return press.repeat ? undefined : { type: 'go-on' };
    case 'd':
    case 'D':
      return press.repeat ? undefined : { type: 'deny' };
    default:
      return undefined;
  }
}

/** What a key makes of the draft; undefined where the arrow keys are at an end. */
export function afterKey(
  draft: ChoiceDraft,
  choice: Choice,
  key: Exclude<ChoiceKey, { type: 'go-on' | 'deny' }>,
): ChoiceDraft | undefined {
  switch (key.type) {
    case 'pick':
      return pick(draft, choice, key.at);
    case 'pick-here':
      return pick(draft, choice, draft.cursor);
    case 'go-back':
      return goTo(draft, Math.max(0, draft.step - 1));
    case 'next':
      return moveCursor(draft, choice, 1);
    case 'previous':
      return moveCursor(draft, choice, -1);
  }
}
