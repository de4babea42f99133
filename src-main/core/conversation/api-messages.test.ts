import { describe, expect, test } from 'vitest';
import type { AgentId, CallId, MessageId, RequestId } from '../../../src-shared/ids.ts';
import { MAIN_AGENT } from '../../../src-shared/ids.ts';
import type { Block } from '../../../src-shared/model/event.ts';
import type { EventFacts, SessionEvent } from '../../../src-shared/session/event.ts';
import { foldSession } from '../../../src-shared/session/state.ts';
import { type ToolResult, textResult } from '../../../src-shared/tool-call/content.ts';
import { MEASURED } from '../../../src-shared/tool-call/timing.ts';
import { apiMessages } from './api-messages.ts';
import { faultsOfRequest } from './request-validator.ts';

const messagesOf = (facts: readonly EventFacts[], agentId: AgentId = MAIN_AGENT) =>
  apiMessages(foldSession(facts.map((fact, seq) => ({ ...fact, seq, at: 0, t: seq }) as SessionEvent)), agentId);

const user = (text: string, agentId: AgentId = MAIN_AGENT): EventFacts => ({
  type: 'user-message-added',
  messageId: `user ${text}` as MessageId,
  agentId,
  text,
  from: 'person',
});
const message = (id: string, blocks: readonly Block[], agentId: AgentId = MAIN_AGENT): readonly EventFacts[] => [
  { type: 'message-started', requestId: 'r' as RequestId, messageId: id as MessageId, agentId, model: 'm' },
  ...blocks.map(
    (block, index): EventFacts => ({ type: 'block-arrived', messageId: id as MessageId, agentId, index, block }),
  ),
];
const text = (words: string): Block => ({ kind: 'text', text: words });
const use = (id: string): Block => ({ kind: 'tool-use', callId: id as CallId, tool: 'Read' });
const queued = (id: string, input: unknown = { file_path: id }): EventFacts => ({
  type: 'call-queued',
  callId: id as CallId,
  agentId: MAIN_AGENT,
  messageId: 'm' as MessageId,
  index: 0,
  tool: 'Read',
  input,
  summary: '',
  safety: { safe: true, because: 'declared-safe' },
});
const ended = (id: string, result: ToolResult): EventFacts => ({
  type: 'call-completed',
  callId: id as CallId,
  outcome: 'ok',
  result,
  timing: MEASURED,
});

test('uses stand in the assistant’s message in their order, results together in the user’s behind it', () => {
  const messages = messagesOf([
    user('Hello'),
    ...message('m', [text('I look.'), use('a'), use('b')]),
    queued('a'),
    queued('b'),
    ended('b', textResult('content of b')),
    ended('a', textResult('no such file', true)),
    user('And?'),
  ]);
  expect(messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'a', name: 'Read', input: { file_path: 'a' } },
        { type: 'tool_use', id: 'b', name: 'Read', input: { file_path: 'b' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'no such file' }], is_error: true },
        { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: 'content of b' }], is_error: false },
        { type: 'text', text: 'And?' },
      ],
    },
  ]);
});

test('an attempt that was thrown away is not in it', () => {
  const messages = messagesOf([
    user('Hello'),
    ...message('m1', [text('Half a'), use('a')]),
    { type: 'attempt-discarded', messageId: 'm1' as MessageId },
    ...message('m2', [text('Whole.')]),
  ]);
  expect(messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Whole.' }] },
  ]);
});

test('a use without a recorded call or result still has one answer, which says so', () => {
  const messages = messagesOf([user('Hello'), ...message('m', [use('lost'), use('open')]), queued('open')]);
  expect(messages[2]?.content).toMatchObject([
    { tool_use_id: 'lost', is_error: true, content: [{ type: 'text', text: 'no result was recorded' }] },
    { tool_use_id: 'open', is_error: true },
  ]);
});

test('the model’s own input goes back, also when a person has changed it', () => {
  const messages = messagesOf([
    user('Hello'),
    ...message('m', [use('a')]),
    queued('a', { z: 1, a: 2 }),
    { type: 'call-input-changed', callId: 'a' as CallId, by: 'user', input: { other: true } },
  ]);
  expect(JSON.stringify(messages[1]?.content)).toContain('"input":{"z":1,"a":2}');
});

test('thoughts and texts without words are left out, and no message is empty', () => {
  const messages = messagesOf([
    user('Hello'),
    ...message('m1', [{ kind: 'thinking', text: 'Hm.' }, text(' \n')]),
    user('Well?'),
  ]);
  expect(messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hello' },
        { type: 'text', text: 'Well?' },
      ],
    },
  ]);
});

test('thoughts that a server has refused are not sent again, those that came afterwards are', () => {
  const thought = (signature: string): Block => ({ kind: 'thinking', text: 'Hm.', signature });
  const hidden: Block = { kind: 'other', raw: { type: 'redacted_thinking', data: 'AAAA' } };
  const refusing = message('m3', [thought('s3'), text('C')]).map(
    (fact): EventFacts => (fact.type === 'message-started' ? { ...fact, thoughtsRefused: true } : fact),
  );
  const before = [user('1'), ...message('m1', [thought('s1'), hidden, text('A')]), user('2')];
  const sent = (facts: readonly EventFacts[]) => JSON.stringify(messagesOf(facts));
  expect(sent(before)).toMatch(/"s1".*AAAA/);
  // The try that heard of it may have been thrown away.
  const lost = [...before, ...refusing, { type: 'attempt-discarded', messageId: 'm3' as MessageId } as const];
  for (const facts of [[...before, ...refusing], lost]) {
    const all = [...facts, ...message('m4', [thought('s4'), text('D')]), user('3')];
    expect(sent(all)).not.toMatch(/"s1"|AAAA/);
    expect(sent(all)).toContain('"s4"');
    expect(faultsOfRequest(messagesOf(all))).toEqual([]);
  }
  expect(sent([...before, ...refusing, user('3')])).toContain('"s3"');
});

test('each agent has its own conversation, and notices are in none', () => {
  const other = 'agent-2' as AgentId;
  const facts = [
    user('Hello'),
    user('Look around.', other),
    ...message('m2', [text('I do.')], other),
    { type: 'notice-given', level: 'warning', text: 'Something' } as const,
    ...message('m1', [text('Hi.')]),
  ];
  expect(messagesOf(facts).map(({ content }) => content)).toEqual([
    [{ type: 'text', text: 'Hello' }],
    [{ type: 'text', text: 'Hi.' }],
  ]);
  expect(messagesOf(facts, other)).toHaveLength(2);
});

describe('thoughts at the end of a message, which was stopped behind them', () => {
  const thought = (signature: string): Block => ({ kind: 'thinking', text: 'Hm.', signature });
  const hidden: Block = { kind: 'other', raw: { type: 'redacted_thinking', data: 'AAAA' } };
  const typesOf = (facts: readonly EventFacts[]) => {
    const messages = messagesOf(facts);
    expect(faultsOfRequest(messages)).toEqual([]);
    return messages.map(({ role, content }) => `${role}: ${content.map(({ type }) => type).join(' ')}`);
  };

  test('are left out, and with them a message that holds nothing else', () => {
    const facts = [user('Hello'), ...message('m1', [thought('s1'), hidden]), user('[stopped]'), user('Again')];
    expect(typesOf(facts)).toEqual(['user: text text text']);
  });

  test('are left out behind words and calls', () => {
    const facts = [
      user('Hello'),
      ...message('m1', [thought('s1'), text('I look.'), thought('s2'), use('a'), thought('s3'), hidden]),
      queued('a'),
      user('[stopped]'),
      ...message('m2', [text('So.'), thought('s4'), text(' ')]),
      user('Again'),
    ];
    expect(typesOf(facts)).toEqual([
      'user: text',
      'assistant: thinking text thinking tool_use',
      'user: tool_result text',
      'assistant: text',
      'user: text',
    ]);
  });

  test('stay where the same message goes on', () => {
    const facts = [user('Hello'), ...message('m1', [thought('s1')]), ...message('m2', [text('So.')]), user('Well?')];
    expect(typesOf(facts)).toEqual(['user: text', 'assistant: thinking text', 'user: text']);
  });

  test('are left out at the end of the conversation too, and where the model spoke first', () => {
    expect(typesOf([user('Hello'), ...message('m1', [thought('s1')])])).toEqual(['user: text']);
    expect(typesOf([...message('m1', [thought('s1')]), user('Hello')])).toEqual(['user: text text']);
  });
});
