import { describe, expect, test } from 'vitest';
import { heldOver, readClaudeSettings, unreadableSettings } from './claude-settings.ts';

const read = (text: string) => readClaudeSettings({ scope: 'project', file: '/p/settings.json', text });
const texts = (rules: readonly { readonly text: string }[]) => rules.map(({ text }) => text);
const found = (text: string) => read(text).findings.map(({ line, message }) => `${line} ${message}`);

const WHOLE = `{
  // Checked by the team.
  "permissions": {
    "allow": [
      "Bash(npm test:*)",
      "Read(src/**)", /* sources */
    ],
    "ask": ["Bash(git push:*)"],
    "deny": ["Read(.env)"],
    "additionalDirectories": ["../docs/", "~/notes"],
    "defaultMode": "acceptEdits",
  },
  "env": { "CI": "1", "PORT": 8080, "DEBUG": false },
  "hooks": { "PreToolUse": [] },
  "model": "opus",
}`;

describe('a file in the format people have', () => {
  test('is read with comments and trailing commas, and each rule knows its line', () => {
    const settings = read(WHOLE);
    expect(settings.findings).toEqual([]);
    expect(settings.broken).toBe(false);
    expect(settings.allow).toEqual([
      { text: 'Bash(npm test:*)', scope: 'project', file: '/p/settings.json', line: 5 },
      { text: 'Read(src/**)', scope: 'project', file: '/p/settings.json', line: 6 },
    ]);
    expect(settings.ask).toMatchObject([{ text: 'Bash(git push:*)', line: 8 }]);
    expect(settings.deny).toMatchObject([{ text: 'Read(.env)', line: 9 }]);
    expect(settings.directories).toEqual([
      { value: '../docs/', line: 10 },
      { value: '~/notes', line: 10 },
    ]);
    expect(settings.defaultMode).toEqual({ value: 'acceptEdits', line: 11 });
    expect(settings.variables.map(({ value }) => `${value.name}=${value.value}`)).toEqual([
      'CI=1',
      'PORT=8080',
      'DEBUG=false',
    ]);
    expect(settings.json).toMatchObject({ hooks: { PreToolUse: [] }, model: 'opus' });
  });

  test.each(['', ' \n\t', '// nothing yet\n', '{}', '/* a */ {} // b'])('%j says nothing, and is in order', (text) => {
    const settings = read(text);
    expect(settings).toMatchObject({ broken: false, allow: [], deny: [], findings: [] });
  });

  test('finds the line of a hook by the name of its place', () => {
    const { lineOf } = read(`{
      "hooks": {
        "PreToolUse": [
          { "matcher": "Bash", "hooks": [
            { "type": "command", "command": "a" },
            { "type": "command", "command": "b" }
          ] }
        ]
      }
    }`);
    expect(lineOf('hooks.PreToolUse[0].hooks[1]')).toBe(6);
    expect(lineOf('hooks.PreToolUse[0].matcher')).toBe(4);
    expect(lineOf('hooks.PreToolUse[0].nothing[3]')).toBe(4);
    expect(lineOf('disableAllHooks')).toBe(1);
  });
});

describe('a broken entry', () => {
  test('is skipped with its line, and nothing else of the file is lost', () => {
    const settings = read(`{
      "permissions": {
        "allow": [
          "Bash(ls:*)",
          42,
          "Bash(ls",
          "",
          { "tool": "Bash" }
        ],
        "deny": "Bash(rm:*)",
        "additionalDirectories": [null, "/ok"],
        "defaultMode": "yolo"
      },
      "env": { "A B": "1", "OK": "1", "LIST": [], "GANTRY_HOME": "/elsewhere", "__proto__": {} }
    }`);
    expect(texts(settings.allow)).toEqual(['Bash(ls:*)']);
    expect(settings.directories).toEqual([{ value: '/ok', line: 11 }]);
    expect(settings.variables).toEqual([{ value: { name: 'OK', value: '1' }, line: 14 }]);
    expect(settings.findings.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '10 permissions.deny has to be a list. It is skipped.',
      '5 permissions.allow[1] is no rule: expected string, received number. It is skipped.',
      '6 permissions.allow[2] is no rule: Bash(ls is not written like Tool or Tool(specifier). It is skipped.',
      '7 permissions.allow[3] is no rule: it is empty. It is skipped.',
      '8 permissions.allow[4] is no rule: expected string, received object. It is skipped.',
      '11 permissions.additionalDirectories[0] is no folder: expected string, received null. It is skipped.',
      '12 permissions.defaultMode has to be one of default, acceptEdits, plan, auto, dontAsk, bypassPermissions. It is skipped.',
      '14 env.A B is not set: a variable has a name of letters, digits and _.',
      '14 env.LIST is not set: a text, number or truth value is expected.',
      '14 env.GANTRY_HOME is not set: variables of this name are Gantry’s own.',
      '14 env.__proto__ is not set: a text, number or truth value is expected.',
    ]);
  });

  test.each(['[]', '"allow"', '7', 'null'])('%s is no settings file', (text) => {
    expect(found(text)).toEqual(['1 Settings have to be an object in braces. Nothing here has an effect.']);
  });

  test('a slip in a name under permissions is told, since a guard that does not work is silent', () => {
    expect(found('{ "permissions": {\n "denied": ["Bash"] } }')).toEqual([
      '2 There is no permissions.denied. It has no effect.',
    ]);
  });

  test('characters that would move the cursor are shown, not sent', () => {
    const [finding] = found('{ "permissions": { "allow": ["\\u001b[2Jx \\u202e(", 1] } }');
    expect(finding).toContain('\\u{1b}[2Jx \\u{202e}(');
  });
});

describe('names of prototype properties', () => {
  test.each(['toString', 'constructor', '__proto__', 'hasOwnProperty', 'valueOf'])(
    '%s is a rule or a key like others',
    (name) => {
      const settings = read(`{
      "${name}": { "permissions": { "allow": ["Bash"] } },
      "permissions": { "${name}": ["Bash"], "deny": ["${name}"], "allow": ["Read"] },
      "env": { "${name}": "x" }
    }`);
      expect(texts(settings.deny)).toEqual([name]);
      expect(texts(settings.allow)).toEqual(['Read']);
      expect(settings.findings).toMatchObject([{ kind: 'settings-unknown-key', line: 3 }]);
      expect(Object.getPrototypeOf(settings.json)).toBe(Object.prototype);
    },
  );
});

describe('a key that stands twice', () => {
  const twice = read(`{
    "permissions": { "deny": ["Bash(rm:*)"], "allow": ["Bash"], "defaultMode": "acceptEdits" },
    "permissions": { "deny": ["Read(.env)"], "allow": ["Read"] }
  }`);

  test('hides no deny rule, and allows no more than the last one', () => {
    expect(texts(twice.deny)).toEqual(['Bash(rm:*)', 'Read(.env)']);
    expect(texts(twice.allow)).toEqual(['Read']);
    expect(twice.findings).toMatchObject([{ kind: 'settings-twice', line: 3 }]);
  });
});

describe('a broken file', () => {
  test('keeps its deny and ask rules as far as they can be read, and nothing that grants', () => {
    const settings = read(WHOLE.replace('"CI": "1"', '"CI": '));
    expect(settings.broken).toBe(true);
    expect(texts(settings.deny)).toEqual(['Read(.env)']);
    expect(texts(settings.ask)).toEqual(['Bash(git push:*)']);
    expect(settings).toMatchObject({
      allow: [],
      directories: [],
      variables: [],
      defaultMode: undefined,
      json: undefined,
    });
    expect(settings.findings[0]).toEqual({
      file: '/p/settings.json',
      line: 13,
      kind: 'settings-broken',
      message:
        'The file is broken: a value is missing. Until it is mended its 2 allow rules, folders, mode, variables and hooks have no effect. Its deny and ask rules count as far as they can be read (2 rules).',
    });
  });

  test.each([
    ['{ "a": 1', 'a closing brace is missing'],
    ['{ "a" 1 }', 'a colon is missing'],
    ['{ "a": 1 "b": 2 }', 'a comma is missing'],
    ['{ "a": "x }', 'a text has no closing quote'],
    ['{ "a": nope }', 'a word is no value; texts need double quotes'],
    ['{} {}', 'something follows after the end'],
    ['{ /* a }', 'a comment has no end'],
    ['{ "a": "\\x" }', 'a backslash stands before a character that has no escape'],
  ])('%s: %s', (text, what) => {
    expect(read(text).findings[0]?.message).toContain(`The file is broken: ${what}.`);
  });

  test('nested ten thousand times over costs nothing but the file', () => {
    expect(found(`{"permissions":{"allow":["Bash"],"x":${'['.repeat(200_000)}`)).toMatchObject([
      expect.stringContaining('it is nested too deeply'),
    ]);
  });

  test('still forbids what it forbade before it broke', () => {
    const before = read('{ "permissions": { "deny": ["Bash(rm:*)"], "ask": ["Edit"], "allow": ["Read"] } }');
    const now = read('{ "permissions": { "deny": ["Bash(dd:*)", }');
    expect(texts(heldOver(now, before).deny)).toEqual(['Bash(dd:*)', 'Bash(rm:*)']);
    expect(texts(heldOver(now, before).ask)).toEqual(['Edit']);
    expect(heldOver(now, before).allow).toEqual([]);
    const gone = unreadableSettings({ scope: 'project', file: '/p/settings.json', why: 'there is no permission' });
    expect(texts(heldOver(gone, before).deny)).toEqual(['Bash(rm:*)']);
  });

  test('a file that was mended forgets what stood in it', () => {
    const before = read('{ "permissions": { "deny": ["Bash(rm:*)"] } }');
    expect(heldOver(read('{}'), before).deny).toEqual([]);
  });
});
