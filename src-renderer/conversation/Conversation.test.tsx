// @vitest-environment happy-dom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CallId, MAIN_AGENT, type RequestId, type SessionId, type TurnId } from '../../src-shared/ids.ts';
import { type FakeBridge, failing, installFakeBridge } from '../bridge.fake.ts';
import { setFilter } from '../state/filter-store.ts';
import { sessionStore } from '../state/session-store.ts';
import { viewStore } from '../state/view-store.ts';
import { ConversationView } from './Conversation.tsx';
import { draftStore, setDraft } from './drafts.ts';
import { fakeLayout } from './layout.fake.ts';
import { longStory, pricesStory } from './samples.ts';
import { Story } from './story.ts';

let restoreLayout: () => void;
let bridge: FakeBridge;
const session = 'session' as SessionId;

beforeEach(() => {
  restoreLayout = fakeLayout();
  viewStore.setState({ selectedCall: undefined, announcement: '' });
  setDraft(session, '');
  bridge = installFakeBridge({
    'session.send': () => ({ queued: true }),
    'session.unqueue': () => ({ taken: true }),
    'session.interrupt': () => ({ interrupted: true }),
    'link.open': () => ({ opened: true }),
  });
});
afterEach(() => {
  cleanup();
  sessionStore.setState({ phase: 'none' }, true);
  restoreLayout();
});

const show = (story: Story) => render(<ConversationView state={story.state()} version={1} />);
const message = () => screen.getByRole('textbox', { name: 'Message' });

test('a call says what it was, what was special about it and how it ended', () => {
  show(pricesStory());
  const row = (name: RegExp) => within(screen.getByRole('button', { name }));
  row(/^Bash git log.* 1\.2 MB saved 1\.9 s/);
  row(/^Edit src\/price\.ts you allowed an edited input 3\.0 s/);
  row(/^Bash npm test exit 1 4\.0 s/);
  row(/^Bash npm run lint cancelled while running 4\.0 s/);
  row(/^Edit src\/invoice\.ts never started –/);
});

test('a click on a call selects it everywhere, and selecting it elsewhere marks its row', async () => {
  show(pricesStory());
  await userEvent.click(screen.getByRole('button', { name: /^Bash npm test/ }));
  expect(viewStore.getState().selectedCall).toBe('test');
  act(() => viewStore.setState({ selectedCall: 'lint' as CallId }));
  expect(screen.getByRole('button', { name: /^Bash npm run lint/ }).getAttribute('aria-pressed')).toBe('true');
  expect(screen.getByRole('button', { name: /^Bash npm test/ }).getAttribute('aria-pressed')).toBe('false');
});

test('a sub-agent is folded until it is opened, or until one of its calls is selected', async () => {
  show(pricesStory());
  expect(screen.queryByRole('button', { name: /^Read src\/cart\.ts/ })).toBeNull();
  act(() => viewStore.setState({ selectedCall: 'cart' as CallId }));
  expect(screen.getByRole('button', { name: /^Read src\/cart\.ts/ })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Explore general/ }));
  expect(screen.queryByRole('button', { name: /^Read src\/cart\.ts/ })).toBeNull();
});

test('of 10,000 calls only those on screen are in the document', () => {
  show(longStory(10_000));
  const rows = document.querySelectorAll('[data-index]').length;
  expect(rows).toBeGreaterThan(5);
  expect(rows).toBeLessThan(100);
});

test('Enter queues a message while a turn runs, Shift+Enter makes a new line', async () => {
  show(pricesStory());
  expect(screen.getByText('It is sent after the running calls.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Queue' })).toBeTruthy();
  await userEvent.type(message(), 'one{Shift>}{Enter}{/Shift}two{Enter}');
  expect(bridge.inputsOf('session.send')).toEqual([{ sessionId: session, text: 'one\ntwo' }]);
  expect((message() as HTMLTextAreaElement).value).toBe('');
  expect(viewStore.getState().announcement).toBe('The message is queued.');
});

test('without a running turn the button sends, and an empty message is not sent', async () => {
  show(new Story().you('Go').request().says('Done.').said().turnEnds());
  expect(screen.queryByText('It is sent after the running calls.')).toBeNull();
  await userEvent.type(message(), '  {Enter}');
  expect(screen.getByRole('button', { name: 'Send' }).hasAttribute('disabled')).toBe(true);
  expect(bridge.asked).toEqual([]);
});

test('a message that could not be sent is kept and the reason is said', async () => {
  bridge = installFakeBridge({
    'session.send': () => failing({ kind: 'locked', message: 'Another window writes it.', hint: 'Close it first.' }),
  });
  show(pricesStory());
  await userEvent.type(message(), 'keep me{Enter}');
  expect(screen.getByRole('alert').textContent).toBe('Another window writes it. Close it first.');
  expect((message() as HTMLTextAreaElement).value).toBe('keep me');
});

test('a draft outlives the conversation', async () => {
  const { unmount } = show(pricesStory());
  await userEvent.type(message(), 'half a thought');
  unmount();
  show(pricesStory());
  expect((message() as HTMLTextAreaElement).value).toBe('half a thought');
  expect(draftStore.getState()[session]).toBe('half a thought');
});

test('a queued message can be sent at once, removed, or taken back for editing', async () => {
  const story = pricesStory().add({ type: 'user-message-queued', messageId: 'q' as never, text: 'Also this.' });
  show(story);
  await userEvent.click(screen.getByRole('button', { name: 'Send now' }));
  expect(bridge.inputsOf('session.interrupt')).toEqual([{ sessionId: session, reason: 'interrupt' }]);
  await userEvent.click(screen.getByRole('button', { name: 'Remove the queued message' }));
  await userEvent.type(message(), 'new');
  await userEvent.click(screen.getByRole('button', { name: 'Edit the queued message' }));
  expect(bridge.inputsOf('session.unqueue')).toHaveLength(2);
  expect((message() as HTMLTextAreaElement).value).toBe('Also this.\n\nnew');
});

test('a file cannot be written to', () => {
  show(new Story('File', { kind: 'imported', format: 'claude-code', path: '/f', clock: 'recorded' }).you('Hi'));
  expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull();
});

test('links go through main, and pictures are not loaded', async () => {
  const story = new Story().you('Go').request();
  story.says('[site](https://a.example/b) ![a cat](https://a.example/cat.png) [bad](javascript:alert(1))').said();
  show(story);
  await userEvent.click(screen.getByRole('link', { name: 'site' }));
  expect(bridge.inputsOf('link.open')).toEqual([{ url: 'https://a.example/b' }]);
  expect(document.querySelector('img')).toBeNull();
  expect(screen.getByText('a cat')).toBeTruthy();
  expect(screen.getByText('bad').getAttribute('href') ?? '').not.toContain('javascript');
});

test('what a model wrote is never HTML', () => {
  show(new Story().you('Go').request().says('<img src=x onerror=alert(1)> <b>bold</b>').said());
  expect(document.querySelector('img, b')).toBeNull();
});

test('calls can be left out of the conversation', async () => {
  const state = pricesStory().state();
  sessionStore.setState({ phase: 'open', sessionId: session, state, events: [], version: 1, receivedAt: 0 }, true);
  render(<ConversationView state={state} version={1} />);
  await userEvent.click(screen.getByRole('button', { name: 'All calls' }));
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Only problems' }));
  expect(screen.queryByRole('button', { name: /^Bash git log/ })).toBeNull();
  expect(screen.getByRole('button', { name: /^Bash npm test/ })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Only problems' }));
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'No calls' }));
  expect(screen.queryByRole('button', { name: /^Bash npm test/ })).toBeNull();
  act(() => setFilter({ outcomes: ['error'] }));
  await userEvent.click(screen.getByRole('button', { name: 'No calls' }));
  await userEvent.click(screen.getByRole('menuitemradio', { name: '1 matching' }));
  expect(screen.getByRole('button', { name: /^Bash npm test/ })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Bash npm run lint/ })).toBeNull();
});

const picture = (name: string, type: string, bytes = 3) => new File([new Uint8Array(bytes)], name, { type });

test('a pasted picture goes with the message, small in the box and in the conversation', async () => {
  const user = userEvent.setup();
  show(pricesStory());
  await user.click(message());
  await user.paste({ files: [picture('shot.png', 'image/png')], types: ['Files'] } as unknown as DataTransfer);
  expect(await screen.findByAltText('PNG, 3 B')).toBeTruthy();
  await user.type(message(), 'What is this?{Enter}');
  await waitFor(() => expect(bridge.inputsOf('session.send')).toHaveLength(1));
  expect(bridge.inputsOf('session.send')).toMatchObject([
    { text: 'What is this?', images: [{ mediaType: 'image/png', data: 'AAAA' }] },
  ]);
  await waitFor(() => expect(screen.queryByAltText('PNG, 3 B')).toBeNull());
});

test('what is no picture, or too large, is refused by name', async () => {
  const user = userEvent.setup();
  show(pricesStory());
  await user.click(message());
  const files = [picture('a.svg', 'image/svg+xml'), picture('big.png', 'image/png', 5 * 1024 * 1024 + 1)];
  await user.paste({ files, types: ['Files'] } as unknown as DataTransfer);
  expect((await screen.findByRole('alert')).textContent).toBe(
    'a.svg is no PNG, JPEG, GIF or WebP picture. big.png is larger than 5 MB.',
  );
});

test('a request that failed says why once, and leads to the model and its key', async () => {
  const story = new Story('Prices', {
    kind: 'live',
    provider: 'anthropic',
    model: { provider: 'anthropic', model: 'claude-x' },
  })
    .you('Fix it')
    .request()
    .add({
      type: 'request-failed',
      requestId: 'request-message-2' as RequestId,
      message: 'The server does not take the key.',
    })
    .add({
      type: 'turn-ended',
      turnId: 'turn-1' as TurnId,
      agentId: MAIN_AGENT,
      reason: 'error',
      message: 'The server does not take the key.',
    });
  show(story);
  expect(screen.getAllByText(/does not take the key/)).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Change the model or its key' }));
  expect(viewStore.getState().modelDialog).toBe('change-model');
  viewStore.setState({ modelDialog: 'closed' });
});
