import { describe, expect, test } from 'vitest';
import type { CallId } from '../ids.ts';
import { callById, foldSession, type SessionState } from '../session/state.ts';
import { SessionScript } from '../timeline/session-script.ts';
import { type AbortNode, abortTree } from './abort-tree.ts';
import { aheadOf } from './ahead.ts';

/** `Bash(npm test)` fails at 2 s and cancels a command that runs and an edit that waits. */
const cascade = (): SessionScript =>
  new SessionScript()
    .turn('turn-1', 0, 5_000)
    .request('r1', 0, [100], 500, { message: 'm1' })
    .call({
      id: 'test',
      tool: 'Bash',
      summary: 'npm test',
      message: 'm1',
      queued: 100,
      start: 100,
      end: 2_000,
      outcome: 'error',
      exit: { code: 1 },
      yielded: 2_100,
    })
    .call({
      id: 'lint',
      tool: 'Bash',
      summary: 'npm run lint',
      message: 'm1',
      queued: 200,
      start: 200,
      lane: 1,
      cancelled: { at: 2_000, reason: 'sibling_error', culprit: 'test' },
      end: 2_010,
      outcome: 'cancelled',
      yielded: 2_100,
    })
    .call({
      id: 'edit',
      tool: 'Edit',
      safe: false,
      summary: 'src/a.ts',
      message: 'm1',
      queued: 400,
      waits: [{ why: 'lock', by: ['test', 'lint'], at: 400 }],
      cancelled: { at: 2_000, reason: 'sibling_error', culprit: 'test' },
      end: 2_000,
      outcome: 'cancelled',
      yielded: 2_100,
    });

const stateAt = (script: SessionScript, t: number): SessionState =>
  foldSession(script.events().filter((event) => event.t <= t));

/** The tree as indented lines: what Esc does, what a message does, who has stopped it. */
function lines(node: AbortNode | undefined, indent = ''): readonly string[] {
  if (node === undefined) return [];
  const own =
    node.kind === 'turn'
      ? node.name
      : node.kind === 'request'
        ? `request ${node.number}${node.more > 0 ? `, ${node.more} more` : ''}`
        : `${node.call.callId}: ${node.onEscape}, ${node.onMessage}${node.cancelled === undefined ? '' : `, ${node.cancelled}`}`;
  return [`${indent}${own}`, ...node.children.flatMap((child) => lines(child, `${indent}  `))];
}

describe('the abort tree', () => {
  test('what runs would be stopped, what waits would not start', () => {
    expect(lines(abortTree(stateAt(cascade(), 1_000), undefined))).toEqual([
      'turn 1',
      '  request 1',
      '    test: stops, unknown',
      '    lint: stops, unknown',
      '    edit: never-starts, never-starts',
    ]);
  });

  test('what was cancelled says by whom', () => {
    expect(lines(abortTree(stateAt(cascade(), 2_050), 'edit' as CallId))).toEqual([
      'turn 1',
      '  request 1',
      '    test: ended, ended',
      '    lint: ended, ended, npm test failed',
      '    edit: ended, ended, npm test failed',
    ]);
  });

  test('a message spares what should not be cut off; Esc does not', () => {
    const script = new SessionScript()
      .turn('turn-1', 0)
      .request('r1', 0, [10], 20, { message: 'm1' })
      .at(30, queuedFact('write', 'Write', 0, 'block'))
      .at(30, queuedFact('read', 'Read', 1, 'cancel'))
      .at(40, startedFact('write'))
      .at(40, startedFact('read'));
    expect(lines(abortTree(script.state(), undefined)).slice(2)).toEqual([
      '    write: stops, waits',
      '    read: stops, stops',
    ]);
  });

  test('agents hang below the calls that run them', () => {
    const script = new SessionScript()
      .turn('turn-1', 0)
      .request('r1', 0, [10], 20, { message: 'm1' })
      .call({ id: 'agent', tool: 'Agent', summary: 'Explore', message: 'm1', queued: 30, start: 30 })
      .agent('explore', 'Explore', 40, { parent: 'agent', type: 'Explore' })
      .turn('turn-2', 40, undefined, 'explore')
      .request('r2', 50, [60], 70, { agent: 'explore', turn: 'turn-2', message: 'm2' })
      .call({ id: 'grep', tool: 'Grep', summary: 'round', agent: 'explore', message: 'm2', queued: 80, start: 80 });
    const tree = [
      'turn 1',
      '  request 1',
      '    agent: stops, unknown',
      '      Explore agent',
      '        request 1',
      '          grep: stops, unknown',
    ];
    expect(lines(abortTree(script.state(), undefined))).toEqual(tree);
    expect(lines(abortTree(script.state(), 'grep' as CallId))).toEqual(tree);
  });

  test('10,000 calls are cut to a few, with the selected one and those that run', () => {
    const script = new SessionScript().turn('turn-1', 0).request('r1', 0, [10], 20, { message: 'm1' });
    for (let i = 0; i < 10_000; i++) {
      script.call({
        id: `c${i}`,
        tool: 'Read',
        message: 'm1',
        queued: 30,
        start: 30,
        ...(i === 9_000 ? {} : { end: 40 }),
      });
    }
    const state = script.state();
    const request = abortTree(state, 'c5000' as CallId)?.children[0];
    expect(request?.more).toBe(9_988);
    expect(request?.children.map(({ call }) => call.callId)).toEqual(expect.arrayContaining(['c5000', 'c9000']));
  });
});

const queuedFact = (id: string, tool: string, index: number, onInterrupt: 'cancel' | 'block') =>
  ({
    type: 'call-queued',
    callId: id as CallId,
    agentId: 'main' as never,
    messageId: 'm1' as never,
    index,
    tool,
    input: {},
    summary: '',
    safety: { safe: true, because: 'declared-safe' },
    onInterrupt,
  }) as const;
const startedFact = (id: string) =>
  ({
    type: 'call-started',
    callId: id as CallId,
    lane: 0,
    batchId: 'b' as never,
    timing: { certainty: 'measured' },
  }) as never;

describe('ahead of the playhead', () => {
  const ahead = (t: number, id: string, timed = true) =>
    aheadOf(cascade().state(), callById(stateAt(cascade(), t), id as CallId) as never, timed);

  test('a call that never starts', () => {
    expect(ahead(1_000, 'edit')).toEqual({
      words: 'It never starts. At 2.00 s npm test fails and cancels it.',
      at: 2_000,
    });
  });
  test('a call that is cut off, one that fails, and one that is held back', () => {
    expect(ahead(1_000, 'lint')?.words).toBe('At 2.00 s npm test fails and cancels it.');
    expect(ahead(1_000, 'test')?.words).toBe('It ends at 2.00 s: error, exit 1.');
    expect(ahead(2_050, 'test')).toEqual({ words: 'Its result is handed over at 2.10 s.', at: 2_100 });
    expect(ahead(3_000, 'test')).toBeUndefined();
  });
  test('without times none is told', () => {
    expect(ahead(1_000, 'edit', false)?.words).toBe('It never starts. Then npm test fails and cancels it.');
  });
  test('a call that starts, and an answer', () => {
    const script = new SessionScript().call({
      id: 'a',
      tool: 'Bash',
      summary: 'rm x',
      queued: 10,
      start: 500,
      ask: [600, 900],
      end: 1_000,
    });
    const at = (t: number) =>
      aheadOf(script.state(), callById(stateAt(script, t), 'a' as CallId) as never, true)?.words;
    expect(at(100)).toBe('It starts at 0.50 s. It ends at 1.00 s: ok.');
    expect(at(700)).toBe('At 0.90 s you allow it.');
    expect(at(950)).toBe('It ends at 1.00 s: ok.');
  });
});
