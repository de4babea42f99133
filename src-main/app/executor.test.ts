import { expect, test } from 'vitest';
import type { CallId } from '../../src-shared/ids.ts';
import { callById } from '../../src-shared/session/state.ts';
import { defineTool } from '../ports/tool.ts';
import { ExecutorBench, MoodyStore, quiet } from './testing/bench.ts';
import { HandTools } from './testing/hand-tools.ts';

const REJECTED = /^The user doesn't want to proceed with this tool use\./;

test('safe calls run side by side, an unsafe one alone, and nothing overtakes it', async () => {
  const bench = new ExecutorBench();
  await bench.add('a', 'Look');
  await bench.add('b', 'Look');
  await bench.add('c', 'Change');
  await bench.add('d', 'Look');
  expect(bench.inPhase('executing')).toEqual(['a', 'b']);
  bench.tools.call('a').end();
  bench.tools.call('b').end();
  await quiet();
  expect(bench.inPhase('executing')).toEqual(['c']);
  bench.tools.call('c').end();
  await quiet();
  expect(bench.inPhase('executing')).toEqual(['d']);
});

test('every call has exactly one result, in the order of the calls', async () => {
  const bench = new ExecutorBench();
  for (const id of ['a', 'b', 'c']) await bench.add(id, 'Look');
  await bench.messageEnds();
  for (const id of ['c', 'a', 'b']) {
    bench.tools.call(id).end(`result of ${id}`);
    await quiet();
  }
  expect(bench.all('call-completed').map(({ callId }) => callId)).toEqual(['c', 'a', 'b']);
  expect(bench.all('call-yielded').map(({ callId }) => callId)).toEqual(['a', 'b', 'c']);
  expect(bench.finished?.map(({ callId, result }) => [callId, result.content])).toEqual([
    ['a', [{ type: 'text', text: 'result of a' }]],
    ['b', [{ type: 'text', text: 'result of b' }]],
    ['c', [{ type: 'text', text: 'result of c' }]],
  ]);
});

test('a message without calls is finished when it ends', async () => {
  const bench = new ExecutorBench();
  await bench.messageEnds();
  expect(bench.finished).toEqual([]);
});

test('ten thousand calls in one message all come out, in order', { timeout: 60_000 }, async () => {
  const instant = defineTool({
    name: 'Instant',
    description: '',
    inputSchema: new HandTools().all[0]!.inputSchema,
    isConcurrencySafe: () => true,
    checkPermissions: async () => ({ verdict: 'allow', because: 'it is a test' }),
    call: async () => ({ output: 'ok', isError: false }),
    mapResult: () => ({ content: [{ type: 'text', text: 'ok' }], isError: false }),
    summarise: () => '',
  });
  const bench = new ExecutorBench({ tools: new HandTools([instant]) });
  const ids = Array.from({ length: 10_000 }, (_, index) => `call${index}`);
  for (const callId of ids) {
    bench.executor.add({ callId: callId as CallId, messageId: 'm' as never, tool: 'Instant', input: { command: '' } });
  }
  bench.executor.messageEnded('well');
  const finished = await bench.executor.finished;
  expect(finished.map(({ callId }) => callId)).toEqual(ids);
});

test('five identical calls at once each have the result of their own id', async () => {
  const bench = new ExecutorBench();
  const ids = ['a', 'b', 'c', 'd', 'e'];
  for (const id of ids) await bench.add(id, 'Look', 'the same');
  for (const id of [...ids].reverse()) bench.tools.call(id).end(`for ${id}`);
  await quiet();
  expect(ids.map((id) => bench.result(id))).toEqual(ids.map((id) => `for ${id}`));
});

test('the cap leaves calls waiting for a lane', async () => {
  const bench = new ExecutorBench({ settings: { cap: 2 } });
  for (const id of ['a', 'b', 'c']) await bench.add(id, 'Look');
  expect(bench.inPhase('queued')).toEqual(['c']);
  bench.tools.call('a').end();
  await quiet();
  expect(bench.all('call-started').map(({ callId, lane }) => [callId, lane])).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 0],
  ]);
});

test('under batch nothing starts before the message has ended, and its batches are planned', async () => {
  const bench = new ExecutorBench({ settings: { strategy: 'batch' } });
  await bench.add('a', 'Look');
  await bench.add('b', 'Change');
  expect(bench.inPhase('executing')).toEqual([]);
  await bench.messageEnds();
  expect(bench.all('batch-planned').map(({ kind, callIds }) => [kind, callIds])).toEqual([
    ['safe', ['a']],
    ['exclusive', ['b']],
  ]);
  expect(bench.inPhase('executing')).toEqual(['a']);
});

test('a failing Bash cancels its siblings, and says who it was', async () => {
  const bench = new ExecutorBench();
  await bench.add('ls', 'Bash', 'ls missing-folder');
  await bench.add('sleep', 'Bash', 'sleep 4');
  await bench.add('read', 'Look');
  await bench.add('touch', 'Bash', 'touch x');
  bench.tools.call('read').end('read before');
  await quiet();
  bench.tools.call('ls').fail('ls: missing-folder');
  await quiet();
  bench.tools.call('sleep').throw(new DOMException('stopped', 'AbortError'));
  await bench.messageEnds();
  const cancelled = '<tool_use_error>Cancelled: parallel tool call Bash(ls missing-folder) errored</tool_use_error>';
  expect(bench.result('ls')).toBe('ls: missing-folder');
  expect(bench.result('sleep')).toBe(cancelled);
  expect(bench.result('touch')).toBe(cancelled);
  expect(bench.result('read')).toBe('read before');
  expect(bench.tools.calls.has('touch')).toBe(false);
  expect(bench.all('cascade-triggered')).toMatchObject([
    { culprit: 'ls', policy: 'bash', victims: ['sleep', 'touch'] },
  ]);
  expect(bench.all('call-cancelled').map(({ callId, hadStarted }) => [callId, hadStarted])).toEqual([
    ['sleep', true],
    ['touch', false],
  ]);
});

test('calls that come after a cascade fall too', async () => {
  const bench = new ExecutorBench();
  await bench.add('ls', 'Bash', 'ls missing-folder');
  bench.tools.call('ls').fail();
  await quiet();
  await bench.add('late', 'Look');
  expect(bench.outcome('late')).toBe('cancelled');
  expect(bench.tools.calls.has('late')).toBe(false);
});

test('the culprit’s summary is cut to 40 characters', async () => {
  const bench = new ExecutorBench();
  const command = `ls ${'x'.repeat(60)}`;
  await bench.add('ls', 'Bash', command);
  await bench.add('touch', 'Bash', 'touch x');
  bench.tools.call('ls').fail();
  await quiet();
  expect(bench.result('touch')).toBe(
    `<tool_use_error>Cancelled: parallel tool call Bash(${command.slice(0, 40)}…) errored</tool_use_error>`,
  );
});

test('a call that fails by itself while a cascade stops it keeps its own error', async () => {
  const bench = new ExecutorBench();
  await bench.add('ls', 'Bash', 'ls missing-folder');
  await bench.add('cat', 'Bash', 'cat x');
  await bench.add('look', 'Look');
  bench.tools.call('ls').fail();
  await quiet();
  bench.tools.call('cat').fail('cat: x: No such file');
  bench.tools.call('look').throw(new Error('the index is damaged'));
  await quiet();
  expect([bench.outcome('cat'), bench.result('cat')]).toEqual(['error', 'cat: x: No such file']);
  expect(bench.result('look')).toBe('<tool_use_error>Error: the index is damaged</tool_use_error>');
});

test('a call that was done when it was told to stop keeps its result: what has happened has happened', async () => {
  const bench = new ExecutorBench();
  await bench.add('change', 'Change');
  bench.executor.interrupt('escape');
  bench.tools.call('change').end('written');
  await quiet();
  expect([bench.outcome('change'), bench.result('change')]).toEqual(['ok', 'written']);
});

test('a new message stops what may be stopped and lets the rest run to its end', async () => {
  const bench = new ExecutorBench();
  await bench.add('change', 'Change');
  await bench.add('look', 'Look');
  bench.executor.interrupt('interrupt');
  await bench.messageEnds('cut-off');
  expect(bench.outcome('look')).toBe('interrupted');
  expect(bench.result('look')).toMatch(REJECTED);
  expect(bench.finished).toBeUndefined();
  bench.tools.call('change').end('written');
  await quiet();
  expect(bench.result('change')).toBe('written');
  expect(bench.finished).toHaveLength(2);
});

test('of two reasons to stop the stronger one counts, also when it comes later', async () => {
  const bench = new ExecutorBench();
  await bench.add('ls', 'Bash', 'ls missing-folder');
  await bench.add('look', 'Look');
  await bench.add('ask', 'Ask');
  await quiet();
  bench.executor.interrupt('interrupt');
  // `ask` waits for a person and does not stop for a message; `look` is told to.
  bench.tools.call('look').throw(new DOMException('stopped', 'AbortError'));
  await quiet();
  expect(bench.outcome('look')).toBe('interrupted');
  bench.executor.discard();
  await quiet();
  expect(bench.all('call-cancelled').map(({ callId, reason }) => [callId, reason])).toEqual([
    ['ls', 'interrupt'],
    ['look', 'interrupt'],
    ['ls', 'discarded'],
    ['ask', 'discarded'],
  ]);
  bench.tools.call('ls').throw(new DOMException('stopped', 'AbortError'));
  await quiet();
  expect(bench.outcome('ls')).toBe('discarded');
  expect(bench.result('ls')).toBe('<tool_use_error>Streaming fallback - tool execution discarded</tool_use_error>');
  expect(callById(bench.log.state, 'ls' as CallId)?.cancellation?.reason).toBe('discarded');
});

test('after a discard nothing starts, nothing is handed on, and it is over when nothing runs', async () => {
  const bench = new ExecutorBench();
  await bench.add('look', 'Look');
  await bench.add('done', 'Look');
  await bench.add('change', 'Change');
  bench.tools.call('done').end();
  await quiet();
  bench.executor.discard();
  await quiet();
  expect(bench.outcome('change')).toBe('discarded');
  expect(bench.finished).toBeUndefined();
  bench.tools.call('look').throw(new DOMException('stopped', 'AbortError'));
  await quiet();
  expect(bench.finished).toEqual([]);
  expect(bench.all('call-yielded')).toEqual([]);
  expect(bench.tools.calls.has('change')).toBe(false);
});

test('a dialog that is refused without a word stops all other calls and ends the turn', async () => {
  const bench = new ExecutorBench();
  await bench.add('ask', 'Ask');
  await bench.add('look', 'Look');
  await bench.add('change', 'Change');
  bench.board.answer('ask' as CallId, bench.askIdOf('ask'), { kind: 'deny' });
  await quiet();
  bench.tools.call('look').throw(new DOMException('stopped', 'AbortError'));
  await bench.messageEnds('cut-off');
  expect(bench.executor.refused).toBe(true);
  expect(bench.turnRefused).toBe(1);
  expect(['ask', 'look', 'change'].map((id) => bench.outcome(id))).toEqual(['rejected', 'interrupted', 'interrupted']);
  // Not even for a tick.
  expect(bench.all('call-started').map(({ callId }) => callId)).toEqual(['ask', 'look']);
  // It was refused, not stopped.
  expect(bench.all('call-cancelled').map(({ callId }) => callId)).toEqual(['look', 'change']);
});

test('a refusal frees no lane for a call behind it', async () => {
  const bench = new ExecutorBench({ tools: new HandTools([new HandTools().tool('Risky')]) });
  await bench.add('risky', 'Risky');
  await bench.add('next', 'Change');
  bench.board.answer('risky' as CallId, bench.askIdOf('risky'), { kind: 'deny' });
  await quiet();
  await bench.messageEnds('cut-off');
  expect(bench.all('call-started').map(({ callId }) => callId)).toEqual(['risky']);
  expect(bench.finished).toHaveLength(2);
});

test('a sibling’s error ends no turn', async () => {
  const bench = new ExecutorBench();
  await bench.add('ls', 'Bash', 'ls missing-folder');
  await bench.add('look', 'Look');
  bench.tools.call('ls').fail();
  await quiet();
  expect(bench.turnRefused).toBe(0);
  expect(bench.executor.refused).toBe(false);
});

test('modifiers of safe calls are applied in call order when none of them runs any more', async () => {
  const bench = new ExecutorBench();
  const todo = (content: string) => ({
    modifier: (context: typeof bench.context.current) => ({
      ...context,
      todos: [...context.todos, { content, status: 'pending' as const }],
    }),
    changes: [`added ${content}`],
  });
  for (const id of ['a', 'b']) await bench.add(id, 'Look');
  await bench.add('c', 'Change');
  await bench.add('d', 'Look');
  bench.tools.call('b').end('', todo('b'));
  await quiet();
  expect(bench.context.current.todos).toEqual([]);
  bench.tools.call('a').end('', todo('a'));
  await quiet();
  expect(bench.tools.call('c').context.todos.map(({ content }) => content)).toEqual(['a', 'b']);
  bench.tools.call('c').end('', todo('c'));
  await quiet();
  expect(bench.tools.call('d').context.todos.map(({ content }) => content)).toEqual(['a', 'b', 'c']);
  expect(bench.all('context-modified').map(({ callId }) => callId)).toEqual(['a', 'b', 'c']);
});

test('a modifier that throws costs its change and holds up nobody', async () => {
  const bench = new ExecutorBench();
  await bench.add('a', 'Change');
  await bench.add('b', 'Change');
  bench.tools.call('a').end('ok', {
    modifier: () => {
      throw new Error('a bug');
    },
    changes: ['something'],
  });
  await quiet();
  expect(bench.inPhase('executing')).toEqual(['b']);
  expect(bench.all('context-modified')).toEqual([]);
  expect(bench.all('notice-given')).toMatchObject([{ text: 'What Change changed was lost.', detail: 'a bug' }]);
});

test('the journal is on the disk before an exclusive call starts, and written before a safe one does', async () => {
  const store = new MoodyStore();
  const seen: [string, number, boolean][] = [];
  const hand = new HandTools();
  const spy = (name: string, safe: boolean) =>
    hand.tool(name, {
      isConcurrencySafe: () => safe,
      checkPermissions: async () => ({ verdict: 'allow', because: 'it is a test' }),
      call: async (_input, _context, run) => {
        const written = store.events.some((event) => event.type === 'call-started' && event.callId === run.callId);
        seen.push([name, store.syncs, written]);
        return { output: 'ok', isError: false };
      },
    });
  const bench = new ExecutorBench({ store, tools: new HandTools([spy('Safe', true), spy('Alone', false)]) });
  await bench.add('a', 'Safe');
  await bench.add('b', 'Alone');
  expect(seen).toEqual([
    ['Safe', 0, true],
    ['Alone', 1, true],
  ]);
});

test('while the journal cannot be written no call begins its work; with room again it does', async () => {
  const bench = new ExecutorBench();
  bench.store.full = true;
  await bench.add('change', 'Change');
  expect(bench.phase('change')).toBe('executing');
  expect(bench.tools.calls.has('change')).toBe(false);
  bench.store.full = false;
  await bench.advance(2_000);
  expect(bench.tools.calls.has('change')).toBe(true);
  expect(bench.all('call-started')).toHaveLength(1);
});

test('a call that waits for the journal is stopped at once', async () => {
  const bench = new ExecutorBench();
  bench.store.full = true;
  await bench.add('change', 'Change');
  bench.executor.interrupt('escape');
  await bench.messageEnds('cut-off');
  expect(bench.finished).toHaveLength(1);
  expect(bench.outcome('change')).toBe('interrupted');
  expect(bench.tools.calls.has('change')).toBe(false);
});

test('unsafe calls of a refused message that have not started never start; safe ones and started ones are answered', async () => {
  const bench = new ExecutorBench();
  await bench.add('look', 'Look');
  await bench.add('change', 'Change');
  await bench.messageEnds('refused');
  expect(bench.result('change')).toContain('Not run: the model refused');
  bench.tools.call('look').end('seen');
  await quiet();
  expect(bench.finished).toHaveLength(2);
});

test('the input is frozen: a tool that changes it fails by itself, and the model’s own bytes stay', async () => {
  const tools = new HandTools();
  const meddler = tools.tool('Meddler', {
    checkPermissions: async () => ({ verdict: 'allow', because: 'it is a test' }),
    summarise: (input) => {
      (input as { command: string }).command = 'changed';
      return 'x';
    },
  });
  const bench = new ExecutorBench({ tools: new HandTools([meddler]) });
  await bench.add('a', 'Meddler', 'as it came');
  expect(bench.all('call-queued')).toMatchObject([{ input: { command: 'as it came' }, summary: '' }]);
});
