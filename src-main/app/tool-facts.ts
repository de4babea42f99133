import { Question } from '../../src-shared/permission/event.ts';
import { type EventFacts, SessionEvent } from '../../src-shared/session/event.ts';
import { ToolResult } from '../../src-shared/tool-call/content.ts';
import { Exit } from '../../src-shared/tool-call/event.ts';
import type { AnyTool, ToolContext, ToolEnding } from '../ports/tool.ts';

/*
 * What tools hand over goes into the journal, and has to come out of it again. A tool may be wrong about its types;
 * so its words are looked at here, where they enter, and a fault costs one call and not the session.
 */

/** What a tool gave cannot be kept. The message says why. */
export class NotKeepable extends Error {
  override readonly name = 'NotKeepable';
}

/**
 * The value as it will come back from the journal.
 * @throws NotKeepable for what JSON cannot say at all: circles, big integers, nothing.
 */
export function asKept(value: unknown): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new NotKeepable(cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause), { cause });
  }
  if (text === undefined) throw new NotKeepable(`it is ${typeof value}`);
  return JSON.parse(text) as unknown;
}

/** @throws NotKeepable when it is not a result, or one that cannot be kept. */
export function keepableResult(mapped: unknown): ToolResult {
  const parsed = ToolResult.safeParse(mapped);
  if (!parsed.success) throw new NotKeepable(issueOf(parsed.error));
  const { content, isError, display } = parsed.data;
  return {
    content: content.map((block) => (block.type === 'other' ? { type: 'other', raw: asKept(block.raw) } : block)),
    isError,
    ...(display === undefined ? {} : { display: asKept(display) as Record<string, unknown> }),
  };
}

/** @throws NotKeepable when what `call` gave is no ending. */
export function checkedEnding(ending: unknown): ToolEnding<unknown> {
  if (typeof ending !== 'object' || ending === null || !('output' in ending)) {
    throw new NotKeepable('it ended without saying how');
  }
  const { isError, exit, changes } = ending as ToolEnding<unknown>;
  if (typeof isError !== 'boolean') throw new NotKeepable('it ended without saying whether it failed');
  if (exit !== undefined && !Exit.safeParse(exit).success) throw new NotKeepable('its exit code is no number');
  if (changes !== undefined && !changes.every((change) => typeof change === 'string')) {
    throw new NotKeepable('its changes are no sentences');
  }
  return ending as ToolEnding<unknown>;
}

/**
 * Fields for the screen that may be added to a clone of the input: never one that the input has already (spec 2.7).
 * @throws NotKeepable
 */
export function addedFields(input: unknown, observed: unknown): Record<string, unknown> {
  const kept = asKept(observed);
  if (typeof kept !== 'object' || kept === null) throw new NotKeepable('they are no fields');
  const has = (name: string): boolean => typeof input === 'object' && input !== null && Object.hasOwn(input, name);
  return Object.fromEntries(Object.entries(kept).filter(([name]) => !has(name)));
}

/** Would the journal give these facts back? */
export const isKeepable = (facts: EventFacts): boolean =>
  SessionEvent.safeParse({ seq: 0, at: 0, t: 0, ...facts }).success;

/** The tool's own question with its proposed rule; a plain and careful one where it has none to give. */
export async function questionOf(tool: AnyTool, input: unknown, context: ToolContext): Promise<Question> {
  try {
    const proposedRule = tool.suggestRule(input);
    const question = await tool.describeQuestion(input, context);
    return Question.parse({ ...question, ...(proposedRule === undefined ? {} : { proposedRule }) });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      title: `Run ${tool.name}?`,
      reason: `What it will do could not be worked out: ${why}`,
      risk: 'unknown',
      dangerous: true,
    };
  }
}

const issueOf = (error: { readonly issues: readonly { readonly path: readonly PropertyKey[]; message: string }[] }) => {
  const [issue] = error.issues;
  return issue === undefined ? 'it does not fit' : `${issue.path.map(String).join('.')}: ${issue.message}`;
};
