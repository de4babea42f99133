import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RuleChange, withRuleChange } from './edit-rules.ts';
import { parseJsonc } from './jsonc.ts';

const FILE = `{
  // mine
  "permissions": {
    "allow": [
      "Bash(npm run:*)", // for now
      "Bash(npm test:*)",
      /* careful */ "Read(~/notes/**)"
    ],
    "deny": ["WebFetch", "Bash(curl:*)"],
  },
  "env": { "A": "1" },
}
`;

function changed(text: string, change: RuleChange): string {
  const result = withRuleChange(text, change);
  if (!result.ok) throw new Error(`${result.error.line}: ${result.error.what}`);
  return result.value;
}
const allow = (before: string | undefined, ...after: readonly string[]) =>
  changed(FILE, { list: 'allow', before, after });
const deny = (before: string | undefined, ...after: readonly string[]) =>
  changed(FILE, { list: 'deny', before, after });
const without = (line: string): string => FILE.replace(`${line}\n`, '');

describe('a rule is removed', () => {
  test('with its line and what stands behind it there', () => {
    expect(allow('Bash(npm run:*)')).toBe(without('      "Bash(npm run:*)", // for now'));
    expect(allow('Bash(npm test:*)')).toBe(without('      "Bash(npm test:*)",'));
  });

  test('at the end of its list with the comma before it', () => {
    const text = '{ "permissions": { "allow": [\n  "a", // one\n  "b" // two\n] } }\n';
    expect(changed(text, { list: 'allow', before: 'b', after: [] })).toBe(
      '{ "permissions": { "allow": [\n  "a" // one\n] } }\n',
    );
  });

  test('on a line with others', () => {
    expect(deny('WebFetch')).toBe(FILE.replace('["WebFetch", "Bash(curl:*)"]', '["Bash(curl:*)"]'));
    expect(deny('Bash(curl:*)')).toBe(FILE.replace('["WebFetch", "Bash(curl:*)"]', '["WebFetch"]'));
  });

  test('as the only one', () => {
    expect(changed('{"permissions":{"ask":["x"]}}', { list: 'ask', before: 'x', after: [] })).toBe(
      '{"permissions":{"ask":[]}}',
    );
  });

  test('in lists that begin their lines with commas', () => {
    const text = '{"permissions": {"allow": [ "a"\n , "b"\n , "c" ]}}';
    expect(changed(text, { list: 'allow', before: 'b', after: [] })).toBe(
      '{"permissions": {"allow": [ "a"\n , "c" ]}}',
    );
  });
});

describe('a rule is replaced', () => {
  test('in its place, by one or by several', () => {
    expect(allow('Bash(npm run:*)', 'Bash(npm run build)')).toBe(FILE.replace('npm run:*', 'npm run build'));
    expect(allow('Bash(npm run:*)', 'Bash(npm run build)', 'Bash(npm run test:*)')).toBe(
      FILE.replace('"Bash(npm run:*)",', '"Bash(npm run build)",\n      "Bash(npm run test:*)",'),
    );
    expect(deny('WebFetch', 'a', 'b')).toBe(FILE.replace('["WebFetch",', '["a", "b",'));
  });

  test('and leaves no rule twice', () => {
    expect(allow('Bash(npm run:*)', 'Bash(npm test:*)')).toBe(without('      "Bash(npm run:*)", // for now'));
  });
});

describe('rules are added', () => {
  test('at the end of their list, whichever it is', () => {
    expect(deny(undefined, 'Read(.env)', 'Agent')).toBe(
      FILE.replace('"Bash(curl:*)"]', '"Bash(curl:*)", "Read(.env)", "Agent"]'),
    );
    expect(JSON.parse(changed('', { list: 'ask', after: ['Bash(git push:*)'] }))).toEqual({
      permissions: { ask: ['Bash(git push:*)'] },
    });
  });
});

test('what cannot be changed is said with its line, and nothing is', () => {
  const broken = withRuleChange('{\n  "permissions": {\n', { list: 'allow', before: 'x', after: [] });
  expect(broken).toMatchObject({ ok: false, error: { line: 3 } });
  expect(withRuleChange(FILE, { list: 'allow', before: 'Bash(gone)', after: [] })).toEqual({
    ok: false,
    error: { line: 4, what: 'Bash(gone) does not stand in permissions.allow' },
  });
  const twice = '{"permissions": {"allow": ["x"], "allow": ["x"]}}';
  expect(withRuleChange(twice, { list: 'allow', before: 'x', after: [] })).toMatchObject({ ok: false });
});

const RULES: readonly string[] = ['Bash(a)', 'Read(b/**)', 'Edit(c)', '// no comment', 'WebFetch(domain:d.com)'];
const blank = fc.constantFrom('', ' ', '\n  ', '\n\t', '\r\n    ', ' /* note */ ', ' // why\n  ');
const listText = fc
  .tuple(
    fc.subarray([...RULES], { minLength: 1 }),
    fc.array(fc.tuple(blank, blank), { minLength: 6, maxLength: 6 }),
    fc.boolean(),
  )
  .map(([rules, blanks, trailing]) => {
    const entries = rules.map((rule, at) => `${blanks[at]?.[0]}${JSON.stringify(rule)}${blanks[at]?.[1]}`);
    return { rules, text: `[${entries.join(',')}${trailing ? ',' : ''}${blanks[5]?.[0]}]` };
  });

test('in lists written in any way a change says what it should, keeps all that is not of the rule, and can be undone', () => {
  fc.assert(
    fc.property(listText, fc.nat(), fc.subarray(['Bash(new)', 'Agent', 'Edit(c)']), ({ rules, text }, nth, after) => {
      const before = rules[nth % rules.length] as string;
      const file = `{ /* head */ "permissions": { "allow": ${text} }, // tail\n "env": {} }`;
      const result = withRuleChange(file, { list: 'allow', before, after });
      expect(result.ok, JSON.stringify(result)).toBe(true);
      if (!result.ok) return;
      const others = rules.filter((rule) => rule !== before);
      const at = rules.indexOf(before);
      const fresh = after.filter((rule) => !others.includes(rule));
      const value = parseJsonc(result.value).value as { permissions: { allow: string[] } };
      expect(value.permissions.allow).toEqual(rules.toSpliced(at, 1, ...fresh));
      expect(result.value.startsWith('{ /* head */ "permissions": { "allow": [')).toBe(true);
      expect(result.value.endsWith('}, // tail\n "env": {} }')).toBe(true);
      // A replacement by one rule touches nothing else at all.
      const [only] = fresh;
      if (fresh.length === 1 && only !== undefined) {
        expect(withRuleChange(result.value, { list: 'allow', before: only, after: [before] })).toEqual({
          ok: true,
          value: file,
        });
      }
    }),
    { seed: 1_001, numRuns: 3_000 },
  );
});
