// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AskId, SessionId } from '../../src-shared/ids.ts';
import type { Answer } from '../../src-shared/permission/event.ts';
import { type FakeBridge, failing, installFakeBridge } from '../bridge.fake.ts';
import { asksStory, dangerousStory } from '../conversation/samples.ts';
import type { Story } from '../conversation/story.ts';
import { sessionStore } from '../state/session-store.ts';
import { viewStore } from '../state/view-store.ts';
import { boardStore } from './board-store.ts';
import { ARM_MS } from './guard.ts';
import { PermissionBoard } from './PermissionBoard.tsx';

const sessionId = 'session' as SessionId;
let bridge: FakeBridge;
/** Every test begins a minute after the one before: the last key of one must not count in the next. */
let start = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  start += 60_000;
  vi.advanceTimersByTime(start);
  boardStore.setState({ isFolded: false, answered: new Set(), refusal: undefined });
  viewStore.setState({ openAsk: undefined, announcement: '' });
  bridge = installFakeBridge({
    'permission.answer': () => ({ accepted: true }),
    'permission.answer-all': () => ({ refused: 0 }),
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** Shows a story in the real store; telling it again shows what came since. */
function open(story: Story): void {
  sessionStore.setState(
    {
      phase: 'open',
      sessionId,
      state: story.state(),
      events: story.events,
      version: story.events.length,
      receivedAt: performance.now(),
    },
    true,
  );
}
function show(story: Story): void {
  open(story);
  render(<PermissionBoard />);
}
const board = () => screen.getByRole('region', { name: 'Permission board' });
const card = (n: number) => screen.getByRole('option', { name: new RegExp(`^Question ${n}:`) });
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const key = (name: string, target: Element = document.activeElement ?? document.body, more = {}) =>
  fireEvent.keyDown(target, { key: name, ...more });
const settle = () => act(async () => {});
const answers = (): readonly (readonly [string, Answer])[] =>
  bridge.inputsOf('permission.answer').map(({ callId, answer }) => [callId, answer] as const);
/** A click with a pointer; a click that a key makes has no detail. */
const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }), { detail: 1 });
const clickByKey = (name: string) => fireEvent.click(screen.getByRole('button', { name }), { detail: 0 });

test('nothing is shown while nobody asks', () => {
  show(asksStory(0));
  expect(screen.queryByRole('region', { name: 'Permission board' })).toBeNull();
});

test('all questions are cards in the order asked, the first one is open and has the focus, not a button', () => {
  show(asksStory());
  expect(screen.getByRole('heading', { name: '3 calls wait for your answer' })).toBeTruthy();
  expect(screen.getAllByRole('option').map((option) => option.getAttribute('aria-selected'))).toEqual([
    'true',
    'false',
    'false',
  ]);
  expect(document.activeElement).toBe(card(1));
  for (const name of ['Allow once', 'Allow always', 'Edit, then allow', 'Deny', 'Deny with reason']) {
    expect(screen.getByRole('button', { name })).toBeTruthy();
  }
});

test('keys are ignored for 350 ms, then Enter allows the open question once', async () => {
  show(asksStory());
  key('Enter');
  wait(349);
  key('Enter');
  expect(answers()).toEqual([]);
  wait(2);
  key('Enter');
  expect(answers()).toEqual([['sed', { kind: 'allow-once' }]]);
  await settle();
});

test('after an answer the next question opens, has the focus, and ignores keys again', async () => {
  show(asksStory());
  wait(400);
  key('d');
  await settle();
  // Its number is the one at its bar until main says that the first one is settled.
  expect(card(2).getAttribute('aria-label')).toContain('Edit package.json');
  expect(document.activeElement).toBe(card(2));
  key('d');
  wait(360);
  key('d');
  expect(answers().map(([callId]) => callId)).toEqual(['sed', 'package']);
  await settle();
});

test('arrow keys go from card to card', () => {
  show(asksStory());
  key('ArrowDown');
  expect(card(2).getAttribute('aria-selected')).toBe('true');
  expect(document.activeElement).toBe(card(2));
  key('ArrowUp');
  expect(card(1).getAttribute('aria-selected')).toBe('true');
});

test('a click that a key makes on a button counts as a key, a click with the pointer does not wait', async () => {
  show(asksStory());
  clickByKey('Allow once');
  clickByKey('Deny all 3');
  expect(answers()).toEqual([]);
  click('Deny');
  expect(answers()).toEqual([['sed', { kind: 'deny' }]]);
  await settle();
});

test('a dangerous command needs Enter twice within 3 s', async () => {
  show(dangerousStory());
  wait(400);
  key('Enter');
  expect(answers()).toEqual([]);
  expect(screen.getByRole('button', { name: 'Press Enter again to allow' })).toBeTruthy();
  wait(3_001);
  expect(screen.queryByRole('button', { name: 'Press Enter again to allow' })).toBeNull();
  key('Enter');
  key('Enter');
  expect(answers()).toEqual([['rm', { kind: 'allow-once' }]]);
  await settle();
});

test('typing in a field answers nothing, neither on the board nor elsewhere', () => {
  show(asksStory());
  wait(400);
  const reason = screen.getByRole('textbox', { name: 'Reason for the model' });
  reason.focus();
  key('d', reason);
  key('Enter', reason);
  const outside = document.body.appendChild(document.createElement('textarea'));
  outside.focus();
  key('d', outside);
  key('Enter', outside);
  outside.remove();
  expect(answers()).toEqual([]);
});

test('the board does not take the focus from a field with text in it', () => {
  const outside = document.body.appendChild(document.createElement('textarea'));
  outside.value = 'half a sentence';
  outside.focus();
  show(asksStory());
  expect(document.activeElement).toBe(outside);
  outside.remove();
});

test('a further question is added below and does not move the open card', () => {
  show(asksStory(2));
  fireEvent.click(card(2));
  act(() => open(asksStory(3)));
  expect(card(2).getAttribute('aria-selected')).toBe('true');
  expect(screen.getAllByRole('option')).toHaveLength(3);
});

test('when an earlier question is settled the open one stays open', () => {
  show(asksStory(3));
  fireEvent.click(card(3));
  act(() => open(asksStory(3).settles('sed', 'deny', 'cancelled')));
  expect(card(2).getAttribute('aria-label')).toContain('linear list_issues');
  expect(card(2).getAttribute('aria-selected')).toBe('true');
});

test('allow always sends the edited rule and its scope', async () => {
  show(asksStory());
  fireEvent.change(screen.getByRole('textbox', { name: 'Rule' }), { target: { value: 'Bash(rg:*)' } });
  fireEvent.click(screen.getByRole('radio', { name: 'Project' }));
  click('Allow always');
  expect(answers()).toEqual([['sed', { kind: 'allow-and-add-rule', rule: 'Bash(rg:*)', scope: 'project' }]]);
  await settle();
});

test('an answer that main refuses is told and the question comes back', async () => {
  bridge = installFakeBridge({
    'permission.answer': () => failing({ kind: 'unsupported', message: 'Rules can be kept for this session only.' }),
  });
  show(asksStory(1));
  click('Allow always');
  await settle();
  expect(screen.getByRole('alert').textContent).toBe('Rules can be kept for this session only.');
  expect(card(1)).toBeTruthy();
});

test('an answer to a question that is no longer open is refused visibly', async () => {
  bridge = installFakeBridge({ 'permission.answer': () => ({ accepted: false }) });
  show(asksStory(1));
  click('Allow once');
  await settle();
  expect(screen.getByRole('alert').textContent).toBe('This question is no longer open.');
  expect(viewStore.getState().announcement).toBe('This question is no longer open.');
  click('Close the message');
  expect(screen.queryByRole('region', { name: 'Permission board' })).toBeNull();
});

test('an edited command is allowed as edited', async () => {
  show(asksStory(1));
  click('Edit, then allow');
  fireEvent.change(screen.getByRole('textbox', { name: 'Command to allow' }), { target: { value: 'rg -l npm' } });
  click('Allow edited');
  expect(answers()).toEqual([['sed', { kind: 'allow-edited', input: { command: 'rg -l npm' } }]]);
  await settle();
});

test('Escape ends editing and nothing else', () => {
  show(asksStory(1));
  click('Edit, then allow');
  const editor = screen.getByRole('textbox', { name: 'Command to allow' });
  const isUnhandled = fireEvent.keyDown(editor, { key: 'Escape' });
  expect(isUnhandled).toBe(false);
  expect(screen.getByRole('button', { name: 'Allow once' })).toBeTruthy();
});

test('deny with reason needs the reason', async () => {
  show(asksStory(1));
  click('Deny with reason');
  expect(answers()).toEqual([]);
  const reason = screen.getByRole('textbox', { name: 'Reason for the model' });
  expect(document.activeElement).toBe(reason);
  fireEvent.change(reason, { target: { value: 'Use sd instead.' } });
  click('Deny with reason');
  expect(answers()).toEqual([['sed', { kind: 'deny-with-feedback', feedback: 'Use sd instead.' }]]);
  await settle();
});

test('several can be answered at once', async () => {
  show(asksStory());
  click('Allow all reads 1');
  await settle();
  wait(ARM_MS);
  click('Deny all 2');
  await settle();
  const together = bridge
    .inputsOf('permission.answer-all')
    .map(({ asks, answer }) => `${asks.map(({ callId }) => callId).join(', ')}: ${answer.kind}`);
  expect(together).toEqual(['issues: allow-once', 'sed, package: deny']);
});

test('the second click of a double click answers nothing', async () => {
  show(asksStory());
  click('Allow once');
  await settle();
  click('Allow once');
  await settle();
  expect(answers()).toHaveLength(1);
  wait(ARM_MS);
  click('Allow once');
  await settle();
  expect(answers()).toHaveLength(2);
});

test('of several answered at once those that came too late are told', async () => {
  bridge = installFakeBridge({ 'permission.answer-all': () => ({ refused: 2 }) });
  show(asksStory());
  click('Deny all 3');
  await settle();
  expect(screen.getByRole('alert').textContent).toBe('2 questions were no longer open.');
});

test('what decides is marked, and why it is asked is told step by step', () => {
  show(asksStory());
  const { length } = screen.getAllByText('sed -i', { selector: 'strong' });
  expect(length).toBe(1);
  const why = within(screen.getByRole('complementary', { name: 'Why it asks' }));
  expect(why.getAllByRole('listitem').map((item) => item.querySelector('p')?.textContent)).toEqual([
    'No hook had a say',
    'No deny rule matches',
    'No ask rule matches',
    'asks: Not read-only: sed -i',
    'Mode default changes nothing',
    'does not decide: Allow rule covers only a part',
    'So you are asked',
  ]);
});

test('a question that a new rule has answered says so for 2 s', () => {
  show(asksStory(2));
  const story = asksStory(2).add({
    type: 'permission-settled',
    callId: 'package' as never,
    askId: 'ask-package' as AskId,
    verdict: 'allow',
    by: 'new-rule',
    trace: [{ step: 'allow-rules', verdict: 'allow', text: 'A rule matches', detail: 'Edit(*.json) · session' }],
  });
  act(() => open(story));
  expect(within(board()).getByText('Edit(*.json)')).toBeTruthy();
  wait(2_001);
  expect(within(board()).queryByText('Edit(*.json)')).toBeNull();
});

test('a folded board answers no key, and arms again when it is shown', () => {
  show(asksStory());
  wait(400);
  click('Fold the questions');
  key('Enter', board());
  expect(screen.queryByRole('option')).toBeNull();
  click('Show the questions');
  key('Enter', card(1));
  expect(answers()).toEqual([]);
});

test('the focus on the board itself goes to the open card', () => {
  show(asksStory());
  (document.activeElement as HTMLElement).blur();
  act(() => board().focus());
  expect(document.activeElement).toBe(card(1));
});
