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

test('a folder is trusted by its real path, in every window, until it is taken off', () => {
  const { trusted, shop } = home;
  const other = new TrustedFolders(home.trustList, systemClock);
  const link = join(home.root, 'link');
  home.link(shop, link);
  expect(trusted.isTrusted(shop)).toBe(false);
  trusted.trust(link);
  expect([trusted.list(), trusted.isTrusted(link), other.isTrusted(`${shop}/`)]).toEqual([[shop], true, true]);
  expect(statSync(home.trustList).mode & 0o077).toBe(0);
  other.untrust(link);
  expect(trusted.isTrusted(shop)).toBe(false);
});

test('what lies in a trusted folder, beside it, or takes its place is not trusted', () => {
  const { trusted, shop } = home;
  trusted.trust(shop);
  for (const folder of [join(shop, 'vendor'), `${shop}-evil`, join(home.root, 'work')]) {
    mkdirSync(folder, { recursive: true });
    expect(trusted.isTrusted(folder)).toBe(false);
  }
  renameSync(shop, `${shop}-old`);
  home.link(`${shop}-evil`, shop);
  expect(trusted.isTrusted(shop)).toBe(false);
});

test('a folder that is gone is not trusted, and can be taken off', () => {
  const { trusted, shop } = home;
  trusted.trust(shop);
  rmSync(shop, { recursive: true });
  expect(trusted.isTrusted(shop)).toBe(false);
  trusted.untrust(shop);
  expect(trusted.list()).toEqual([]);
});

test('only a folder can be trusted', () => {
  home.write(home.user, {});
  expect(() => home.trusted.trust(join(home.root, 'nowhere'))).toThrow('is no folder');
  expect(() => home.trusted.trust(home.user)).toThrow('is no folder');
});

test.each(['[', '{}', '{"version":2,"folders":[]}', '{"version":1,"folders":[7]}', '"__proto__"'])(
  'a list that says %s trusts nobody and is not written over',
  (text) => {
    home.write(home.trustList, text);
    expect(home.trusted.isTrusted(home.shop)).toBe(false);
    expect(() => home.trusted.trust(home.shop)).toThrow('cannot be read');
    expect(readFileSync(home.trustList, 'utf8')).toBe(text);
  },
);
