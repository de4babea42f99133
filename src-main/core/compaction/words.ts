import type { Todo } from '../../../src-shared/todo/event.ts';

/** What the model is asked for a summary. It takes the place of all that was said, so nothing that matters may be missing. */
export function summaryOrder(instructions: string): string {
  const wish = instructions.trim();
  return [
    'The conversation has become too long to go on as it is. Write a summary that takes its place: whoever goes on will have read nothing else. Make no calls; answer with the summary alone.',
    'Tell, as far as there is something to tell:\n' +
      '1. What the user wants, in their own words where it matters, and what they have said about how it is to be done.\n' +
      '2. What has been done: files with their whole paths, and what was changed in each; commands and what came of them.\n' +
      '3. What was found out and decided, and why: names, numbers, error messages, code that is needed again.\n' +
      '4. What went wrong and how it was put right.\n' +
      '5. What is still to be done, and what was being done just now.',
    ...(wish === '' ? [] : [`The user wants this of the summary: ${wish}`]),
  ].join('\n\n');
}

/** The first message of a conversation that was shortened. */
export const summaryMessage = (summary: string): string =>
  'The conversation was shortened to make room. A summary takes the place of what came before; what follows it, if ' +
  `anything, is word for word.\n\n<summary>\n${summary}\n</summary>\n\nGo on from here. Do not do again what is done.`;

/** Asks for the rest of a message that was cut off where the window was full. Behind calls their results do so. */
export const GO_ON_FROM_CUT =
  'Your last message was cut off because the context window was full. The conversation has been shortened since. Go on where the message ended.';

/** For the person, when compacting does not help or cannot be done. */
export const STILL_TOO_LONG =
  'It does not fit the model’s window even after it was compacted. Continue in a new session from an earlier message, or choose a model with a larger window.';
export const CANNOT_SHORTEN =
  'It could not be compacted. Continue in a new session from an earlier message, or choose a model with a larger window.';
export const WINDOW_FULL = 'The model’s context window is full.';

/** The model's answer without the marks that some put round it, and with what must not depend on its memory. */
export function summaryFrom(answer: string, todos: readonly Todo[]): string {
  const bare = answer
    .trim()
    .replace(/^<summary>\s*/i, '')
    .replace(/\s*<\/summary>$/i, '');
  if (todos.length === 0) return bare;
  return `${bare}\n\nThe todo list as it stands:\n${todos.map(({ content, status }) => `- [${status}] ${content}`).join('\n')}`;
}
