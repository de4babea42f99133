import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withAllowRule } from './add-rule.ts';
import { parseJsonc } from './jsonc.ts';

const RULE = 'Bash(npm test:*)';
function added(text: string, rule = RULE): string {
  const result = withAllowRule(text, rule);
  if (!result.ok) throw new Error(`line ${result.error.line}: ${result.error.what}`);
  return result.value;
}

describe('a rule is added', () => {
  test('to a file that is not there yet', () => {
    expect(added('')).toBe(`{
  "permissions": {
    "allow": [
      "Bash(npm test:*)"
    ]
  }
}
`);
  });

  test('at the end of its list, in the list’s own style', () => {
    expect(
      added(`{
    // The team's.
    "permissions": {
        "deny": ["Read(.env)"],
        "allow": [
            "Bash(ls:*)", // lists
            "Read"        // reads
        ]
    },
    "model":   "opus"
}`),
    ).toBe(`{
    // The team's.
    "permissions": {
        "deny": ["Read(.env)"],
        "allow": [
            "Bash(ls:*)", // lists
            "Read",        // reads
            "Bash(npm test:*)"
        ]
    },
    "model":   "opus"
}`);
  });

  test.each([
    ['{"permissions":{"allow":["a","b"]}}', '{"permissions":{"allow":["a","b","Bash(npm test:*)"]}}'],
    ['{ "permissions": { "allow": ["a"] } }', '{ "permissions": { "allow": ["a", "Bash(npm test:*)"] } }'],
    ['{ "permissions": { "allow": ["a", ] } }', '{ "permissions": { "allow": ["a", "Bash(npm test:*)", ] } }'],
    ['{ "permissions": { "allow": [] } }', '{ "permissions": { "allow": ["Bash(npm test:*)"] } }'],
    ['{ "permissions": {} }', '{ "permissions": {"allow": ["Bash(npm test:*)"]} }'],
    ['{ "model": "x" }', '{ "model": "x", "permissions": {"allow":["Bash(npm test:*)"]} }'],
    [
      '{ "permissions": { "allow": ["a" /* b */ ] } }',
      '{ "permissions": { "allow": ["a", /* b */ "Bash(npm test:*)" ] } }',
    ],
  ])('on one line: %s', (before, after) => {
    expect(added(before)).toBe(after);
  });

  test.each([
    [
      'a list that is empty',
      '{\n\t"permissions": {\n\t\t"allow": []\n\t}\n}\n',
      '{\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"Bash(npm test:*)"\n\t\t]\n\t}\n}\n',
    ],
    [
      'a list that holds a comment only',
      '{\n  "permissions": {\n    "allow": [\n      // none yet\n    ]\n  }\n}',
      '{\n  "permissions": {\n    "allow": [\n      "Bash(npm test:*)"\n      // none yet\n    ]\n  }\n}',
    ],
    [
      'a list with a comma at its end',
      '{\n  "permissions": {\n    "allow": [\n      "a", // first\n    ],\n  },\n}',
      '{\n  "permissions": {\n    "allow": [\n      "a", // first\n      "Bash(npm test:*)",\n    ],\n  },\n}',
    ],
    [
      'permissions without the list',
      '{\n  "permissions": {\n    "deny": []\n  }\n}',
      '{\n  "permissions": {\n    "deny": [],\n    "allow": [\n      "Bash(npm test:*)"\n    ]\n  }\n}',
    ],
    [
      'a file without permissions',
      '{\n  "env": {\n    "A": "1"\n  } // mine\n}\n',
      '{\n  "env": {\n    "A": "1"\n  }, // mine\n  "permissions": {\n    "allow": [\n      "Bash(npm test:*)"\n    ]\n  }\n}\n',
    ],
    ['an empty object', '{}', '{\n  "permissions": {\n    "allow": [\n      "Bash(npm test:*)"\n    ]\n  }\n}'],
    [
      'a file of comments',
      '// mine',
      '// mine\n{\n  "permissions": {\n    "allow": [\n      "Bash(npm test:*)"\n    ]\n  }\n}\n',
    ],
    [
      'lines that end as on Windows',
      '{\r\n  "permissions": {\r\n    "allow": [\r\n      "a"\r\n    ]\r\n  }\r\n}\r\n',
      '{\r\n  "permissions": {\r\n    "allow": [\r\n      "a",\r\n      "Bash(npm test:*)"\r\n    ]\r\n  }\r\n}\r\n',
    ],
    [
      'a list whose bracket closes behind the last entry',
      '{\n  "permissions": {\n    "allow": ["a",\n      "b"]\n  }\n}',
      '{\n  "permissions": {\n    "allow": ["a",\n      "b",\n      "Bash(npm test:*)"\n    ]\n  }\n}',
    ],
  ])('to %s', (_, before, after) => {
    expect(added(before)).toBe(after);
  });

  test('once only', () => {
    const text = '{ "permissions": { "allow": ["Bash(npm test:*)"] } }';
    expect(added(text)).toBe(text);
  });
});

describe('a file is refused, with its line', () => {
  test.each([
    ['{\n "permissions": {\n', 3, 'a closing brace is missing'],
    ['{\n "permissions": [] }', 2, 'permissions is no object'],
    ['{ "permissions": {\n "allow": "Bash" } }', 2, 'permissions.allow is no list'],
    ['{ "permissions": {},\n "permissions": {} }', 2, 'permissions stands in it twice'],
    ['{ "permissions": { "allow": [],\n "allow": [] } }', 2, 'permissions.allow stands in it twice'],
    ['[]', 1, 'it is no object in braces'],
  ])('%j', (text, line, what) => {
    expect(withAllowRule(text, RULE)).toEqual({ ok: false, error: { line, what } });
  });
});

/** Settings as people write them: any blanks and comments between any tokens, and commas at the end. */
const blank = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(' ', '\n', '\t', '\n    ', '\r\n  ', '') },
    { weight: 1, arbitrary: fc.constantFrom('/* note */', '/*\n*/', '// "x": [1,\n', '//\r\n', '/**/') },
  ),
  { maxLength: 3 },
);
const gap = blank.map((parts) => parts.join(''));
const text = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('//', '/*', ']', '}', '",', 'Bash(a:*)', '\u2028', 'allow', '__proto__'),
);

function written(value: unknown): fc.Arbitrary<string> {
  if (Array.isArray(value)) return joined('[', ']', value.map(written));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, each]) =>
      fc.tuple(gap, gap, written(each)).map(([a, b, json]) => `${JSON.stringify(key)}${a}:${b}${json}`),
    );
    return joined('{', '}', entries);
  }
  return fc.constant(JSON.stringify(value));
}

const joined = (open: string, close: string, entries: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc
    .record({
      entries: fc.tuple(...entries.map((entry) => fc.tuple(gap, entry, gap).map((parts) => parts.join('')))),
      empty: gap,
      comma: fc.boolean(),
      after: gap,
    })
    .map((all) => {
      if (all.entries.length === 0) return `${open}${all.empty}${close}`;
      return `${open}${all.entries.join(',')}${all.comma ? `,${all.after}` : ''}${close}`;
    });

const settings = fc
  .record(
    {
      model: text,
      permissions: fc.record(
        {
          deny: fc.array(text, { maxLength: 2 }),
          allow: fc.array(text, { maxLength: 3 }),
          ask: fc.array(text, { maxLength: 1 }),
        },
        { requiredKeys: [] },
      ),
      env: fc.dictionary(fc.constantFrom('A', 'toString'), text),
    },
    { requiredKeys: [] },
  )
  .chain((value) => fc.tuple(gap, written(value), gap).map(([a, json, b]) => ({ value, text: a + json + b })));

const seeds = [2_001, 2_002, ...(process.env.GANTRY_SEED ? [Number(process.env.GANTRY_SEED)] : [])];

/** Is `part` what is left of `whole` when pieces are taken out of it? */
function isPartOf(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (part.startsWith(character, at)) at += character.length;
  return at === part.length;
}

test.each(seeds)('a file keeps every byte it had, and says one rule more (seed %d)', (seed) => {
  fc.assert(
    fc.property(settings, text, ({ value, text: before }, rule) => {
      const after = added(before, rule);
      const allow = value.permissions?.allow ?? [];
      expect(isPartOf(before, after)).toBe(true);
      const expected = allow.includes(rule)
        ? value
        : { ...value, permissions: { ...value.permissions, allow: [...allow, rule] } };
      expect(parseJsonc(after)).toMatchObject({ problems: [] });
      expect(JSON.stringify(parseJsonc(after).value)).toBe(JSON.stringify(expected));
      expect(added(after, rule)).toBe(after);
    }),
    { seed, numRuns: 1_500 },
  );
});

test.each(seeds)('whatever a text is, it is taken as it is or refused; nothing throws (seed %d)', (seed) => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        settings.map((each) => each.text.slice(1)),
      ),
      text,
      (before, rule) => {
        const result = withAllowRule(before, rule);
        if (result.ok) expect(parseJsonc(result.value).problems).toEqual([]);
        else expect(result.error.line).toBeGreaterThan(0);
      },
    ),
    { seed, numRuns: 1_500 },
  );
});
