import type { Chance } from '../../bash/testing/random.ts';

/** Names in the folder that `edited-files.ts` lays, with ways out of it and protected ones among them. */
const PATHS = [
  'f',
  'g.txt',
  'a',
  'a/f',
  'a/new',
  'new',
  'b/c',
  './f',
  'a/../f',
  '../outside',
  '../outside/f',
  'out',
  'out/f',
  'out/..',
  'a/up/f',
  '.git',
  '.git/config',
  '.npmrc',
  'a/.npmrc',
  '.',
  '..',
  '*',
  '*.txt',
  '$X',
  '~/f',
  '"f"',
  "'a/f'",
  '-n',
  '.g*',
  'a/.',
];
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  mkdir: ['-p', '-m 700', '-v', '--parents', '-pm700'],
  touch: ['-c', '-a', '-d now', '-r f', '-r ../outside/f', '--date=now', '-t'],
  rm: ['-r', '-rf', '-f', '-d', '-i', '--recursive', '-R', '--no-preserve-root'],
  rmdir: ['-p', '-v', '--parents', '--ignore-fail-on-non-empty'],
  mv: ['-f', '-n', '-t a', '-T', '-v', '--backup', '-S x', '--target-directory=../outside', '-u'],
  cp: ['-r', '-a', '-R', '-t a', '-T', '-f', '-l', '-s', '--backup=numbered', '-P', '-L', '-d', '--parents'],
  sed: ['-i', '-i.bak', '-n -i', '-ni', '--in-place', '-E -i', '-i../outside/*', '-s -i', '-i -e'],
};
const SCRIPTS = ['s/x/y/', 'p', "'s/x/y/w ../outside/f'", "'w ../outside/new'", '1d', "'s/x/touch z/e'", '$d', "'r f'"];
const WRAPPERS = ['', '', '', '', 'LANG=C ', 'timeout 5 ', 'nice -n 5 ', 'nohup ', 'X=1 ', 'sudo ', 'env ', 'command '];

/** One command, or a few of them, as mode acceptEdits may meet them. */
export function edit(chance: Chance): string {
  const count = chance.oneIn(4) ? 2 : 1;
  return Array.from({ length: count }, () => one(chance)).join(chance.pick([' && ', '; ', ' || ', ' | ', '\n']));
}

function one(chance: Chance): string {
  if (chance.oneIn(8)) return `echo x ${chance.pick(['>', '>>', '&>', '2>'])} ${chance.pick(PATHS)}`;
  if (chance.oneIn(10)) return `cd ${chance.pick(PATHS)}`;
  const program = chance.pick(Object.keys(OPTIONS));
  const options = Array.from({ length: chance.below(3) }, () => chance.pick(OPTIONS[program] ?? []));
  const script = program === 'sed' ? [chance.pick(SCRIPTS)] : [];
  const paths = Array.from({ length: 1 + chance.below(3) }, () => chance.pick(PATHS));
  const words = chance.oneIn(3) ? [...script, ...paths, ...options] : [...options, ...script, ...paths];
  return `${chance.pick(WRAPPERS)}${program} ${words.join(' ')}`;
}
