// @vitest-environment happy-dom
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallId, SessionId } from '../../src-shared/ids.ts';
import { type FakeBridge, installFakeBridge } from '../bridge.fake.ts';
import { fakeLayout } from '../conversation/layout.fake.ts';
import { asksStory, pricesStory } from '../conversation/samples.ts';
import { Story } from '../conversation/story.ts';
import { sessionStore } from '../state/session-store.ts';
import { type InspectorTab, viewStore } from '../state/view-store.ts';
import { Inspector } from './Inspector.tsx';

let restoreLayout: () => void;
let bridge: FakeBridge;
const OUTPUT = new TextEncoder().encode('commit \x1b[33m9f3c\x1b[0m\nAuthor: Mira\n');

beforeEach(() => {
  restoreLayout = fakeLayout(18);
  bridge = installFakeBridge({
    'output.read': ({ offset, length }) => ({
      bytes: OUTPUT.slice(offset, offset + length),
      offset,
      total: OUTPUT.length,
      path: '/log.txt',
    }),
    'output.search': () => ({ offsets: [12], more: false }),
    'output.reveal': () => undefined,
    'clipboard.write': () => undefined,
    'session.findings': () => [{ file: '/f.jsonl', line: 12, kind: 'odd', message: 'The line is cut.' }],
  });
});
afterEach(() => {
  cleanup();
  restoreLayout();
});

function show(story: Story, call: string | undefined, tab: InspectorTab = 'overview'): void {
  sessionStore.setState(
    {
      phase: 'open',
      sessionId: 'session' as SessionId,
      state: story.state(),
      events: story.events,
      version: 1,
      receivedAt: performance.now(),
    },
    true,
  );
  viewStore.setState({
    selectedCall: call as CallId | undefined,
    inspectorTab: tab,
    focusedCascade: undefined,
    announcement: '',
  });
  render(<Inspector />);
}
const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;
const settle = () => act(async () => {});

test('the culprit of a cascade says what it cost, and can dim everything else', async () => {
  show(pricesStory(), 'test');
  const card = within(screen.getByRole('region', { name: 'Started a cascade' }));
  expect(card.getByText(/Its failure cancelled/).textContent).toBe(
    'Its failure cancelled 2 calls. 4.0 s of running work were thrown away.',
  );
  await userEvent.click(card.getByRole('button', { name: 'Show only these' }));
  expect(viewStore.getState().focusedCascade).toBe('test');
});

test('a victim names its culprit and leads to it', async () => {
  show(pricesStory(), 'invoice');
  const card = within(screen.getByRole('region', { name: 'Cancelled' }));
  expect(card.getByText(/Cancelled by/).textContent).toBe('Cancelled by Bash(npm test), which failed.');
  await userEvent.click(card.getByRole('button', { name: 'Bash(npm test)' }));
  expect(viewStore.getState().selectedCall).toBe('test');
});

test('a call that waited says for whom', () => {
  show(pricesStory(), 'edit');
  const card = screen.getByRole('region', { name: 'Why did it wait?' });
  expect(card.textContent).toContain(
    'Edit(price.ts) waited 1.6 s: Bash(git log -p -- src/price.ts) held the shared lock.',
  );
});

test('a call of a file without times has no lengths and no waits', () => {
  const story = pricesStory();
  const origin = { kind: 'imported', format: 'cline', path: '/f.json', clock: 'order-only' } as const;
  story.events[0] = { ...story.events[0], origin } as (typeof story.events)[number];
  show(story, 'edit');
  expect(fact('Times')).toBe('none in the file');
  expect(fact('Lane')).toBe('1 of 10');
  for (const name of ['Started', 'Ended', 'Why did it wait?', 'Where the time went']) {
    expect(screen.queryByText(name), name).toBeNull();
  }
});

test('the times, the lane and the safety verdict are told in words', () => {
  show(pricesStory(), 'test');
  expect(fact('Started')).toBe('15.20 s, as its block arrived');
  expect(fact('Lane')).toBe('1 of 10');
  expect(fact('Ran beside')).toBe('Bash(npm run lint)');
  expect(fact('Verdict')).toBe('✓ safe');
  expect(fact('Because')).toBe('your setting treatAsSafe');
  expect(screen.getByRole('row', { name: 'Running 3.7 s' })).toBeTruthy();
  expect(screen.getByRole('row', { name: 'Waited for you by rule' })).toBeTruthy();
});

test('tabs that cannot hold anything are left out, and a chosen one that is missing falls back', () => {
  show(pricesStory(), 'test', 'diff');
  const names = screen.getAllByRole('tab').map((tab) => tab.textContent);
  expect(names).toEqual(['Overview', 'Input', 'Output', 'Permission', 'Hooks', 'Processes', 'Raw events']);
  expect(screen.getByRole('tab', { name: 'Overview' }).getAttribute('aria-selected')).toBe('true');
  expect(viewStore.getState().inspectorTab).toBe('diff');
});

test('an edit shows the change it ran with', () => {
  show(pricesStory(), 'edit', 'diff');
  expect(screen.getByText('toFixed(2)').textContent).toBe('-toFixed(2)');
  expect(screen.getByText('roundToCents()').textContent).toBe('+roundToCents()');
  expect(screen.queryByText('toCents()')).toBeNull();
});

test('a saved output is read from disk, coloured, with byte offsets', async () => {
  show(pricesStory(), 'log', 'output');
  await settle();
  const full = within(screen.getByRole('region', { name: 'Full output' }));
  expect(full.getByText('9f3c').className).toContain('ansi-yellow-fg');
  expect(full.getByText(`0 – ${OUTPUT.length - 1} of ${OUTPUT.length} bytes`)).toBeTruthy();
  expect(
    screen.getByText(/1\.2 MB is over the limit of 50,000 characters, so the model saw a preview of/),
  ).toBeTruthy();
  expect(
    within(screen.getByRole('region', { name: 'What the model saw' })).getByText('<persisted-output>'),
  ).toBeTruthy();
});

test('a hit is marked and counted', async () => {
  show(pricesStory(), 'log', 'output');
  await settle();
  await userEvent.type(screen.getByRole('textbox', { name: 'Search the whole output' }), '9f3c{Enter}');
  await settle();
  expect(screen.getByText('1 / 1')).toBeTruthy();
  expect(screen.getByText('9f3c').className).toContain('hit');
});

test('the folder is opened and the whole output copied through main', async () => {
  show(pricesStory(), 'log', 'output');
  await settle();
  await userEvent.click(screen.getByRole('button', { name: 'Open folder' }));
  await userEvent.click(screen.getByRole('button', { name: 'Copy' }));
  await settle();
  expect(bridge.inputsOf('output.reveal')).toEqual([{ sessionId: 'session', callId: 'log' }]);
  expect(bridge.inputsOf('clipboard.write')).toEqual([{ text: new TextDecoder().decode(OUTPUT) }]);
});

test('an output whose file is missing says so and still shows what the model saw', () => {
  const story = pricesStory().add({
    type: 'result-saved',
    callId: 'log' as CallId,
    path: '/gone.txt',
    bytes: 5_000,
    found: false,
  });
  show(story, 'log', 'output');
  expect(screen.getByText(/The file is not there\./).textContent).toContain('/gone.txt');
  expect(screen.queryByRole('region', { name: 'Full output' })).toBeNull();
  expect(screen.getByText('<persisted-output>')).toBeTruthy();
});

test('a result without a file is shown whole, and its colour codes on demand', async () => {
  show(pricesStory(), 'test', 'output');
  expect(screen.getByText('The model saw the whole result.')).toBeTruthy();
  expect(screen.getByText('1 failed').className).toContain('ansi-red-fg');
  await userEvent.click(screen.getByRole('button', { name: 'Colour codes' }));
  expect(screen.getByText(/␛\[31m1 failed␛\[0m/)).toBeTruthy();
});

test('an image is shown', () => {
  const story = new Story().you('Go').request().call('shot', 'Read', 'a.png').said().starts('shot');
  story.ends('shot', {
    result: { isError: false, content: [{ type: 'image', mediaType: 'image/png', data: 'AAAA' }] },
  });
  show(story, 'shot', 'output');
  expect(screen.getByRole('img', { name: 'Result of the call' }).getAttribute('src')).toBe(
    'data:image/png;base64,AAAA',
  );
  expect(screen.getByText('1 image, frozen')).toBeTruthy();
});

test('why a call was allowed is told for calls that nobody was asked about', () => {
  show(pricesStory(), 'test', 'permission');
  expect(fact('Verdict')).toBe('allowed by rule');
  expect(fact('Rule')).toBe('Bash(npm test:*), saved for this project');
  expect(screen.getAllByRole('listitem').map((item) => item.querySelector('p')?.textContent)).toEqual([
    'No hook had a say',
    'No deny rule matches',
    'allowed: An allow rule matches',
  ]);
});

test('a classifier is told with its word, its reason and its time', () => {
  const story = new Story().you('Go').request().call('deps', 'Bash', 'npm ci').said().starts('deps');
  const about = { callId: 'deps' as CallId, name: 'small-1' };
  story.add({ type: 'classifier-started', ...about });
  story.add({ type: 'classifier-ended', ...about, verdict: 'ask', reason: 'it runs scripts', ms: 480 });
  show(story, 'deps', 'permission');
  expect(fact('Classifier')).toBe('small-1 does not allow it, 0.5 s: it runs scripts');
});

test('a hook is told with its exit code, time, effects and output', () => {
  show(pricesStory(), 'test', 'hooks');
  expect(fact('Matcher')).toBe('Bash');
  expect(fact('Exit code')).toBe('0');
  expect(fact('Took')).toBe('0.3 s');
  expect(fact('Effects')).toBe('added context');
  expect(screen.getByText('nothing to say')).toBeTruthy();
});

test('processes are told, and that none survived', () => {
  show(pricesStory(), 'test', 'processes');
  expect(screen.getByRole('row', { name: '4712 vitest run 3.7 s 1' })).toBeTruthy();
  expect(screen.getByText('0 survivors')).toBeTruthy();
});

test('raw events are the journal’s own', () => {
  show(pricesStory(), 'test', 'raw');
  expect(screen.getByText(/"type": "call-queued"/)).toBeTruthy();
});

test('what a person changed stands beside what the model asked for', async () => {
  show(pricesStory(), 'edit', 'input');
  expect(screen.getByText('What it ran with, after your edit')).toBeTruthy();
  expect(screen.getByText('roundToCents()')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Copy' }));
  expect(JSON.parse(bridge.inputsOf('clipboard.write')[0]!.text)).toMatchObject({ new_string: 'toCents()' });
});

test('without a selection the session is told in numbers, with the findings of its file', async () => {
  show(asksStory(), undefined);
  expect(fact('Calls')).toBe('6');
  cleanup();
  const origin = { kind: 'imported', format: 'claude-code', path: '/f.jsonl', clock: 'order-only' } as const;
  show(new Story('File', origin).you('Hi'), undefined);
  await settle();
  expect(fact('Times')).toBe('none in the file');
  expect(screen.getByText('1 finding')).toBeTruthy();
  expect(screen.getByRole('listitem').textContent).toBe('line 12: The line is cut.');
});
