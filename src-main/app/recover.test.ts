import { describe, expect, test } from 'vitest';
import { MAIN_AGENT } from '../../src-shared/ids.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { foldSession } from '../../src-shared/session/state.ts';
import { parseLine, toLine } from '../../src-shared/session/stored-line.ts';
import { apiMessages } from '../core/conversation/api-messages.ts';
import { faultsOfRequest } from '../core/conversation/request-validator.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import { recover } from './recover.ts';
import { SessionLog } from './session-log.ts';
import { countingIds, eventsOf, MoodyStore, quiet } from './testing/bench.ts';
import { agentsRun, brokenRun, busyRun } from './testing/eventful-runs.ts';
import { begins, ends, says, uses } from './testing/hand-model.ts';
import { SessionBench, told } from './testing/session-bench.ts';

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
