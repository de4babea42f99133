import { expect, test } from 'vitest';
import { isAllowed, isPublic } from './addresses.ts';

test.each(['1.1.1.1', '93.184.216.34', '172.15.0.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
  '%s is of the internet',
  (address) => expect(isPublic(address)).toBe(true),
);

test.each([
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '192.0.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '[::1]',
  'fe80::1',
  'fe80::1%eth0',
  'fd00:ec2::254',
  'fc00::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '2002:7f00:1::',
  '2001:db8::1',
  '2001::1',
  '',
  'localhost',
])('%s is not', (address) => expect(isPublic(address)).toBe(false));

const allowed = (entries: readonly string[], host: string, address: string, port = 80): boolean =>
  isAllowed({ host, address, port }, entries);

test('a person may list names, addresses and networks, with a port', () => {
  expect(allowed(['localhost'], 'localhost', '127.0.0.1')).toBe(true);
  expect(allowed(['LOCALHOST.'], 'localhost', '127.0.0.1')).toBe(true);
  expect(allowed(['localhost:3000'], 'localhost', '127.0.0.1', 3000)).toBe(true);
  expect(allowed(['localhost:3000'], 'localhost', '127.0.0.1', 3001)).toBe(false);
  expect(allowed(['127.0.0.1'], 'anything.example', '127.0.0.1')).toBe(true);
  expect(allowed(['10.1.0.0/16'], 'x.example', '10.1.2.3')).toBe(true);
  expect(allowed(['10.1.0.0/16'], 'x.example', '10.2.2.3')).toBe(false);
  expect(allowed(['::1'], '[::1]', '::1')).toBe(true);
  expect(allowed(['[::1]:8080'], '[::1]', '::1', 8080)).toBe(true);
  expect(allowed(['*.corp.example'], 'wiki.corp.example', '10.0.0.1')).toBe(true);
  expect(allowed(['*.corp.example'], 'corp.example', '10.0.0.1')).toBe(false);
  expect(allowed(['*.corp.example'], 'evilcorp.example', '10.0.0.1')).toBe(false);
});

test('a name never leads to where clouds keep secrets; only the address itself does', () => {
  expect(allowed(['wiki.corp.example'], 'wiki.corp.example', '169.254.169.254')).toBe(false);
  expect(allowed(['wiki.corp.example'], 'wiki.corp.example', 'fe80::1')).toBe(false);
  expect(allowed(['169.254.169.254'], 'wiki.corp.example', '169.254.169.254')).toBe(true);
});

test.each(['10.0.0.0/33', '10.0.0.0/x', '', '*', '/8'])('%s allows nothing', (entry) => {
  expect(allowed([entry], 'x.example', '10.0.0.1')).toBe(false);
});
