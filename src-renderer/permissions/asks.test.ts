import { expect, test } from 'vitest';
import type { AskId } from '../../src-shared/ids.ts';
import { asksStory, dangerousStory, pricesStory } from '../conversation/samples.ts';
import { Story } from '../conversation/story.ts';
import { editableInput, editedInput, onlyReads, openAsks, openedAsk, shownText } from './asks.ts';

const names = (story: Story) =>
  openAsks(story.state()).map(({ number, call, agentName }) => [number, call.callId, agentName]);

test('the questions of all agents come in the order asked, numbered from 1', () => {
  expect(names(asksStory())).toEqual([
    [1, 'sed', 'CI (general)'],
    [2, 'package', 'Packages (general)'],
    [3, 'issues', 'Tickets (general)'],
  ]);
});

test('an answered question is gone, and those after it move up', () => {
  expect(names(asksStory().settles('sed', 'allow'))).toEqual([
    [1, 'package', 'Packages (general)'],
    [2, 'issues', 'Tickets (general)'],
  ]);
  expect(names(pricesStory())).toEqual([]);
});

test('a call that ended while it was asked about asks no more', () => {
  expect(names(asksStory().ends('package', { outcome: 'cancelled' })).map(([, id]) => id)).toEqual(['sed', 'issues']);
});

test('files and ended sessions ask nothing', () => {
  const ask = (story: Story) => story.you('Go').request().call('a', 'Bash', 'ls').starts('a').asks('a', { title: '?' });
  expect(names(ask(new Story()))).toHaveLength(1);
  expect(names(ask(new Story()).add({ type: 'session-ended', reason: 'closed' }))).toEqual([]);
  const origin = { kind: 'imported', format: 'claude-code', path: '/f', clock: 'recorded' } as const;
  expect(names(ask(new Story('File', origin)))).toEqual([]);
});

test('the chosen card stays open while its question waits, then the first one is open', () => {
  const asks = openAsks(asksStory().state());
  expect(openedAsk(asks, 'ask-issues' as AskId)?.number).toBe(3);
  expect(openedAsk(asks, 'ask-gone' as AskId)?.number).toBe(1);
  expect(openedAsk([], undefined)).toBeUndefined();
});

test('only what a tool itself declares harmless counts as a read', () => {
  expect(
    openAsks(asksStory().state())
      .filter(onlyReads)
      .map(({ call }) => call.callId),
  ).toEqual(['issues']);
  expect(openAsks(dangerousStory().state()).some(onlyReads)).toBe(false);
  const trusted = new Story()
    .you('Go')
    .request()
    .call('t', 'Bash', 'make', { because: 'treat-as-safe-rule' })
    .starts('t');
  expect(openAsks(trusted.asks('t', { title: '?' }).state()).some(onlyReads)).toBe(false);
});

test('a command is edited as a command and keeps its other fields', () => {
  const story = new Story()
    .you('Go')
    .request()
    .call('b', 'Bash', 'ls', { input: { command: 'ls', timeout: 5 } })
    .starts('b');
  const [ask] = openAsks(story.asks('b', { title: '?' }).state());
  const { call } = ask!;
  expect(shownText(call)).toBe('ls');
  expect(editableInput(call)).toEqual({ kind: 'command', text: 'ls' });
  expect(editedInput(call, { kind: 'command', text: 'ls -a' })).toEqual({
    ok: true,
    input: { command: 'ls -a', timeout: 5 },
  });
  expect(editedInput(call, { kind: 'command', text: '  ' })).toMatchObject({ ok: false });
});

test('other inputs are edited as JSON, which must stay an object', () => {
  const { call } = openAsks(asksStory().state())[2]!;
  expect(JSON.parse(editableInput(call).text)).toEqual({ team: 'CART', query: 'pnpm' });
  expect(editedInput(call, { kind: 'json', text: '{"team":"X"}' })).toEqual({ ok: true, input: { team: 'X' } });
  expect(editedInput(call, { kind: 'json', text: '[1]' })).toMatchObject({ ok: false });
  expect(editedInput(call, { kind: 'json', text: '{' })).toMatchObject({ ok: false });
});
