import { expect, test } from 'vitest';
import { buildTimeline } from '../../src-shared/timeline/model.ts';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import { sessionTime } from '../../src-shared/units.ts';
import { idleSession } from './samples/oddities.ts';
import { ROUNDING_NOW, roundingSession } from './samples/rounding.ts';
import { callTip, cascadeTip, foldTip, hookTip, processTip, requestTip } from './tip-words.ts';

const modelOf = (script: SessionScript, now = 0) =>
  buildTimeline(script.state(), { now: sessionTime(now), collapsedAgents: [] });
const model = modelOf(roundingSession(), ROUNDING_NOW);
const tipOf = (id: string) => callTip(model, model.state.callIndex[id]!, ROUNDING_NOW);

test('why it waited comes first, then where the time went', () => {
  const tip = tipOf('edit-price-2');
  expect(tip.sentence).toBe('Edit(price.ts) waited 5.2 s: Agent(Who else rounds prices?) held the shared lock.');
  expect(tip.rows.map((row) => `${row.label} ${row.value}`)).toEqual([
    'Waited for lock 5.2 s',
    'Hooks 0.3 s',
    'Running 0.2 s',
  ]);
  expect(tip.notes).toEqual(['Ok.']);
});

test('a call that did not wait is told by how it stands', () => {
  expect(tipOf('npm-test').sentence).toBe('Bash(npm test): error, exit 1.');
  expect(tipOf('edit-readme').sentence).toBe(
    'Edit(README.md) has waited 7.1 s: Bash(npm test) and Bash(npm run lint) hold the shared lock.',
  );
});

test('marks and guesses are said in words', () => {
  expect(tipOf('git-log').notes).toContain('1.2 MB saved to disk.');
  expect(tipOf('read-test').notes).toEqual(['A later call changed the file.']);
  expect(tipOf('e-price').notes).toEqual(['Same result as Read(money.ts).']);
  expect(tipOf('edit-price').notes).toContain('You edited the input.');
  const timing = {
    certainty: 'inferred',
    source: 'previous-call',
    earliest: sessionTime(0),
    latest: sessionTime(1000),
  } as const;
  const guessed = modelOf(
    new SessionScript().call({ id: 'a', tool: 'Read', queued: 0, start: 0, startTiming: timing, end: 2000 }),
  );
  expect(callTip(guessed, 0, 2000).notes).toEqual([
    'Start: not recorded, between 0.0 s and 1.0 s, from previous call.',
  ]);
});

test('everything else under the pointer has its sentence', () => {
  const { state, requestNumbers, cascades } = model;
  expect(requestTip(state.requests[1]!, requestNumbers[1]!, ROUNDING_NOW).sentence).toBe(
    'Request 2 waited 0.8 s for the first block, streamed 2.1 s.',
  );
  expect(requestTip(state.requests[1]!, requestNumbers[1]!, ROUNDING_NOW).notes).toEqual([
    'The model waits for its calls.',
  ]);
  expect(requestTip(modelOf(idleSession()).state.requests[2]!, 1, 0).notes).toEqual([
    'Failed: overloaded',
    'Tried again after 1.0 s.',
  ]);
  expect(hookTip(state.hookRuns[0]!, ROUNDING_NOW).sentence).toBe(
    'PreToolUse hook .claude/hooks/guard.sh: 0.5 s, exit 0.',
  );
  expect(processTip(state.calls[state.callIndex['npm-test']!]!.processes[0]!, ROUNDING_NOW).sentence).toBe(
    'npm test: 3.7 s, exit 0.',
  );
  expect(cascadeTip(model, cascades[0]!)).toMatchObject({ sentence: 'Bash(npm test) failed and cancelled 2 calls.' });
  const [fold] = modelOf(idleSession()).folds;
  expect(foldTip(fold!)).toEqual({ sentence: '4:11:52 with nothing to see.', rows: [], notes: ['Click to unfold.'] });
});
