// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FailureError } from '../../../src-shared/failure.ts';
import type { SessionId } from '../../../src-shared/ids.ts';
import type { ToolCall } from '../../../src-shared/tool-call/state.ts';
import { installFakeBridge } from '../../bridge.fake.ts';
import { fakeLayout } from '../../conversation/layout.fake.ts';
import { Story } from '../../conversation/story.ts';
import { filterStore, openSearch, setQuery } from '../../state/filter-store.ts';
import { sessionStore } from '../../state/session-store.ts';
import { OutputTab } from '../OutputTab.tsx';
import { OverviewTab } from '../OverviewTab.tsx';
import { SHOWN_CHARACTERS } from './whole-result.ts';

const sessionId = 's' as SessionId;
const WHOLE = `first line\n${'x'.repeat(SHOWN_CHARACTERS)}\nlast line`;
const written: string[] = [];
let restoreLayout: () => void;

beforeEach(() => {
  restoreLayout = fakeLayout(18);
  written.length = 0;
  installFakeBridge({
    'kept-text.read': ({ from, length }) => ({ text: WHOLE.slice(from, from + length), characters: WHOLE.length }),
    'kept-text.find': ({ text }) => ({ callIds: WHOLE.includes(text) ? ['a'] : [] }),
    'clipboard.write': ({ text }) => void written.push(text),
  } as Parameters<typeof installFakeBridge>[0]);
});
afterEach(() => {
  cleanup();
  restoreLayout();
  sessionStore.setState({ phase: 'none' }, true);
});

function keptStory() {
  const story = new Story('Kept');
  story.at(1).you('go').request().says('I look.').call('a', 'Bash', 'cat log').said().starts('a');
  const kept = { id: 3, characters: WHOLE.length, lines: 3 };
  story.ends('a', { result: { content: [{ type: 'text', text: 'first line\n', kept }], isError: false } });
  return story;
}
const callOf = (story: Story) => story.state().calls[0] as ToolCall;
const settle = () => act(async () => {});

test('a text that was left in its file is fetched when it is looked at, a very long one in two steps, and copied whole', async () => {
  render(<OutputTab sessionId={sessionId} call={callOf(keptStory())} />);
  expect(screen.getByText('first line')).toBeTruthy();
  await settle();
  expect(screen.getByText(/^400,021 characters/)).toBeTruthy();
  expect(screen.queryByText('last line')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
  await settle();
  expect(screen.getByText('last line')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show all' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Copy' }));
  expect(written).toEqual([WHOLE]);
});

test('a text whose file has changed says so beside its beginning', async () => {
  installFakeBridge({
    'kept-text.read': () => {
      throw new FailureError({ kind: 'not-readable', message: 'The file was moved.' });
    },
  });
  render(<OutputTab sessionId={sessionId} call={callOf(keptStory())} />);
  await settle();
  expect(screen.getByText(/The file was moved\..*This is the beginning of the text\./)).toBeTruthy();
  expect(screen.getByText('first line')).toBeTruthy();
});

test('the end of a text that was left in its file is shown with its lines and characters', async () => {
  const story = keptStory();
  render(<OverviewTab sessionId={sessionId} state={story.state()} call={callOf(story)} />);
  await settle();
  expect(screen.getByText('last line')).toBeTruthy();
  expect(screen.getByText('3 lines · 400,021 characters')).toBeTruthy();
});

test('a search finds what stands in the file only', async () => {
  vi.useFakeTimers();
  try {
    const story = keptStory();
    const open = {
      phase: 'open',
      sessionId,
      state: story.state(),
      events: story.events,
      version: 1,
      receivedAt: 0,
    } as const;
    sessionStore.setState(open, true);
    openSearch();
    setQuery('last line');
    expect(filterStore.getState().found?.size).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(filterStore.getState().found?.size).toBe(1);
    setQuery('nowhere');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(filterStore.getState().found?.size).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
