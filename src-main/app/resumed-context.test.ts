import { expect, test } from 'vitest';
import { type AgentId, type CallId, MAIN_AGENT, type MessageId, type SessionId } from '../../src-shared/ids.ts';
import type { EventFacts, SessionEvent } from '../../src-shared/session/event.ts';
import { defaultSettings } from '../../src-shared/session/settings.ts';
import { foldSession } from '../../src-shared/session/state.ts';
import { resumedContext } from './resumed-context.ts';

const FILE = { path: '/work/a.ts', mtimeMs: 5, size: 3, hash: 'abc', by: 'read', range: 'whole' } as const;

const fold = (facts: readonly EventFacts[]) =>
  foldSession(facts.map((fact, seq) => ({ ...fact, seq, at: 0, t: seq }) as SessionEvent));

const started: EventFacts = {
  type: 'session-started',
  sessionId: 's' as SessionId,
  title: '',
  cwd: '/work',
  origin: { kind: 'live', provider: 'x' },
  app: 'test',
  settings: defaultSettings(),
};

/** A message with one call, after which the agent knows more. */
function call(
  id: string,
  learned: Omit<Extract<EventFacts, { type: 'context-modified' }>, 'type' | 'callId' | 'changes'>,
  agentId: AgentId = MAIN_AGENT,
): readonly EventFacts[] {
  const [callId, messageId] = [id as CallId, `m-${id}` as MessageId];
  return [
    { type: 'message-started', requestId: 'r' as never, messageId, agentId, model: 'm' },
    { type: 'block-arrived', messageId, agentId, index: 0, block: { kind: 'tool-use', callId, tool: 'Read' } },
    {
      type: 'call-queued',
      callId,
      agentId,
      messageId,
      index: 0,
      tool: 'Read',
      input: {},
      summary: '',
      safety: { safe: true, because: 'declared-safe' },
    },
    { type: 'context-modified', callId, changes: [], ...learned },
  ];
}

test('the agent is where it went, and knows the files it has read as they were then', () => {
  const state = fold([
    started,
    ...call('a', { files: [FILE] }),
    ...call('b', { cwd: '/work/src', files: [{ ...FILE, path: '/work/b.ts', by: 'write' }] }),
    ...call('c', { files: [{ ...FILE, callId: 'a' as CallId, toldStaleAt: 9 }] }),
    ...call('d', { cwd: '/else', files: [{ ...FILE, path: '/work/of-agent.ts' }] }, 'agent-1' as AgentId),
  ]);
  const context = resumedContext(state, ['/more']);
  expect(context).toMatchObject({ cwd: '/work/src', directories: ['/work', '/more'], todos: [] });
  const { path: _, ...known } = FILE;
  expect([...context.readFiles]).toEqual([
    ['/work/a.ts', { ...known, callId: 'a', toldStaleAt: 9 }],
    ['/work/b.ts', { ...known, by: 'write', callId: 'b' }],
  ]);
});

test('a file whose text a summary took the place of may be edited, but is not said to stand in the conversation', () => {
  const state = fold([
    started,
    ...call('a', { files: [FILE] }),
    {
      type: 'context-compacted',
      agentId: MAIN_AGENT,
      trigger: 'manual',
      summary: 'x',
      tokensBefore: 2,
      tokensAfter: 1,
      entriesBefore: 1,
      answersBefore: 1,
    },
    ...call('b', { files: [{ ...FILE, path: '/work/b.ts' }] }),
  ]);
  const { readFiles } = resumedContext(state, []);
  expect([...readFiles].map(([path, { by }]) => [path, by])).toEqual([
    ['/work/a.ts', 'write'],
    ['/work/b.ts', 'read'],
  ]);
});
