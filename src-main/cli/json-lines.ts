import type { Io } from './io.ts';

/** Standard input, or whatever tests put in its place. */
export type Input = AsyncIterable<string | Uint8Array>;

/**
 * The lines of a stream of UTF-8, without their ends. Only `\n` and `\r\n` end one: JSON may hold the other characters that
 * readers of lines usually take for ends.
 */
export async function* linesOf(input: Input): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of input) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield withoutReturn(line);
  }
  rest += decoder.decode();
  if (rest !== '') yield withoutReturn(rest);
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/**
 * Answers each line of JSON with one line, in order. A line that cannot be answered is named on stderr, and the others are
 * answered all the same.
 *
 * @param answer throws for an input that does not fit; the first line of its message is shown.
 * @returns the exit code: 1 when a line was not answered.
 */
export async function answerLines(
  input: Input,
  io: Io,
  { name, answer }: { readonly name: string; readonly answer: (value: unknown) => unknown },
): Promise<0 | 1> {
  let at = 0;
  let code: 0 | 1 = 0;
  for await (const line of linesOf(input)) {
    at++;
    if (line.trim() === '') continue;
    try {
      io.stdout(`${JSON.stringify(answer(parsed(line)))}\n`);
    } catch (error) {
      code = 1;
      const why = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
      io.stderr(`gantry ${name}: line ${at}: ${why}\n`);
    }
  }
  return code;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Error(`This is not JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** What is wrong with a value, field by field, in one line. */
export const wrongFields = (
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string =>
  issues
    .slice(0, 3)
    .map(({ path, message }) => {
      const what = message.replace(/^Invalid input: /, '');
      return path.length === 0 ? what : `${path.map(String).join('.')}: ${what}`;
    })
    .join('; ');
