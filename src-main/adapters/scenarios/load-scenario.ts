import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { z } from 'zod';
import { FailureError } from '../../../src-shared/failure.ts';
import { Scenario } from '../../../src-shared/scenario/scenario.ts';

/** Reads a scenario file (YAML or JSON). Fails with a `FailureError` that names the place and what is wrong there. */
export async function loadScenario(path: string): Promise<Scenario> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new FailureError(
      { kind: 'not-found', message: `The scenario ${path} cannot be read.`, hint: 'Check the path.' },
      { cause },
    );
  });
  return parseScenario(text, path);
}

export function parseScenario(text: string, where: string): Scenario {
  let raw: unknown;
  try {
    raw = parse(text);
  } catch (cause) {
    const what = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    throw new FailureError({ kind: 'bad-input', message: `${where} is not YAML or JSON: ${what}` }, { cause });
  }
  const parsed = Scenario.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new FailureError({
    kind: 'bad-input',
    message: `${where} is not a scenario. ${parsed.error.issues.slice(0, 3).map(issueText).join(' ')}`,
    hint: 'The least one is {name, turns: [[block, …], …]}; a block is {text} or {tool, input}.',
  });
}

const issueText = (issue: z.core.$ZodIssue): string =>
  `${issue.path.length === 0 ? 'The file' : `At ${issue.path.join('.')}`}: ${issue.message}.`;
