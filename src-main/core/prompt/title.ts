/** Longer titles do not fit the list of sessions. Characters. */
const MOST = 64;

/** A session's title from what its person wrote first: the first line with words, cut at a word. */
export function titleFromPrompt(prompt: string): string {
  const line = prompt
    .split('\n')
    .map((each) => each.replace(/^[\s#>*-]+/, '').trim())
    .find((each) => /[\p{L}\p{N}]/u.test(each));
  return cut((line ?? '').replace(/\s+/g, ' '));
}

/** A title that a model has made: one line, without the quotes and the full stop that models like to add. */
export function titleFromModel(answer: string): string | undefined {
  const [line = ''] = answer.trim().split('\n');
  const bare = line
    .replace(/^(title:)?\s*["'“”‘’*_#`]*\s*/i, '')
    .replace(/["'“”‘’*_`.\s]+$/, '')
    .replace(/\s+/g, ' ');
  return bare === '' ? undefined : cut(bare);
}

function cut(text: string): string {
  const letters = [...text];
  if (letters.length <= MOST) return text;
  const short = letters.slice(0, MOST - 1).join('');
  const space = short.lastIndexOf(' ');
  return `${space > MOST / 2 ? short.slice(0, space) : short}…`;
}

/** What the model is asked for a title, in a request of its own that the conversation knows nothing of. */
export const TITLE_SYSTEM =
  'You name conversations. Answer with a title of three to seven words in the language of the message, and with nothing else: no quotes, no full stop.';

/** The most of a message that is shown for a title. Characters. */
const MOST_SHOWN = 2_000;

export const titleQuestion = (prompt: string, answer: string): string =>
  [
    'Name the conversation that begins like this.',
    `<message>\n${prompt.slice(0, MOST_SHOWN)}\n</message>`,
    ...(answer.trim() === '' ? [] : [`<answer>\n${answer.slice(0, MOST_SHOWN)}\n</answer>`]),
  ].join('\n\n');
