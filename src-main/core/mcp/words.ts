import { z } from 'zod';
import type { Question } from '../../../src-shared/permission/event.ts';

/** What a server says of a tool. Nobody checks its word. */
export const ToolHints = z.looseObject({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});
export type ToolHints = z.output<typeof ToolHints>;

const MOST_SUMMARY_CHARACTERS = 160;

/** One line for the bar: the value of the only parameter, or names and values. */
export function summaryOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return input === undefined ? '' : oneLine(input);
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  const [only] = entries;
  const line =
    entries.length === 1 && only !== undefined
      ? oneLine(only[1])
      : entries.map(([name, value]) => `${name}: ${oneLine(value)}`).join(', ');
  return line.length <= MOST_SUMMARY_CHARACTERS ? line : `${line.slice(0, MOST_SUMMARY_CHARACTERS - 1)}…`;
}

const oneLine = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\s+/g, ' ').trim();

/** What a person is asked before a tool of a server runs. */
export function questionAbout(
  tool: { readonly server: string; readonly name: string },
  hints: ToolHints,
): Omit<Question, 'proposedRule'> {
  const title = `Run ${tool.name} of the MCP server ${tool.server}?`;
  const outside = hints.openWorldHint === true ? ' It reaches beyond this machine.' : '';
  if (hints.readOnlyHint === true) {
    const reason = `The server says that this only reads. Gantry cannot check that.${outside}`;
    return { title, reason, risk: 'says it only reads', dangerous: false };
  }
  if (hints.destructiveHint === true) {
    const reason = `The server says that this may delete or overwrite things.${outside}`;
    return { title, reason, risk: 'may destroy things', dangerous: true };
  }
  const reason =
    hints.destructiveHint === false
      ? `The server says that this adds things and destroys none. Gantry cannot check that.${outside}`
      : `What this does is up to the server.${outside}`;
  return { title, reason, risk: 'runs on a server', dangerous: false };
}
