import { expect, test } from 'vitest';
import type { CallId } from '../../src-shared/ids.ts';
import { callById } from '../../src-shared/session/state.ts';
import type { Tool } from '../ports/tool.ts';
import { CallAborted } from '../ports/tool.ts';
import { ExecutorBench, quiet } from './testing/bench.ts';
import { type HandInput, HandTools } from './testing/hand-tools.ts';

const ALLOWED: Partial<Tool<HandInput, string>> = {
  checkPermissions: async () => ({ verdict: 'allow', because: 'it is a test' }),
};

/** A bench whose tool `Odd` does what the test wants. */
const oddBench = (odd: Partial<Tool<HandInput, string>>, options = {}) =>
  new ExecutorBench({ ...options, tools: new HandTools([new HandTools().tool('Odd', { ...ALLOWED, ...odd })]) });

async function resultOf(odd: Partial<Tool<HandInput, string>>): Promise<string | undefined> {
  const bench = oddBench(odd);
  await bench.add('a', 'Odd');
  await bench.add('behind', 'Change');
  expect(bench.outcome('a')).toBe('error');
  // It never holds up the queue.
  expect(bench.phase('behind')).toBe('executing');
  expect(bench.all('call-completed')).toHaveLength(1);
  return bench.result('a');
}

const wrapped = (text: string) => `<tool_use_error>${text}</tool_use_error>`;

test('a call goes through its stages in order, each with its end and verdict', async () => {
  const bench = new ExecutorBench();
  await bench.add('a', 'Change');
  bench.tools.call('a').end();
  await quiet();
  const stages = ['look-up', 'schema', 'validate', 'hooks-before', 'permission', 'run', 'map', 'save', 'hooks-after'];
  expect(bench.all('stage-started').map(({ stage }) => stage)).toEqual(stages);
  expect(bench.all('stage-ended').map(({ stage, verdict }) => [stage, verdict])).toEqual(
    stages.map((stage) => [stage, 'ok']),
  );
});

test('a stage that ends the call is the last one, but for the hooks after it', async () => {
  const bench = oddBench({ validateInput: async () => ({ ok: false, message: 'The file is not there.' }) });
  await bench.add('a', 'Odd');
  expect(bench.result('a')).toBe('The file is not there.');
  expect(bench.all('stage-ended').map(({ stage, verdict }) => `${stage} ${verdict}`)).toEqual([
    'look-up ok',
    'schema ok',
    'validate error',
    'hooks-after ok',
  ]);
});

test('an unknown tool is an error that names it', async () => {
  const bench = new ExecutorBench();
  await bench.add('a', 'Teleport');
  expect(bench.result('a')).toBe(wrapped('Error: No such tool available: Teleport'));
  expect(bench.all('call-queued')).toMatchObject([{ safety: { safe: false, because: 'unknown-tool' } }]);
});

test('an input that does not fit the schema is told in words', async () => {
  const bench = new ExecutorBench();
  await bench.add('a', 'Change', { times: 'twice', size: 3 });
  expect(bench.result('a')).toContain('The required parameter `command` is missing');
  expect(bench.result('a')).toContain('The parameter `times` type is expected as `number` but provided as `string`');
  expect(bench.result('a')).toContain('An unexpected parameter `size` was provided');
});

test('a tool that throws at once, rejects, or throws no error ends in one honest result', async () => {
  const thrown = (value: unknown) =>
    resultOf({
      call: () => {
        throw value;
      },
    });
  expect(await thrown(new Error('out of paper'))).toBe(wrapped('Error: out of paper'));
  expect(await resultOf({ call: () => Promise.reject(new Error('no answer')) })).toBe(wrapped('Error: no answer'));
  expect(await thrown('just words')).toBe(wrapped('Error: a value that is no error: just words'));
  expect(await thrown(undefined)).toBe(wrapped('Error: a value that is no error: undefined'));
  expect(await thrown(Object.create(null))).toBe(wrapped('Error: a value that is no error and has no words'));
});

test('of a very long error the model gets the beginning', async () => {
  const text = await resultOf({ call: () => Promise.reject(new Error('x'.repeat(50_000))) });
  expect(text?.length).toBeLessThan(10_100);
});

test('checks before the run that throw end the call too, and the tool does not run', async () => {
  const boom = async () => {
    throw new Error('boom');
  };
  expect(await resultOf({ validateInput: boom })).toBe(wrapped('Error: boom'));
  expect(await resultOf({ checkPermissions: boom })).toBe(wrapped('Error: boom'));
});

test('a result that cannot be kept becomes one error that says so', async () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const mapsTo = (result: unknown) =>
    resultOf({ call: async () => ({ output: '', isError: false }), mapResult: () => result as never });
  const content = [{ type: 'text' as const, text: 'fine' }];
  expect(await mapsTo({ content, isError: false, display: { circle } })).toMatch(
    /^<tool_use_error>Error: The result of Odd cannot be shown: Converting circular structure/,
  );
  expect(await mapsTo({ content, isError: false, display: { big: 10n } })).toContain('BigInt');
  expect(await mapsTo({ content: [{ type: 'text', text: 7 }], isError: false })).toContain('content.0.text');
  expect(await mapsTo({ content: [{ type: 'other', raw: { big: 1n } }], isError: false })).toContain('BigInt');
  expect(await mapsTo(undefined)).toContain('cannot be shown');
});

test('an ending that is none becomes one error that says so', async () => {
  const endsWith = (ending: unknown) => resultOf({ call: async () => ending as never });
  expect(await endsWith(undefined)).toBe(wrapped('Error: Odd gave a wrong result: it ended without saying how.'));
  expect(await endsWith({ output: 'x' })).toContain('without saying whether it failed');
  expect(await endsWith({ output: 'x', isError: false, exit: { code: Number.NaN } })).toContain('no number');
});

test('what a result shows is kept as it will come back from the journal', async () => {
  const bench = oddBench({
    mapResult: (text) => ({
      content: [{ type: 'text', text }],
      isError: false,
      display: { at: new Date(0), none: undefined },
    }),
    call: async () => ({ output: 'ok', isError: false }),
  });
  await bench.add('a', 'Odd');
  expect(bench.all('call-completed')[0]?.result.display).toEqual({ at: '1970-01-01T00:00:00.000Z' });
});

test('a call that does not settle after it was stopped is given up after its grace, and said so', async () => {
  const bench = new ExecutorBench();
  await bench.add('a', 'Change');
  bench.executor.interrupt('escape');
  await bench.messageEnds('cut-off');
  await bench.advance(1_999);
  expect(bench.finished).toBeUndefined();
  await bench.advance(1);
  expect(bench.finished).toHaveLength(1);
  expect(bench.outcome('a')).toBe('interrupted');
  expect(bench.result('a')).toContain('It may still be working');
  expect(bench.all('notice-given')).toMatchObject([
    { level: 'warning', text: 'Change did not stop when it was told to and was given up. It may still be working.' },
  ]);
});

test('the grace is the tool’s own', async () => {
  const bench = oddBench({ stopGraceMs: 10_000, call: () => new Promise(() => undefined) });
  await bench.add('a', 'Odd');
  bench.executor.interrupt('escape');
  await bench.advance(9_999);
  expect(bench.phase('a')).toBe('executing');
  await bench.advance(1);
  expect(bench.phase('a')).not.toBe('executing');
});

test('a check that hangs is given up like a run that hangs', async () => {
  const bench = oddBench({ validateInput: () => new Promise(() => undefined) });
  await bench.add('a', 'Odd');
  bench.executor.interrupt('escape');
  await bench.messageEnds('cut-off');
  await bench.advance(2_000);
  expect(bench.finished).toHaveLength(1);
});

test('what a given-up call still does is not told as progress, but the end of its process is', async () => {
  const bench = new ExecutorBench();
  await bench.add('a', 'Change');
  const call = bench.tools.call('a');
  call.run.onProcess({ type: 'spawned', pid: 7, command: 'sleep 100' });
  bench.executor.interrupt('escape');
  await bench.advance(2_000);
  call.run.onProgress({ bytes: 1, lines: 1, tail: 'late' });
  call.run.onProcess({ type: 'ended', pid: 7, signal: 'SIGKILL' });
  call.end('late');
  await quiet();
  expect(bench.all('call-progressed')).toEqual([]);
  expect(bench.all('process-ended')).toMatchObject([{ pid: 7, signal: 'SIGKILL' }]);
  expect(bench.all('call-completed')).toHaveLength(1);
  // The stages that were still going on end without a word.
  expect(bench.all('stage-ended').map(({ stage }) => stage)).not.toContain('run');
});

test('a timer for the grace is not left behind', async () => {
  const bench = new ExecutorBench();
  await bench.add('a', 'Look');
  bench.executor.interrupt('escape');
  bench.tools.call('a').throw(new CallAborted());
  await quiet();
  expect(bench.clock.pending).toBe(0);
});

test('progress comes at most ten times a second, then every second, then every five', async () => {
  const bench = new ExecutorBench();
  await bench.add('a', 'Change');
  const count = async (ms: number) => {
    const before = bench.all('call-progressed').length;
    for (let at = 0; at < ms; at += 50) {
      bench.tools.call('a').run.onProgress({ bytes: at, lines: 1, tail: '' });
      await bench.advance(50);
    }
    return bench.all('call-progressed').length - before;
  };
  expect(await count(1_000)).toBe(10);
  await count(2_000);
  expect(await count(10_000)).toBe(10);
  await count(50_000);
  expect(await count(50_000)).toBe(10);
});

test('progress after the call has settled is ignored, and so is one that cannot be kept', async () => {
  const bench = new ExecutorBench();
  await bench.add('a', 'Change');
  const { run } = bench.tools.call('a');
  run.onProgress({ bytes: Number.NaN, lines: 1, tail: '' });
  bench.tools.call('a').end();
  await quiet();
  run.onProgress({ bytes: 9, lines: 1, tail: 'late' });
  await quiet();
  expect(bench.all('call-progressed')).toEqual([]);
});

test('the processes of a call are told: spawned, ended, and what survived', async () => {
  const bench = new ExecutorBench();
  await bench.add('a', 'Change');
  const { run } = bench.tools.call('a');
  run.onProcess({ type: 'spawned', pid: 7, parentPid: 1, command: 'npm test' });
  run.onProcess({ type: 'ended', pid: 7, code: 0 });
  run.onProcess({ type: 'tree-ended', survivors: [{ pid: 9, command: 'daemon' }] });
  bench.tools.call('a').end();
  await quiet();
  const call = callById(bench.log.state, 'a' as CallId);
  expect(call?.processes).toMatchObject([{ pid: 7, command: 'npm test', code: 0 }]);
  expect(call?.survivors).toEqual([{ pid: 9, command: 'daemon' }]);
});

test('fields for the screen are added, never put in place of the model’s own', async () => {
  const bench = oddBench({
    call: async () => ({ output: 'ok', isError: false }),
    backfillObservableInput: () => ({ exit_code: 3, command: 'another' }),
  });
  await bench.add('a', 'Odd');
  expect(bench.all('call-observed').map(({ fields }) => fields)).toEqual([{ exit_code: 3 }]);
});

test('fields that cannot be kept cost themselves, not the call', async () => {
  const bench = oddBench({
    call: async () => ({ output: 'ok', isError: false }),
    backfillObservableInput: () => ({ big: 1n }),
  });
  await bench.add('a', 'Odd');
  expect(bench.outcome('a')).toBe('ok');
  expect(bench.all('notice-given')).toMatchObject([{ text: 'Odd gave facts that cannot be shown.' }]);
});

test('an empty output says that it is empty', async () => {
  const bench = new ExecutorBench();
  await bench.add('a', 'Change');
  bench.tools.call('a').end('');
  await quiet();
  expect(bench.result('a')).toBe('(Change completed with no output)');
});

test('an output over the threshold goes to disk whole, and the model gets a preview', async () => {
  const bench = new ExecutorBench({ settings: { saveThreshold: 100 } });
  await bench.add('a', 'Change');
  bench.tools.call('a').end('line\n'.repeat(1_000));
  await quiet();
  expect(bench.all('result-saved')).toMatchObject([{ path: '/results/a.txt', bytes: 5_000, found: true }]);
  expect(bench.files.files.get('/results/a.txt')).toHaveLength(5_000);
  expect(bench.result('a')).toMatch(/^<persisted-output>\nOutput too large \(4\.9KB\)\./);
});

test('a disk that does not take the output costs the output, not the call', async () => {
  const bench = new ExecutorBench({ settings: { saveThreshold: 100 } });
  bench.files.refuses = 'the disk is full';
  await bench.add('a', 'Change');
  bench.tools.call('a').end('x'.repeat(5_000));
  await quiet();
  expect(bench.outcome('a')).toBe('ok');
  expect(bench.result('a')).toContain('could not be saved: the disk is full');
  expect(bench.all('notice-given')).toMatchObject([{ text: 'The output of Change could not be saved.' }]);
});

test('a tool that left its output in a file: a short one is read and removed, a long one stays', async () => {
  const bench = new ExecutorBench({ settings: { saveThreshold: 100 } });
  for (const [id, text] of [
    ['short', 'few words\n'],
    ['long', 'x'.repeat(500)],
  ] as const) {
    bench.files.files.set(`/results/${id}.txt`, text);
    await bench.add(id, 'Change');
    bench.tools
      .call(id)
      .end('Exit code 2', { isError: true, file: { path: `/results/${id}.txt`, bytes: text.length } });
    await quiet();
  }
  expect(bench.result('short')).toBe('Exit code 2\nfew words');
  expect(bench.result('long')).toContain('Exit code 2\n<persisted-output>');
  expect([...bench.files.files.keys()]).toEqual(['/results/long.txt']);
});

test('an output that was written where it cannot stay is shown in part, and why; a stopped call keeps none of it', async () => {
  const bench = new ExecutorBench({ settings: { saveThreshold: 100 } });
  bench.files.refuses = '/results cannot be written to, the disk is read-only';
  for (const id of ['a', 'b']) {
    bench.files.files.set(`/spare/${id}.txt`, 'x'.repeat(500));
    await bench.add(id, 'Look');
  }
  bench.tools.call('a').end('', { file: { path: '/spare/a.txt', bytes: 500 } });
  await quiet();
  bench.executor.interrupt('escape');
  bench.tools.call('b').throw(new CallAborted({ path: '/spare/b.txt', bytes: 500 }));
  await quiet();
  expect(bench.outcome('a')).toBe('ok');
  expect(bench.result('a')).toMatch(/^Output too large \(500B\) and it could not be saved: .*the disk is read-only/);
  expect(bench.all('result-saved')).toEqual([]);
  expect(bench.files.files.size).toBe(0);
  expect(bench.all('notice-given').map(({ text }) => text)).toEqual([
    'The output of Look could not be saved.',
    'What Look had written could not be kept.',
  ]);
});

test('a command that ends on a full disk says so, whether it wrote something or nothing', async () => {
  const bench = new ExecutorBench();
  bench.files.isShort = true;
  bench.files.files.set('/results/a.txt', 'some');
  for (const id of ['a', 'b']) await bench.add(id, 'Look');
  bench.tools.call('a').end('Exit code 1', { isError: true, file: { path: '/results/a.txt', bytes: 4 } });
  bench.tools.call('b').end('Exit code 1', { isError: true, exit: { code: 1 } });
  await quiet();
  const note = '(The output may not be whole, and the command may have failed for it: the disk is full)';
  expect(bench.result('a')).toBe(`Exit code 1\n${note}\nsome`);
  expect(bench.result('b')).toBe(`Exit code 1\n${note}`);
});

test('an output file that has gone costs the output, not the call', async () => {
  const bench = new ExecutorBench();
  await bench.add('a', 'Change');
  bench.tools.call('a').end('', { file: { path: '/results/gone.txt', bytes: 10 } });
  await quiet();
  expect(bench.outcome('a')).toBe('ok');
  expect(bench.result('a')).toBe('(The output could not be read: /results/gone.txt is not there)');
});

test('what a stopped call had written is kept, and an empty file of it is not', async () => {
  const bench = new ExecutorBench();
  bench.files.files.set('/results/b.txt', '');
  await bench.add('a', 'Look');
  await bench.add('b', 'Look');
  bench.executor.interrupt('escape');
  bench.tools.call('a').throw(new CallAborted({ path: '/results/a.txt', bytes: 12 }));
  bench.tools.call('b').throw(new CallAborted({ path: '/results/b.txt', bytes: 0 }));
  await quiet();
  expect(bench.all('result-saved')).toMatchObject([{ callId: 'a', bytes: 12 }]);
  expect(bench.files.files.has('/results/b.txt')).toBe(false);
  expect(bench.outcome('a')).toBe('interrupted');
});

test('a stop while the output is saved does not take the result away', async () => {
  const bench = new ExecutorBench({ settings: { saveThreshold: 10 } });
  await bench.add('a', 'Change');
  const save = bench.files.save.bind(bench.files);
  bench.files.save = async (...args) => {
    bench.executor.interrupt('escape');
    return save(...args);
  };
  bench.tools.call('a').end('more than ten characters');
  await quiet();
  expect(bench.outcome('a')).toBe('ok');
  expect(bench.result('a')).toContain('<persisted-output>');
});

test('progress that comes while the output is saved is ignored too', async () => {
  const bench = new ExecutorBench({ settings: { saveThreshold: 10 } });
  await bench.add('a', 'Change');
  const { run } = bench.tools.call('a');
  const save = bench.files.save.bind(bench.files);
  bench.files.save = async (...args) => {
    run.onProgress({ bytes: 1, lines: 1, tail: 'late' });
    return save(...args);
  };
  bench.tools.call('a').end('more than ten characters');
  await quiet();
  expect(bench.all('result-saved')).toHaveLength(1);
  expect(bench.all('call-progressed')).toEqual([]);
});
