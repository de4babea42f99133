import { describe, expect, test } from 'vitest';
import type { AgentId, MessageId } from '../ids.ts';
import { apply, emptySession, type SessionState } from '../session/state.ts';
import { sessionTime } from '../units.ts';
import type { BarColumns } from './bars.ts';
import { buildTimeline, TimelineBuilder } from './model.ts';
import { SessionScript } from './session-script.ts';
import type { TimelineModel } from './tracks.ts';

const options = { now: sessionTime(0), collapsedAgents: [] };

/** One line per row, one column per 100 ms: calls by the last letter of their id, `>` for what goes on. */
function rowPicture(state: SessionState, row: BarColumns): string {
  const text: string[] = [];
  for (let i = 0; i < row.length; i++) {
    const from = Math.round(row.starts[i]! / 100);
    const end = row.ends[i]!;
    const until = end === Number.POSITIVE_INFINITY ? from + 1 : Math.max(from + 1, Math.round(end / 100));
    for (let x = from; x < until; x++) text[x] = state.calls[row.items[i]!]!.callId.at(-1)!;
    if (end === Number.POSITIVE_INFINITY) text[until] = '>';
  }
  return Array.from(text, (c) => c ?? ' ').join('');
}

const lanesOf = (model: TimelineModel, agent = 0): string[] =>
  model.agents[agent]!.lanes.map((lane) => rowPicture(model.state, lane));
const queueOf = (model: TimelineModel, agent = 0): string[] =>
  model.agents[agent]!.queue.lines.map((line) => rowPicture(model.state, line));

const cascade = (): SessionScript =>
  new SessionScript()
    .turn('t', 0)
    .request('r', 0, [100, 200, 300], 400)
    .batch('b', 'safe', 200, 1000)
    .call({
      id: 'a',
      tool: 'Bash',
      summary: 'npm test',
      queued: 200,
      start: 200,
      lane: 0,
      batch: 'b',
      end: 1000,
      outcome: 'error',
      exit: { code: 1 },
      yielded: 1000,
    })
    .call({
      id: 'b',
      tool: 'Bash',
      summary: 'npm run lint',
      queued: 300,
      start: 300,
      lane: 1,
      batch: 'b',
      cancelled: { at: 1000, reason: 'sibling_error', culprit: 'a' },
      end: 1100,
      outcome: 'cancelled',
      yielded: 1100,
    })
    .call({
      id: 'c',
      tool: 'Edit',
      summary: 'x.ts',
      safe: false,
      queued: 400,
      waits: [{ why: 'lock', by: ['a', 'b'], at: 400 }],
      cancelled: { at: 1000, reason: 'sibling_error', culprit: 'a' },
      end: 1000,
      outcome: 'cancelled',
      yielded: 1100,
    })
    .at(1000, { type: 'cascade-triggered', culprit: 'a' as never, policy: 'bash', victims: ['b', 'c'] as never });

test('calls lie on the lane they held; the wait of one that never started stays in the queue', () => {
  const model = buildTimeline(cascade().state(), options);
  expect(lanesOf(model)).toEqual(['  aaaaaaaa', '   bbbbbbbb']);
  expect(queueOf(model)).toEqual(['    cccccc']);
});

test('a cascade has its culprit, its victims, and the time the victims had run', () => {
  const [mark] = buildTimeline(cascade().state(), options).cascades;
  expect(mark).toMatchObject({ culprit: 0, victims: [1, 2], lostMs: 800, at: 1000 });
});

test('a frame reaches over the lanes of its batch’s calls, from the first start to the last end', () => {
  const model = buildTimeline(cascade().state(), options);
  const { frames } = model.agents[0]!;
  expect([frames.length, frames.starts[0], frames.ends[0], frames.kinds[0]]).toEqual([1, 200, 1100, 0]);
  expect(model.frameOf(frames.items[0]!)).toMatchObject({ firstLane: 0, lastLane: 1, count: 2 });
});

test('a fifth waiting call is counted, not drawn', () => {
  const script = new SessionScript().call({ id: 'x', tool: 'Bash', queued: 0, start: 0 });
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f'])
    script.call({ id, tool: 'Read', queued: 100, waits: [{ why: 'no-lane', at: 100 }], start: 500 });
  const { queue } = buildTimeline(script.state(), options).agents[0]!;
  expect(queue.lines).toHaveLength(4);
  expect(queue.overflow).toEqual([{ from: 100, until: 500, count: 2 }]);
  expect(queue.all.length).toBe(6);
});

test('a discarded attempt is as long as all that ran for its message, also what had ended well', () => {
  const broken = () =>
    new SessionScript()
      .request('r', 0, [100], 900, { failed: 'It broke off.' })
      .call({ id: 'a', tool: 'Read', message: 'm-r', queued: 100, start: 110, lane: 0, end: 200, yielded: 200 });
  const attemptsOf = (script: SessionScript) => buildTimeline(script.state(), options).agents[0]?.attempts;
  expect(attemptsOf(broken())).toEqual([]);
  const discarded = () => broken().at(850, { type: 'attempt-discarded', messageId: 'm-r' as MessageId });
  expect(attemptsOf(discarded())).toEqual([{ from: 110, until: 200, firstLane: 0, lastLane: 0 }]);
  const more = discarded().call({
    ...{ id: 'b', tool: 'Bash', message: 'm-r', queued: 100, start: 120, lane: 1, end: 880 },
    ...({ cancelled: { at: 850, reason: 'discarded' }, outcome: 'discarded' } as const),
  });
  expect(attemptsOf(more)).toEqual([{ from: 110, until: 880, firstLane: 0, lastLane: 1 }]);
});

describe('folds', () => {
  test('more than three idle seconds fold; waiting, thinking and hooks are not idle', () => {
    const state = new SessionScript()
      .request('r', 0, [], 4000)
      .call({ id: 'a', tool: 'Read', queued: 4000, start: 4000, end: 5000, yielded: 5000 })
      .call({
        id: 'b',
        tool: 'Edit',
        queued: 60_000,
        start: 60_000,
        ask: [60_000, 90_000],
        end: 91_000,
        yielded: 91_000,
      })
      .hook('h', undefined, 'guard.sh', 93_000, 99_000)
      .call({ id: 'c', tool: 'Read', queued: 101_000, start: 101_000 })
      .state();
    expect(buildTimeline(state, options).folds).toEqual([{ from: 5000, until: 60_000 }]);
  });

  test('the wait before a further try of a request is not folded, however long it is', () => {
    const state = new SessionScript()
      .request('r', 0, [], 1000, { failed: 'It limits how much may be asked (429).' })
      .request('r2', 31_000, [31_500], 32_000, { attempt: 2 })
      .request('r3', 50_000, [50_500], 51_000)
      .state();
    expect(buildTimeline(state, options).folds).toEqual([{ from: 32_000, until: 50_000 }]);
  });

  test('the time since the last event of a live session is not folded', () => {
    const state = new SessionScript()
      .call({ id: 'a', tool: 'Read', queued: 0, start: 0, end: 100, yielded: 100 })
      .state();
    const model = buildTimeline(state, { ...options, now: sessionTime(50_000) });
    expect(model.folds).toEqual([]);
    expect([model.until, model.isRunning]).toEqual([50_000, false]);
  });
});

test('sub-agents come under their parent in start order; a collapsed one keeps its longest call, a question first', () => {
  const state = new SessionScript()
    .call({ id: 'p', tool: 'Agent', queued: 0, start: 0 })
    .agent('one', 'Explore', 0, { parent: 'p', type: 'Explore' })
    .agent('two', 'Tickets', 50)
    .call({ id: 'q', tool: 'Agent', agent: 'one', queued: 100, start: 100 })
    .agent('deep', 'Deep', 100, { parent: 'q', depth: 2 })
    .call({ id: 'a', tool: 'Read', agent: 'two', queued: 100, start: 100, lane: 0, end: 300 })
    .call({ id: 'b', tool: 'Grep', agent: 'two', queued: 100, start: 100, lane: 1, end: 700 })
    .call({ id: 'c', tool: 'Edit', agent: 'two', queued: 800, start: 800, lane: 0, ask: [900] })
    .call({ id: 'd', tool: 'Bash', agent: 'two', queued: 800, start: 800, lane: 1 })
    .state();
  const model = buildTimeline(state, { ...options, collapsedAgents: ['two' as AgentId] });
  expect(model.agents.map((agent) => [agent.name, agent.depth])).toEqual([
    ['main agent', 0],
    ['Explore agent', 1],
    ['Deep', 2],
    ['Tickets', 1],
  ]);
  expect(rowPicture(state, model.agents[3]!.single!)).toBe(' bbbbbb c>');
  expect([...model.askNumbers]).toEqual([['c', 1]]);
});

test('a retry has the number of its first try', () => {
  const state = new SessionScript()
    .request('r1', 0, [], 100)
    .request('r2', 200, [], 300, { failed: 'overloaded' })
    .request('r2b', 400, [], 500, { attempt: 2 })
    .request('r3', 600, [])
    .state();
  expect(buildTimeline(state, options).requestNumbers).toEqual([1, 2, 2, 3]);
});

test('the read before a change goes stale, not the call that made it', () => {
  const state = new SessionScript()
    .call({ id: 'r', tool: 'Read', input: { file_path: '/w/price.ts' }, queued: 0, start: 0, end: 10 })
    .call({ id: 's', tool: 'Read', input: { file_path: '/w/money.ts' }, queued: 0, start: 0, lane: 1, end: 10 })
    .call({ id: 'w', tool: 'Bash', queued: 20, start: 20, end: 30, staleFiles: ['/w/price.ts'] })
    .call({ id: 'x', tool: 'Bash', queued: 40, start: 40, end: 50, staleFiles: ['/w/unseen.ts'] })
    .state();
  const model = buildTimeline(state, options);
  expect([0, 1, 2, 3].map((i) => model.isStale(i))).toEqual([true, false, false, true]);
});

test('following a session event by event gives the same model as building it at the end', () => {
  const events = [
    ...cascade()
      .agent('one', 'Explore', 1500)
      .hook('h', 'a', 'guard.sh', 210, 260)
      .batch('b2', 'exclusive', 6000, 6500)
      .call({
        id: 'e',
        tool: 'Edit',
        safe: false,
        queued: 5900,
        waits: [{ why: 'lock', at: 5900 }],
        start: 6000,
        batch: 'b2',
        ask: [6100, 6300],
        end: 6500,
        yielded: 6500,
      })
      .call({
        id: 'f',
        tool: 'Read',
        agent: 'one',
        queued: 6000,
        start: 6200,
        batch: 'b3',
        end: 6300,
        outcome: 'discarded',
      })
      .batch('b3', 'safe', 6200, undefined, 'one')
      .call({ id: 'g', tool: 'Bash', queued: 6500, start: 6510 })
      .at(7000, { type: 'session-ended', reason: 'closed' })
      .events(),
  ];
  const state = emptySession();
  const builder = new TimelineBuilder(state);
  for (const event of events) {
    apply(state, event);
    const followed = plain(builder.update(options));
    expect(followed).toEqual(plain(buildTimeline(state, options)));
  }
});

/** Everything a model says, without the spare room of its columns. */
function plain(model: TimelineModel): unknown {
  const bars = (row: BarColumns | undefined) =>
    row === undefined
      ? undefined
      : Array.from({ length: row.length }, (_, i) => [row.items[i], row.starts[i], row.ends[i], row.kinds[i]]);
  return {
    agents: model.agents.map((agent) => ({
      name: agent.name,
      lanes: agent.lanes.map(bars),
      lines: agent.queue.lines.map(bars),
      overflow: agent.queue.overflow,
      frames: bars(agent.frames),
      spans: Array.from(agent.frames.items.subarray(0, agent.frames.length), (i) => model.frameOf(i)),
      requests: bars(agent.requests),
      attempts: agent.attempts,
    })),
    asks: bars(model.asks),
    hooks: bars(model.hooks),
    decisions: bars(model.decisions),
    cascades: model.cascades,
    folds: model.folds,
    numbers: [...model.askNumbers],
    isRunning: model.isRunning,
    isOver: model.isOver,
  };
}

describe('a model that is made in pieces', () => {
  const facts = (model: TimelineModel) => ({
    lanes: lanesOf(model),
    queue: queueOf(model),
    folds: model.folds,
    frames: model.agents[0]?.frames.length,
    cascades: model.cascades,
  });

  test('is the whole one in the end, and tells no gap before', () => {
    const state = busySession(3000);
    const builder = new TimelineBuilder(state);
    let pieces = 0;
    let model = builder.update(options, () => false);
    while (!builder.isWhole) {
      expect(model.folds).toEqual([]);
      model = builder.update(options, () => false);
      pieces++;
    }
    expect(pieces).toBeGreaterThan(10);
    expect(facts(model)).toEqual(facts(new TimelineBuilder(state).update(options)));
  });

  test('a piece is never empty, and what is there already costs no further one', () => {
    const state = busySession(300);
    const builder = new TimelineBuilder(state);
    builder.update(options);
    builder.update(options, () => false);
    expect(builder.isWhole).toBe(true);
  });
});

/** So many calls one after the other, with a pause to fold after each hundred. */
function busySession(calls: number): SessionState {
  const script = new SessionScript().turn('t', 0);
  for (let i = 0; i < calls; i++) {
    const from = i * 30 + Math.floor(i / 100) * 9000;
    script.call({
      id: `c${i}`,
      tool: 'Read',
      queued: from,
      start: from + 10,
      lane: 0,
      end: from + 20,
      yielded: from + 20,
    });
  }
  return script.state();
}
