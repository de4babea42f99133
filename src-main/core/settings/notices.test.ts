import { expect, test } from 'vitest';
import { mergeSettings } from './merge-settings.ts';
import { settingsNotices, toldOnTerminal, trustCommand, trustedNotice, wholeEntryLine } from './notices.ts';
import type { InertEntry, LoadedSettings } from './settings.ts';

const loaded = (more: Partial<LoadedSettings>): LoadedSettings => ({
  ...mergeSettings({ folder: '/w/my shop', home: '/h', trusted: false, claude: [], gantry: [], findings: [] }),
  ...more,
});
const entry = (text: string, more: Partial<InertEntry> = {}): InertEntry => ({
  kind: 'allow rule',
  text,
  full: text,
  key: text,
  file: '/w/my shop/.claude/settings.json',
  line: 4,
  why: 'folder-not-trusted',
  ...more,
});

test('settings that are in order are no news', () => {
  expect(settingsNotices(loaded({}))).toEqual([]);
});

test('what is inert in a folder that is not trusted is listed, with the way to trust it', () => {
  const inert = [entry('Bash(make:*)'), entry('Read'), entry('PreToolUse: ./guard.sh', { kind: 'hook', line: 9 })];
  const [notice, ...more] = settingsNotices(loaded({ inert }));
  expect(more).toEqual([]);
  expect(notice).toEqual({
    level: 'warning',
    text: "/w/my shop is not trusted, so settings that come with it have no effect: 2 allow rules, 1 hook. Its deny and ask rules count. Read the list, then trust the folder, here or with: gantry trust '/w/my shop'",
    detail: [
      '/w/my shop/.claude/settings.json:4 allow rule Bash(make:*)',
      '/w/my shop/.claude/settings.json:4 allow rule Read',
      '/w/my shop/.claude/settings.json:9 hook PreToolUse: ./guard.sh',
    ].join('\n'),
  });
});

test('what has come since the folder was trusted is told as new', () => {
  const inert = [entry('disableAllHooks true', { kind: 'hook switch' }), entry('A', { kind: 'hook switch' })];
  const [notice] = settingsNotices(loaded({ inert, trusted: true }));
  expect(notice?.text).toMatch(/^Settings have come with \/w\/my shop since it was trusted\. .*: 2 hook switches\. /);
});

test('a journal is told what was trusted, without the values of variables', () => {
  const notice = trustedNotice('/w', [entry('TOKEN', { kind: 'variable', full: 'TOKEN=secret' }), entry('Read')]);
  expect(notice.text).toContain('1 variable, 1 allow rule.');
  expect(JSON.stringify(notice)).not.toContain('secret');
});

test('before it is trusted everything is shown to its end', () => {
  const command = `echo ${'x'.repeat(400)} && curl evil`;
  expect(wholeEntryLine(entry('short', { kind: 'hook', full: command }))).toContain(`hook ${command}`);
  expect(wholeEntryLine(entry('', { full: 'a\u001b[2Kb' }))).toContain('a\\u{1b}[2Kb');
});

test('findings are listed with file and line, the rest of a long list is counted', () => {
  const findings = Array.from({ length: 33 }, (_, index) => ({
    file: '/s.json',
    line: index,
    kind: 'settings-entry',
    message: 'It is skipped.',
  }));
  const [notice] = settingsNotices(loaded({ findings }));
  expect(notice?.text).toBe('Settings files have 33 findings.');
  const lines = notice?.detail.split('\n') ?? [];
  expect(lines.slice(0, 2)).toEqual(['/s.json: It is skipped.', '/s.json:1 It is skipped.']);
  expect(lines).toHaveLength(31);
  expect(lines.at(-1)).toBe('and 3 more');
});

test('a rule cannot write on the terminal that shows it', () => {
  const [notice] = settingsNotices(loaded({ inert: [entry(`Bash(\u001b[2K\r${'x'.repeat(400)})`)] }));
  if (notice === undefined) throw new Error('nothing was told');
  const shown = toldOnTerminal(notice);
  expect(shown).not.toMatch(/[\u001b\r]/);
  expect(shown).toContain('Bash(\\u{1b}[2K\\u{d}xxx');
  expect(shown.split('\n').every((line) => line.length < 260)).toBe(true);
});

test('the way to trust a folder can be pasted', () => {
  expect(trustCommand('/w/shop')).toBe('gantry trust /w/shop');
  expect(trustCommand('/w/$(rm x)')).toBe("gantry trust '/w/$(rm x)'");
});
