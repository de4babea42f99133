import { describe, expect, test } from 'vitest';
import type { AgentId, CallId, MessageId, RequestId, SessionId, TurnId } from '../ids.ts';
import { MAIN_AGENT } from '../ids.ts';
import type { ModelChoice } from '../model/choice.ts';
import type { Usage } from '../model/event.ts';
import { textResult } from '../tool-call/content.ts';
import { MEASURED } from '../tool-call/timing.ts';
import type { EventFacts, SessionEvent } from './event.ts';
import { defaultSettings } from './settings.ts';
import { callById, foldSession } from './state.ts';
import { contextOf, inputOf, resultShare, spentOf } from './tokens.ts';

const begin = (model?: ModelChoice): EventFacts => ({
  type: 'session-started',
  sessionId: 's' as SessionId,
  title: '',
  cwd: '/',
  origin: { kind: 'live', provider: 'x', ...(model === undefined ? {} : { model }) },
  app: '',
  settings: defaultSettings(),
});

/** A request that was answered with these calls, whose results are as long as said. */
function answered(
  id: string,
  usage: Usage,
  results: Readonly<Record<string, number>> = {},
  agentId: AgentId = MAIN_AGENT,
  model = 'claude-sonnet-4-5',
): readonly EventFacts[] {
  const [requestId, messageId] = [`r${id}` as RequestId, `m${id}` as MessageId];
  return [
    { type: 'request-started', requestId, agentId, turnId: 't' as TurnId, attempt: 1, timing: MEASURED },
    { type: 'message-started', requestId, messageId, agentId, model },
    { type: 'message-completed', messageId, requestId, stopReason: 'end-turn', usage },
    ...Object.entries(results).flatMap(([name, letters], index): readonly EventFacts[] => {
      const callId = name as CallId;
      const safety = { safe: true, because: 'declared-safe' } as const;
      return [
        { type: 'call-queued', callId, agentId, messageId, index, tool: 'Read', input: {}, summary: '', safety },
        {
          type: 'call-completed',
          callId,
          outcome: 'ok',
          result: textResult('x'.repeat(letters)),
          timing: MEASURED,
        },
      ];
    }),
  ];
}

const fold = (...facts: readonly (EventFacts | readonly EventFacts[])[]) =>
  foldSession(facts.flat().map((fact, seq) => ({ ...fact, seq, at: 0, t: seq }) as SessionEvent));

describe('how full a conversation is', () => {
  test('is what the last request and its answer had, cache and all', () => {
    const usage = { inputTokens: 100, cacheReadTokens: 2_000, cacheCreationTokens: 300, outputTokens: 40 };
    expect(contextOf(fold(begin(), answered('1', { inputTokens: 9 }), answered('2', usage)))).toMatchObject({
      used: 2_440,
      window: 200_000,
      model: 'claude-sonnet-4-5',
    });
  });

  test('is told of each agent by itself, and the chosen window is the main agent’s', () => {
    const model: ModelChoice = { provider: 'openai-compatible', model: 'llama', contextWindow: 8_000 };
    const agent = 'a' as AgentId;
    const state = fold(
      begin(model),
      answered('1', { inputTokens: 100 }, {}, MAIN_AGENT, 'llama'),
      answered('2', { inputTokens: 7 }, {}, agent, 'llama'),
    );
    expect(contextOf(state)).toMatchObject({ used: 100, window: 8_000 });
    expect(contextOf(state, agent)).toMatchObject({ used: 7, window: undefined });
  });

  test('is not known where no tokens were told', () => {
    expect(contextOf(fold(begin()))).toBeUndefined();
    expect(contextOf(fold(begin(), answered('1', {}), answered('2', { outputTokens: 3 })))).toBeUndefined();
    expect(inputOf({ outputTokens: 3 })).toBeUndefined();
  });
});

describe('a result’s share of the next request', () => {
  const first = answered('1', { inputTokens: 1_000, outputTokens: 100 }, { a: 300, b: 100 });
  const shareIn = (state: ReturnType<typeof fold>, id: string) => {
    const call = callById(state, id as CallId);
    return call && resultShare(state, call);
  };

  test('is worked out of what that had more, by letters', () => {
    const state = fold(begin(), first, answered('2', { inputTokens: 100, cacheReadTokens: 1_400 }));
    expect(shareIn(state, 'a')).toEqual({ tokens: 300, of: 1_500 });
    expect(shareIn(state, 'b')).toEqual({ tokens: 100, of: 1_500 });
  });

  test('is not known before the next answer, and not guessed', () => {
    expect(shareIn(fold(begin(), first), 'a')).toBeUndefined();
    expect(shareIn(fold(begin(), first, answered('2', {})), 'a')).toBeUndefined();
    expect(shareIn(fold(begin(), first, answered('2', { inputTokens: 900 })), 'a')).toBeUndefined();
  });
});

const looked = {
  type: 'classifier-ended',
  callId: 'a' as CallId,
  name: 'x',
  verdict: 'ask',
  reason: 'y',
  ms: 1,
} as const;

test('what was spent counts every answer and what was asked beside them', () => {
  const state = fold(
    begin(),
    answered('1', { inputTokens: 50, cacheReadTokens: 100, outputTokens: 7 }),
    answered('2', { inputTokens: 1, costUsd: 0.5 }),
    { type: 'title-changed', title: 'x', usage: { inputTokens: 3, outputTokens: 1, costUsd: 0.25 } },
    { type: 'call-spent', callId: 'a' as CallId, model: 'x', usage: { inputTokens: 10, costUsd: 1 } },
    { ...looked, model: 'x', usage: { inputTokens: 20, outputTokens: 1, costUsd: 2 } },
    // Of the rules, and of journals that were written before it was told.
    looked,
  );
  expect(spentOf(state)).toEqual({ tokensIn: 184, tokensOut: 9, cost: 3.75 });
  expect(spentOf(fold(begin()))).toEqual({ tokensIn: 0, tokensOut: 0, cost: undefined });
});
