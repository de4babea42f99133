import type { CallId } from '../../../src-shared/ids.ts';
import type { ToolResult } from '../../../src-shared/tool-call/content.ts';
import { charactersOf } from './large-results.ts';

/** Shorter results are never replaced by a reference: it would save nothing worth the detour. */
const LEAST_DUPLICATE_CHARACTERS = 1_000;

/** Is a result long enough to be replaced by a reference? Images cannot be pointed to. */
export const mayRepeat = (result: ToolResult): boolean =>
  charactersOf(result) > LEAST_DUPLICATE_CHARACTERS && onlyText(result);

/** One result of a message, before the message goes to the model. */
export type MessageResult = {
  readonly callId: CallId;
  readonly result: ToolResult;
  /** False for tools with an infinite maximum: they bound themselves and are never saved (spec 2.8). */
  readonly mayBeSaved: boolean;
  /** It was saved already and holds a preview; there is nothing more to win. */
  readonly isSaved: boolean;
  /** A text that is the same for the same content, such as a hash; undefined where `mayRepeat` says no. */
  readonly fingerprint: string | undefined;
};

/** What is done with a result. Results that stay as they are have no entry. */
export type Replacement =
  | { readonly kind: 'duplicate'; readonly callId: CallId; readonly sameAs: CallId }
  | { readonly kind: 'save'; readonly callId: CallId };

/**
 * Decides once, before a message's results are sent for the first time, which of them are replaced (spec 2.8): results
 * equal to an earlier one become a reference to it; then, while all together are over the budget, the largest that may
 * be saved goes to disk first. Decisions are for ever: the caller writes them down.
 *
 * @param results of one message, in call order.
 * @param earlier fingerprints of results already sent, with the call that has the whole text.
 * @param budget the most characters of all results together.
 * @param savedCharacters characters of a saved result's message; what is left of one in the sum.
 */
export function replacementsFor(
  results: readonly MessageResult[],
  earlier: ReadonlyMap<string, CallId>,
  budget: number,
  savedCharacters: number,
): readonly Replacement[] {
  const replacements: Replacement[] = [];
  // Beside `earlier` and no copy of it, which would cost more with every message of a session.
  const ofThisMessage = new Map<string, CallId>();
  const left: { readonly callId: CallId; readonly characters: number; readonly mayBeSaved: boolean }[] = [];
  let sum = 0;
  for (const { callId, result, mayBeSaved, isSaved, fingerprint } of results) {
    const characters = charactersOf(result);
    if (fingerprint !== undefined && mayRepeat(result)) {
      const sameAs = earlier.get(fingerprint) ?? ofThisMessage.get(fingerprint);
      if (sameAs !== undefined) {
        replacements.push({ kind: 'duplicate', callId, sameAs });
        continue;
      }
      ofThisMessage.set(fingerprint, callId);
    }
    sum += characters;
    left.push({ callId, characters, mayBeSaved: mayBeSaved && !isSaved });
  }
  const largestFirst = left.filter(({ mayBeSaved }) => mayBeSaved).sort((a, b) => b.characters - a.characters);
  for (const { callId, characters } of largestFirst) {
    if (sum <= budget || characters <= savedCharacters) break;
    replacements.push({ kind: 'save', callId });
    sum -= characters - savedCharacters;
  }
  return replacements;
}

const onlyText = (result: ToolResult): boolean => result.content.every(({ type }) => type === 'text');

/** What the model gets instead of a result it has already had. */
export const duplicateMessage = (earlier: string, callId: CallId, characters: number): string =>
  `The output is the same, character for character, as that of the earlier call ${earlier} (id ${callId}, ` +
  `${characters} characters). It is still in this conversation; read it there.`;
