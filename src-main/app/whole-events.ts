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
