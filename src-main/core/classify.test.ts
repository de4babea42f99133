import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Classifiable, classify } from './classify.ts';

const tool = (isConcurrencySafe: (input: never) => unknown, inputSchema: z.ZodType = z.unknown()): Classifiable => ({
  name: 'Bash',
  inputSchema,
  isConcurrencySafe: isConcurrencySafe as Classifiable['isConcurrencySafe'],
});
const fails = (thrown: unknown) => () => {
  throw thrown;
};
const judge = (given: Classifiable | undefined, input: unknown = {}, treatAsSafe: readonly string[] = []) =>
  classify({ tool: given, input, treatAsSafe });

describe('a call is unsafe', () => {
  test('of an unknown tool', () => {
    expect(judge(undefined)).toEqual({ safe: false, because: 'unknown-tool' });
  });

  test('when its input does not pass the schema, even if the tool would call it safe', () => {
    const given = tool(() => true, z.strictObject({ command: z.string() }));
    expect(judge(given, { command: 5 })).toEqual({ safe: false, because: 'invalid-input' });
  });

  test.each([
    [new Error('cannot parse'), 'cannot parse'],
    ['a text', 'a text'],
    [Object.create(null), 'a value of type object'],
    [undefined, 'a value of type undefined'],
  ])('when the tool throws %o', (thrown, detail) => {
    expect(judge(tool(fails(thrown)))).toEqual({ safe: false, because: 'threw', detail });
  });

  test('when the schema itself throws', () => {
    const given = tool(() => true, z.unknown().refine(fails(new Error('no regex'))));
    expect(judge(given)).toEqual({ safe: false, because: 'threw', detail: 'no regex' });
  });

  test.each([false, 0, '', null, undefined, Number.NaN])('when the tool answers %o', (answer) => {
    expect(judge(tool(() => answer))).toEqual({ safe: false, because: 'declared-unsafe' });
  });
});

describe('a call is safe', () => {
  test.each([true, 1, 'yes'])('when the tool answers %o', (answer) => {
    expect(judge(tool(() => answer))).toEqual({ safe: true, because: 'declared-safe' });
  });

  test('by the parsed input, not the raw one', () => {
    const schema = z.strictObject({ n: z.number().default(3) });
    expect(judge(tool(({ n }: { n: number }) => n === 3, schema)).safe).toBe(true);
  });

  test('by a rule of the user, which is named', () => {
    const given = tool(() => false);
    expect(judge(given, { command: 'npm test' }, ['Bash(make)', 'Bash(npm test)'])).toEqual({
      safe: true,
      because: 'treat-as-safe-rule',
      detail: 'Bash(npm test)',
    });
    expect(judge(given, { command: 'npm test && rm -r x' }, ['Bash(npm test)']).safe).toBe(false);
    expect(judge(given, { command: 'npm test' }, ['Read', 'no rule (']).safe).toBe(false);
  });

  test('by no rule when the tool throws or the input is wrong', () => {
    expect(judge(tool(fails(new Error('x'))), {}, ['Bash']).safe).toBe(false);
    expect(
      judge(
        tool(() => false, z.string()),
        {},
        ['Bash'],
      ).safe,
    ).toBe(false);
  });
});
