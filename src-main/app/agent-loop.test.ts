import { describe, expect, test } from 'vitest';
import { faultsOfRequest } from '../core/conversation/request-validator.ts';
import { ModelFailure } from '../ports/model-provider.ts';
import { quiet } from './testing/bench.ts';
import { begins, ends, says, uses } from './testing/hand-model.ts';
import { SessionBench, told } from './testing/session-bench.ts';

const overloaded = (afterMs?: number) =>
  new ModelFailure('overloaded', 'The server is overloaded.', {
    retry: true,
    ...(afterMs === undefined ? {} : { afterMs }),
  });

async function asked(options = {}): Promise<SessionBench> {
  const bench = new SessionBench(options);
  await bench.send('Hello');
  return bench;
}

const turnEnds = (bench: SessionBench) => bench.all('turn-ended').map(({ reason }) => reason);

describe('a turn', () => {
  test('is a question and an answer without calls', async () => {
    const bench = await asked();
    await bench.model.now.send(begins(), says('Hi.'), ends());
    expect(turnEnds(bench)).toEqual(['completed']);
    expect(told(bench.conversation)).toEqual(['user: Hello', 'model: Hi.']);
    expect(bench.session.running).toBe(false);
  });

  test('starts each call when its block arrives, while the message still streams', async () => {
    const bench = await asked();
    await bench.model.now.send(begins(), says('Let me look.'), uses('a', 'Look'));
    expect(bench.tools.calls.has('a')).toBe(true);
    await bench.model.now.send(uses('b', 'Look'));
    expect(bench.tools.calls.has('b')).toBe(true);
    expect(bench.all('message-completed')).toEqual([]);
  });

  test('sends the results in call order and goes on until the model makes no call', async () => {
    const bench = await asked();
    await bench.model.now.send(begins('m1'), uses('a', 'Look'), uses('b', 'Look'), ends('tool-use'));
    bench.tools.call('b').end('seen b');
    await quiet();
    expect(bench.model.streams).toHaveLength(1);
    bench.tools.call('a').fail('not there');
    await quiet();
    expect(told(bench.model.now.request.messages)).toEqual([
      'user: Hello',
      'model: [Look a]',
      'model: [Look b]',
      'result a (error): not there',
      'result b: seen b',
    ]);
    await bench.model.now.send(begins('m2'), says('Done.'), ends());
    expect(turnEnds(bench)).toEqual(['completed']);
    expect(faultsOfRequest(bench.conversation)).toEqual([]);
  });

  test('gives the model names, descriptions and JSON Schemas of the tools', async () => {
    const bench = await asked();
    const look = bench.model.now.request.tools.find(({ name }) => name === 'Look');
    expect(look).toMatchObject({
      description: 'Look for tests',
      inputSchema: { type: 'object', required: ['command'] },
    });
  });

  test('is synced to the disk at the end of a message and of the turn', async () => {
    const bench = await asked();
    await bench.model.now.send(begins(), says('Hi.'));
    expect(bench.store.syncs).toBe(0);
    await bench.model.now.send(ends());
    expect(bench.store.syncs).toBe(2);
  });

  test('takes nothing that comes after the end of the message', async () => {
    const bench = await asked();
    await bench.model.now.send(begins(), says('Hi.'), ends(), uses('late', 'Look'));
    expect(told(bench.conversation)).toEqual(['user: Hello', 'model: Hi.']);
  });

  test('ends after 500 requests that all make calls', async () => {
    const bench = new SessionBench({
      provider: {
        name: 'endless',
        model: 'endless-1',
        async *stream() {
          yield begins(`m${bench.all('request-started').length}`);
          yield uses('call', 'Nothing');
          yield ends('tool-use');
        },
      },
    });
    bench.session.send('Go.');
    await bench.session.idle;
    expect(bench.all('turn-ended')).toMatchObject([
      { reason: 'limit', message: 'The turn was ended after 500 requests.' },
    ]);
  });
});

describe('ids', () => {
  test('a call id that was used before gets a number, so that results are told apart', async () => {
    const bench = await asked();
    await bench.model.now.send(begins('m1'), uses('x', 'Look'), uses('x', 'Look'), uses('x', 'Look'), ends('tool-use'));
    for (const id of ['x', 'x_2', 'x_3']) bench.tools.call(id).end(id);
    await quiet();
    await bench.model.now.send(begins('m2'), uses('x', 'Look'), ends('tool-use'));
    bench.tools.call('x_4').end('x_4');
    await quiet();
    expect(faultsOfRequest(bench.conversation)).toEqual([]);
    expect(told(bench.conversation)).toContain('result x_4: x_4');
  });

  test('an id that the journal cannot hold is made one that it can', async () => {
    const bench = await asked();
    await bench.model.now.send(begins(''), uses('', 'Look'), uses('y'.repeat(900), 'Look'), ends('tool-use'));
    expect(bench.all('call-queued').every(({ callId }) => callId.length > 0 && callId.length <= 400)).toBe(true);
    expect(bench.all('message-started')[0]?.messageId).not.toBe('');
  });

  test('messages that all have the same id are told apart', async () => {
    const bench = await asked();
    await bench.model.now.send(begins('same'), says('One.'), ends());
    await bench.send('And?');
    await bench.model.now.send(begins('same'), says('Two.'), ends());
    expect(told(bench.conversation)).toEqual(['user: Hello', 'model: One.', 'user: And?', 'model: Two.']);
    expect(new Set(bench.all('message-started').map(({ messageId }) => messageId)).size).toBe(2);
  });
});

describe('a model that fails', () => {
  test('is asked again after a wait that doubles, and each try is told', async () => {
    const bench = await asked();
    for (const wait of [500, 1_000, 2_000, 4_000, 8_000]) {
      const tries = bench.model.streams.length;
      await bench.model.now.break(overloaded());
      expect(bench.all('request-failed').at(-1)).toMatchObject({
        message: 'The server is overloaded.',
        retryInMs: wait,
      });
      await bench.advance(wait - 1);
      expect(bench.model.streams).toHaveLength(tries);
      await bench.advance(1);
      expect(bench.model.streams).toHaveLength(tries + 1);
    }
    await bench.model.now.break(overloaded());
    expect(bench.all('request-started').map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(bench.all('request-failed').at(-1)).not.toHaveProperty('retryInMs');
    expect(bench.all('turn-ended')).toMatchObject([{ reason: 'error', message: 'The server is overloaded.' }]);
  });

  test('is given the time it asks for', async () => {
    const bench = await asked();
    await bench.model.now.break(overloaded(7_000));
    expect(bench.all('request-failed')[0]).toMatchObject({ retryInMs: 7_000 });
  });

  test('is not asked again when that cannot help', async () => {
    const bench = await asked();
    await bench.model.now.break(new ModelFailure('auth', 'The key is not valid.', { retry: false }));
    expect(bench.model.streams).toHaveLength(1);
    expect(turnEnds(bench)).toEqual(['error']);
    await bench.send('Again');
    await bench.model.now.send(begins(), says('Hi.'), ends());
    expect(faultsOfRequest(bench.conversation)).toEqual([]);
  });

  test('leaves no listener and no timer behind', async () => {
    const bench = await asked();
    await bench.model.now.break(overloaded());
    await bench.interrupt('escape');
    expect(bench.clock.pending).toBe(0);
    expect(turnEnds(bench)).toEqual(['interrupted']);
  });

  test('by a fault of ours ends the turn, says so, and leaves the session usable', async () => {
    const bench = await asked();
    await bench.model.now.send(begins(), uses('a', 'Look'));
    await bench.model.now.break(new TypeError('x is not a function'));
    bench.tools.call('a').throw(new DOMException('stopped', 'AbortError'));
    await quiet();
    expect(bench.all('notice-given').at(-1)).toMatchObject({ text: 'The turn ended by a fault in Gantry.' });
    expect(turnEnds(bench)).toEqual(['error']);
    expect(bench.log.state.requests.every(({ end }) => end !== undefined)).toBe(true);
    await bench.send('Again');
    await bench.model.now.send(begins('m2'), says('Hi.'), ends());
    expect(told(bench.conversation)).toEqual(['user: Hello', 'user: Again', 'model: Hi.']);
  });
});

describe('a stream that breaks', () => {
  test('is discarded: what it started is stopped, and nothing of it reaches the next request', async () => {
    const bench = await asked();
    await bench.model.now.send(begins('old'), says('I begin.'), uses('a', 'Look'), uses('b', 'Change'));
    await bench.model.now.over();
    expect(bench.all('attempt-discarded')).toMatchObject([{ messageId: 'old' }]);
    // The new try waits until the old one's calls have stopped.
    await bench.advance(500);
    expect(bench.model.streams).toHaveLength(1);
    bench.tools.call('a').throw(new DOMException('stopped', 'AbortError'));
    await quiet();
    await bench.advance(500);
    expect(told(bench.model.now.request.messages)).toEqual(['user: Hello']);
    expect(bench.tools.calls.has('b')).toBe(false);
    expect(bench.log.state.calls.map((call) => 'end' in call && call.end.outcome)).toEqual(['discarded', 'discarded']);
    await bench.model.now.send(begins('new'), uses('a', 'Look'), ends('tool-use'));
    bench.tools.call('a_2').end('seen');
    await quiet();
    expect(told(bench.conversation)).toEqual(['user: Hello', 'model: [Look a_2]', 'result a_2: seen']);
  });

  test('is tried once more, not for ever', async () => {
    const bench = await asked();
    await bench.model.now.over();
    await bench.advance(500);
    await bench.model.now.send(begins());
    await bench.model.now.over();
    await bench.advance(60_000);
    expect(bench.model.streams).toHaveLength(2);
    expect(bench.all('turn-ended')).toMatchObject([
      { reason: 'error', message: 'The stream of the model ended in the middle of a message.' },
    ]);
  });

  test('by a block before its message is one too', async () => {
    const bench = await asked();
    await bench.model.now.send(uses('a', 'Look'));
    expect(bench.all('call-queued')).toEqual([]);
    expect(bench.all('request-failed')).toMatchObject([
      { message: 'The model sent a block before it started a message.', retryInMs: 500 },
    ]);
  });
});

describe('a message that ends badly', () => {
  test('refused: calls that have started are answered, unsafe ones behind them never start, and it is said', async () => {
    const bench = await asked();
    await bench.model.now.send(begins(), uses('a', 'Look'), uses('b', 'Change'), ends('refusal'));
    bench.tools.call('a').end('seen');
    await quiet();
    expect(told(bench.model.now.request.messages).slice(-2)).toEqual([
      'result a: seen',
      'result b (error): <tool_use_error>Not run: the model refused to go on with this message</tool_use_error>',
    ]);
    expect(bench.all('notice-given')).toMatchObject([{ text: 'The model refused to go on with this message.' }]);
  });

  test('cut off by the token limit: the same, and it is said', async () => {
    const bench = await asked();
    await bench.model.now.send(begins(), uses('a', 'Look'), uses('b', 'Change'), ends('max-tokens'));
    bench.tools.call('a').end('seen');
    await quiet();
    expect(told(bench.model.now.request.messages).at(-1)).toContain('the message was cut off before it had ended');
    expect(bench.all('notice-given')[0]?.text).toContain('cut off');
  });
});
