import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { schemaErrorText } from './schema-errors.ts';

const Bash = z.strictObject({
  command: z.string(),
  timeout: z.number().max(600).optional(),
  mode: z.enum(['a', 'b']),
  edits: z.array(z.strictObject({ old: z.string() })).optional(),
  target: z.union([z.string(), z.number()]).optional(),
});
const Read = z.strictObject({ file_path: z.string() });

function errorOf(schema: z.ZodType, tool: string, input: unknown): string {
  const parsed = schema.safeParse(input);
  if (parsed.success) throw new Error('the input fits');
  return schemaErrorText(tool, input, parsed.error.issues);
}
const lines = (input: unknown): string[] => errorOf(Bash, 'Bash', input).split('\n').slice(1);
const ok = { command: 'ls', mode: 'a' };

describe('recorded in errors-batch', () => {
  test('a wrong type says what was expected and what came', () => {
    expect(errorOf(Read, 'Read', { file_path: 5 })).toBe(
      'InputValidationError: Read failed due to the following issue:\nThe parameter `file_path` type is expected as `string` but provided as `number`',
    );
  });

  test('a missing and an unexpected parameter are two issues', () => {
    expect(errorOf(z.strictObject({ command: z.string() }), 'Bash', { cmd: 'ls' })).toBe(
      'InputValidationError: Bash failed due to the following issues:\nThe required parameter `command` is missing\nAn unexpected parameter `cmd` was provided',
    );
  });
});

test.each([
  [{ command: null, mode: 'a' }, 'The parameter `command` type is expected as `string` but provided as `null`'],
  [{ command: ['ls'], mode: 'a' }, 'The parameter `command` type is expected as `string` but provided as `array`'],
  [{ command: 'ls' }, 'The required parameter `mode` is missing'],
  [{ command: 'ls', mode: 'c' }, 'The parameter `mode` is not valid: Invalid option: expected one of "a"|"b"'],
  [{ ...ok, timeout: 700 }, 'The parameter `timeout` is not valid: Too big: expected number to be <=600'],
  [{ ...ok, edits: [{}] }, 'The required parameter `edits.0.old` is missing'],
  [{ ...ok, edits: [{ old: 'x', new: 'y' }] }, 'An unexpected parameter `edits.0.new` was provided'],
  [{ ...ok, target: {} }, 'The parameter `target` is not valid: Invalid input'],
  ['ls', 'The input is expected as `object` but provided as `string`'],
  [null, 'The input is expected as `object` but provided as `null`'],
])('%j: %s', (input, line) => {
  expect(lines(input)).toEqual([line]);
});

test('every unexpected parameter has a line of its own', () => {
  expect(lines({ ...ok, a: 1, b: 2 })).toEqual([
    'An unexpected parameter `a` was provided',
    'An unexpected parameter `b` was provided',
  ]);
});

test('what an object inherits is not taken for what was given', () => {
  const schema = z.object({ constructor: z.string() });
  expect(errorOf(schema, 'T', {})).toMatch(/The required parameter `constructor` is missing$/);
});
