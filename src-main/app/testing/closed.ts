import { expect } from 'vitest';
import { MAIN_AGENT } from '../../../src-shared/ids.ts';
import type { SessionState } from '../../../src-shared/session/state.ts';
import { apiMessages } from '../../core/conversation/api-messages.ts';
import { faultsOfRequest } from '../../core/conversation/request-validator.ts';

/**
 * Nothing of a session hangs: no call, question, request, batch, turn, agent or shell is open, and the conversations of
 * all agents could be sent. What must hold whenever a session was opened again or has come to rest.
 */
export function expectClosed(state: SessionState): void {
  expect(state.calls.filter(({ phase }) => phase === 'queued' || phase === 'executing')).toEqual([]);
  expect(state.calls.flatMap(({ asks }) => asks).filter(({ until }) => until === undefined)).toEqual([]);
  expect(state.requests.filter(({ end }) => end === undefined)).toEqual([]);
  expect(state.batches.filter(({ from, until }) => from !== undefined && until === undefined)).toEqual([]);
  expect(state.turns.filter(({ end }) => end === undefined)).toEqual([]);
  expect(state.agents.filter(({ until }) => until === undefined)).toEqual([]);
  expect(state.shells.filter(({ end }) => end === undefined)).toEqual([]);
  for (const agentId of [MAIN_AGENT, ...state.agents.map((agent) => agent.agentId)]) {
    expect(faultsOfRequest(apiMessages(state, agentId))).toEqual([]);
  }
}
