import type { ToolCall } from '../tool-call/state.ts';

/** Words the model adds for the reader; the command is the same without them. */
const ASIDE = new Set(['Bash description']);

/**
 * What makes two calls of two runs the same: the tool and its input. Fields may come in any order, space around texts
 * does not count, and paths in the session's own folder are told from there, since runs work in different folders.
 */
export const callKey = ({ tool, input }: Pick<ToolCall, 'tool' | 'input'>, cwd: string): string =>
  `${tool} ${JSON.stringify(normalised(input, tool, cwd)) ?? ''}`;

function normalised(input: unknown, tool: string, cwd: string): unknown {
  if (typeof input === 'string') return inFolder(input.trim(), cwd);
  if (Array.isArray(input)) return input.map((one) => normalised(one, '', cwd));
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(
    Object.entries(input)
      .filter(([name]) => !ASIDE.has(`${tool} ${name}`))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, normalised(value, '', cwd)]),
  );
}

function inFolder(text: string, cwd: string): string {
  const folder = cwd.replace(/[/\\]+$/, '');
  if (folder.length < 2) return text;
  return text.replaceAll(`${folder}/`, './').replaceAll(`${folder}\\`, './').replaceAll(folder, '.');
}
