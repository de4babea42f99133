import { describe, expect, test } from 'vitest';
import { CallFacts } from './call-facts.ts';
import { Ground, worldWithoutLinks } from './ground.ts';
import { concernOf, coverOf } from './matching.ts';
import type { SourcedRule } from './rules.ts';
import type { Use } from './tool-rules.ts';

const ground = new Ground(worldWithoutLinks('/work'));
const rule = (text: string): SourcedRule => ({ text, scope: 'project' });
const bash = (command: string) => ({ tool: 'Bash', input: { command } });

const allowed = (texts: readonly string[], use: Use) => coverOf(texts.map(rule), new CallFacts(use, ground));
const allows = (text: string, use: Use) => allowed([text], use) !== undefined;
const covers = (text: string, command: string) => allows(text, bash(command));
const concerns = (text: string, use: Use) => concernOf(rule(text), new CallFacts(use, ground));
const concern = (text: string, command: string) => concerns(text, bash(command));

test('an empty specifier covers nothing and restricts everything', () => {
  expect(covers('Bash()', 'npm test')).toBe(false);
  expect(concern('Bash()', 'npm test')).toBe('yes');
});

describe('an allow rule for Bash', () => {
  test('covers the words it says, alone or with more', () => {
    expect(covers('Bash(npm test)', 'npm test')).toBe(true);
    expect(covers('Bash(npm test)', 'npm  test')).toBe(true);
    expect(covers('Bash(npm test)', 'npm test --watch')).toBe(false);
    expect(covers('Bash(npm test:*)', 'npm test --watch')).toBe(true);
    expect(covers('Bash(npm test:*)', 'npm test')).toBe(true);
    expect(covers('Bash(npm test *)', 'npm testing')).toBe(false);
    expect(covers('Bash(npm run * --fix)', 'npm run lint --fix')).toBe(true);
    expect(covers('Bash(git commit -m "fix it")', 'git commit -m "fix it"')).toBe(true);
    expect(covers('Bash(git commit -m "fix it")', 'cat a && git commit -m "fix it"')).toBe(true);
    expect(covers('Bash(git commit:*)', "git commit -m 'two words'")).toBe(true);
  });

  test('covers a compound command only when every part is covered or only reads', () => {
    expect(covers('Bash(npm test:*)', 'cat a.txt && npm test | head')).toBe(true);
    for (const joint of ['&&', '||', ';', '|', '&', '\n']) {
      expect(covers('Bash(npm test:*)', `npm test ${joint} rm -rf x`), joint).toBe(false);
    }
    expect(covers('Bash(npm test:*)', '(npm test; rm x)')).toBe(false);
    expect(covers('Bash(npm test:*)', 'if true; then npm publish; fi')).toBe(false);
  });

  test('several rules cover a command together', () => {
    const texts = ['Bash(npm test)', 'Bash(npm run build)'];
    expect(allowed(texts, bash('npm test && npm run build'))?.map(({ text }) => text)).toEqual(texts);
    expect(allowed(texts, bash('npm test && npm publish'))).toBeUndefined();
  });

  test('covers no hidden command', () => {
    for (const command of [
      'npm test $(rm x)',
      'npm test `rm x`',
      'npm test "$(rm x)"',
      'npm test <(rm x)',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is bash's own.
      'npm test "${y:-$(rm x)}"',
    ]) {
      expect(covers('Bash(npm test:*)', command), command).toBe(false);
    }
    expect(covers('Bash(npm test:*)', "npm test '$(rm x)'")).toBe(true);
  });

  test('covers no file that is written', () => {
    for (const command of [
      'npm test > out',
      'npm test >> out',
      'npm test 2> out',
      'npm test &> out',
      'npm test >& out',
    ]) {
      expect(covers('Bash(npm test:*)', command), command).toBe(false);
    }
    expect(covers('Bash(npm test:*)', 'npm test < ~/secrets.txt')).toBe(false);
    expect(covers('Bash(npm test:*)', 'npm test < data.txt')).toBe(true);
    for (const command of [
      'npm test 2>&1',
      'npm test > /dev/null',
      'npm test 2>/dev/null',
      'npm test > /dev/null 2>&1',
    ]) {
      expect(covers('Bash(npm test:*)', command), command).toBe(true);
    }
    expect(covers('Bash(npm test:*)', '{ npm test; } > out')).toBe(false);
  });

  test('covers a variable in front only when it is known to be harmless', () => {
    expect(covers('Bash(npm test:*)', 'NODE_ENV=test npm test')).toBe(true);
    expect(covers('Bash(npm test:*)', 'LD_PRELOAD=./x.so npm test')).toBe(false);
    expect(covers('Bash(npm test:*)', 'PATH=. npm test')).toBe(false);
    expect(covers('Bash(npm test:*)', 'PATH=.; npm test')).toBe(false);
    expect(covers('Bash(npm test:*)', 'NODE_ENV=$(rm x) npm test')).toBe(false);
  });

  test('covers no program whose name is not known', () => {
    expect(covers('Bash(npm test:*)', '$X test')).toBe(false);
    expect(covers('Bash(* test)', '$X test')).toBe(false);
    expect(covers('Bash(git push:*)', '"git push" origin')).toBe(false);
    expect(covers('Bash(git push:*)', 'git$IFS"push"')).toBe(false);
  });

  test('looks behind wrappers that only limit, and no further', () => {
    expect(covers('Bash(npm test:*)', 'timeout 60 npm test')).toBe(true);
    expect(covers('Bash(npm test:*)', 'nice -n 5 nohup npm test')).toBe(true);
    expect(covers('Bash(npm test:*)', 'timeout -k 5 60 npm test')).toBe(true);
    expect(covers('Bash(npm test:*)', 'timeout --odd 60 npm test')).toBe(false);
    expect(covers('Bash(npm test:*)', 'sudo npm test')).toBe(false);
    expect(covers('Bash(npm test:*)', 'env X=1 npm test')).toBe(false);
    expect(covers('Bash(timeout *)', 'timeout 60 rm x')).toBe(false);
    expect(covers('Bash(xargs *)', 'ls | xargs rm')).toBe(false);
  });

  test('with a star covers no program that runs whatever follows; word for word it does', () => {
    expect(covers('Bash(find *)', 'find . -delete')).toBe(false);
    expect(covers('Bash(find *)', 'find . -exec rm {} ;')).toBe(false);
    expect(covers('Bash(watch *)', 'watch rm x')).toBe(false);
    expect(covers('Bash(find . -delete)', 'find . -delete')).toBe(true);
  });

  test('covers nothing that cannot be read for certain, or is too long', () => {
    for (const command of ['npm test "', "npm test $'\\x'; (", 'npm test \u00a0x', 'npm test <<EOF\n']) {
      expect(covers('Bash(npm test:*)', command), command).toBe(false);
    }
    expect(covers('Bash(npm test:*)', `npm test ${'x'.repeat(10_000)}`)).toBe(false);
    expect(covers('Bash(npm test:*)', Array(60).fill('npm test').join(';'))).toBe(false);
    expect(covers('Bash(npm test ")', 'npm test "')).toBe(false);
  });

  test('a bare one covers everything, and one for another tool nothing', () => {
    expect(covers('Bash', 'rm -rf x > y')).toBe(true);
    expect(covers('Read', 'ls')).toBe(false);
    expect(covers('*', 'npm test')).toBe(false);
    expect(covers('B*', 'npm test')).toBe(false);
    expect(allows('Bash(npm test)', { tool: 'Bash', input: undefined })).toBe(false);
    expect(allows('Bash(npm test)', { tool: 'Bash', input: { command: 7 } })).toBe(false);
  });
});

describe('a deny or ask rule for Bash', () => {
  test.each([
    'rm x',
    'rm',
    'cd x && rm y',
    'ls; rm y',
    'ls | rm y',
    'echo $(rm x)',
    'echo `rm x`',
    '(rm x)',
    '{ rm x; }',
    'for f in *; do rm "$f"; done',
    'X=1 rm x',
    'LD_PRELOAD=y rm x',
    'rm x > /dev/null',
    'r\\m x',
    '"rm" x',
    '/bin/rm x',
    'sudo rm x',
    'sudo -u root rm x',
    'env X=1 rm x',
    'env -u Y rm x',
    'timeout 5 rm x',
    'nice -n 5 nohup rm x',
    'ls | xargs rm',
    'ls | xargs -n 1 rm',
    'find . -exec rm {} ;',
    'command rm x',
    'exec rm x',
    'setsid rm x',
    'flock /tmp/l rm x',
    'cat <(rm x)',
    'watch "rm x"',
  ])('concerns %j', (command) => {
    expect(concern('Bash(rm:*)', command)).toBe('yes');
  });

  test.each([
    '$X -rf y',
    'bash -c "rm x"',
    'sh -ec "rm x"',
    'eval rm x',
    'sudo bash -c "rm x"',
    'env --odd-option rm x',
    'strace -f rm x',
    'ls "',
    '',
    'ls \u00a0rm',
  ])('concerns %j perhaps', (command) => {
    expect(concern('Bash(rm:*)', command)).toBe('perhaps');
  });

  test.each([
    'ls',
    'grep rm x',
    'echo rm x',
    'rmdir x',
    'npm rm x',
    "echo '$(rm x)'",
    'find . -name rm',
    'xargs grep rm',
  ])('does not concern %j', (command) => {
    expect(concern('Bash(rm:*)', command)).toBe('no');
  });

  test('with stars anywhere', () => {
    expect(concern('Bash(rm*)', 'rmdir x')).toBe('yes');
    expect(concern('Bash(git * --force)', 'git push origin --force')).toBe('yes');
    expect(concern('Bash(* --no-verify *)', 'git commit --no-verify -m x')).toBe('yes');
    expect(concern('Bash(git push *)', 'git pull')).toBe('no');
  });

  test('a word that is not known may be the one that is meant', () => {
    expect(concern('Bash(git push:*)', 'git $VERB')).toBe('perhaps');
    expect(concern('Bash(git push:*)', 'git commit -m "$MESSAGE"')).toBe('no');
  });

  test('a bare one concerns every use, a glob of names every tool of that name', () => {
    expect(concern('Bash', 'ls')).toBe('yes');
    expect(concerns('mcp__*', { tool: 'mcp__server__tool', input: {} })).toBe('yes');
    expect(concerns('*', { tool: 'Read', input: {} })).toBe('yes');
    expect(concerns('mcp__*', { tool: 'Bash', input: {} })).toBe('no');
  });

  test('an input without a command may be anything', () => {
    expect(concerns('Bash(rm:*)', { tool: 'Bash', input: {} })).toBe('perhaps');
  });

  test('a rule about another parameter concerns the uses that have that value', () => {
    const text = 'Bash(run_in_background:true)';
    expect(concerns(text, { tool: 'Bash', input: { command: 'npm start', run_in_background: true } })).toBe('yes');
    expect(concerns(text, { tool: 'Bash', input: { command: 'npm start', run_in_background: false } })).toBe('no');
    expect(concerns(text, bash('npm start'))).toBe('no');
  });
});
