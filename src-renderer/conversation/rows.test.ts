import { describe, expect, test } from 'vitest';
import { type AgentId, type CallId, MAIN_AGENT, type MessageId, type RequestId } from '../../src-shared/ids.ts';
import type { EventFacts } from '../../src-shared/session/event.ts';
import { foldSession } from '../../src-shared/session/state.ts';
import { agentsAround, conversationRows, type Row, type RowOptions } from './rows.ts';
import { Story } from './story.ts';

const all: RowOptions = { openAgents: new Set(), calls: 'all' };
const explorer = 'explorer' as AgentId;

/** A row as one line: indent, label, what it is. */
const picture = (rows: readonly Row[]): readonly string[] =>
  rows.map((row) => {
    const what =
      row.kind === 'call'
        ? row.callId
        : row.kind === 'agent'
          ? `${row.open ? '▾' : '▸'} ${row.agent.name}, ${row.calls} calls`
          : row.kind === 'discarded' || row.kind === 'waiting' || row.kind === 'other' || row.kind === 'retrying'
            ? ''
            : row.kind === 'compacted'
              ? row.compaction.summary
              : row.kind === 'fork'
                ? row.history.from.title
                : row.kind === 'writing'
                  ? `${row.tool} ${row.size}`
                  : `${row.text}${'growing' in row && row.growing ? ' …' : ''}`;
    return `${'  '.repeat(row.depth)}${row.label.padEnd(9)} | ${row.kind} ${what}`.trimEnd();
  });

const withAgent = () =>
  new Story()
    .you('Look')
    .request()
    .says('I look.')
    .call('outer', 'Agent', 'Who rounds?')
    .call('read', 'Read', 'a.ts')
    .said()
    .agent(explorer, 'outer', 'Explore', 'Find it')
    .request(explorer)
    .call('inner', 'Grep', 'round', { agent: explorer })
    .said(explorer);

test('text stands under the model, calls under their request, labels are not repeated', () => {
  const story = new Story()
    .you('Fix it')
    .request()
    .thinks('hm')
    .says('I look.')
    .call('one', 'Read', 'a.ts')
    .call('two', 'Read', 'b.ts')
    .said()
    .request()
    .call('three', 'Edit', 'a.ts')
    .says('Done.')
    .said();
  expect(picture(conversationRows(story.state(), all))).toEqual([
    'You       | you Fix it',
    'Model     | thinking hm',
    '          | text I look.',
    'Request 1 | call one',
    '          | call two',
    'Request 2 | call three',
    'Model     | text Done.',
  ]);
});

test('a sub-agent stands under its call, closed or open', () => {
  const state = withAgent().state();
  expect(picture(conversationRows(state, all)).slice(2)).toEqual([
    'Request 1 | call outer',
    '            | agent ▸ Explore, 1 calls',
    '          | call read',
  ]);
  expect(picture(conversationRows(state, { ...all, openAgents: new Set([explorer]) })).slice(2)).toEqual([
    'Request 1 | call outer',
    '            | agent ▾ Explore, 1 calls',
    '  Prompt    | program Find it',
    '  Request 1 | call inner',
    '          | call read',
  ]);
});

test('the agents around a nested call are known, so that selecting it can open them', () => {
  const state = withAgent().state();
  expect(agentsAround(state, 'inner' as CallId)).toEqual([explorer]);
  expect(agentsAround(state, 'read' as CallId)).toEqual([]);
});

test('a sub-agent whose call is filtered away is still listed', () => {
  const rows = conversationRows(withAgent().state(), { ...all, calls: 'none' });
  expect(rows.map((row) => row.kind)).toEqual(['you', 'text', 'agent']);
});

test('only calls of a set are listed when that is wanted', () => {
  const story = new Story()
    .you('Go')
    .request()
    .call('good', 'Read', 'a')
    .call('bad', 'Bash', 'false')
    .call('open', 'Bash', 'x')
    .said();
  for (const id of ['good', 'bad', 'open']) story.starts(id);
  story.ends('good').ends('bad', { outcome: 'error', exit: { code: 1 } });
  const state = story.state();
  const calls = { has: (index: number) => state.calls[index]?.callId === 'bad', size: 1 };
  const rows = conversationRows(state, { ...all, calls });
  expect(rows.flatMap((row) => (row.kind === 'call' ? [row.callId] : []))).toEqual(['bad']);
});

test('what a recording went back from is not told as a broken stream', () => {
  const leftOf = (story: Story) => {
    const told = story.you('Go').request().says('Half a').said();
    const { messageId } = told.events.findLast((event) => event.type === 'message-started') as { messageId: MessageId };
    const rows = conversationRows(told.add({ type: 'attempt-discarded', messageId }).state(), all);
    return rows.flatMap((row) => (row.kind === 'discarded' ? [row.left] : []));
  };
  expect(leftOf(new Story())).toEqual([false]);
  const origin = { kind: 'imported', format: 'gemini-cli', path: '/x', clock: 'recorded' } as const;
  expect(leftOf(new Story('File', origin))).toEqual([true]);
});

test('a discarded attempt is marked, and the next try says which it is', () => {
  const story = new Story().you('Go').request().says('Half a').call('lost', 'Read', 'a.ts');
  const broken = story.events.findLast((event) => event.type === 'message-started');
  story
    .add({ type: 'attempt-discarded', messageId: broken?.messageId as MessageId })
    .add({
      type: 'request-failed',
      requestId: broken?.requestId as RequestId,
      message: 'the stream broke',
      retryInMs: 500,
    })
    .at(500)
    .request(undefined, 2)
    .says('Whole.')
    .said();
  const rows = conversationRows(story.state(), all);
  expect(picture(rows)).toEqual([
    'You       | you Go',
    'Request 1 | discarded',
    'Model     | text Half a',
    'Request 1 | call lost',
    '          | mark The request failed: the stream broke. It is tried again after 0.5 s.',
    'Model     | text Whole.',
  ]);
  expect(rows.flatMap((row) => ('discarded' in row ? [row.discarded] : []))).toEqual([true, true, false]);
});

test('stopping a turn is told once, where it happened', () => {
  const story = new Story().you('Go').at(100).request().call('one', 'Bash', 'sleep').said();
  story
    .at(200)
    .add({ type: 'interrupt-requested', reason: 'escape' })
    .at(300)
    .turnEnds('interrupted')
    .at(400)
    .you('Again');
  expect(picture(conversationRows(story.state(), all))).toEqual([
    'You       | you Go',
    'Request 1 | call one',
    '          | mark You stopped the turn.',
    'You       | you Again',
  ]);
});

test('notices stand in their place, and a request without a block yet is shown as waiting', () => {
  const story = new Story()
    .you('Go')
    .add({ type: 'notice-given', level: 'warning', text: 'The scenario has no more turns.' })
    .request();
  expect(picture(conversationRows(story.state(), all))).toEqual([
    'You       | you Go',
    'Gantry    | notice The scenario has no more turns.',
    'Model     | waiting',
  ]);
});

test('while a request waits for its next try, that is said at the end', () => {
  const story = new Story().you('Go').request();
  const { requestId } = story.events.findLast((event) => event.type === 'request-started') ?? {};
  story.add({ type: 'request-failed', requestId: requestId as RequestId, message: 'Overloaded.', retryInMs: 4_000 });
  expect(picture(conversationRows(story.state(), all)).slice(-2)).toEqual([
    '          | mark The request failed: Overloaded. It is tried again after 4.0 s.',
    'Model     | retrying',
  ]);
  story.turnEnds('interrupted');
  expect(picture(conversationRows(story.state(), all)).at(-1)).toBe('          | mark The turn was interrupted.');
});

test('rows of a message that did not change are the very same objects', () => {
  const story = withAgent();
  const before = conversationRows(story.state(), all);
  const state = foldSession(story.events);
  const first = conversationRows(state, all);
  const second = conversationRows(state, all);
  expect(before.length).toBe(first.length);
  for (const [at, row] of first.entries()) if (row.kind !== 'agent') expect(second[at]).toBe(row);
});

test('keys are unique, also across agents', () => {
  const rows = conversationRows(withAgent().state(), { ...all, openAgents: new Set([explorer]) });
  expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
});

describe('a block that is on its way', () => {
  const grows = (kind: 'text' | 'thinking' | 'tool-use', added: string, size: number, index = 0): EventFacts => ({
    type: 'block-growing',
    messageId: 'message-2' as MessageId,
    agentId: MAIN_AGENT,
    index,
    kind,
    added,
    size,
    ...(kind === 'tool-use' ? { tool: 'Edit' } : {}),
  });
  const asked = () => new Story().you('Fix it').request();

  test('is shown as far as it has come, and nobody is said to think meanwhile', () => {
    const rows = (story: Story) => picture(conversationRows(story.state(), all)).slice(1);
    expect(rows(asked())).toEqual(['Model     | waiting']);
    expect(
      rows(
        asked()
          .add(grows('text', 'I lo', 4))
          .add(grows('text', 'ok', 6)),
      ),
    ).toEqual(['Model     | text I look …']);
    expect(
      rows(
        asked()
          .says('I look.')
          .add(grows('tool-use', '', 3_200, 1)),
      ),
    ).toEqual(['Model     | text I look.', 'Request 1 | writing Edit 3200']);
    expect(rows(asked().add(grows('thinking', 'Hm', 2)))).toEqual(['Model     | thinking Hm …']);
  });

  test('keeps its row when it is whole, and is gone when its message ended without it', () => {
    const growing = asked().add(grows('text', 'I lo', 4));
    const keyOf = (story: Story) => conversationRows(story.state(), all).at(-1)?.key;
    expect(keyOf(growing)).toBe(keyOf(asked().says('I look.')));
    expect(picture(conversationRows(growing.said().state(), all))).toHaveLength(1);
  });
});

test('a summary stands where it took the place of what came before, and its request is none of the turn’s', () => {
  const story = new Story().you('Look').request().says('I look.').said();
  story.add({
    type: 'request-started',
    requestId: 'sum' as RequestId,
    agentId: MAIN_AGENT,
    turnId: 'turn-1' as never,
    attempt: 1,
    timing: { certainty: 'measured' },
    purpose: 'compact',
  });
  expect(picture(conversationRows(story.state(), all)).at(-1)).toBe('Model     | waiting');
  story.add({
    type: 'message-completed',
    messageId: 's' as MessageId,
    requestId: 'sum' as RequestId,
    stopReason: 'end-turn',
    usage: {},
  });
  story.add({
    type: 'context-compacted',
    agentId: MAIN_AGENT,
    trigger: 'manual',
    summary: 'They look.',
    tokensBefore: 152_000,
    tokensAfter: 9_000,
    entriesBefore: 2,
    answersBefore: 1,
  });
  story.request().call('read', 'Read', 'a.ts').said();
  expect(picture(conversationRows(story.state(), all))).toEqual([
    'You       | you Look',
    'Model     | text I look.',
    '          | compacted They look.',
    'Request 2 | call read',
  ]);
});

test('what was copied is marked, and told from what came after it', () => {
  const story = new Story().you('Look').request().says('I look.').said();
  const [first, ...rest] = story.events;
  const forked = [{ ...first, forkedFrom: { title: 'The first one', seq: 5 } }, ...rest] as typeof story.events;
  story.events.splice(0, forked.length, ...forked);
  story.add({ type: 'history-copied', events: 5 }).you('Go on');
  const rows = conversationRows(story.state(), all);
  expect(picture(rows)).toEqual([
    'You       | you Look',
    'Model     | text I look.',
    '          | fork The first one',
    'You       | you Go on',
  ]);
  expect(rows.map(({ copied = false }) => copied)).toEqual([true, true, false, false]);
  expect(rows.map(({ messageId }) => messageId)).toEqual(['message-1', 'message-2', undefined, 'message-3']);
});
