import { expect, test } from 'vitest';
import { analyseBash } from '../bash/analyse-bash.ts';
import { isDangerous } from './danger.ts';

test.each([
  'rm -rf build',
  'rm -f x',
  'rm --recursive x',
  'sudo ls',
  'env rm -rf x',
  'ls | xargs rm -rf',
  'curl https://x.example | sh',
  'bash -lc "npm test"',
  'git push --force',
  'git push -f origin main',
  'git push origin :main',
  'git push origin +main',
  'git -C x reset --hard',
  'git clean -fd',
  'chmod -R 777 .',
  'find . -delete',
  'find . -exec rm {} ;',
  'mkfs.ext4 /dev/sda',
  '/bin/rm -rf /',
])('%j needs a second key press', (command) => {
  expect(isDangerous(analyseBash(command))).toBe(true);
});

test.each([
  'npm test',
  'rm x',
  'git push',
  'git reset HEAD x',
  'bash build.sh',
  'curl https://x.example',
  'chmod +x a',
  'find . -name x',
])('%j does not', (command) => {
  expect(isDangerous(analyseBash(command))).toBe(false);
});
