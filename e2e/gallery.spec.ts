import type { SessionEvent } from '../src-shared/session/event.ts';
import { expect, type Started, test } from './app.fixture.ts';

type Expected = {
  readonly title: string;
  readonly outcomes: Readonly<Record<string, string>>;
  readonly turn: string;
  /** What a person does while it runs. */
  readonly act?: (started: Started) => Promise<void>;
};

const allowEverything = async ({ gantry }: Started, questions: number): Promise<void> => {
  for (let answered = 0; answered < questions; answered++) await gantry.board.allowOnce();
};

const scenarios: readonly Expected[] = [
  {
    title: 'Parallel reads',
    outcomes: {
      call_1_2: 'ok',
      call_1_3: 'ok',
      call_1_4: 'ok',
      call_1_5: 'ok',
      call_1_6: 'ok',
      call_1_7: 'ok',
      call_1_8: 'ok',
    },
    turn: 'completed',
    act: (started) => allowEverything(started, 1),
  },
  {
    title: 'Test, then edit',
    outcomes: { call_1_2: 'ok', call_1_3: 'ok', call_1_4: 'ok', call_1_5: 'ok', call_1_6: 'ok' },
    turn: 'completed',
    act: (started) => allowEverything(started, 2),
  },
  {
    title: 'Test fails, edit cancelled',
    outcomes: { call_1_2: 'ok', call_1_3: 'ok', call_1_4: 'ok', call_1_5: 'error', call_1_6: 'cancelled' },
    turn: 'completed',
    act: (started) => allowEverything(started, 1),
  },
  {
    title: 'Cascade',
    outcomes: { slow: 'cancelled', read: 'ok', grep: 'ok', culprit: 'error', touch: 'cancelled', again: 'ok' },
    turn: 'completed',
  },
  {
    title: 'A write between reads',
    outcomes: { call_1_2: 'ok', call_1_3: 'ok', call_1_4: 'ok', call_1_5: 'ok', call_1_6: 'ok' },
    turn: 'completed',
    act: (started) => allowEverything(started, 1),
  },
  {
    title: 'Big outputs',
    outcomes: { 'hundred-kb': 'ok', megabytes: 'ok', small: 'ok' },
    turn: 'completed',
  },
  {
    title: 'Permission storm',
    outcomes: { north: 'ok', east: 'ok', south: 'ok', grep: 'ok', own: 'ok', notes: 'ok' },
    turn: 'completed',
    act: (started) => allowEverything(started, 5),
  },
  {
    title: 'Interrupt',
    outcomes: { 'slow-1': 'interrupted', 'slow-2': 'interrupted', quick: 'ok', waiting: 'interrupted' },
    turn: 'interrupted',
    act: async ({ gantry, page }) => {
      await gantry.timeline.waitForPhase('waiting', 'queued');
      await page.keyboard.press('Escape');
    },
  },
  {
    title: 'Hooks',
    outcomes: { slow: 'ok', changed: 'ok', grep: 'ok', denied: 'denied', behind: 'cancelled', again: 'ok' },
    turn: 'completed',
  },
  {
    title: 'Sub-agents',
    outcomes: Object.fromEntries(
      ['scout', 'editor', 'neighbours', 'readme']
        .concat(['users', 'list', 'basket', 'rates', 'length'], ['rate-users', 'rates-file', 'files'])
        .concat(['price', 'look', 'edit', 'check'], ['north', 'notes'])
        .map((callId) => [callId, 'ok']),
    ),
    turn: 'completed',
    act: (started) => allowEverything(started, 2),
  },
  {
    title: 'Stream break',
    outcomes: {
      readme: 'ok',
      slow: 'discarded',
      price: 'discarded',
      readme_2: 'ok',
      slow_2: 'ok',
      price_2: 'ok',
      users: 'ok',
    },
    turn: 'completed',
  },
];

for (const { title, outcomes, turn, act } of scenarios) {
  test(`the scenario “${title}” runs to its end as its journal and its chart say`, async ({ launcher, started }) => {
    const { gantry } = started;
    await gantry.startScenario(title);
    await act?.(started);
    for (const [callId, outcome] of Object.entries(outcomes)) await gantry.timeline.waitForOutcome(callId, outcome);
    await gantry.idle();

    const events = await launcher.journal();
    expect(outcomesIn(events)).toEqual(outcomes);
    expect(events.findLast((event) => event.type === 'turn-ended')).toMatchObject({ reason: turn });
    const drawn = Object.fromEntries((await gantry.timeline.calls()).map((call) => [call.callId, call.outcome]));
    expect(drawn).toEqual(outcomes);
    expect(survivorsIn(events)).toEqual([]);
  });
}

const outcomesIn = (events: readonly SessionEvent[]): Record<string, string> =>
  Object.fromEntries(
    events.flatMap((event) => (event.type === 'call-completed' ? [[event.callId, event.outcome]] : [])),
  );

const survivorsIn = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'process-tree-ended' ? event.survivors : []));

test('the hooks of a scenario run, deny and change, and no others do', async ({ launcher, started: { gantry } }) => {
  await gantry.startScenario('Hooks');
  await gantry.timeline.waitForOutcome('again', 'ok');
  await gantry.idle();
  const events = await launcher.journal();
  const ended = events.flatMap((event) => (event.type === 'hook-ended' ? [event.outcome] : []));
  expect(ended.filter((outcome) => outcome === 'deny')).toHaveLength(1);
  expect(ended).toHaveLength(6);
  expect(events.find((event) => event.type === 'call-input-changed')).toMatchObject({ callId: 'changed', by: 'hook' });
  const results = new Map(
    events.flatMap((event) => (event.type === 'call-completed' ? [[event.callId as string, event.result]] : [])),
  );
  expect(results.get('denied')).toMatchObject({ isError: true, content: [{ text: 'no deletions here' }] });
  expect(results.get('changed')?.content).toMatchObject([
    { text: 'price.js\ntax' },
    { text: expect.stringContaining('Lists are kept short in this folder.') },
  ]);
  // The slow guard is what most of its call's time goes into: the teal part of its bar.
  const stages = events.filter((event) => 'callId' in event && event.callId === 'slow' && 'stage' in event);
  const hooks = stages.filter((event) => 'stage' in event && event.stage === 'hooks-before');
  expect((hooks[1]?.t ?? 0) - (hooks[0]?.t ?? 0)).toBeGreaterThan(1_000);
  expect(events.filter((event) => event.type === 'notice-given')).toEqual([]);
});

test('the lanes that are drawn are the lanes the calls held', async ({ launcher, started: { gantry } }) => {
  await gantry.startScenario('Cascade');
  await gantry.timeline.waitForOutcome('again', 'ok');
  const lanes = new Map(
    (await launcher.journal()).flatMap((event) =>
      event.type === 'call-started' ? [[event.callId as string, event.lane]] : [],
    ),
  );
  for (const { callId, lane } of await gantry.timeline.calls()) {
    expect(lane, callId).toBe(lanes.has(callId) ? String((lanes.get(callId) ?? 0) + 1) : '');
  }
});
