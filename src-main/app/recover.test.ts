import { describe, expect, test } from 'vitest';
import { type AskId, type CallId, MAIN_AGENT } from '../../src-shared/ids.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import type { SessionSettings } from '../../src-shared/session/settings.ts';
import { foldSession } from '../../src-shared/session/state.ts';
import { parseLine, toLine } from '../../src-shared/session/stored-line.ts';
import { apiMessages } from '../core/conversation/api-messages.ts';
import { faultsOfRequest } from '../core/conversation/request-validator.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import { recover } from './recover.ts';
import { SessionLog } from './session-log.ts';
import { AgentBench, starts } from './testing/agent-bench.ts';
import { countingIds, eventsOf, MoodyStore, quiet } from './testing/bench.ts';
import { begins, ends, says, uses } from './testing/hand-model.ts';
import { SessionBench, told } from './testing/session-bench.ts';

const stopped = () => new DOMException('stopped', 'AbortError');

/** A turn with all that can happen in one: text, safe and unsafe calls, a question, a cascade, typed messages. */
async function busyRun(settings: Partial<SessionSettings>): Promise<readonly SessionEvent[]> {
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
async function brokenRun(settings: Partial<SessionSettings>): Promise<readonly SessionEvent[]> {
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
async function agentsRun(settings: Partial<SessionSettings>): Promise<readonly SessionEvent[]> {
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

/** What a person has typed and not taken back, as the journal knows it. */
const typedIn = (events: readonly SessionEvent[]): readonly string[] => [
  ...new Set(
    events.flatMap((event) =>
      event.type === 'user-message-queued' || (event.type === 'user-message-added' && event.from === 'person')
        ? [event.text]
        : [],
    ),
  ),
];

/** Opens what is left of a journal as the app does. */
function reopened(past: readonly SessionEvent[]): SessionBench {
  const log = new SessionLog({ store: new MoodyStore(), clock: new ManualClock(), past });
  recover(log, 'test');
  return new SessionBench({ past: log.events, newId: countingIds(10_000) });
}

/** Of the conversations of all agents. */
const faultsOfAll = ({ log: { state } }: SessionBench) =>
  [MAIN_AGENT, ...state.agents.map(({ agentId }) => agentId)].flatMap((agentId) =>
    faultsOfRequest(apiMessages(state, agentId)),
  );

const runs = [
  ['a busy turn', busyRun],
  ['a broken and interrupted one', brokenRun],
  ['agents below agents', agentsRun],
] as const;
const strategies = ['streaming', 'batch', 'serial'] as const;

describe.each(runs)('%s', (_name, run) => {
  test.each(strategies)(
    'under %s can be cut at every event and goes on',
    async (strategy) => {
      const events = await run({ strategy, cascade: 'bash' });
      expect(events.length).toBeGreaterThan(60);
      for (let length = 1; length <= events.length; length++) {
        const cut = events.slice(0, length);
        const at = `after ${length} events, the last one ${cut.at(-1)?.type}`;
        const bench = reopened(cut);
        const { state } = bench.log;
        expect(
          state.calls.filter(({ phase }) => phase === 'queued' || phase === 'executing'),
          at,
        ).toEqual([]);
        expect(
          state.calls.flatMap(({ asks }) => asks).filter(({ until }) => until === undefined),
          at,
        ).toEqual([]);
        expect(
          state.requests.filter(({ end }) => end === undefined),
          at,
        ).toEqual([]);
        expect(
          state.turns.filter(({ end }) => end === undefined),
          at,
        ).toEqual([]);
        expect(faultsOfAll(bench), at).toEqual([]);
        expect(
          state.agents.filter(({ until }) => until === undefined),
          at,
        ).toEqual([]);
        expect(
          bench.log.events.map(({ seq }) => seq),
          at,
        ).toEqual(bench.log.events.map((_, index) => index));

        await bench.send('Go on.');
        const sent = told(bench.model.now.request.messages);
        for (const text of [...typedIn(cut), 'Go on.']) {
          expect(
            sent.filter((line) => line === `user: ${text}`),
            `${at}: ${text}`,
          ).toHaveLength(1);
        }
        expect(sent.at(-1), at).toBe('user: Go on.');
        // The model may use an id that the journal has already.
        await bench.model.now.send(begins('new'), uses('a', 'Look'), ends('tool-use'));
        const [last] = bench.log.state.calls.slice(-1);
        bench.tools.call(last?.callId ?? '').end('seen');
        await quiet();
        await bench.model.now.send(begins('newer'), says('Fine.'), ends());
        expect(bench.all('turn-ended').at(-1)?.reason, at).toBe('completed');
        expect(faultsOfRequest(bench.conversation), at).toEqual([]);
        expect(foldSession(bench.log.events), at).toEqual(bench.log.state);
      }
    },
    60_000,
  );

  test('all that was added comes back from the journal as it was', async () => {
    const events = await run({});
    for (let length = 1; length <= events.length; length += 7) {
      const log = new SessionLog({ store: new MoodyStore(), clock: new ManualClock(), past: events.slice(0, length) });
      recover(log, 'test');
      for (const event of log.events) expect(parseLine(toLine(event))).toEqual({ ok: true, value: event });
    }
  });
});

describe('what is said of a call that was open', () => {
  async function cutAfter(type: SessionEvent['type'], nth = 0): Promise<SessionBench> {
    const events = await busyRun({});
    const places = events.flatMap((event, index) => (event.type === type ? [index] : []));
    return reopened(events.slice(0, (places[nth] ?? 0) + 1));
  }
  const results = (bench: SessionBench) => told(bench.conversation).filter((line) => line.startsWith('result'));

  test('one that had begun its work: its side effects are unknown', async () => {
    const bench = await cutAfter('message-completed');
    expect(results(bench)[0]).toMatch(/^result a \(error\): Gantry ended .* its side effects are unknown/);
    expect(bench.all('call-completed')[0]).toMatchObject({ callId: 'a', outcome: 'unknown' });
  });

  test('one that waited: it has done nothing', async () => {
    const bench = await cutAfter('message-completed');
    expect(results(bench)[2]).toMatch(/^result c \(error\): Gantry ended before this call had begun its work\./);
  });

  test('one that asked: the question is closed as a deny, and it has done nothing', async () => {
    const bench = await cutAfter('permission-asked');
    expect(bench.all('permission-settled').at(-1)).toMatchObject({ callId: 'ask', verdict: 'deny', by: 'closed' });
    expect(results(bench).at(-1)).toContain('has done nothing');
  });

  test('one of which only the block was written: it has its place, and never began', async () => {
    const bench = await cutAfter('block-arrived', 1);
    expect(bench.all('call-queued')).toMatchObject([{ callId: 'a', safety: { because: 'not-recorded' } }]);
    expect(results(bench)).toHaveLength(1);
  });
});

describe('a session that ended well', () => {
  test.each(runs)('only gets the word that it was opened again: %s', async (_name, run) => {
    const events = await run({});
    const log = new SessionLog({ store: new MoodyStore(), clock: new ManualClock(), past: events });
    recover(log, 'test');
    expect(log.events.slice(events.length)).toMatchObject([{ type: 'session-resumed', after: 'clean' }]);
  });

  test('results of an attempt that was thrown away are not handed on afterwards', async () => {
    const log = new SessionLog({ store: new MoodyStore(), clock: new ManualClock(), past: await brokenRun({}) });
    const before = eventsOf(log, 'call-yielded').length;
    recover(log, 'test');
    expect(eventsOf(log, 'call-yielded')).toHaveLength(before);
  });
});
