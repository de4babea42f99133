import type { CallId } from '../src-shared/ids.ts';
import type { Scenario } from '../src-shared/scenario/scenario.ts';
import type { SessionEvent } from '../src-shared/session/event.ts';
import { foldSession } from '../src-shared/session/state.ts';
import { type AppLauncher, expect, test } from './app.fixture.ts';
import { living } from './living.ts';
import { addScenario } from './scenarios.ts';

const agent = (id: string, description: string, subagent_type = 'general-purpose') => ({
  tool: 'Agent',
  id,
  input: { description, subagent_type, prompt: `Do this: ${description}` },
});
const bash = (id: string, command: string) => ({ tool: 'Bash', id, input: { command } });

/** Three agents that each ask for one command, all at once. */
const storm: Scenario & { title: string } = {
  name: 'agents-ask',
  title: 'Agents ask',
  prompt: 'Go.',
  settings: { agentConcurrency: 'always' },
  turns: [
    [agent('start-one', 'One'), agent('start-two', 'Two'), agent('start-three', 'Three')],
    [{ text: 'All three have reported.' }],
  ],
  agents: {
    One: [[bash('one', 'touch one')], [{ text: 'One is done.' }]],
    Two: [[bash('two', 'touch two')], [{ text: 'Two is done.' }]],
    Three: [[bash('three', 'touch three')], [{ text: 'Three is done.' }]],
  },
};

/** Three agents below each other; each level has a command with children that takes long. */
const slow = 'sleep 300 | (sleep 301; cat)';
const deep: Scenario & { title: string } = {
  name: 'agents-deep',
  title: 'Agents deep',
  prompt: 'Go.',
  settings: { agentConcurrency: 'always' },
  turns: [[bash('top', slow), agent('start-1', 'Level one')], [{ text: 'Done.' }]],
  agents: {
    'Level one': [[bash('slow-1', slow), agent('start-2', 'Level two')], [{ text: 'Done.' }]],
    'Level two': [[bash('slow-2', slow), agent('start-3', 'Level three')], [{ text: 'Done.' }]],
    'Level three': [
      [bash('slow-3', slow), { tool: 'Read', id: 'read', input: { file_path: 'x' } }],
      [{ text: 'Done.' }],
    ],
  },
};

const spawned = (events: readonly SessionEvent[]): readonly number[] =>
  events.flatMap((event) => (event.type === 'process-spawned' ? [event.pid] : []));
const endOf = (events: readonly SessionEvent[], callId: string): number =>
  events.findIndex((event) => event.type === 'call-completed' && event.callId === callId);

/** Has each level's command its own children by now? */
async function allLevelsRun(launcher: AppLauncher): Promise<void> {
  await expect(async () => {
    const events = await launcher.journal();
    for (const callId of ['top', 'slow-1', 'slow-2', 'slow-3']) {
      const own = events.filter((event) => event.type === 'process-spawned' && event.callId === callId);
      expect(own.length, callId).toBeGreaterThan(1);
    }
  }).toPass({ timeout: 30_000 });
}

test('three agents ask at once: refusing one ends that one and leaves the others', async ({ launcher }) => {
  await addScenario(launcher.home, storm);
  const { gantry } = await launcher.start();
  await gantry.startScenario('Agents ask');
  await expect(gantry.board.region).toContainText('3 calls wait for your answer');
  await gantry.board.armed();
  for (const name of ['One', 'Two', 'Three']) {
    await expect(gantry.board.region).toContainText(`${name} (general-purpose)`);
  }
  await gantry.board.region.getByText('touch two').first().click();
  await gantry.board.armed();
  await gantry.board.button('Deny').click();
  await gantry.timeline.waitForOutcome('two', 'rejected');
  await gantry.timeline.waitForOutcome('start-two', 'error');
  await expect(gantry.board.region).toContainText('2 calls wait for your answer');
  await gantry.board.allowOnce();
  await gantry.board.allowOnce();
  await gantry.timeline.waitForOutcome('start-one', 'ok');
  await gantry.timeline.waitForOutcome('start-three', 'ok');
  await gantry.idle();

  const events = await launcher.journal();
  const ends = events.flatMap((event) => (event.type === 'turn-ended' ? [event.reason] : []));
  expect(ends).toEqual(['rejected', 'completed', 'completed', 'completed']);
  const told = events.find((event) => event.type === 'call-completed' && event.callId === 'start-two');
  expect(JSON.stringify(told)).toContain('The user refused a call of the agent, Bash(touch two).');
  await expect(gantry.conversation).toContainText('All three have reported.');
});

test('stopping the turn ends all processes of three levels before the top call ends', async ({ launcher }) => {
  await addScenario(launcher.home, deep);
  const { gantry, page } = await launcher.start();
  await gantry.startScenario('Agents deep');
  await allLevelsRun(launcher);
  const pids = spawned(await launcher.journal());
  expect(living(pids).length).toBeGreaterThan(7);

  await page.keyboard.press('Escape');
  await gantry.timeline.waitForOutcome('start-1', 'interrupted');
  expect(living(pids)).toEqual([]);
  await gantry.idle();

  const events = await launcher.journal();
  const top = endOf(events, 'start-1');
  for (const [at, event] of events.entries()) {
    if (event.type === 'process-tree-ended') expect(event.survivors).toEqual([]);
    if (event.type === 'process-ended' && event.callId !== 'top') expect(at).toBeLessThan(top);
  }
  for (const callId of ['slow-3', 'start-3', 'slow-2', 'start-2', 'slow-1']) {
    expect(endOf(events, callId), callId).toBeLessThan(top);
  }
  const { calls, agents, turns } = foldSession(events);
  expect(calls.filter((call) => !('end' in call)).map(({ callId }) => callId)).toEqual([]);
  expect(agents.map(({ end }) => end?.reason)).toEqual(['interrupted', 'interrupted', 'interrupted']);
  expect(turns.map(({ end }) => end?.reason)).toEqual(Array.from({ length: 4 }, () => 'interrupted'));
});

test('quitting the app ends all processes of all agents', async ({ launcher }) => {
  await addScenario(launcher.home, deep);
  const { app, gantry } = await launcher.start();
  await gantry.startScenario('Agents deep');
  await allLevelsRun(launcher);
  const pids = spawned(await launcher.journal());
  await app.close();
  expect(living(pids)).toEqual([]);
  expect((await launcher.journal()).at(-1)).toMatchObject({ type: 'session-ended', reason: 'quit' });
});

test('an agent has lanes and a conversation of its own, and the inspector tells of it', async ({
  launcher,
  started,
}) => {
  const { gantry, page } = started;
  await gantry.startScenario('Sub-agents');
  await gantry.board.allowOnce();
  await gantry.board.allowOnce();
  await gantry.timeline.waitForOutcome('scout', 'ok');
  await gantry.idle();
  const { agents, calls } = foldSession(await launcher.journal());
  expect(agents.map(({ name, agentType, depth }) => [name, agentType, depth])).toEqual([
    ['Who uses prices?', 'scout', 1],
    ['Round to cents', 'general-purpose', 1],
    ['Ask the neighbours', 'explore', 1],
    ['Check the rates', 'explore', 2],
  ]);
  for (const call of await gantry.timeline.calls()) {
    const run = calls.find(({ callId }) => callId === (call.callId as CallId));
    expect(call.lane, call.callId).toBe(String((run?.phase === 'yielded' ? (run.run?.lane ?? -1) : -1) + 1));
  }
  const header = page.locator('[data-chart]').getByRole('button', { name: 'Who uses prices?', exact: true });
  await expect(header).toHaveAttribute('aria-expanded', 'true');
  await header.click();
  await expect(page.locator('[data-chart]').getByRole('button', { name: 'Check the rates', exact: true })).toHaveCount(
    0,
  );

  await gantry.timeline.select('scout');
  await expect(gantry.inspector).toContainText('The agent it started');
  await expect(gantry.inspector).toContainText('.claude/agents/scout.md');
  await expect(gantry.inspector).toContainText('with the agents below it');
  await gantry.timeline.select('rates-file');
  await expect(gantry.conversation).toContainText('RATE is 1.2 and used in');
  await expect(gantry.inspector).toContainText('Check the rates (explore)');
});
