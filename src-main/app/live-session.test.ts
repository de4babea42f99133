import { describe, expect, test } from 'vitest';
import { FailureError } from '../../src-shared/failure.ts';
import type { AskId, CallId, MessageId } from '../../src-shared/ids.ts';
import { defaultSettings } from '../../src-shared/session/settings.ts';
import { faultsOfRequest } from '../core/conversation/request-validator.ts';
import { countingIds, quiet } from './testing/bench.ts';
import { begins, ends, says, uses } from './testing/hand-model.ts';
import { HandTools } from './testing/hand-tools.ts';
import { SessionBench, told } from './testing/session-bench.ts';

const stopped = () => new DOMException('stopped', 'AbortError');
const turnEnds = (bench: SessionBench) => bench.all('turn-ended').map(({ reason }) => reason);

async function withCall(id = 'a', tool = 'Look'): Promise<SessionBench> {
  const bench = new SessionBench();
  await bench.send('Hello');
  await bench.model.now.send(begins('m1'), uses(id, tool), ends('tool-use'));
  return bench;
}

describe('messages typed while a turn runs', () => {
  test('wait, and are sent with the next results, in their order', async () => {
    const bench = await withCall();
    expect(await bench.send('And one thing.')).toBe(true);
    await bench.send('And another.');
    expect(bench.log.state.queuedMessages.map(({ text }) => text)).toEqual(['And one thing.', 'And another.']);
    bench.tools.call('a').end('seen');
    await quiet();
    expect(told(bench.model.now.request.messages).slice(-3)).toEqual([
      'result a: seen',
      'user: And one thing.',
      'user: And another.',
    ]);
    expect(bench.log.state.queuedMessages).toEqual([]);
  });

  test('go on with the turn when the model is done', async () => {
    const bench = new SessionBench();
    await bench.send('Hello');
    await bench.model.now.send(begins('m1'), says('Hi'));
    await bench.send('And?');
    await bench.model.now.send(ends());
    expect(told(bench.model.now.request.messages)).toEqual(['user: Hello', 'model: Hi', 'user: And?']);
    expect(bench.all('turn-started')).toHaveLength(1);
  });

  test('can be taken back as long as they wait', async () => {
    const bench = await withCall();
    await bench.send('Not this.');
    const [waiting] = bench.log.state.queuedMessages;
    bench.session.unqueue(waiting?.messageId as MessageId);
    bench.session.unqueue('nobody' as MessageId);
    bench.tools.call('a').end('seen');
    await quiet();
    expect(told(bench.model.now.request.messages)).not.toContain('user: Not this.');
    expect(bench.all('user-message-unqueued')).toMatchObject([{ why: 'removed' }]);
  });

  test('start a turn of their own when the one they waited for was stopped', async () => {
    const bench = await withCall();
    await bench.send('Do this instead.');
    await bench.interrupt('escape');
    bench.tools.call('a').throw(stopped());
    await quiet();
    expect(turnEnds(bench)).toEqual(['interrupted']);
    expect(bench.session.running).toBe(true);
    expect(told(bench.model.now.request.messages).slice(-2)).toEqual([
      'user: [Request interrupted by user for tool use]',
      'user: Do this instead.',
    ]);
  });

  test('that waited when the app ended are sent first', async () => {
    const before = await withCall();
    await before.send('From before.');
    const bench = new SessionBench({
      past: before.store.events,
      newId: countingIds(1_000),
    });
    await bench.send('From now.');
    const sent = told(bench.model.now.request.messages);
    expect(sent.slice(-2)).toEqual(['user: From before.', 'user: From now.']);
  });
});

describe('interrupt', () => {
  test('stops what may be stopped and sends the message at once', async () => {
    const bench = await withCall();
    await bench.send('Look elsewhere.');
    expect(await bench.interrupt('interrupt')).toBe(true);
    bench.tools.call('a').throw(stopped());
    await quiet();
    const sent = told(bench.model.now.request.messages);
    expect(sent.at(-2)).toMatch(/^result a \(error\): The user doesn't want to proceed/);
    expect(sent.at(-1)).toBe('user: Look elsewhere.');
    expect(bench.all('turn-started')).toHaveLength(1);
  });

  test('waits for a call that may not be stopped', async () => {
    const bench = await withCall('a', 'Change');
    await bench.send('Wait.');
    await bench.interrupt('interrupt');
    expect(bench.model.streams).toHaveLength(1);
    bench.tools.call('a').end('written');
    await quiet();
    expect(told(bench.model.now.request.messages).slice(-2)).toEqual(['result a: written', 'user: Wait.']);
  });

  test('cuts the message that streams, and keeps what has arrived', async () => {
    const bench = new SessionBench();
    await bench.send('Hello');
    await bench.model.now.send(begins('m1'), says('I think that'));
    await bench.send('Stop thinking.');
    await bench.interrupt('interrupt');
    expect(told(bench.model.now.request.messages)).toEqual([
      'user: Hello',
      'model: I think that',
      'user: Stop thinking.',
    ]);
    expect(bench.model.streams[0]?.signal.aborted).toBe(true);
    expect(bench.all('message-completed')).toMatchObject([{ stopReason: 'unknown' }]);
  });

  test('ends a wait before a retry', async () => {
    const bench = new SessionBench();
    await bench.send('Hello');
    await bench.model.now.over();
    await bench.send('Now.');
    await bench.interrupt('interrupt');
    expect(told(bench.model.now.request.messages)).toEqual(['user: Hello', 'user: Now.']);
    expect(bench.clock.pending).toBe(0);
  });

  test('does nothing without a message that waits, or without a turn', async () => {
    const bench = await withCall();
    expect(await bench.interrupt('interrupt')).toBe(false);
    expect(bench.tools.call('a').run.signal.aborted).toBe(false);
    bench.tools.call('a').end();
    await quiet();
    await bench.model.now.send(begins('m2'), ends());
    expect(await bench.interrupt('escape')).toBe(false);
    expect(bench.all('interrupt-requested')).toEqual([]);
  });
});

describe('escape', () => {
  test('stops all calls and ends the turn with its mark', async () => {
    const bench = new SessionBench();
    await bench.send('Hello');
    await bench.model.now.send(begins('m1'), uses('a', 'Change'), uses('b', 'Look'));
    await bench.interrupt('escape');
    bench.tools.call('a').throw(stopped());
    await quiet();
    expect(turnEnds(bench)).toEqual(['interrupted']);
    expect(told(bench.conversation).at(-1)).toBe('user: [Request interrupted by user for tool use]');
    expect(faultsOfRequest(bench.conversation)).toEqual([]);
    expect(bench.session.running).toBe(false);
  });

  test('before any call has another mark', async () => {
    const bench = new SessionBench();
    await bench.send('Hello');
    await bench.model.now.send(begins('m1'), says('I th'));
    await bench.interrupt('escape');
    expect(told(bench.conversation)).toEqual(['user: Hello', 'model: I th', 'user: [Request interrupted by user]']);
  });

  test('before the answer has begun ends the request too', async () => {
    const bench = new SessionBench();
    await bench.send('Hello');
    await bench.interrupt('escape');
    expect(bench.all('request-failed')).toMatchObject([{ message: 'It was stopped before the answer had begun.' }]);
    expect(turnEnds(bench)).toEqual(['interrupted']);
  });

  test('works on a model that does not heed it', async () => {
    const bench = new SessionBench();
    bench.model.deaf = true;
    await bench.send('Hello');
    await bench.model.now.send(begins('m1'));
    await bench.interrupt('escape');
    expect(turnEnds(bench)).toEqual(['interrupted']);
    await bench.model.now.send(uses('late', 'Look'));
    expect(bench.all('call-queued')).toEqual([]);
  });
});

describe('questions', () => {
  const asking = async () => {
    const bench = new SessionBench();
    await bench.send('Hello');
    await bench.model.now.send(begins('m1'), uses('a', 'Ask'), ends('tool-use'));
    return { bench, askId: bench.all('permission-asked')[0]?.askId as AskId };
  };

  test('a refusal without a word ends the turn with its mark', async () => {
    const { bench, askId } = await asking();
    expect(bench.session.answer('a' as CallId, askId, { kind: 'deny' })).toBe(true);
    await quiet();
    expect(turnEnds(bench)).toEqual(['rejected']);
    expect(told(bench.conversation).at(-1)).toBe('user: [Request interrupted by user for tool use]');
  });

  test('a refusal while the message still streams cuts it', async () => {
    const bench = new SessionBench();
    await bench.send('Hello');
    await bench.model.now.send(begins('m1'), uses('a', 'Ask'), says('And then'));
    const askId = bench.all('permission-asked')[0]?.askId as AskId;
    bench.session.answer('a' as CallId, askId, { kind: 'deny' });
    await quiet();
    expect(turnEnds(bench)).toEqual(['rejected']);
    expect(bench.model.now.signal.aborted).toBe(true);
  });

  test('an answer that comes too late is refused and said', async () => {
    const { bench, askId } = await asking();
    bench.session.answer('a' as CallId, askId, { kind: 'allow-once' });
    expect(bench.session.answer('a' as CallId, askId, { kind: 'deny' })).toBe(false);
    await quiet();
    expect(bench.all('notice-given')).toMatchObject([
      {
        text: 'An answer came for a question that is no longer open. It was not applied.',
        detail: `call a, question ${askId}`,
      },
    ]);
    expect(bench.tools.calls.has('a')).toBe(true);
  });

  test('an answer with something that is no rule is refused, and the question stays', async () => {
    const { bench, askId } = await asking();
    const answer = { kind: 'allow-and-add-rule', rule: 'npm test', scope: 'session' } as const;
    expect(() => bench.session.answer('a' as CallId, askId, answer)).toThrow(FailureError);
    expect(bench.session.answer('a' as CallId, askId, { kind: 'allow-once' })).toBe(true);
  });

  test('a rule that was added holds for the session, after it was opened again too', async () => {
    const { bench, askId } = await asking();
    bench.session.answer('a' as CallId, askId, { kind: 'allow-and-add-rule', rule: 'Ask', scope: 'session' });
    await quiet();
    bench.tools.call('a').end();
    await quiet();
    await bench.model.now.send(begins('m2'), uses('b', 'Ask'), ends('tool-use'));
    expect(bench.tools.calls.has('b')).toBe(true);
    bench.tools.call('b').end();
    await quiet();
    await bench.session.close('closed');
    const again = new SessionBench({ past: bench.store.events, newId: countingIds(1_000) });
    await again.send('More');
    await again.model.now.send(begins('m3'), uses('c', 'Ask'), ends('tool-use'));
    expect(again.tools.calls.has('c')).toBe(true);
  });
});

describe('settings', () => {
  test('take effect with the next message, a mode with the next decision', async () => {
    const bench = new SessionBench();
    await bench.send('Hello');
    bench.session.setSettings({ ...defaultSettings(), strategy: 'serial' });
    await bench.model.now.send(
      begins('m1'),
      uses('a', 'Look'),
      uses('b', 'Look'),
      uses('ask', 'Ask'),
      ends('tool-use'),
    );
    expect(bench.tools.calls.has('b')).toBe(true);
    for (const id of ['a', 'b']) bench.tools.call(id).end();
    bench.session.setMode('bypassPermissions');
    bench.session.setMode('bypassPermissions');
    bench.session.answer('ask' as CallId, bench.all('permission-asked')[0]?.askId as AskId, { kind: 'allow-once' });
    await quiet();
    bench.tools.call('ask').end();
    await quiet();
    await bench.model.now.send(begins('m2'), uses('c', 'Ask'), uses('d', 'Ask'), ends('tool-use'));
    expect([bench.tools.calls.has('c'), bench.tools.calls.has('d')]).toEqual([true, false]);
    expect(bench.all('mode-changed')).toHaveLength(1);
  });
});

describe('closing', () => {
  test('denies what waits, stops what runs, and writes the end', async () => {
    const bench = new SessionBench();
    await bench.send('Hello');
    await bench.model.now.send(begins('m1'), uses('ask', 'Ask'), uses('look', 'Look'), uses('change', 'Change'));
    const closed = bench.session.close('quit');
    bench.tools.call('look').throw(stopped());
    await closed;
    expect(bench.all('permission-settled').at(-1)).toMatchObject({ callId: 'ask', verdict: 'deny', by: 'closed' });
    expect(bench.log.state.calls.map((call) => call.phase)).toEqual(['yielded', 'yielded', 'yielded']);
    expect(bench.all('session-ended')).toMatchObject([{ reason: 'quit' }]);
    expect(bench.log.events.at(-1)?.type).toBe('session-ended');
    expect(bench.store.closed).toBe(true);
    expect(faultsOfRequest(bench.conversation)).toEqual([]);
  });

  test('does not wait for a tool that does not stop longer than its grace', async () => {
    const bench = await withCall('a', 'Change');
    const closed = bench.session.close('quit');
    await bench.advance(2_000);
    await closed;
    expect(bench.log.state.calls).toMatchObject([{ phase: 'yielded', end: { outcome: 'interrupted' } }]);
    bench.tools.call('a').run.onProcess({ type: 'ended', pid: 1 });
    await quiet();
    expect(bench.log.events.at(-1)?.type).toBe('session-ended');
  });

  test('twice is harmless, and nothing is taken afterwards', async () => {
    const bench = new SessionBench();
    await bench.session.close('closed');
    await bench.session.close('quit');
    expect(bench.all('session-ended')).toHaveLength(1);
    expect(() => bench.session.send('Hello?')).toThrow('The session is being closed.');
  });
});

describe('a journal that cannot be written', () => {
  test('takes no message, asks no model and runs no call; with room again it goes on', async () => {
    const bench = new SessionBench();
    await bench.send('Hello');
    bench.store.full = true;
    await bench.model.now.send(begins('m1'), uses('a', 'Look'), ends('tool-use'));
    expect(bench.tools.calls.has('a')).toBe(false);
    expect(() => bench.session.send('More')).toThrow('The session is paused: its journal cannot be written.');
    bench.store.full = false;
    await bench.advance(2_000);
    bench.store.full = true;
    bench.tools.call('a').end('seen');
    await quiet();
    expect(bench.model.streams).toHaveLength(1);
    bench.store.full = false;
    await bench.advance(2_000);
    expect(bench.model.streams).toHaveLength(2);
    expect(told(bench.model.now.request.messages)).toEqual(['user: Hello', 'model: [Look a]', 'result a: seen']);
    expect(bench.all('notice-given').map(({ text }) => text)).toEqual([
      'The session was paused for 2 s because its journal could not be written. Nothing is lost.',
      'The session was paused for 2 s because its journal could not be written. Nothing is lost.',
    ]);
  });

  test('can be stopped and closed', async () => {
    const bench = await withCall();
    bench.store.full = true;
    bench.tools.call('a').end('seen');
    await quiet();
    await bench.session.close('quit');
    expect(bench.session.running).toBe(false);
    expect(bench.clock.pending).toBe(0);
  });
});

test('a session knows its tools by name and says so of one it does not have', async () => {
  const bench = new SessionBench({ tools: new HandTools() });
  await bench.send('Hello');
  await bench.model.now.send(begins('m1'), uses('a', 'Teleport'), ends('tool-use'));
  expect(told(bench.model.now.request.messages).at(-1)).toContain('No such tool available: Teleport');
});
