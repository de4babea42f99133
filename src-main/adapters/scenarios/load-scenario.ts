import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { z } from 'zod';
import { FailureError } from '../../../src-shared/failure.ts';
import { Scenario } from '../../../src-shared/scenario/scenario.ts';
import { diskTrouble } from '../storage/disk-trouble.ts';

const SHOWN_ISSUES = 3;

/** Reads a scenario file (YAML or JSON). Fails with a `FailureError` that names the place and what is wrong there. */
export async function loadScenario(path: string): Promise<Scenario> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new FailureError(
      {
        kind: 'not-found',
        message: `The scenario ${path} cannot be read: ${diskTrouble(cause)}.`,
        hint: 'Check the path.',
      },
      { cause },
    );
  });
  return parseScenario(text, path);
}

/** @param where the file's name, for the message of the `FailureError`. */
export function parseScenario(text: string, where: string): Scenario {
  let raw: unknown;
  try {
    raw = parse(text);
  } catch (cause) {
    const what = cause instanceof Error ? (cause.message.split('\n')[0] ?? '').replace(/:$/, '') : String(cause);
    throw new FailureError({ kind: 'bad-input', message: `${where} is not YAML or JSON: ${what}.` }, { cause });
  }
  const parsed = Scenario.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.flatMap((issue) => issueTexts(raw, issue));
  const left = issues.length - SHOWN_ISSUES;
  throw new FailureError({
    kind: 'bad-input',
    message: [
      `${where} is not a scenario.`,
      ...issues.slice(0, SHOWN_ISSUES),
      ...(left > 0 ? [`And ${left} more.`] : []),
    ].join(' '),
    hint: 'The least one is {name, turns: [[block, …], …]}; a block is {text} or {tool, input}.',
  });
}

function issueTexts(raw: unknown, issue: z.core.$ZodIssue, path: readonly PropertyKey[] = issue.path): string[] {
  if (issue.code === 'invalid_union') {
    const { meant, otherwise } = shapeOf(valueAt(raw, path), path);
    const issues = issue.errors[meant];
    if (issues !== undefined) return issues.flatMap((inner) => issueTexts(raw, inner, [...path, ...inner.path]));
    return [`${place(path)}: ${otherwise}`];
  }
  if (issue.code === 'unrecognized_keys') return [`${place(path)}: ${issue.keys.join(', ')} is not known here.`];
  if (valueAt(raw, path) === undefined && path.length > 0) return [`${place(path)}: this is missing.`];
  return [`${place(path)}: ${issue.message.replace(/^Invalid input: /, '')}.`];
}

/** Of the two shapes that a block or a message may have, which one was meant; -1 for none. */
function shapeOf(value: unknown, path: readonly PropertyKey[]): { readonly meant: number; readonly otherwise: string } {
  const has = (key: string): boolean => isRecord(value) && Object.hasOwn(value, key);
  const isMessage = path.length === (path[0] === 'agents' ? 3 : 2);
  if (isMessage) {
    const otherwise = 'this is no message; it is neither a list of blocks nor {blocks: [block, …]}.';
    return { meant: Array.isArray(value) ? 0 : has('blocks') ? 1 : -1, otherwise };
  }
  const otherwise = 'this is no block; it has neither text nor tool.';
  return { meant: ['text', 'tool'].findIndex(has), otherwise };
}

const place = (path: readonly PropertyKey[]): string => (path.length === 0 ? 'The file' : `At ${path.join('.')}`);

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const key of path) value = isRecord(value) ? value[key] : undefined;
  return value;
}

const isRecord = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === 'object' && value !== null;
