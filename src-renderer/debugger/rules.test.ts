import { expect, test } from 'vitest';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { breakpointWords, faultWords, ruleFor, struckWords } from './rules.ts';

const call = (tool: string, input: unknown): ToolCall =>
  ({ tool, input, changedInput: undefined }) as unknown as ToolCall;

test.each([
  ['Bash', { command: 'git push origin main' }, 'Bash(git push origin:*)'],
  ['Bash', { command: 'npm run test -- --watch' }, 'Bash(npm run test:*)'],
  ['Bash', { command: 'ls -la' }, 'Bash(ls:*)'],
  ['Bash', { command: './build.sh --fast' }, 'Bash(./build.sh:*)'],
  ['Edit', { file_path: '/shop/src/a.ts' }, 'Edit(//shop/src/a.ts)'],
  ['Write', { file_path: 'src/a.ts' }, 'Edit(src/a.ts)'],
  ['Read', { file_path: '/shop/a.ts' }, 'Read(//shop/a.ts)'],
  ['mcp__files__list', {}, 'mcp__files__list'],
  ['WebFetch', { url: 'https://example.org' }, 'WebFetch'],
])('calls like %s %j are meant by %s', (tool, input, rule) => {
  expect(ruleFor(call(tool, input))).toBe(rule);
});

test('breakpoints and faults are told in words', () => {
  const set = { id: 'x', enabled: true };
  expect(breakpointWords({ ...set, kind: 'before', rule: 'Edit' })).toBe('before Edit');
  expect(breakpointWords({ ...set, kind: 'failure' })).toBe('when any call fails');
  expect(breakpointWords({ ...set, kind: 'cascade', rule: 'Bash' })).toBe('before a cascade of Bash');
  expect(faultWords({ ...set, kind: 'delay', rule: 'Bash', ms: 2_000 })).toBe('delay Bash by 2.0 s');
  expect(faultWords({ ...set, kind: 'break-stream', rule: 'Read' })).toBe('break the stream behind Read');
  const fault = { ...set, kind: 'hang', rule: 'Read' } as const;
  expect(struckWords(fault, 0)).toBe('not yet');
  expect(struckWords(fault, 3)).toBe('struck 3 ×');
  expect(struckWords({ ...fault, times: 2 }, 1)).toBe('struck 1 of 2');
  expect(struckWords({ ...fault, times: 2 }, 2)).toBe('used up');
});
