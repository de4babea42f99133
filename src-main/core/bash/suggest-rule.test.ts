// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are expansions of bash, in texts that must not be templates.
import { expect, test } from 'vitest';
import { suggestBashRule } from './suggest-rule.ts';

test.each([
  ['npm run test -- --watch', 'Bash(npm run test:*)'],
  ['npm test', 'Bash(npm test:*)'],
  ['npm i', 'Bash(npm i:*)'],
  ['git push origin main', 'Bash(git push:*)'],
  ['git stash pop', 'Bash(git stash pop:*)'],
  ['git commit -m "$(cat <<\'E\'\nwords\nE\n)"', 'Bash(git commit:*)'],
  ['  make build  ', 'Bash(make build:*)'],
  ['./gradlew build', 'Bash(./gradlew build:*)'],
  ['mkdir -p out', 'Bash(mkdir:*)'],
  ['eslint --fix "src dir"', 'Bash(eslint:*)'],
  ['npx eslint .', 'Bash(npx eslint:*)'],
  ['cargo build --release', 'Bash(cargo build:*)'],
  ['docker-compose up -d', 'Bash(docker-compose up:*)'],
  ['ls -la', 'Bash(ls:*)'],
  ['npm test 2>&1 >/dev/null', 'Bash(npm test:*)'],
])('%s proposes %s', (command, rule) => {
  expect(suggestBashRule(command)).toBe(rule);
});

test.each([
  'sudo npm test',
  'rm -rf build',
  'bash -c "npm test"',
  'eval "$x"',
  'ls | xargs rm',
  'find . -delete',
  'git -c core.pager=x log',
  'git reset --hard',
  'git clean -fd',
  'npm run',
  'npm exec tsc',
  'docker run x',
  'python3 x.py',
  'FOO=1 npm test',
  'npm test > out.txt',
  '$x y',
  'kubectl delete pod x',
])('%s is proposed exactly or not at all', (command) => {
  expect(suggestBashRule(command)).toBe(`Bash(${command})`);
});

test.each(['', '   ', 'echo "a', 'npm test ${x@P}', 'rm *.txt', 'rm a\nrm b', `rm ${'a'.repeat(400)}`])(
  'no rule is proposed for %j',
  (command) => {
    expect(suggestBashRule(command)).toBeUndefined();
  },
);

test('of several commands, the one that needs a rule is meant', () => {
  expect(suggestBashRule('cd sub && ls && npm test 2>&1 | tail -5')).toBe('Bash(npm test:*)');
  expect(suggestBashRule('npm test && npm run build')).toBe('Bash(npm test && npm run build)');
  expect(suggestBashRule('ls && rm x')).toBe('Bash(ls && rm x)');
});
