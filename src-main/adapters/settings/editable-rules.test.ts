import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settingsPlaces } from '../../core/settings/places.ts';
import { EditableRules } from './editable-rules.ts';
import { Home } from './home.fixture.ts';

let home: Home;
let rules: EditableRules;
beforeEach(() => {
  home = new Home();
  rules = new EditableRules({
    home: join(home.root, 'home'),
    placesOf: (cwd) =>
      settingsPlaces({
        cwd,
        claudeHome: join(home.root, 'home', '.claude'),
        gantryHome: join(home.root, 'gantry'),
        managedHome: join(home.root, 'etc'),
      }),
    trust: home.trusted,
  });
});
afterEach(() => home.remove());

const text = (file: string): string => readFileSync(file, 'utf8');
const change = (before: string, after: string, allowed: readonly string[] = []) =>
  ({ scope: 'local', folder: home.shop, before, after, allowed }) as const;

test('the files of a folder are there with their texts, the missing ones too, the weakest first', () => {
  home.write(home.user, { a: 1 });
  home.write(join(home.root, 'etc', 'managed-settings.d', 'b.json'), '{}');
  expect(rules.of(home.shop).files.map(({ scope, text: content }) => [scope, content])).toEqual([
    ['user', '{\n  "a": 1\n}'],
    ['project', undefined],
    ['local', undefined],
    ['managed', undefined],
    ['managed', '{}'],
  ]);
});

test('a file is written in one step, and only where it is as it was', () => {
  home.write(home.local, '{}\n');
  rules.write(change('{}\n', '{ "permissions": {} }\n'));
  expect(text(home.local)).toBe('{ "permissions": {} }\n');
  expect(() => rules.write(change('{}\n', 'x'))).toThrow(
    /cannot be saved in .*settings\.local\.json:1: it was changed meanwhile/,
  );
  expect(text(home.local)).toBe('{ "permissions": {} }\n');
});

test('a folder’s file that is reached through a link is not written', () => {
  home.write(join(home.root, 'elsewhere.json'), '{}\n');
  home.link(join(home.root, 'elsewhere.json'), home.local);
  expect(() => rules.write(change('{}\n', 'x'))).toThrow('it is reached through a link');
  expect(text(join(home.root, 'elsewhere.json'))).toBe('{}\n');
});

test('what a person writes into a folder’s file is confirmed, and what stood there is not', () => {
  home.write(home.local, { permissions: { allow: ['Bash(theirs)'] } });
  const before = text(home.local);
  const after = before.replace('"Bash(theirs)"', '"Bash(theirs)",\n      "Bash(mine)"');
  rules.write(change(before, after, ['Bash(mine)']));
  const { rules: inEffect } = home.settings().current();
  expect(inEffect.allow.map((rule) => rule.text)).toEqual(['Bash(mine)']);
});
