// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAIN_AGENT, type MessageId, type RequestId } from '../../src-shared/ids.ts';
import type { ModelChoice } from '../../src-shared/model/choice.ts';
import type { Usage } from '../../src-shared/model/event.ts';
import { MEASURED } from '../../src-shared/tool-call/timing.ts';
import { Story } from '../conversation/story.ts';
import { viewStore } from '../state/view-store.ts';
import { ModelStatus } from './ModelStatus.tsx';

const CLAUDE: ModelChoice = { provider: 'anthropic', model: 'claude-sonnet-4-5' };

const storyOf = (model: ModelChoice | undefined) =>
  new Story('Prices', { kind: 'live', provider: 'x', ...(model === undefined ? {} : { model }) }).you('Fix it');

function answered(story: Story, model: string, usage: Usage): Story {
  const [requestId, messageId] = ['r' as RequestId, 'm' as MessageId];
  return story
    .add({
      type: 'request-started',
      requestId,
      agentId: MAIN_AGENT,
      turnId: 'turn-1' as never,
      attempt: 1,
      timing: MEASURED,
    })
    .add({ type: 'message-started', requestId, messageId, agentId: MAIN_AGENT, model })
    .add({ type: 'message-completed', messageId, requestId, stopReason: 'end-turn', usage });
}

const show = (story: Story) => render(<ModelStatus state={story.state()} />);

beforeEach(() => viewStore.setState({ modelDialog: 'closed' }));
afterEach(cleanup);

test('of a scenario nothing is said that would be a lie', () => {
  const { container } = show(answered(storyOf(undefined), 'scripted', {}).turnEnds());
  expect(container.textContent).toBe('');
});

test('of a model: its name, how full its window is, tokens and cost', () => {
  const usage = { inputTokens: 20_000, cacheReadTokens: 30_000, outputTokens: 500, costUsd: 0.0765 };
  show(answered(storyOf(CLAUDE), 'claude-sonnet-4-5-20250929', usage).turnEnds());
  expect(screen.getByRole('button', { name: 'Model: claude-sonnet-4-5. Change the model' })).toBeTruthy();
  expect(screen.getByTestId('context').textContent).toBe('25 % of 200k');
  expect(screen.getByTestId('spent').textContent).toBe('50.0k tokens in · 500 out$0.08');
});

test('a window that is not known, and a cost that is not known, are not made up', () => {
  show(answered(storyOf({ provider: 'openai-compatible', model: 'qwen3' }), 'qwen3', { inputTokens: 900 }).turnEnds());
  expect(screen.queryByTestId('context')).toBeNull();
  expect(screen.getByTestId('spent').textContent).toBe('900 tokens in · 0 out');
});

test('the model is changed by its name, and not while a turn runs', async () => {
  const user = userEvent.setup();
  const running = answered(storyOf(CLAUDE), 'claude-sonnet-4-5', { inputTokens: 900 });
  const { unmount } = show(running);
  await user.click(screen.getByRole('button', { name: /^Model:/ }));
  expect(viewStore.getState().modelDialog).toBe('closed');
  unmount();
  show(running.turnEnds());
  await user.click(screen.getByRole('button', { name: /^Model:/ }));
  expect(viewStore.getState().modelDialog).toBe('change-model');
});
