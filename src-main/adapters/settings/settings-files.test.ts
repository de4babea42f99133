import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Home } from './home.fixture.ts';

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

const allows = (...allow: string[]) => ({ permissions: { allow } });
const denies = (...deny: string[]) => ({ permissions: { deny } });
const texts = (rules: readonly { readonly text: string }[]) => rules.map(({ text }) => text);

describe('settings of a folder', () => {
  test('come from the files of user, folder and administrator, each rule with its file and line', () => {
    home.write(home.user, allows('Read'));
    home.write(home.project, allows('Bash(make)'));
    home.write(home.local, denies('Bash(rm:*)'));
    home.write(home.managed, denies('WebFetch'));
    home.write(join(home.root, 'etc', 'managed-settings.d', '20-b.json'), denies('B'));
    home.write(join(home.root, 'etc', 'managed-settings.d', '10-a.json'), denies('A'));
    home.write(join(home.root, 'etc', 'managed-settings.d', 'notes.txt'), 'no settings');
    home.write(home.own, { cap: 3 });
    home.write(home.ownProject, { cap: 4 });
    home.trust();
    const { rules, defaults, findings } = home.settings().current();
    expect(rules.allow).toEqual([
      { text: 'Read', scope: 'user', file: home.user, line: 4 },
      { text: 'Bash(make)', scope: 'project', file: home.project, line: 4 },
    ]);
    expect(rules.deny.map(({ text, scope }) => `${text} ${scope}`)).toEqual([
      'Bash(rm:*) local',
      'WebFetch managed',
      'A managed',
      'B managed',
    ]);
    expect(defaults).toEqual({ cap: 4 });
    expect(findings).toEqual([]);
  });

  test('are none where there are no files', () => {
    expect(home.settings().current()).toMatchObject({
      rules: { allow: [], ask: [], deny: [] },
      inert: [],
      findings: [],
    });
  });

  test('in the home folder the file of user and project is the user’s', () => {
    home.write(home.user, allows('Read'));
    const { rules, inert } = home.settings(join(home.root, 'home')).current();
    expect(rules.allow).toMatchObject([{ text: 'Read', scope: 'user' }]);
    expect(inert).toEqual([]);
  });
});

describe('a change', () => {
  test('shows at the next look, and nothing changes without one', () => {
    home.write(home.user, allows('Read'));
    const settings = home.settings();
    const before = settings.current();
    expect(settings.current()).toBe(before);
    home.write(home.user, allows('Read', 'Edit'));
    expect(texts(settings.current().rules.allow)).toEqual(['Read', 'Edit']);
    rmSync(home.user);
    expect(settings.current().rules.allow).toEqual([]);
    home.write(home.user, allows('Glob'));
    expect(texts(settings.current().rules.allow)).toEqual(['Glob']);
  });

  test('of the same length in the same moment shows too', () => {
    const settings = home.settings();
    for (const rule of ['Bash(a)', 'Bash(b)', 'Bash(c)', 'Bash(d)', 'Bash(e)']) {
      home.write(home.user, allows(rule));
      expect(texts(settings.current().rules.allow)).toEqual([rule]);
    }
  });

  test('of a file that is old is not missed when its time is put back', () => {
    const old = new Date(1_600_000_000_000);
    home.write(home.user, allows('Bash(a)'));
    utimesSync(home.user, old, old);
    const settings = home.settings();
    expect(texts(settings.current().rules.allow)).toEqual(['Bash(a)']);
    writeFileSync(home.user, readFileSync(home.user, 'utf8').replace('(a)', '(b)'));
    utimesSync(home.user, old, old);
    expect(texts(settings.current().rules.allow)).toEqual(['Bash(b)']);
  });

  test('a managed rule that is taken away has no effect any more', () => {
    home.write(home.managed, denies('Bash'));
    const settings = home.settings();
    expect(texts(settings.current().rules.deny)).toEqual(['Bash']);
    rmSync(home.managed);
    expect(settings.current().rules.deny).toEqual([]);
  });

  test('to a broken file lifts nothing that was forbidden, and grants nothing', () => {
    home.write(home.user, { permissions: { deny: ['Bash(rm:*)'], allow: ['Read'] } });
    const settings = home.settings();
    settings.current();
    home.write(home.user, '{ "permissions": { "allow": ["Bash"], ');
    const { rules, findings } = settings.current();
    expect(texts(rules.deny)).toEqual(['Bash(rm:*)']);
    expect(rules.allow).toEqual([]);
    expect(findings).toMatchObject([{ file: home.user, line: 1, kind: 'settings-broken' }]);
    home.write(home.user, allows('Read'));
    expect(settings.current()).toMatchObject({ rules: { deny: [], allow: [{ text: 'Read' }] }, findings: [] });
  });
});

describe('what is no ordinary file', () => {
  test('a pipe in its place does not hold up a decision', () => {
    mkdirSync(dirname(home.project), { recursive: true });
    execFileSync('mkfifo', [home.project]);
    expect(home.settings().current().findings).toMatchObject([
      { file: home.project, message: 'The file cannot be read: it is no file. Nothing in it has an effect.' },
    ]);
  });

  test.each([
    ['a folder', () => mkdirSync(home.project, { recursive: true }), 'it is a folder'],
    [
      'bytes that are no UTF-8',
      () => write(Buffer.from('{"permissions":{"allow":["\xff"]}}', 'latin1')),
      'it is not UTF-8 text',
    ],
    ['something huge', () => write(Buffer.alloc(3 * 1024 * 1024, ' ')), 'it is larger than 2 MB'],
  ])('%s is a finding', (_, make, why) => {
    make();
    const { findings, rules } = home.settings().current();
    expect(findings).toMatchObject([{ file: home.project, message: expect.stringContaining(why) }]);
    expect(rules.allow).toEqual([]);
  });

  const write = (bytes: Buffer): void => {
    mkdirSync(dirname(home.project), { recursive: true });
    writeFileSync(home.project, bytes);
  };

  test('a mark of the byte order is no part of the text', () => {
    home.write(home.user, `\uFEFF${JSON.stringify(allows('Read'))}`);
    expect(home.settings().current()).toMatchObject({ rules: { allow: [{ text: 'Read' }] }, findings: [] });
  });
});

describe('trust', () => {
  const waiting = (settings: ReturnType<Home['settings']>) =>
    settings.current().inert.map(({ kind, full }) => `${kind} ${full}`);

  test('given while the session runs counts at the next look, and so does its end', () => {
    home.write(home.project, allows('Bash'));
    const settings = home.settings();
    expect(settings.current()).toMatchObject({
      trusted: false,
      rules: { allow: [] },
      inert: [{ text: 'Bash', line: 4 }],
    });
    home.trust();
    expect(settings.current()).toMatchObject({
      trusted: true,
      rules: { allow: [{ text: 'Bash' }] },
      inert: [],
      granted: [{ kind: 'allow rule', text: 'Bash', file: home.project, line: 4 }],
    });
    home.trusted.untrust(home.shop);
    expect(settings.current()).toMatchObject({ trusted: false, rules: { allow: [] } });
  });

  test('holds for what was listed: what is changed or comes later waits, what was confirmed goes on', () => {
    const hook = (command: string, more = {}) => ({ PreToolUse: [{ hooks: [{ type: 'command', command, ...more }] }] });
    home.write(home.project, { ...allows('Read', 'Bash(make:*)'), hooks: hook('guard'), env: { A: '1' } });
    home.trust();
    const settings = home.settings();
    expect(waiting(settings)).toEqual([]);
    home.write(home.project, { env: { A: '1' }, hooks: hook('guard'), ...allows('Bash(make:*)', 'Bash', 'Read') });
    expect(waiting(settings)).toEqual(['allow rule Bash']);
    expect(texts(settings.current().rules.allow)).toEqual(['Bash(make:*)', 'Read']);
    home.write(home.project, { ...allows('Read'), hooks: hook('guard', { timeout: 1 }), env: { A: '2' } });
    expect(waiting(settings)).toEqual(['variable A=2', 'hook PreToolUse: guard']);
    expect(settings.current()).toMatchObject({ env: {}, hooks: { hooks: [] }, trusted: true });
    home.write(home.local, { disableAllHooks: true });
    expect(waiting(settings)).toContain('hook switch disableAllHooks true: no hooks run, your own neither');
  });

  test('a folder of which nobody wants to hear grants nothing', () => {
    home.write(home.project, allows('Bash'));
    home.trust();
    home.trusted.refuse(home.shop);
    expect(home.trusted.answerFor(home.shop).answer).toBe('never');
    expect(home.settings().current()).toMatchObject({
      trusted: false,
      rules: { allow: [] },
      inert: [{ text: 'Bash' }],
    });
  });

  test('mode bypassPermissions of a folder is not even asked about', () => {
    home.write(home.project, { permissions: { defaultMode: 'bypassPermissions' } });
    expect(home.settings().current().inert).toMatchObject([{ kind: 'mode', why: 'bypass-from-folder' }]);
  });

  test('a list that is broken trusts nobody, and is a finding', () => {
    home.write(home.project, allows('Bash'));
    home.trust();
    home.write(home.trustList, '{ "version": 1, "folders": [');
    const { trusted, findings } = home.settings().current();
    expect(trusted).toBe(false);
    expect(findings).toMatchObject([{ file: home.trustList, kind: 'settings-unreadable' }]);
  });
});

describe('adding a rule', () => {
  test.each([
    ['user', () => home.user],
    ['project', () => home.project],
    ['local', () => home.local],
  ] as const)('to %s settings makes folder and file, and counts at the next look', (scope, file) => {
    home.trust();
    const settings = home.settings();
    settings.current();
    expect(settings.addRule(scope, 'Bash(npm test:*)')).toBe(file());
    expect(settings.current().rules.allow).toEqual([{ text: 'Bash(npm test:*)', scope, file: file(), line: 4 }]);
    expect(readFileSync(file(), 'utf8')).toMatch(/^\{\n {2}"permissions"/);
  });

  test('to the settings of a folder confirms this rule and nothing beside it', () => {
    home.write(home.project, allows('Bash'));
    home.settings().addRule('project', 'Read');
    const { rules, inert, trusted } = home.settings().current();
    expect([texts(rules.allow), texts(inert), trusted]).toEqual([['Read'], ['Bash'], false]);
    expect(home.trusted.list()).toEqual([]);
  });

  test('works where the list of trusted folders cannot be written; the rule then waits', () => {
    home.write(home.trustList, '[');
    home.settings().addRule('local', 'Read');
    expect(home.settings().current()).toMatchObject({ rules: { allow: [] }, inert: [{ text: 'Read' }] });
  });

  test('keeps mark, comments, mode and the file a link leads to', () => {
    const real = join(home.root, 'dotfiles', 'claude.json');
    home.write(real, '\uFEFF{ /* mine */ }\n');
    chmodSync(real, 0o600);
    mkdirSync(dirname(home.user), { recursive: true });
    symlinkSync(real, home.user);
    home.settings().addRule('user', 'Read');
    expect(readFileSync(real, 'utf8')).toMatch(/^\uFEFF\{ \/\* mine \*\/\n/);
    expect(statSync(real).mode & 0o777).toBe(0o600);
    expect(home.settings().current().rules.allow).toMatchObject([{ text: 'Read', file: home.user }]);
  });

  test('to a broken file fails with its line, and leaves it as it was', () => {
    const text = '{\n  "permissions": {\n    "allow": ["Read"\n';
    home.write(home.project, text);
    expect(() => home.settings().addRule('project', 'Edit')).toThrow(
      `The rule cannot be added to ${home.project}:4: a closing bracket is missing. Nothing was changed.`,
    );
    expect(readFileSync(home.project, 'utf8')).toBe(text);
  });

  test.each([
    ['its file', () => home.link(home.user, home.project)],
    ['its folder', () => home.link(dirname(home.user), dirname(home.project))],
    ['a file that is not there yet', () => home.link(join(home.root, 'nothing'), home.project)],
  ])('never writes through a link that a project has in place of %s', (_, lay) => {
    home.write(home.user, {});
    lay();
    expect(() => home.settings().addRule('project', 'Bash')).toThrow('it is reached through a link');
    expect(readFileSync(home.user, 'utf8')).toBe('{}');
  });

  test('where a file is in the way says so', () => {
    home.write(join(home.shop, '.claude'), 'not a folder');
    expect(() => home.settings().addRule('local', 'Bash')).toThrow('a file is where a folder has to be');
  });
});
