import { expect, test } from 'vitest';
import { restoreWords, runWords, verifyWords } from './words.ts';

const run = { at: 1, endedAt: 2, files: 0, bytes: 0, problems: 0, stopped: false };
const problem = { path: '/a', message: '/a is a link.' };

test('a run says what it came to', () => {
  expect(runWords({ run, resting: 0 })).toBe('Everything is up to date.');
  expect(runWords({ run: { ...run, files: 1, bytes: 2_048 }, resting: 0 })).toBe('1 file copied, 2 KB.');
  expect(runWords({ run: { ...run, files: 1_234, bytes: 10, problems: 1, stopped: true }, resting: 2 })).toBe(
    'Stopped. 1,234 files copied, 10 B. 2 files being written are left for later. 1 file could not be copied.',
  );
  expect(runWords({ run: { ...run, problems: 2 }, resting: 0 })).toBe(
    'Nothing was copied. 2 files could not be copied.',
  );
});

test('a check and a restore say what they came to', () => {
  expect(verifyWords({ files: 3, bytes: 27, problems: [], unreadable: 0 })).toBe(
    '3 files, 27 B: each is what was copied.',
  );
  expect(verifyWords({ files: 3, bytes: 27, problems: [problem], unreadable: 1 })).toBe(
    '1 of 3 files is not what was copied. The next run copies again what its source still has. ' +
      '1 line of the manifest cannot be read; the next run finds again what it told of.',
  );
  expect(restoreWords({ files: 2, bytes: 9, same: 1, problems: [problem] })).toBe(
    '2 files restored, 9 B. 1 file was there already. 1 file could not be restored.',
  );
});
