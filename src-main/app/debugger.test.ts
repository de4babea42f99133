import { describe, expect, test } from 'vitest';
import type { Breakpoint, Fault } from '../../src-shared/debugger/event.ts';
import type { CallId } from '../../src-shared/ids.ts';
import { callById } from '../../src-shared/session/state.ts';
import { FakeHookRunner } from '../ports/hook-runner.fake.ts';
import { ExecutorBench, quiet } from './testing/bench.ts';

const stopBefore = (rule: string): Breakpoint => ({ id: 'b1', kind: 'before', rule, enabled: true });
const id = (text: string): CallId => text as CallId;

/** A bench with calls that read beside each other (`Look`), and commands. */
function benchWith(setup: { readonly breakpoints?: readonly Breakpoint[]; readonly faults?: readonly Fault[] }) {
  const bench = new ExecutorBench();
  if (setup.breakpoints !== undefined) bench.debug.setBreakpoints(setup.breakpoints);
  if (setup.faults !== undefined) bench.debug.setFaults(setup.faults);
  return bench;
}
/** Calls whose tools run or have run. */
const started = (bench: ExecutorBench) => [...bench.tools.calls.keys()];
const pausesOf = (bench: ExecutorBench, call: string) => callById(bench.log.state, id(call))?.pauses ?? [];

describe('a held queue', () => {
  test('lets nothing start, and one call a step', async () => {
    const bench = new ExecutorBench();
    bench.debug.hold(true);
    bench.debug.attach(bench.executor);
    await bench.add('a', 'Look');
    await bench.add('b', 'Look');
    expect(bench.inPhase('queued')).toEqual(['a', 'b']);
    bench.debug.step();
    expect(bench.inPhase('executing')).toEqual(['a']);
    bench.debug.step();
    expect(bench.inPhase('executing')).toEqual(['a', 'b']);
  });

  test('goes on with all that may start when it is let go', async () => {
    const bench = new ExecutorBench();
    bench.debug.attach(bench.executor);
    bench.debug.hold(true);
    await bench.add('a', 'Look');
    await bench.add('b', 'Look');
    bench.debug.hold(false);
    expect(bench.inPhase('executing')).toEqual(['a', 'b']);
    await quiet();
    expect(bench.all('queue-held').map(({ on, by }) => [on, by])).toEqual([
      [true, 'person'],
      [false, 'person'],
    ]);
  });

  test('does not keep a call from being cancelled', async () => {
    const bench = new ExecutorBench();
    bench.debug.attach(bench.executor);
    bench.debug.hold(true);
    await bench.add('a', 'Look');
    bench.executor.interrupt('escape');
    await quiet();
    expect(bench.outcome('a')).toBe('interrupted');
  });
});

describe('a breakpoint before calls', () => {
  test('stops such a call in its lane, holds the queue, and lets both go on', async () => {
    const bench = benchWith({ breakpoints: [stopBefore('Look')] });
    bench.debug.attach(bench.executor);
    await bench.add('a', 'Look');
    await bench.add('b', 'Look');
    expect(started(bench)).toEqual([]);
    expect(bench.phase('a')).toBe('executing');
    expect(pausesOf(bench, 'a')).toMatchObject([{ why: 'before', breakpointId: 'b1', until: undefined }]);
    expect(bench.phase('b')).toBe('queued');
    expect(bench.debug.resume(id('a'))).toBe(true);
    await quiet();
    expect(started(bench)).toEqual(['a']);
    // Let go of, the next one comes to the same breakpoint.
    expect(pausesOf(bench, 'b')).toMatchObject([{ until: undefined }]);
  });

  test('keeps the queue held when its person steps', async () => {
    const bench = benchWith({ breakpoints: [stopBefore('Look')] });
    bench.debug.attach(bench.executor);
    await bench.add('a', 'Look');
    await bench.add('b', 'Look');
    bench.debug.resume(id('a'), { keepHeld: true });
    await quiet();
    expect(bench.phase('b')).toBe('queued');
  });

  test('lets another input run, and hooks see that one', async () => {
    const hooks = new FakeHookRunner();
    const bench = new ExecutorBench({ hooks });
    bench.debug.setBreakpoints([stopBefore('Look')]);
    await bench.add('a', 'Look', 'first');
    bench.debug.resume(id('a'), { edited: { input: { command: 'second' } } });
    await quiet();
    expect(bench.tools.call('a').input).toEqual({ command: 'second' });
    expect(hooks.inputs).toMatchObject([{ event: 'PreToolUse', toolInput: { command: 'second' } }]);
    expect(callById(bench.log.state, id('a'))?.changedInput).toEqual({ by: 'user', input: { command: 'second' } });
  });

  test('refuses an input that does not fit, without a cascade', async () => {
    const bench = benchWith({ breakpoints: [stopBefore('Look')] });
    await bench.add('a', 'Look');
    bench.debug.resume(id('a'), { edited: { input: { other: 1 } } });
    await quiet();
    expect(bench.result('a')).toContain('command');
    expect(bench.all('cascade-triggered')).toEqual([]);
  });

  test('ends with the call when that is told to stop', async () => {
    const bench = benchWith({ breakpoints: [stopBefore('Look')] });
    await bench.add('a', 'Look');
    bench.executor.interrupt('escape');
    await quiet();
    expect(bench.outcome('a')).toBe('interrupted');
    expect(bench.all('call-resumed')).toMatchObject([{ how: 'cancelled' }]);
    expect(bench.debug.resume(id('a'))).toBe(false);
  });

  test('does nothing to other calls, nor when it is off', async () => {
    const bench = benchWith({
      breakpoints: [stopBefore('Bash(git push:*)'), { ...stopBefore('Look'), enabled: false }],
    });
    await bench.add('a', 'Look');
    expect(started(bench)).toEqual(['a']);
  });
});

describe('a breakpoint at trouble', () => {
  test('stops a call that has failed before anybody hears of it', async () => {
    const bench = benchWith({ breakpoints: [{ id: 'f', kind: 'failure', enabled: true }] });
    await bench.add('a', 'Look');
    bench.tools.call('a').fail();
    await quiet();
    expect(bench.phase('a')).toBe('executing');
    expect(pausesOf(bench, 'a')).toMatchObject([{ why: 'failure' }]);
    bench.debug.resume(id('a'));
    await quiet();
    expect(bench.outcome('a')).toBe('error');
  });

  test('stops before the cascade that would follow, and only for one', async () => {
    const bench = benchWith({ breakpoints: [{ id: 'c', kind: 'cascade', enabled: true }] });
    await bench.add('ls', 'Bash', 'ls missing-folder');
    await bench.add('look', 'Look');
    bench.tools.call('ls').fail();
    await quiet();
    expect(pausesOf(bench, 'ls')).toMatchObject([{ why: 'cascade' }]);
    expect(bench.phase('look')).toBe('executing');
    bench.debug.resume(id('ls'));
    await quiet();
    expect(bench.all('call-cancelled')).toMatchObject([{ callId: 'look', reason: 'sibling_error' }]);
  });

  test('a failure that cancels nobody is no cascade', async () => {
    const bench = benchWith({ breakpoints: [{ id: 'c', kind: 'cascade', enabled: true }] });
    await bench.add('ls', 'Bash', 'ls missing-folder');
    bench.tools.call('ls').fail();
    await quiet();
    expect(bench.outcome('ls')).toBe('error');
  });
});

describe('trouble on purpose', () => {
  const fault = (more: Partial<Fault> & Pick<Fault, 'kind'>): Fault =>
    ({ id: 'f1', rule: 'Look', enabled: true, ...more }) as Fault;

  test('a call is made to fail, as often as it was said', async () => {
    const bench = benchWith({ faults: [fault({ kind: 'fail', message: 'No luck today.', times: 1 })] });
    await bench.add('a', 'Look');
    await bench.add('b', 'Look');
    expect(bench.result('a')).toBe('No luck today.');
    expect(bench.outcome('a')).toBe('error');
    expect(started(bench)).toEqual(['b']);
    expect(bench.all('fault-injected')).toMatchObject([{ callId: 'a', faultId: 'f1', kind: 'fail' }]);
  });

  test('a call is delayed before its tool runs', async () => {
    const bench = benchWith({ faults: [fault({ kind: 'delay', ms: 500 })] });
    await bench.add('a', 'Look');
    expect(started(bench)).toEqual([]);
    await bench.advance(500);
    expect(started(bench)).toEqual(['a']);
  });

  test('a delayed call stops at once when it is told to', async () => {
    const bench = benchWith({ faults: [fault({ kind: 'delay', ms: 500 })] });
    await bench.add('a', 'Look');
    bench.executor.interrupt('escape');
    await quiet();
    expect(bench.outcome('a')).toBe('interrupted');
  });

  test('a call hangs until it is told to stop', async () => {
    const bench = benchWith({ faults: [fault({ kind: 'hang' })] });
    await bench.add('a', 'Look');
    await bench.advance(600_000);
    expect(bench.phase('a')).toBe('executing');
    bench.executor.interrupt('escape');
    await quiet();
    expect(bench.outcome('a')).toBe('interrupted');
  });

  test('a permission takes its time', async () => {
    const bench = benchWith({ faults: [fault({ kind: 'slow-permission', ms: 2_000 })] });
    await bench.add('a', 'Look');
    expect(bench.all('permission-settled')).toEqual([]);
    await bench.advance(2_000);
    expect(bench.all('permission-settled')).toHaveLength(1);
  });
});
