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
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `An unexpected parameter \`${path === '' ? key : `${path}.${key}`}\` was provided`);
  }
  const value = valueAt(input, issue.path);
  const given = typeName(value);
  if (path === '') {
    return [
      issue.code === 'invalid_type'
        ? `The input is expected as \`${issue.expected}\` but provided as \`${given}\``
        : issue.message,
    ];
  }
  // What is not there fails in other ways too: as none of the allowed values, as none of several shapes.
  if (value === undefined) return [`The required parameter \`${path}\` is missing`];
  if (issue.code === 'invalid_type') {
    return [`The parameter \`${path}\` type is expected as \`${issue.expected}\` but provided as \`${given}\``];
  }
  return [`The parameter \`${path}\` is not valid: ${issue.message}`];
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

const typeName = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
