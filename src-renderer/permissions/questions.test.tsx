// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import { type FakeBridge, installFakeBridge } from '../bridge.fake.ts';
import { choicesStory, planStory } from '../conversation/samples.ts';
import type { Story } from '../conversation/story.ts';
import { sessionStore } from '../state/session-store.ts';
import { viewStore } from '../state/view-store.ts';
import { boardStore } from './board-store.ts';
import { PermissionBoard } from './PermissionBoard.tsx';

let bridge: FakeBridge;
/** Every test begins a minute after the one before: the last key of one must not count in the next. */
let start = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  start += 60_000;
  vi.advanceTimersByTime(start);
  boardStore.setState({ isFolded: false, answered: new Set(), refusal: undefined });
  viewStore.setState({ openAsk: undefined, announcement: '' });
  bridge = installFakeBridge({ 'permission.answer': () => ({ accepted: true }) });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function show(story: Story): void {
  sessionStore.setState(
    {
      phase: 'open',
      sessionId: 'session' as SessionId,
      state: story.state(),
      events: story.events,
      version: story.events.length,
      receivedAt: performance.now(),
    },
    true,
  );
  render(<PermissionBoard />);
}
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const key = (name: string, target: Element = document.activeElement ?? document.body) =>
  fireEvent.keyDown(target, { key: name });
const settle = () => act(async () => {});
const answers = () => bridge.inputsOf('permission.answer').map(({ answer }) => answer);
const click = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }), { detail: 1 });
const checked = (role: 'radio' | 'checkbox') =>
  screen.getAllByRole(role).filter((option) => option.getAttribute('aria-checked') === 'true').length;

test('two questions are answered with the keyboard alone, one after the other', async () => {
  show(choicesStory());
  wait(400);
  key('2');
  expect(screen.getByRole('radio', { name: /^Postgres/ }).getAttribute('aria-checked')).toBe('true');
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: /^Postgres/ }));
  key('Enter');
  expect(answers()).toEqual([]);
  expect(screen.getByRole('heading', { name: /^What should come with the change/ })).toBeTruthy();
  wait(400);
  key('1');
  key('ArrowDown');
  key('ArrowDown');
  key(' ');
  key('Enter');
  await settle();
  expect(answers()).toMatchObject([
    {
      kind: 'allow-edited',
      input: {
        answers: {
          'Where should the carts be kept?': 'Postgres',
          'What should come with the change?': 'Tests, A migration of old carts',
        },
      },
    },
  ]);
});

test('no key counts in the first 350 ms, of the first question and of the next', () => {
  show(choicesStory());
  key('1');
  key('Enter');
  expect(checked('radio')).toBe(0);
  wait(400);
  key('1');
  key('Enter');
  key('1');
  key('Enter');
  expect(checked('checkbox')).toBe(0);
  expect(answers()).toEqual([]);
});

test('Enter without a choice sends nothing and says what is missing', () => {
  show(choicesStory());
  wait(400);
  key('Enter');
  expect(screen.getByRole('alert').textContent).toBe('Choose an answer first.');
  expect(answers()).toEqual([]);
});

test('keys typed into the field of own words are text; Enter there goes on', () => {
  show(choicesStory());
  wait(400);
  const field = screen.getByRole('textbox', { name: 'Answer in your own words' });
  field.focus();
  key('1', field);
  key('d', field);
  expect(answers()).toEqual([]);
  expect(checked('radio')).toBe(0);
  fireEvent.change(field, { target: { value: 'In the browser' } });
  expect(screen.getByRole('radio', { name: 'Other' }).getAttribute('aria-checked')).toBe('true');
  key('Enter', field);
  expect(screen.getByRole('heading', { name: /^What should come/ })).toBeTruthy();
  click('Back');
  expect((screen.getByRole('textbox') as HTMLInputElement).value).toBe('In the browser');
});

test('not answering denies, and no button allows without answers', async () => {
  show(choicesStory());
  expect(screen.queryByRole('button', { name: /Allow all reads|Allow always|Edit, then allow/ })).toBeNull();
  click('Do not answer');
  await settle();
  expect(answers()).toEqual([{ kind: 'deny' }]);
});

test('a plan is approved, with or without questions about edits', async () => {
  show(planStory());
  expect(screen.getByRole('heading', { name: 'Keep carts over night' })).toBeTruthy();
  click('Go on, accept edits');
  await settle();
  expect(answers()).toMatchObject([{ kind: 'allow-edited', input: { mode: 'acceptEdits' } }]);
});

test('Enter approves a plan only after the guard, and asks about edits then', async () => {
  show(planStory());
  key('Enter');
  expect(answers()).toEqual([]);
  wait(400);
  key('Enter');
  await settle();
  expect(answers()).toEqual([{ kind: 'allow-once' }]);
});

test('a plan is sent back with words, or without', async () => {
  show(planStory());
  fireEvent.change(screen.getByRole('textbox', { name: 'What should be different' }), { target: { value: 'Less' } });
  click('Keep planning');
  await settle();
  expect(answers()).toEqual([{ kind: 'deny-with-feedback', feedback: 'Less' }]);
});
