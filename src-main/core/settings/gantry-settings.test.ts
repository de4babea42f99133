import { describe, expect, test } from 'vitest';
import { readGantrySettings } from './gantry-settings.ts';

const read = (text: string) => readGantrySettings({ scope: 'user', file: '/g/settings.json', text });
const found = (text: string) => read(text).findings.map(({ line, message }) => `${line} ${message}`);

test('all settings there are', () => {
  const { values, treatAsSafe, findings } = read(`{
    "$schema": "x",
    "strategy": "batch",
    "cap": 4, // lanes
    "cascade": "any-error",
    "concurrency": { "treatAsSafe": ["Bash(npm test)", "Bash(npm run lint:*)"] },
    "streaming": { "startUnsafe": "after-message" },
    "saveThreshold": 1000,
    "messageBudget": 20000,
    "results": { "maxChars": { "Bash": 500, "toString": 7 } },
    "agents": { "concurrency": "never" },
  }`);
  expect(findings).toEqual([]);
  expect(values).toEqual({
    strategy: 'batch',
    cap: 4,
    cascade: 'any-error',
    startUnsafe: 'after-message',
    saveThreshold: 1000,
    messageBudget: 20_000,
    maxResultChars: Object.fromEntries([
      ['Bash', 500],
      ['toString', 7],
    ]),
    agentConcurrency: 'never',
  });
  expect(treatAsSafe).toEqual([
    { value: 'Bash(npm test)', line: 6 },
    { value: 'Bash(npm run lint:*)', line: 6 },
  ]);
});

test('folders of other programs are left alone by a person’s own word, and by no folder’s', () => {
  const text = '{ "library": { "otherPrograms": false } }';
  expect(read(text)).toMatchObject({ otherPrograms: false, findings: [] });
  const ofFolder = readGantrySettings({ scope: 'project', file: '/w/.gantry/settings.json', text });
  expect(ofFolder.otherPrograms).toBeUndefined();
  expect(ofFolder.findings).toHaveLength(1);
});

test('folders of the library and of the vault are named whole, in a person’s own file', () => {
  const text = `{
    "library": { "folders": ["/mnt/other", "~/exports"], "leaveOut": ["codex"] },
    "vault": { "folder": "/mnt/vault", "whileRunning": true }
  }`;
  expect(read(text)).toMatchObject({
    library: { folders: ['/mnt/other', '~/exports'], leaveOut: ['codex'] },
    vault: { folder: '/mnt/vault', whileRunning: true },
    findings: [],
  });
  expect(read('{ "vault": { "folder": "relative" } }')).toMatchObject({ vault: {}, findings: [{ line: 1 }] });
  const ofFolder = readGantrySettings({ scope: 'project', file: '/w/.gantry/settings.json', text });
  expect(ofFolder).toMatchObject({ library: {}, vault: {}, findings: [{}, {}, {}, {}] });
});

test('what does not fit is skipped with its line, and the rest counts', () => {
  const text = `{
    "cap": 0,
    "strategy": "fast",
    "cascade": "none",
    "concurrency": { "treatAsSafe": ["Bash(", 3, "Bash(make)"] },
    "streaming": [],
    "results": { "maxChars": { "Bash": "many", "Read": 9 } },
    "saveThreshold": 1.5
  }`;
  expect(read(text)).toMatchObject({
    values: { cascade: 'none', maxResultChars: { Read: 9 } },
    treatAsSafe: [{ value: 'Bash(make)' }],
  });
  expect(found(text)).toEqual([
    '2 cap is skipped: a whole number over 0 is expected.',
    '3 strategy is skipped: expected one of "streaming"|"batch"|"serial".',
    '5 concurrency.treatAsSafe[0] is skipped: a rule like Bash(npm test) is expected.',
    '5 concurrency.treatAsSafe[1] is skipped: a rule like Bash(npm test) is expected.',
    '6 streaming is skipped: an object is expected.',
    '7 results.maxChars.Bash is skipped: a whole number over 0 is expected.',
    '8 saveThreshold is skipped: a whole number over 0 is expected.',
  ]);
});

test('a key that is unknown is told, and so is one that was meant as a section', () => {
  expect(
    found('{ "capp": 3,\n "streaming": { "strategy": "batch" },\n "agents.concurrency": "always",\n "toString": 1 }'),
  ).toEqual([
    '1 There is no setting capp. It has no effect.',
    '2 There is no setting streaming.strategy. It has no effect.',
    '3 Write "agents": { "concurrency": … } instead of "agents.concurrency". It has no effect.',
    '4 There is no setting toString. It has no effect.',
  ]);
  expect(read('{ "agents.concurrency": "always" }').values).toEqual({});
});

test('of a broken file nothing counts', () => {
  expect(read('{ "cap": 3, ')).toMatchObject({ values: {}, findings: [{ kind: 'settings-broken', line: 1 }] });
  expect(read('[]').findings).toHaveLength(1);
  expect(read('').findings).toEqual([]);
});

describe('the model', () => {
  const text = `{
    "model": { "provider": "anthropic", "model": "claude-x", "baseUrl": "https://gateway.example", "maxTokens": 8000,
      "thinkingTokens": 0, "contextWindow": 200000, "key": "sk-no" },
    "titles": "model"
  }`;

  test('that new sessions start with, and who makes their titles', () => {
    const { model, titles } = read(text);
    expect(model).toEqual({
      provider: 'anthropic',
      model: 'claude-x',
      baseUrl: 'https://gateway.example',
      maxTokens: 8000,
      contextWindow: 200_000,
    });
    expect(titles).toBe('model');
    expect(found(text)).toEqual([
      expect.stringContaining('3 model.thinkingTokens is skipped'),
      '3 There is no setting model.key. It has no effect.',
    ]);
  });

  test('is not taken from a folder’s file, which could name a server of its own', () => {
    const { model, titles, findings } = readGantrySettings({
      scope: 'project',
      file: '/p/.gantry/settings.json',
      text,
    });
    expect({ model, titles }).toEqual({ model: {}, titles: undefined });
    expect(findings.map(({ message }) => message)).toContain(
      'model.baseUrl is skipped: it counts in your own settings only.',
    );
  });
});

describe('the advisor and the own network', () => {
  const text = `{
    "advisor": { "provider": "anthropic", "model": "claude-x", "enabled": false },
    "webFetch": { "allowPrivate": ["localhost:3000", "10.1.0.0/16"] }
  }`;

  test('are taken from a person’s own file', () => {
    const { advisor, allowPrivate, findings } = read(text);
    expect(advisor).toEqual({ provider: 'anthropic', model: 'claude-x', enabled: false });
    expect(allowPrivate).toEqual(['localhost:3000', '10.1.0.0/16']);
    expect(findings).toEqual([]);
    expect(found('{ "webFetch": { "allowPrivate": "localhost" } }')).toEqual([
      expect.stringContaining('webFetch.allowPrivate is skipped'),
    ]);
  });

  test('are not taken from a folder’s file: it could send a conversation out, or requests into the network', () => {
    const { advisor, allowPrivate, findings } = readGantrySettings({
      scope: 'project',
      file: '/p/.gantry/settings.json',
      text,
    });
    expect({ advisor, allowPrivate }).toEqual({ advisor: {}, allowPrivate: [] });
    expect(findings).toHaveLength(4);
  });
});

describe('export.redact', () => {
  const read = (text: string, scope: 'user' | 'project' = 'user') => readGantrySettings({ scope, file: 'f', text });

  test('holds patterns, with or without a name; one that cannot be used is told and counted', () => {
    const { redact, findings } = read(
      '{ "export": { "redact": ["ACME-\\\\d+", { "name": "ticket", "pattern": "T\\\\d{4}" }, "(a+)+", 7] } }',
    );
    expect(redact).toEqual({
      patterns: [
        { name: 'own pattern', pattern: 'ACME-\\d+' },
        { name: 'ticket', pattern: 'T\\d{4}' },
      ],
      broken: 2,
    });
    expect(findings.map(({ message }) => message)).toEqual([
      'export.redact[2] is skipped: it repeats something that repeats itself.',
      'export.redact[3] is skipped: a pattern, or a name with a pattern, is expected.',
    ]);
  });

  test('counts in a person’s own settings only, and a broken file counts as a lost pattern', () => {
    expect(read('{ "export": { "redact": ["x1"] } }', 'project').redact).toEqual({ patterns: [], broken: 0 });
    expect(read('{ "export": ').redact).toEqual({ patterns: [], broken: 1 });
  });
});
