import { type Fields, fieldsOf, textAt } from './fields.ts';

/** Where the one line that tells a call from its siblings stands in its input, most telling first. */
const TELLING_FIELDS = [
  'command',
  'cmd',
  'file_path',
  'filePath',
  'notebook_path',
  'pattern',
  'url',
  'query',
  'path',
  'description',
  'skill',
  'prompt',
  'task_id',
  'subject',
];
const SUMMARY_CHARS = 200;

/** One line for the bar. */
export function summaryOf(input: unknown): string {
  const line = tellingText(input)
    .slice(0, 4 * SUMMARY_CHARS)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > SUMMARY_CHARS ? `${line.slice(0, SUMMARY_CHARS - 1)}…` : line;
}

function tellingText(input: unknown): string {
  if (typeof input === 'string') return input;
  const fields = fieldsOf(input);
  // Some programs give a command as the list of its words.
  if (Array.isArray(fields?.command)) return commandOf(fields.command);
  const key = TELLING_FIELDS.find((name) => textAt(fields, name));
  const any = Object.values(fields ?? {}).find((value) => typeof value === 'string');
  return textAt(fields, key ?? '') ?? (typeof any === 'string' ? any : listedText(fields));
}

/** Some tools take lists of files or commands. */
function listedText(fields: Fields | undefined): string {
  const list = Object.values(fields ?? {}).find((value) => Array.isArray(value) && typeof value[0] === 'string');
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string').join(', ') : '';
}

/** `["bash", "-lc", "ls"]` is `ls` to a person. */
function commandOf(words: readonly unknown[]): string {
  const texts = words.filter((word): word is string => typeof word === 'string');
  const [, flag, script] = texts;
  const isWrapped = texts.length === 3 && /^-l?c$/.test(flag ?? '');
  return isWrapped ? (script ?? '') : texts.join(' ');
}
