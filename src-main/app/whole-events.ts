import { textPattern } from '../../src-shared/filter/text-pattern.ts';
import type { CallId } from '../../src-shared/ids.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { type ContentBlock, keptIn } from '../../src-shared/tool-call/content.ts';
import type { WholeTexts } from '../ports/whole-texts.ts';

/**
 * The events with all of their texts, for whatever does more than show them: exports, forks, searches. The same list where
 * nothing was left in a file.
 * @throws FailureError when a file is not what it was.
 */
export async function wholeEvents(
  events: readonly SessionEvent[],
  texts: WholeTexts | undefined,
): Promise<readonly SessionEvent[]> {
  if (texts === undefined) return events;
  const wanted = events.flatMap((event) => (event.type === 'call-completed' ? keptIn(event.result.content) : []));
  if (wanted.length === 0) return events;
  const whole = new Map<number, string>();
  for await (const { id, text } of texts.readAll(wanted.map(({ id }) => id))) whole.set(id, text);
  return events.map((event) => {
    if (event.type !== 'call-completed' || keptIn(event.result.content).length === 0) return event;
    const content = event.result.content.map((block): ContentBlock => {
      const text = block.type === 'text' && block.kept !== undefined ? whole.get(block.kept.id) : undefined;
      return text === undefined ? block : { type: 'text', text };
    });
    return { ...event, result: { ...event.result, content } };
  });
}

/** The calls whose texts in the files hold this one, found as the filter of the window finds it. */
export async function callsWithText(wanted: {
  readonly events: readonly SessionEvent[];
  readonly texts: WholeTexts | undefined;
  readonly text: string;
  readonly signal: AbortSignal;
}): Promise<readonly CallId[]> {
  const { events, texts, signal } = wanted;
  const pattern = textPattern(wanted.text);
  if (texts === undefined || pattern === undefined) return [];
  const callOf = new Map<number, CallId>();
  for (const event of events) {
    if (event.type !== 'call-completed') continue;
    for (const { id } of keptIn(event.result.content)) callOf.set(id, event.callId);
  }
  const found = new Set<CallId>();
  for await (const { id, text } of texts.readAll(callOf.keys())) {
    signal.throwIfAborted();
    const callId = callOf.get(id);
    if (callId !== undefined && !found.has(callId) && pattern.test(text)) found.add(callId);
  }
  return [...found];
}
