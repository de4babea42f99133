import { describe, expect, test } from 'vitest';
import type { AgentId, CallId, MessageId, RequestId, TurnId } from '../../../src-shared/ids.ts';
import { MAIN_AGENT } from '../../../src-shared/ids.ts';
import type { EventFacts, SessionEvent } from '../../../src-shared/session/event.ts';
import { foldSession, type SessionState } from '../../../src-shared/session/state.ts';
import { textResult } from '../../../src-shared/tool-call/content.ts';
import { MEASURED } from '../../../src-shared/tool-call/timing.ts';
import { apiMessages } from '../conversation/api-messages.ts';
import { callsInConversation } from '../conversation/in-conversation.ts';
import { faultsOfRequest } from '../conversation/request-validator.ts';
import { isFull, planCompaction, tokensNow } from './plan.ts';

const stateOf = (facts: readonly EventFacts[]): SessionState =>
  foldSession(facts.map((fact, seq) => ({ ...fact, seq, at: 0, t: seq }) as SessionEvent));

const chosen = (contextWindow: number): EventFacts => ({
  type: 'model-chosen',
  model: { provider: 'anthropic', model: 'claude-x', contextWindow },
});
const user = (text: string): EventFacts => ({
  type: 'user-message-added',
  messageId: `user ${text.slice(0, 20)}` as MessageId,
  agentId: MAIN_AGENT,
  text,
  from: 'person',
});
const summary = (entriesBefore: number, tokensAfter = 100): EventFacts => ({
  type: 'context-compacted',
  agentId: MAIN_AGENT,
  trigger: 'auto',
  summary: 'It was long.',
  tokensBefore: 1_000,
  tokensAfter,
  entriesBefore,
  answersBefore: 1,
});

type Use = { readonly id: string; readonly result: string; readonly sameAs?: string };

/** An answer, with the results of its calls. */
function answer(id: string, text: string, uses: readonly Use[] = [], inputTokens?: number): readonly EventFacts[] {
  const [messageId, requestId] = [id as MessageId, `req ${id}` as RequestId];
  const agentId = MAIN_AGENT;
  return [
    { type: 'request-started', requestId, agentId, turnId: 't' as TurnId, attempt: 1, timing: MEASURED },
    { type: 'message-started', requestId, messageId, agentId, model: 'claude-x' },
    { type: 'block-arrived', messageId, agentId, index: 0, block: { kind: 'text', text } },
    ...uses.map(
      (use, index): EventFacts => ({
        type: 'block-arrived',
        messageId,
        agentId,
        index: index + 1,
        block: { kind: 'tool-use', callId: use.id as CallId, tool: 'Read' },
      }),
    ),
    {
      type: 'message-completed',
      messageId,
      requestId,
      stopReason: 'end-turn',
      usage: inputTokens === undefined ? {} : { inputTokens, outputTokens: 10 },
    },
    ...uses.flatMap((use, index): readonly EventFacts[] => {
      const callId = use.id as CallId;
      const safety = { safe: true, because: 'declared-safe' } as const;
      return [
        { type: 'call-queued', callId, agentId, messageId, index, tool: 'Read', input: {}, summary: '', safety },
        { type: 'call-completed', callId, outcome: 'ok', result: textResult(use.result), timing: MEASURED },
        ...(use.sameAs === undefined
          ? []
          : [{ type: 'result-deduplicated', callId, sameAs: use.sameAs as CallId } as const]),
        { type: 'call-yielded', callId },
      ];
    }),
  ];
}

describe('a conversation is full', () => {
  const big = 'x'.repeat(800);

  test('when the last answer and what came after it reach the share of the window', () => {
    const facts = [chosen(1_000), user('Hi'), ...answer('a', 'Hi', [{ id: 'c', result: big }], 580)];
    expect(tokensNow(stateOf(facts), MAIN_AGENT)).toBe(
      590 + Math.round((big.length + 2 + JSON.stringify({ kind: 'tool-use', callId: 'c', tool: 'Read' }).length) / 4),
    );
    expect(isFull(stateOf(facts), MAIN_AGENT)).toBe(true);
    expect(isFull(stateOf(facts.map((one, at) => (at === 0 ? chosen(1_100) : one))), MAIN_AGENT)).toBe(false);
  });

  test('never where the window is not known, or the setting is 0', () => {
    const full = [user('Hi'), ...answer('a', 'Hi', [], 9_000_000)];
    expect(isFull(stateOf(full), MAIN_AGENT)).toBe(false);
    const state = stateOf([chosen(1_000), ...full]);
    expect(isFull(state, MAIN_AGENT)).toBe(true);
    state.settings = { ...state.settings, compactAt: 0 };
    expect(isFull(state, MAIN_AGENT)).toBe(false);
  });

  test('again only after two more answers: what does not help is not done for each request', () => {
    const facts = [chosen(1_000), user('Hi'), ...answer('a', 'Hi', [], 990), summary(1)];
    expect(isFull(stateOf(facts), MAIN_AGENT)).toBe(false);
    const one = [...facts, ...answer('b', 'Hi', [], 990)];
    expect(isFull(stateOf(one), MAIN_AGENT)).toBe(false);
    expect(isFull(stateOf([...one, ...answer('c', 'Hi', [], 990)]), MAIN_AGENT)).toBe(true);
  });
});

describe('a plan', () => {
  const long = 'word '.repeat(400);
  const told = [user('First'), ...answer('a', long), user('Second'), ...answer('b', long), user('Third')];

  test('keeps the last messages word for word, the one that waits for an answer among them', () => {
    const plan = planCompaction(stateOf(told), MAIN_AGENT);
    expect(plan?.entriesBefore).toBe(2);
    expect(plan?.kept.map(({ messageId }) => messageId)).toEqual(['user Second', 'b', 'user Third']);
    const more = [...told, ...answer('c', 'short'), user('Fourth'), ...answer('d', 'short')];
    expect(planCompaction(stateOf(more), MAIN_AGENT)?.kept.map(({ messageId }) => messageId)).toEqual([
      'user Third',
      'c',
      'user Fourth',
      'd',
    ]);
  });

  test('is none as long as the model has said nothing', () => {
    expect(planCompaction(stateOf([user('First'), user('Second')]), MAIN_AGENT)).toBeUndefined();
    expect(planCompaction(stateOf(told), 'agent-9' as AgentId)).toBeUndefined();
  });

  test('keeps no result that points to a call which goes', () => {
    const facts = [
      ...told,
      ...answer('c', '', [{ id: 'first', result: 'long' }]),
      ...Array.from({ length: 5 }, (_, at) => answer(`n${at}`, 'short')).flat(),
      ...answer('e', '', [{ id: 'again', result: 'same', sameAs: 'first' }]),
      user('Last'),
    ];
    const plan = planCompaction(stateOf(facts), MAIN_AGENT);
    expect(plan?.kept.map(({ messageId }) => messageId)).toEqual(['user Last']);
  });

  test('begins where the last summary ended', () => {
    const facts = [...told, ...answer('c', long), summary(5), user('Fourth'), ...answer('d', long), user('Fifth')];
    expect(planCompaction(stateOf(facts), MAIN_AGENT)).toMatchObject({
      entriesBefore: 7,
      kept: [{ messageId: 'd' }, { text: 'Fifth' }],
    });
  });
});

test('the summary stands first, and what is kept follows it, in a request that a server takes', () => {
  const facts = [
    user('First'),
    ...answer('a', 'I look.', [{ id: 'old', result: 'old text' }]),
    ...answer('b', 'And there.', [{ id: 'new', result: 'new text' }]),
    summary(2),
  ];
  const state = stateOf(facts);
  const messages = apiMessages(state, MAIN_AGENT);
  expect(faultsOfRequest(messages)).toEqual([]);
  expect(messages.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
    ['user', ['text']],
    ['assistant', ['text', 'tool_use']],
    ['user', ['tool_result']],
  ]);
  expect(JSON.stringify(messages[0])).toContain('It was long.');
  expect([...callsInConversation(state, MAIN_AGENT)]).toEqual(['new']);
  const later = apiMessages(stateOf([...facts, ...answer('c', 'Done.')]), MAIN_AGENT);
  expect(later.slice(0, 3)).toEqual(messages);
});
