import { expect, test } from 'vitest';
import type { Agent, SessionState } from '../../src-shared/session/state.ts';
import { Story } from '../conversation/story.ts';
import { agentTook, endOfAgent } from './agent-facts.ts';

/** An agent with two calls and two answers of its own, of which one told its tokens. */
function story(): SessionState {
  const agent = 'a' as Agent['agentId'];
  return new Story()
    .you('Go.')
    .request()
    .call('start', 'Agent', 'Find')
    .agent('a', 'start', 'Find', 'Find it.')
    .request(agent)
    .call('one', 'Read', 'a.ts', { agent })
    .call('two', 'Read', 'b.ts', { agent })
    .state();
}
const agentOf = (state: SessionState): Agent => {
  const [agent] = state.agents;
  if (agent === undefined) throw new Error('no agent');
  return agent;
};

test('what an agent took is counted while it works, and is what was recorded when it has ended', () => {
  const state = story();
  const agent = agentOf(state);
  expect(agentTook(state, agent)).toEqual({ calls: 2, tokens: undefined, withBelow: false });
  const ended = { ...agent, end: { reason: 'completed', calls: 9, tokens: 1_200 } } as const;
  expect(agentTook(state, ended)).toEqual({ calls: 9, tokens: 1_200, withBelow: true });
  const request = state.requests.find(({ agentId }) => agentId === agent.agentId);
  if (request === undefined) throw new Error('no request');
  const end = { at: request.from, kind: 'completed', stopReason: 'end-turn' } as const;
  const usages = [{ inputTokens: 5, outputTokens: 7 }, {}, { cacheReadTokens: 10 }];
  const requests = usages.map((usage) => ({ ...request, end: { ...end, usage } }));
  expect(agentTook({ calls: [], requests }, agent).tokens).toBe(22);
});

test('how an agent ended is said in words', () => {
  const agent = agentOf(story());
  const until = agent.from;
  expect([endOfAgent(agent, true), endOfAgent(agent, false)]).toEqual(['still at work', 'not known']);
  expect(endOfAgent({ ...agent, until, end: {} }, false)).toBe('by itself');
  expect(endOfAgent({ ...agent, until, end: { reason: 'rejected' } }, false)).toBe('you refused one of its calls');
  expect(endOfAgent({ ...agent, until, end: { reason: 'limit' } }, false)).toBe('at its limit');
});
