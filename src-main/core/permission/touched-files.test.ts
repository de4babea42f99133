import { expect, test } from 'vitest';
import { Ground, worldWithoutLinks } from './ground.ts';
import { touchedFiles } from './touched-files.ts';

const touched = (command: string) => touchedFiles(command, new Ground(worldWithoutLinks('/p')));
const known = (files: Partial<ReturnType<typeof touchedFiles>>) => ({
  readOnly: false,
  reads: [],
  folders: [],
  writes: [],
  complete: true,
  ...files,
});

test.each([
  ['cat a.txt', known({ readOnly: true, reads: ['/p/a.txt'] })],
  ['touch made.txt', known({ writes: ['/p/made.txt'] })],
  ['echo hi > out/log', known({ writes: ['/p/out/log'] })],
  ['sort -o b a', known({ reads: ['/p/a'], writes: ['/p/b'] })],
  ['grep -r x src', known({ readOnly: true, folders: ['/p/src'] })],
  ['cd sub && rm old', known({ reads: ['/p/sub'], writes: ['/p/sub/old'] })],
])('%s', (command, files) => {
  expect(touched(command)).toEqual(files);
});

test.each(['npm test', 'touch "$NAME"', 'bash -c "touch a"', 'rm *.tmp'])(
  'what %s writes is not all known',
  (command) => {
    expect(touched(command)).toMatchObject({ readOnly: false, complete: false });
  },
);

test('a command too long to be taken apart is not all known', () => {
  expect(touched(`echo ${'x'.repeat(6000)} > a`)).toMatchObject({ writes: [], complete: false });
});
