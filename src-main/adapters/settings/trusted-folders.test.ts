import { mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../process/system-clock.ts';
import { Home } from './home.fixture.ts';
import { TrustedFolders } from './trusted-folders.ts';

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

const isTrusted = (folders: TrustedFolders, folder: string) =>
  folders.answerFor(folder).answer === 'trusted' && folders.answerFor(folder).confirms('a');

test('a folder is trusted by its real path, in every window, until it is taken off', () => {
  const { trusted, shop } = home;
  const other = new TrustedFolders(home.trustList, systemClock);
  const link = join(home.root, 'link');
  home.link(shop, link);
  expect(isTrusted(trusted, shop)).toBe(false);
  trusted.trust(link, ['a']);
  expect([trusted.list(), isTrusted(trusted, link), isTrusted(other, `${shop}/`)]).toEqual([[shop], true, true]);
  expect(statSync(home.trustList).mode & 0o077).toBe(0);
  other.untrust(link);
  expect(isTrusted(trusted, shop)).toBe(false);
});

test('what lies in a trusted folder, beside it, or takes its place is not trusted', () => {
  const { trusted, shop } = home;
  trusted.trust(shop, ['a']);
  for (const folder of [join(shop, 'vendor'), `${shop}-evil`, join(home.root, 'work')]) {
    mkdirSync(folder, { recursive: true });
    expect(isTrusted(trusted, folder)).toBe(false);
  }
  renameSync(shop, `${shop}-old`);
  home.link(`${shop}-evil`, shop);
  expect(isTrusted(trusted, shop)).toBe(false);
});

test('a folder that is gone is not trusted, and can be taken off', () => {
  const { trusted, shop } = home;
  trusted.trust(shop, ['a']);
  rmSync(shop, { recursive: true });
  expect(isTrusted(trusted, shop)).toBe(false);
  trusted.untrust(shop);
  expect(trusted.list()).toEqual([]);
});

test('only a folder can be trusted', () => {
  home.write(home.user, {});
  expect(() => home.trusted.trust(join(home.root, 'nowhere'), ['a'])).toThrow('is no folder');
  expect(() => home.trusted.trust(home.user, ['a'])).toThrow('is no folder');
});

test.each(['[', '{}', '{"version":3,"folders":[]}', '{"version":1,"folders":[7]}', '"__proto__"'])(
  'a list that says %s trusts nobody and is not written over',
  (text) => {
    home.write(home.trustList, text);
    expect(isTrusted(home.trusted, home.shop)).toBe(false);
    expect(() => home.trusted.trust(home.shop, ['a'])).toThrow('cannot be read');
    expect(readFileSync(home.trustList, 'utf8')).toBe(text);
  },
);

test('what is confirmed adds up; single entries are confirmed without trusting the folder', () => {
  const { trusted, shop } = home;
  trusted.confirm(shop, ['rule']);
  expect([trusted.list(), trusted.answerFor(shop).answer, trusted.answerFor(shop).confirms('rule')]).toEqual([
    [],
    'none',
    true,
  ]);
  trusted.trust(shop, ['a']);
  trusted.trust(shop, ['b']);
  const { answer, confirms } = trusted.answerFor(shop);
  expect([answer, ...['rule', 'a', 'b', 'c'].map(confirms)]).toEqual(['trusted', true, true, true, false]);
  expect(trusted.answerFor(shop)).toBe(trusted.answerFor(shop));
});

test('a folder that is not to be asked about loses what was confirmed', () => {
  const { trusted, shop } = home;
  trusted.trust(shop, ['a']);
  trusted.refuse(shop);
  expect(trusted.answerFor(shop).answer).toBe('never');
  expect(trusted.answerFor(shop).confirms('a')).toBe(false);
  trusted.untrust(shop);
  expect(trusted.answerFor(shop).answer).toBe('none');
});

test('a list of the first version said nothing of entries: its folders are trusted, and each entry waits', () => {
  home.write(home.trustList, { version: 1, folders: [home.shop] });
  expect(home.trusted.list()).toEqual([home.shop]);
  expect(home.trusted.answerFor(home.shop).confirms('a')).toBe(false);
});
