// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { type AgentId, type RequestId, SessionId, type TurnId } from '../../src-shared/ids.ts';
import type { EventFacts, SessionEvent } from '../../src-shared/session/event.ts';
import { foldSession, type SessionState } from '../../src-shared/session/state.ts';
import { MEASURED } from '../../src-shared/tool-call/timing.ts';
import { instant, sessionTime } from '../../src-shared/units.ts';
import { installFakeBridge } from '../bridge.fake.ts';
import { awaitedServersWords } from '../state/mcp.ts';
import { McpButton } from './McpButton.tsx';

afterEach(cleanup);

const id = SessionId.parse('s');
const stateOf = (...facts: readonly EventFacts[]): SessionState =>
  foldSession(facts.map((one, seq) => ({ ...one, seq, at: instant(seq), t: sessionTime(seq) }) as SessionEvent));

type Status = 'connecting' | 'connected' | 'failed' | 'closed';
const changed = (server: string, status: Status, more: { tools?: number; message?: string } = {}): EventFacts => ({
  type: 'mcp-server-changed',
  server,
  scope: 'project',
  status,
  ...more,
});

test('is there only while there are servers', () => {
  const { container, rerender } = render(<McpButton state={stateOf()} sessionId={id} />);
  expect(container.textContent).toBe('');
  rerender(<McpButton state={stateOf(changed('a', 'connected'), changed('a', 'closed'))} sessionId={id} />);
  expect(container.textContent).toBe('');
  rerender(
    <McpButton state={stateOf(changed('a', 'connected', { tools: 1 }), changed('b', 'failed'))} sessionId={id} />,
  );
  expect(screen.getByRole('button', { name: 'MCP servers, 1 of 2 connected' }).textContent).toBe('MCP 1/2');
});

test('lists servers with their tools and troubles, and connects anew on demand', async () => {
  const asked: unknown[] = [];
  installFakeBridge({ 'mcp.reconnect': (input) => void asked.push(input) });
  const state = stateOf(
    changed('files', 'connected', { tools: 14 }),
    changed('mail', 'connecting'),
    changed('mail', 'failed', { message: 'There is no program mail.' }),
  );
  render(<McpButton state={state} sessionId={id} />);
  await userEvent.click(screen.getByRole('button', { name: /MCP servers/ }));
  const rows = (await screen.findAllByRole('listitem')).map((row) => row.textContent);
  expect(rows).toEqual([
    'filesconnected · 14 tools · from the folderReconnect',
    'mailnot connected · from the folderThere is no program mail.Reconnect',
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Reconnect mail' }));
  expect(asked).toEqual([{ sessionId: 's', server: 'mail' }]);
});

describe('the wait of a turn for servers', () => {
  const turn = { type: 'turn-started', turnId: 't' as TurnId, agentId: 'main' as AgentId } as const;
  const request = {
    type: 'request-started',
    requestId: 'r' as RequestId,
    agentId: 'main' as AgentId,
    turnId: 't' as TurnId,
    attempt: 1,
    timing: MEASURED,
  } as const;

  test('is said until the model is asked or the servers are there', () => {
    expect(awaitedServersWords(stateOf(changed('a', 'connecting')))).toBeUndefined();
    expect(awaitedServersWords(stateOf(changed('a', 'connecting'), turn))).toBe('Waiting for the MCP server a.');
    expect(awaitedServersWords(stateOf(changed('a', 'connecting'), changed('b', 'connecting'), turn))).toBe(
      'Waiting for the MCP servers a and b.',
    );
    expect(awaitedServersWords(stateOf(changed('a', 'connecting'), turn, changed('a', 'connected')))).toBeUndefined();
    expect(awaitedServersWords(stateOf(changed('a', 'connecting'), turn, request))).toBeUndefined();
  });
});

test('an app that ended holds no connections', () => {
  const state = stateOf(changed('a', 'connected'), changed('b', 'failed'), {
    type: 'session-resumed',
    app: 'x',
    after: 'crash',
  });
  expect(state.mcpServers.map(({ status }) => status)).toEqual(['closed', 'failed']);
});
