import fc from 'fast-check';
import { expect, test } from 'vitest';
import { heldOver, readClaudeSettings } from './claude-settings.ts';
import { readGantrySettings } from './gantry-settings.ts';
import { mergeSettings } from './merge-settings.ts';
import type { LoadedSettings } from './settings.ts';

const WHOLE = `{
  // what this project needs
  "permissions": {
    "allow": ["Bash(npm test:*)", "Read(src/**)"], /* reads */
    "ask": ["Bash(git push:*)"],
    "deny": ["Read(.env)", "Bash(rm:*)"],
    "additionalDirectories": ["../docs"],
    "defaultMode": "acceptEdits",
  },
  "env": { "CI": "1" },
  "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "./guard.sh" }] }] },
}
`;

function load(text: string): { readonly loaded: LoadedSettings; readonly broken: boolean } {
  const place = { scope: 'user', file: '/s.json' } as const;
  const file = heldOver(readClaudeSettings({ ...place, text }), readClaudeSettings({ ...place, text: WHOLE }));
  const gantry = [readGantrySettings({ ...place, text })];
  const merged = { folder: '/w', home: '/h', trusted: true, claude: [file], gantry, findings: [] };
  return { loaded: mergeSettings(merged), broken: file.broken };
}

/** What lets something be done that would be asked about otherwise. */
const granted = ({ rules, directories, mode, env, hooks }: LoadedSettings): readonly string[] => [
  ...rules.allow.map((rule) => rule.text),
  ...directories,
  ...(mode === undefined ? [] : [mode.mode]),
  ...Object.entries(env).map((entry) => entry.join('=')),
  ...hooks.hooks.map(({ command }) => command),
];
const forbidden = ({ rules }: LoadedSettings) => [...rules.deny, ...rules.ask].map((rule) => rule.text);

const whole = load(WHOLE).loaded;

/** What holds of a damaged file, whatever the damage. */
function expectNoMore(text: string): void {
  const { loaded, broken } = load(text);
  if (broken) {
    expect(granted(loaded)).toEqual([]);
    expect(forbidden(loaded)).toEqual(expect.arrayContaining([...forbidden(whole)]));
    expect(loaded.findings[0]).toMatchObject({ kind: 'settings-broken', file: '/s.json' });
  } else {
    expect(granted(whole)).toEqual(expect.arrayContaining([...granted(loaded)]));
  }
}

test('the whole file grants and forbids what stands in it', () => {
  expect(granted(whole)).toHaveLength(6);
  expect(forbidden(whole)).toHaveLength(3);
});

test('cut off at any place it grants nothing and forbids what it forbade', () => {
  const end = WHOLE.lastIndexOf('}');
  const begin = WHOLE.indexOf('{');
  for (let length = begin + 1; length <= end; length++) {
    const text = WHOLE.slice(0, length);
    expect(load(text).broken, text).toBe(true);
    expectNoMore(text);
  }
  // What is left before the first brace says nothing at all.
  expect(granted(load(WHOLE.slice(0, begin)).loaded)).toEqual([]);
});

/** Every place that lies in no text, so that no rule becomes another one. */
const outside: readonly number[] = (() => {
  const strings = [...WHOLE.matchAll(/"[^"]*"/g)].map(({ index, 0: { length } }) => [index, index + length] as const);
  return [...Array(WHOLE.length).keys()].filter((at) => !strings.some(([from, to]) => at > from && at < to));
})();

test('with one sign more or less it never grants more', () => {
  let broken = 0;
  for (const at of outside) {
    const less = WHOLE.slice(0, at) + WHOLE.slice(at + 1);
    const more = [...'{}[],:"/\\x1\n'].map((sign) => WHOLE.slice(0, at) + sign + WHOLE.slice(at));
    for (const text of [less, ...more]) {
      expectNoMore(text);
      if (load(text).broken) broken++;
    }
  }
  expect(broken).toBeGreaterThan(outside.length * 5);
});

const seeds = [3_001, ...(process.env.GANTRY_SEED ? [Number(process.env.GANTRY_SEED)] : [])];

test.each(seeds)('whatever lies in a file, nothing throws (seed %d)', (seed) => {
  const piece = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"', '"permissions"', '"allow"', '"deny"', '"env"', '"hooks"', '"PreToolUse"'],
    ...[
      '"__proto__"',
      '"toString"',
      'null',
      'true',
      '1e999',
      '-',
      '//',
      '/*',
      '*/',
      '\\',
      '\n',
      '\0',
      '\ufeff',
      '"Bash"',
    ],
  );
  const key = fc.constantFrom(
    'permissions',
    'allow',
    'deny',
    'env',
    'hooks',
    '__proto__',
    'concurrency',
    'cap',
    'results',
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    ),
  }));
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
    tree.map((value) => JSON.stringify(value) ?? ''),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { loaded, broken } = load(text);
      if (broken) expect(granted(loaded)).toEqual([]);
      for (const { line } of loaded.findings) expect(line).toBeGreaterThan(0);
    }),
    { seed, numRuns: 3_000 },
  );
});
