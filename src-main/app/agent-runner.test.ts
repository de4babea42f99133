import { describe, expect, test } from 'vitest';
import type { CallId } from '../../src-shared/ids.ts';
import { callById } from '../../src-shared/session/state.ts';
import { FakeHookRunner } from '../ports/hook-runner.fake.ts';
import { MOST_DEPTH } from './agent-runner.ts';
import { AgentBench, starts } from './testing/agent-bench.ts';
import { quiet } from './testing/bench.ts';
import { begins, ends, says, uses } from './testing/hand-model.ts';

const stopped = () => new DOMException('stopped', 'AbortError');

/** The main agent has started these, all in one message. */
async function withAgents(names: readonly string[], on = new AgentBench()): Promise<AgentBench> {
  await on.send('Hello');
  await on.say('', ...names.map((name) => starts(`start-${name}`, name)));
  return on;
}

/** Three levels: `outer` has started `middle`, that one `inner`, and each has a call that runs. */
async function threeDeep(on = new AgentBench()): Promise<AgentBench> {
  await withAgents(['outer'], on);
  await on.say('outer', uses('outer-look', 'Look'), starts('start-middle', 'middle'));
  await on.say('middle', uses('middle-look', 'Look'), starts('start-inner', 'inner'));
  await on.say('inner', uses('inner-look', 'Look'), uses('inner-bash', 'Bash', 'sleep 9'));
  return on;
}
const LEAVES = ['outer-look', 'middle-look', 'inner-look', 'inner-bash'];

describe('an agent below a call', () => {
  test('has a conversation of its own, and its last words are the call’s result', async () => {
    const on = await withAgents(['find']);
    expect(on.of('find').request).toMatchObject({ agent: { agentType: 'general-purpose', name: 'find' } });
    await on.say('find', says('I look.'), uses('a', 'Look'));
    expect(on.log.state.calls.at(-1)).toMatchObject({ agentId: on.agentId('find'), run: { lane: 0 } });
    on.hand.call('a').end('seen');
    await on.advance(1_500);
    await on.says('find', 'It is in a.');
    expect(on.result('start-find')).toBe('It is in a.');
    expect(on.tell('find')).toEqual([
      'user: Do: find',
      'model: I look.',
      'model: [Look a]',
      'result a: seen',
      'model: It is in a.',
    ]);
    await on.says('', 'So it is in a.');
    expect(on.tell('')).toEqual([
      'user: Hello',
      'model: [Agent start-find]',
      'result start-find: It is in a.',
      'model: So it is in a.',
    ]);
    expect(on.open).toEqual([]);
  });

  test('is recorded: where it hangs, what it may use, and what it took', async () => {
    const on = await withAgents(['find']);
    await on.say('find', uses('a', 'Look'));
    on.hand.call('a').end('seen');
    await on.advance(1_500);
    await on.says('find', 'Found.');
    expect(on.all('agent-started')).toMatchObject([
      { parentCallId: 'start-find', depth: 1, name: 'find', agentType: 'general-purpose', prompt: 'Do: find' },
    ]);
    expect(on.all('agent-started')[0]?.tools).toContain('Change');
    expect(on.all('agent-ended')).toMatchObject([{ reason: 'completed', calls: 1, tokens: 2 }]);
    const call = callById(on.log.state, 'start-find' as CallId);
    expect(call !== undefined && 'end' in call ? call.end.result.display : undefined).toMatchObject({
      agentType: 'general-purpose',
      totals: '1 call, 2 tokens, 1.5 s',
    });
  });

  test('works where its parent works, and has read nothing and noted nothing yet', async () => {
    const on = await withAgents(['find']);
    await on.say('find', uses('a', 'Look'));
    expect(on.hand.call('a').context).toMatchObject({ cwd: '/work', directories: ['/work'], todos: [] });
    on.hand.call('a').end('x', { modifier: (now) => ({ ...now, cwd: '/work/sub' }) });
    await quiet();
    await on.say('find', uses('b', 'Look'));
    expect(on.hand.call('b').context.cwd).toBe('/work/sub');
    on.hand.call('b').end();
    await quiet();
    await on.says('find', 'Done.');
    await on.say('', uses('c', 'Look'));
    expect(on.hand.call('c').context.cwd).toBe('/work');
  });

  test('is told what its definition says, uses only its tools, and no more than its parent has', async () => {
    const on = new AgentBench();
    on.definitions.define('reader', { tools: ['Look', 'Agent'], model: 'small-1' });
    await on.send('Hello');
    await on.say('', starts('one', 'read', { subagent_type: 'reader' }));
    const { request } = on.of('read');
    expect(request).toMatchObject({ system: 'You are reader.', model: 'small-1' });
    expect(request.tools.map(({ name }) => name)).toEqual(['Look', 'Agent']);
    await on.say('read', uses('a', 'Change'), starts('two', 'deeper'));
    expect(on.result('a')).toBe('<tool_use_error>Error: No such tool available: Change</tool_use_error>');
    expect(on.of('deeper').request.tools.map(({ name }) => name)).toEqual(['Look', 'Agent']);
    expect(on.all('agent-started')[0]).toMatchObject({ definedIn: '/agents/reader.md', model: 'small-1' });
  });

  test('asks in the stricter of two modes', async () => {
    const on = new AgentBench({ settings: { mode: 'bypassPermissions' } });
    on.definitions.define('careful', { mode: 'default' });
    on.definitions.define('bold', { mode: 'bypassPermissions' });
    await on.send('Hello');
    await on.say('', starts('one', 'careful', { subagent_type: 'careful' }));
    await on.say('careful', uses('a', 'Ask'));
    expect(on.all('permission-asked')).toMatchObject([{ callId: 'a', agentId: on.agentId('careful') }]);

    const strict = new AgentBench();
    strict.definitions.define('bold', { mode: 'bypassPermissions' });
    await strict.send('Hello');
    await strict.say('', starts('one', 'bold', { subagent_type: 'bold' }));
    await strict.say('bold', uses('a', 'Ask'));
    expect(strict.all('permission-asked')).toHaveLength(1);
  });

  test('of a kind that nobody has defined is an error that names those there are', async () => {
    const on = new AgentBench();
    await on.send('Hello');
    await on.say('', starts('one', 'x', { subagent_type: 'wizard' }));
    expect(on.result('one')).toBe('There is no agent of the type wizard. There are: general-purpose, explore, plan.');
    expect(on.all('agent-started')).toEqual([]);
  });

  test(`lies at most ${MOST_DEPTH} deep`, async () => {
    const on = await withAgents(['level 1']);
    for (let level = 1; level < MOST_DEPTH; level++) {
      await on.say(`level ${level}`, starts(`start ${level + 1}`, `level ${level + 1}`));
    }
    await on.say(`level ${MOST_DEPTH}`, starts('too-deep', 'one more'));
    expect(on.outcome('too-deep')).toBe('error');
    expect(on.result('too-deep')).toContain(`Agents work at most ${MOST_DEPTH} deep`);
    expect(on.all('agent-started').map(({ depth }) => depth)).toEqual([1, 2, 3, 4, 5]);
    await on.says(`level ${MOST_DEPTH}`, 'I did it myself.');
    expect(on.result(`start ${MOST_DEPTH}`)).toBe('I did it myself.');
  });

  test('does not point to results that only another agent was sent', async () => {
    const long = 'x'.repeat(2_000);
    const on = await withAgents(['find', 'other']);
    for (const name of ['find', 'other']) {
      await on.say(name, uses(`look-${name}`, 'Look'));
      on.hand.call(`look-${name}`).end(long);
      await quiet();
      await on.says(name, 'Done.');
    }
    expect(on.all('result-deduplicated')).toEqual([]);
  });
});

describe('whether agents work side by side', () => {
  const order = async (settings: { agentConcurrency?: 'read-only' | 'always' | 'never' }) => {
    const on = new AgentBench({ settings: { agentConcurrency: 'read-only', ...settings } });
    on.definitions.define('looker', { tools: ['Look'] });
    await on.send('Hello');
    const types = ['general-purpose', 'looker', 'looker'];
    await on.say('', ...types.map((subagent_type, at) => starts(`call-${at}`, `agent ${at}`, { subagent_type })));
    return on.all('call-queued').map(({ safety }) => safety);
  };

  test('follows from their tools, unless the settings say otherwise', async () => {
    const byTools = await order({});
    expect(byTools.map(({ safe }) => safe)).toEqual([false, false, false]);
    const always = { safe: true, because: 'declared-safe', detail: 'agents.concurrency is always' };
    expect(await order({ agentConcurrency: 'always' })).toEqual([always, always, always]);
    const never = { safe: false, because: 'declared-unsafe', detail: 'agents.concurrency is never' };
    expect(await order({ agentConcurrency: 'never' })).toEqual([never, never, never]);
  });

  test('those that only have tools which are always safe are safe', async () => {
    const on = new AgentBench({
      settings: { agentConcurrency: 'read-only' },
      moreTools: (hand) => [hand.tool('Peek', { isConcurrencySafe: () => true, isAlwaysSafe: true })],
    });
    on.definitions.define('peeker', { tools: ['Peek', 'Gone'] });
    await on.send('Hello');
    await on.say('', starts('a', 'a', { subagent_type: 'peeker' }), starts('b', 'b', { subagent_type: 'peeker' }));
    expect(on.all('call-queued').map(({ safety }) => safety.safe)).toEqual([true, true]);
    expect(on.all('agent-started')).toHaveLength(2);
  });

  test('each has its own lock: two that change things at once do not wait for each other', async () => {
    const on = await withAgents(['one', 'two']);
    await on.say('one', uses('change-1', 'Change'), uses('behind-1', 'Change'));
    await on.say('two', uses('change-2', 'Change'));
    expect([...on.hand.calls.keys()]).toEqual(['change-1', 'change-2']);
    on.hand.call('change-1').end();
    await quiet();
    expect(on.hand.calls.has('behind-1')).toBe(true);
  });
});

describe('what becomes of an agent that does not finish', () => {
  test('a model that fails is told, with the last words', async () => {
    const on = await withAgents(['find']);
    await on.say('find', says('I look.'), uses('a', 'Look'));
    on.hand.call('a').end();
    await quiet();
    await on.of('find').break(new Error('a bug'));
    expect(on.outcome('start-find')).toBe('error');
    expect(on.result('start-find')).toBe(
      'The agent did not finish. There was a fault in Gantry: a bug\nIts last words:\nI look.',
    );
    expect(on.open).toEqual([on.log.state.turns[0]?.turnId, on.log.state.requests.at(-1)?.requestId]);
  });

  test('a limit is told', async () => {
    const on = new AgentBench();
    on.definitions.define('short', { mostRequests: 1 });
    await on.send('Hello');
    await on.say('', starts('one', 'short', { subagent_type: 'short' }));
    await on.say('short', uses('a', 'Look'));
    on.hand.call('a').end();
    await quiet();
    expect(on.result('one')).toBe(
      'The agent was stopped at its limit and may not be done. The turn was ended after 1 requests.',
    );
    expect(on.all('agent-ended')).toMatchObject([{ reason: 'limit' }]);
  });

  test('one without a word says so', async () => {
    const on = await withAgents(['find']);
    await on.say('find');
    expect(on.result('start-find')).toBe('(The agent ended without a word)');
  });
});

describe('a call of an agent that its person refuses without a word', () => {
  async function threeAsking() {
    const on = await withAgents(['one', 'two', 'three']);
    for (const name of ['one', 'two', 'three']) await on.say(name, uses(`ask-${name}`, 'Ask', `touch ${name}`));
    return on;
  }

  test('ends that agent’s turn and no other’s; the agent above hears what was refused', async () => {
    const on = await threeAsking();
    await on.answer('ask-two', { kind: 'deny' });
    expect(on.outcome('ask-two')).toBe('rejected');
    expect(on.outcome('start-two')).toBe('error');
    expect(on.result('start-two')).toBe(
      'The user refused a call of the agent, Ask(touch two). The agent has stopped. Do not get the same done in ' +
        'another way; ask the user where it is needed.',
    );
    expect([on.outcome('start-one'), on.outcome('start-three')]).toEqual([undefined, undefined]);
    await on.answer('ask-one', { kind: 'allow-once' });
    await on.answer('ask-three', { kind: 'allow-once' });
    for (const name of ['one', 'three']) {
      on.hand.call(`ask-${name}`).end('done');
      await quiet();
      await on.says(name, `${name} did it.`);
    }
    expect(on.result('start-one')).toBe('one did it.');
    await on.says('', 'Two was refused.');
    expect(on.all('turn-ended').map(({ reason }) => reason)).toEqual([
      'rejected',
      'completed',
      'completed',
      'completed',
    ]);
    expect(on.faults).toEqual([]);
  });

  test('cancels no sibling, under whatever policy: it is no failure', async () => {
    const on = new AgentBench({ settings: { cascade: 'any-error' } });
    await withAgents(['one', 'two'], on);
    await on.say('one', uses('ask', 'Ask'));
    await on.say('two', uses('look', 'Look'));
    await on.answer('ask', { kind: 'deny' });
    expect([on.outcome('start-one'), on.outcome('start-two')]).toEqual(['error', undefined]);
    expect(on.hand.call('look').run.signal.aborted).toBe(false);
  });

  test('with words it goes on', async () => {
    const on = await threeAsking();
    await on.answer('ask-two', { kind: 'deny-with-feedback', feedback: 'Not there.' });
    expect(on.tell('two').at(-1)).toContain('the user said:\nNot there.');
    await on.says('two', 'I left it.');
    expect(on.result('start-two')).toBe('I left it.');
  });

  test('its other calls stop with it', async () => {
    const on = await withAgents(['one']);
    await on.say('one', uses('look', 'Look'), uses('ask', 'Ask'));
    await on.answer('ask', { kind: 'deny' });
    expect(on.hand.call('look').run.signal.reason).toBe('escape');
    expect(on.outcome('start-one')).toBeUndefined();
    on.hand.call('look').throw(stopped());
    await quiet();
    expect(on.outcome('start-one')).toBe('error');
  });
});

describe('cancelling', () => {
  test('Esc at the top stops all levels, and the top call ends when the last of them has', async () => {
    const on = await threeDeep();
    await on.interrupt('escape');
    expect(LEAVES.map((id) => on.hand.call(id).run.signal.reason)).toEqual(['escape', 'escape', 'escape', 'escape']);
    for (const id of ['outer-look', 'middle-look', 'inner-look']) on.hand.call(id).throw(stopped());
    await quiet();
    expect(['start-inner', 'start-middle', 'start-outer'].map((id) => on.outcome(id))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    on.hand.call('inner-bash').throw(stopped());
    await quiet();
    expect([...LEAVES, 'start-inner', 'start-middle', 'start-outer'].map((id) => on.outcome(id))).toEqual(
      Array.from({ length: 7 }, () => 'interrupted'),
    );
    expect(on.all('agent-ended').map(({ agentId }) => agentId)).toEqual(
      ['inner', 'middle', 'outer'].map((name) => on.agentId(name)),
    );
    expect(on.all('turn-ended').map(({ reason }) => reason)).toEqual(Array.from({ length: 4 }, () => 'interrupted'));
    expect(on.open).toEqual([]);
    expect(on.faults).toEqual([]);
    expect(on.clock.pending).toBe(0);
  });

  test('closing the session ends them all, and denies what they ask', async () => {
    const on = await threeDeep();
    await on.say('inner');
    const closed = on.session.close('quit');
    await quiet();
    for (const id of LEAVES) {
      expect(on.hand.call(id).run.signal.reason).toBe('shutdown');
      on.hand.call(id).throw(stopped());
    }
    await closed;
    expect(on.open).toEqual([]);
    expect(on.faults).toEqual([]);
    expect(on.log.events.at(-1)).toMatchObject({ type: 'session-ended', reason: 'quit' });
  });

  test('an agent that streams or waits for a retry stops at once', async () => {
    const on = await withAgents(['streams', 'waits']);
    await on.of('streams').send(begins(), says('I am'));
    await on.of('waits').over();
    await on.interrupt('escape');
    expect(on.outcome('start-streams')).toBe('interrupted');
    expect(on.outcome('start-waits')).toBe('interrupted');
    expect(on.clock.pending).toBe(0);
    expect(on.open).toEqual([]);
  });

  test('a failing sibling stops the agent, whose calls name the one that failed', async () => {
    const on = new AgentBench();
    await on.send('Hello');
    await on.say('', starts('start-a', 'a'), uses('ls', 'Bash', 'ls missing'));
    await on.say('a', uses('look', 'Look'));
    on.hand.call('ls').fail();
    await quiet();
    expect(on.hand.call('look').run.signal.reason).toBe('sibling_error');
    on.hand.call('look').throw(stopped());
    await quiet();
    const text = '<tool_use_error>Cancelled: parallel tool call Bash(ls missing) errored</tool_use_error>';
    expect([on.result('look'), on.result('start-a')]).toEqual([text, text]);
    expect(on.all('cascade-triggered')).toMatchObject([{ culprit: 'ls', victims: ['start-a'] }]);
    expect(on.tell('a').at(-1)).toBe('user: [Stopped together with the call that had started this agent]');
    expect(on.faults).toEqual([]);
  });

  test('a stream that breaks discards the agents it had started, with all they do', async () => {
    const on = new AgentBench();
    await on.send('Hello');
    await on.of().send(begins(), starts('start-a', 'a'));
    await on.say('a', uses('look', 'Look'));
    await on.of().over();
    expect(on.hand.call('look').run.signal.reason).toBe('discarded');
    on.hand.call('look').throw(stopped());
    await quiet();
    expect([on.outcome('look'), on.outcome('start-a')]).toEqual(['discarded', 'discarded']);
    await on.advance(1_000);
    expect(on.of().request.stream).toBe(false);
    await on.says('', 'Again.');
    expect(on.tell('')).toEqual(['user: Hello', 'model: Again.']);
    expect(on.open).toEqual([]);
    expect(on.faults).toEqual([]);
  });

  test('a message that interrupts stops what may be stopped; the rest runs to its end, then the agent ends', async () => {
    const on = await withAgents(['a', 'b']);
    await on.say('a', uses('look', 'Look'));
    await on.say('b', uses('change', 'Change'));
    await on.send('Something else.');
    await on.interrupt('interrupt');
    expect(on.hand.call('look').run.signal.aborted).toBe(true);
    expect(on.hand.call('change').run.signal.aborted).toBe(false);
    on.hand.call('look').throw(stopped());
    await quiet();
    expect(on.outcome('start-a')).toBe('interrupted');
    expect(on.outcome('start-b')).toBeUndefined();
    on.hand.call('change').end('written');
    await quiet();
    expect(on.outcome('change')).toBe('ok');
    expect(on.outcome('start-b')).toBe('interrupted');
    expect(on.tell('').at(-1)).toBe('user: Something else.');
    expect(on.faults).toEqual([]);
  });

  test('a message that interrupts does not wait for ever for a call that may not be cut off', async () => {
    const on = await withAgents(['a']);
    await on.say('a', starts('start-b', 'b'));
    await on.say('b', uses('change', 'Change'));
    await on.send('Something else.');
    await on.interrupt('interrupt');
    await on.advance(14_000);
    expect(on.hand.call('change').run.signal.aborted).toBe(false);
    await on.advance(1_000);
    expect(on.hand.call('change').run.signal.reason).toBe('escape');
    on.hand.call('change').throw(stopped());
    await quiet();
    expect(['change', 'start-b', 'start-a'].map((id) => on.outcome(id))).toEqual(Array(3).fill('interrupted'));
    expect(on.clock.pending).toBe(0);
    expect(on.faults).toEqual([]);
  });

  test('an agent that has ended stays as it ended', async () => {
    const on = await withAgents(['outer']);
    await on.say('outer', starts('start-a', 'a'));
    await on.says('a', 'Done.');
    await on.interrupt('escape');
    expect(on.result('start-a')).toBe('Done.');
    expect(on.open).toEqual([]);
  });
});

describe('hooks', () => {
  test('hear which agent a call is of, and may keep the agent going', async () => {
    let again = true;
    const hooks = new FakeHookRunner((input) => {
      if (input.event !== 'SubagentStop' || !again) return undefined;
      again = false;
      return { block: { reason: 'and the tests?', hidesPrompt: false } };
    });
    hooks.handled.add('SubagentStop');
    const on = await withAgents(['find'], new AgentBench({ hooks }));
    await on.say('find', uses('a', 'Look'));
    on.hand.call('a').end();
    await quiet();
    await on.says('find', 'Done.');
    expect(on.tell('find').at(-1)).toContain('and the tests?');
    await on.says('find', 'They pass.');
    expect(on.result('start-find')).toBe('They pass.');
    const agent = { agentId: on.agentId('find'), agentType: 'general-purpose' };
    const before = hooks.inputs.find((input) => input.event === 'PreToolUse' && input.callId === 'a');
    expect(before?.session.agent).toEqual(agent);
    expect(hooks.inputs.filter(({ event }) => event === 'SubagentStop')).toMatchObject([
      { ...agent, lastAssistantMessage: 'Done.', stopHookActive: false },
      { ...agent, lastAssistantMessage: 'They pass.', stopHookActive: true },
    ]);
    expect(hooks.inputs.find((input) => input.event === 'PreToolUse')?.session.agent).toBeUndefined();
  });
});

test('what is wrong with the files of agents is told once, when a turn starts', async () => {
  const on = new AgentBench();
  on.definitions.findings = [
    { file: '/p/.claude/agents/x.md', line: 3, message: 'It has no name. The agent is left out.' },
  ];
  await on.send('Hello');
  await on.says('', 'Hi.');
  await on.send('Again');
  await on.says('', 'Hi.');
  expect(on.definitions.looks).toBe(2);
  expect(on.all('notice-given')).toMatchObject([
    { level: 'warning', text: 'An agent’s file, /p/.claude/agents/x.md:3: It has no name. The agent is left out.' },
  ]);
});

test('the model is told of the kinds of agents as they are at the start of a turn', async () => {
  const on = new AgentBench();
  await on.send('Hello');
  const described = () => on.of().request.tools.find(({ name }) => name === 'Agent')?.description;
  expect(described()).toContain('- explore: Finds things');
  on.definitions.define('fixer');
  await on.says('', 'Hi.');
  await on.send('Again');
  expect(described()).toContain('- fixer: fixer');
  await on.of().send(begins(), ends());
});
