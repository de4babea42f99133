import type { z } from 'zod';

/**
 * Schema errors in plain words for the model, in the form it knows (spec 2.2):
 * ``The required parameter `command` is missing``.
 */
export function schemaErrorText(tool: string, input: unknown, issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.flatMap((issue) => issueLines(input, issue));
  const noun = lines.length === 1 ? 'issue' : 'issues';
  return `InputValidationError: ${tool} failed due to the following ${noun}:\n${lines.join('\n')}`;
}

function issueLines(input: unknown, issue: z.core.$ZodIssue): string[] {
  const path = issue.path.map(String).join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map(
        (key) => `An unexpected parameter \`${path === '' ? key : `${path}.${key}`}\` was provided`,
      );
    case 'invalid_type': {
      if (valueAt(input, issue.path) === undefined) return [`The required parameter \`${path}\` is missing`];
      const given = typeName(valueAt(input, issue.path));
      return [`The parameter \`${path}\` type is expected as \`${issue.expected}\` but provided as \`${given}\``];
    }
    default:
      return [path === '' ? issue.message : `The parameter \`${path}\` is not valid: ${issue.message}`];
  }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

const typeName = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
