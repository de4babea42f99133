import { expect } from 'vitest';
import type { AskId, CallId } from '../../../src-shared/ids.ts';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import type { SessionSettings } from '../../../src-shared/session/settings.ts';
import { AgentBench, starts } from './agent-bench.ts';
import { quiet } from './bench.ts';
import { begins, ends, says, uses } from './hand-model.ts';
import { SessionBench } from './session-bench.ts';

/** Whole sessions in which much happens, as their events: to be cut, damaged and opened again. */

const stopped = () => new DOMException('stopped', 'AbortError');

/** A turn with all that can happen in one: text, safe and unsafe calls, a question, a cascade, typed messages. */
export async function busyRun(settings: Partial<SessionSettings> = {}): Promise<readonly SessionEvent[]> {
  const bench = new SessionBench({ settings });
  await bench.send('Hello');
  const { model, tools } = bench;
  await model.now.send(begins('m1'), says('I look.'), uses('a', 'Look'), uses('b', 'Look'), uses('c', 'Change'));
  await model.now.send(uses('ask', 'Ask'), ends('tool-use'));
  await bench.send('First typed.');
  const settle = async (id: string, how: 'end' | 'fail' = 'end') => {
    if (how === 'end') tools.call(id).end(`result of ${id}`);
    else tools.call(id).fail();
    await quiet();
  };
  await settle('a');
  await settle('b');
  await settle('c');
  bench.session.answer('ask' as CallId, bench.all('permission-asked')[0]?.askId as AskId, { kind: 'allow-once' });
  await quiet();
  await settle('ask');
  await model.now.send(
    begins('m2'),
    uses('ls', 'Bash', 'ls missing'),
    uses('cat', 'Bash', 'cat x'),
    uses('t', 'Change'),
  );
  await model.now.send(ends('tool-use'));
  await settle('ls', 'fail');
  if (tools.calls.has('cat')) tools.call('cat').throw(stopped());
  await quiet();
  for (const id of ['cat', 't']) if (tools.calls.has(id)) await settle(id);
  await model.now.send(begins('m3'), says('Done.'), ends());
  await bench.session.close('quit');
  return bench.store.events;
}

/** A stream that breaks after calls have started, its retry, an interrupt and an escape. */
export async function brokenRun(settings: Partial<SessionSettings> = {}): Promise<readonly SessionEvent[]> {
  const bench = new SessionBench({ settings });
  await bench.send('Hello');
  const { model, tools } = bench;
  await model.now.send(begins('m1'), says('I begin.'), uses('a', 'Look'), uses('b', 'Change'));
  await model.now.over();
  if (tools.calls.has('a')) tools.call('a').throw(stopped());
  await quiet();
  await bench.advance(500);
  await model.now.send(begins('m2'), uses('a', 'Look'), uses('c', 'Change'), ends('tool-use'));
  await bench.send('Typed.');
  await bench.interrupt('interrupt');
  if (tools.calls.has('a_2')) tools.call('a_2').throw(stopped());
  await quiet();
  await model.now.send(begins('m3'), uses('d', 'Change'));
  await bench.send('Typed later.');
  await bench.interrupt('escape');
  if (tools.calls.has('d')) tools.call('d').end('written');
  await quiet();
  await model.now.send(begins('m4'), says('Well.'), ends());
  await bench.session.close('closed');
  return bench.store.events;
}

/** Agents three levels deep: some end, one asks and is refused, one falls with a stream that breaks, the rest by Esc. */
export async function agentsRun(settings: Partial<SessionSettings> = {}): Promise<readonly SessionEvent[]> {
  const bench = new AgentBench({ settings });
  const end = async (id: string) => {
    if (bench.hand.calls.has(id)) bench.hand.call(id).end(`result of ${id}`);
    await quiet();
  };
  const fall = async (...ids: readonly string[]) => {
    for (const id of ids) if (bench.hand.calls.has(id)) bench.hand.call(id).throw(stopped());
    await quiet();
  };
  await bench.send('Hello');
  await bench.of().send(begins('m1'), says('I begin.'), starts('lost', 'lost'));
  if (bench.log.state.agents.length > 0) await bench.of('lost').send(begins(), uses('lost-look', 'Look'));
  await bench.of().over();
  await fall('lost-look');
  await bench.advance(500);
  await bench.say('', starts('one', 'one'), starts('two', 'two'), uses('own', 'Look'));
  await end('own');
  await bench.say('one', says('I look.'), uses('one-look', 'Look'), uses('one-change', 'Change'));
  await end('one-look');
  await end('one-change');
  await bench.says('one', 'One is done.');
  await bench.say('two', uses('two-ask', 'Ask'));
  await bench.answer('two-ask', { kind: 'deny' });
  await end('own');
  await bench.say('', starts('three', 'three'));
  await bench.say('three', starts('four', 'four'), uses('three-look', 'Look'));
  await bench.say('four', uses('four-look', 'Look'), uses('four-ask', 'Ask'));
  await bench.interrupt('escape');
  await fall('three-look', 'four-look');
  await bench.session.close('closed');
  expect(bench.open).toEqual([]);
  expect(bench.faults).toEqual([]);
  return bench.store.events;
}
