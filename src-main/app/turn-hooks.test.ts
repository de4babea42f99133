import { describe, expect, test } from 'vitest';
import type { HookRunId } from '../../src-shared/ids.ts';
import { faultsOfRequest } from '../core/conversation/request-validator.ts';
import type { HookInput } from '../core/hooks/hook-input.ts';
import { type HookRunReport, type MergedHooks, NO_HOOKS_RAN } from '../core/hooks/merge.ts';
import type { CommandHook } from '../core/hooks/settings.ts';
import { FakeHookRunner } from '../ports/hook-runner.fake.ts';
import type { HookListener } from '../ports/hook-runner.ts';
import { ModelFailure } from '../ports/model-provider.ts';
import { countingIds, quiet } from './testing/bench.ts';
import { begins, ends, says, uses } from './testing/hand-model.ts';
import { words } from './testing/hook-words.ts';
import { SessionBench, told } from './testing/session-bench.ts';

type Says = Partial<MergedHooks> | undefined;
type Event = HookInput['event'];

/** A session whose hooks of one event answer this. */
function sessionWith(event: Event, answer: (input: HookInput) => Says | Promise<Says>, past?: SessionBench) {
  const hooks = new FakeHookRunner((input) => (input.event === event ? answer(input) : undefined));
  hooks.handled.add(event);
  const options = past === undefined ? {} : { past: past.store.events, newId: countingIds(1_000) };
  return Object.assign(new SessionBench({ hooks, ...options }), { hooks });
}

const turnEnds = (on: SessionBench) => on.all('turn-ended').map(({ reason }) => reason);
const notices = (on: SessionBench) => on.all('notice-given').map(({ text, detail }) => [text, detail]);
const sent = (on: SessionBench) => told(on.model.now.request.messages);
const blocks = (reason: string, hidesPrompt = false) => ({ block: { reason, hidesPrompt } });
const promptsWith = (word: string, answer: Says) => (input: HookInput) =>
  input.event === 'UserPromptSubmit' && input.prompt.includes(word) ? answer : undefined;

describe('hooks before a message', () => {
  test('hear its text and may add to it; the model reads both', async () => {
    const on = sessionWith('UserPromptSubmit', () => ({ contexts: words('It is Monday.', 'UserPromptSubmit') }));
    expect(await on.send('Hello')).toBe(false);
    expect(on.hooks.inputs.find(({ event }) => event === 'UserPromptSubmit')).toMatchObject({ prompt: 'Hello' });
    expect(sent(on)).toEqual([
      'user: Hello',
      'user: <system-reminder>\nUserPromptSubmit hook additional context: It is Monday.\n</system-reminder>',
    ]);
    expect(on.log.state.queuedMessages).toEqual([]);
  });

  test('keep it back: nothing goes to the model, its person hears why and has the text', async () => {
    const on = sessionWith('UserPromptSubmit', () => blocks('no secrets'));
    await on.send('The key is 42.');
    expect(on.model.streams).toEqual([]);
    expect(on.conversation).toEqual([]);
    expect(notices(on)).toEqual([['A message was not sent: a hook said no: no secrets', 'The key is 42.']]);
    expect(on.all('turn-ended')).toMatchObject([{ reason: 'stopped-by-hook', message: 'no secrets' }]);
    expect(on.log.state.queuedMessages).toEqual([]);
    await on.send('Hello');
    expect(on.model.streams).toEqual([]);
  });

  test('may hide what it said', async () => {
    const on = sessionWith('UserPromptSubmit', () => blocks('no secrets', true));
    await on.send('The key is 42.');
    expect(notices(on)).toEqual([['A message was not sent: a hook said no: no secrets', undefined]]);
  });

  test('keep back one that was typed while the turn ran, and the turn goes on', async () => {
    const on = sessionWith('UserPromptSubmit', promptsWith('secret', blocks('no')));
    await on.send('Hello');
    await on.model.now.send(begins('m1'), uses('a', 'Look'), ends('tool-use'));
    await on.send('A secret.');
    await on.send('Another thing.');
    on.tools.call('a').end('seen');
    await quiet();
    expect(sent(on).slice(-2)).toEqual(['result a: seen', 'user: Another thing.']);
    await on.model.now.send(begins('m2'), says('Yes.'));
    await on.send('One more secret.');
    await on.model.now.send(ends());
    expect(turnEnds(on)).toEqual(['completed']);
    expect(faultsOfRequest(on.conversation)).toEqual([]);
  });

  test('with continue: false end the turn; what waits behind it has a turn of its own', async () => {
    const stop = { preventContinuation: { reason: 'closed for today' } };
    const on = sessionWith('UserPromptSubmit', promptsWith('late', stop));
    await on.send('It is late.');
    expect(on.all('continuation-stopped')).toMatchObject([{ reason: 'closed for today' }]);
    expect(turnEnds(on)).toEqual(['stopped-by-hook']);
    await on.send('Hello');
    expect(sent(on)).toEqual(['user: Hello']);
  });

  test('that take long end with Esc, and the message is not sent', async () => {
    const on = sessionWith('UserPromptSubmit', () => new Promise<never>(() => undefined));
    await on.send('Hello');
    expect(on.log.state.queuedMessages).toHaveLength(1);
    await on.interrupt('escape');
    expect(turnEnds(on)).toEqual(['interrupted']);
    expect(on.model.streams).toEqual([]);
    expect(on.log.state.queuedMessages).toEqual([]);
    expect(notices(on)).toEqual([['A message was not sent: it was stopped while its hooks ran', 'Hello']]);
  });

  test('that take long when the app ends leave the message for the next time', async () => {
    const on = sessionWith('UserPromptSubmit', () => new Promise<never>(() => undefined));
    await on.send('Hello');
    await on.session.close('quit');
    const again = sessionWith('UserPromptSubmit', () => undefined, on);
    await again.send('And?');
    expect(sent(again).slice(-2)).toEqual(['user: Hello', 'user: And?']);
  });
});

describe('hooks when the model has nothing more to do', () => {
  const answered = async (answer: (input: HookInput) => Says | Promise<Says>) => {
    const on = sessionWith('Stop', answer);
    await on.send('Hello');
    await on.model.now.send(begins('m1'), says('Done.'), ends());
    return on;
  };

  test('hear the model’s last words and may keep the turn going, not for ever', async () => {
    const on = await answered(() => blocks('run the tests'));
    expect(on.hooks.inputs.at(-1)).toMatchObject({
      event: 'Stop',
      lastAssistantMessage: 'Done.',
      stopHookActive: false,
    });
    expect(sent(on).slice(-1)).toEqual(['user: Stop hook feedback:\nrun the tests']);
    for (let round = 1; round <= 8; round++) {
      expect(turnEnds(on)).toEqual([]);
      await on.model.now.send(begins(`again-${round}`), says('Done again.'), ends());
      expect(on.hooks.inputs.at(-1)).toMatchObject({ stopHookActive: true });
    }
    expect(turnEnds(on)).toEqual(['completed']);
    expect(notices(on)[0]?.[0]).toMatch(/^Stop hooks kept the turn going 8 times in a row\./);
    expect(faultsOfRequest(on.conversation)).toEqual([]);
  });

  test('with continue: false end it as stopped', async () => {
    const on = await answered(() => ({ preventContinuation: { reason: 'enough' } }));
    expect(on.all('turn-ended')).toMatchObject([{ reason: 'stopped-by-hook', message: 'enough' }]);
  });

  test('are not asked when the turn failed or a person stopped it', async () => {
    const failed = sessionWith('Stop', () => blocks('go on'));
    await failed.send('Hello');
    await failed.model.now.break(new ModelFailure('auth', 'The key is not valid.', { retry: false }));
    expect(turnEnds(failed)).toEqual(['error']);
    expect(failed.hooks.inputs.some(({ event }) => event === 'Stop')).toBe(false);
    const on = sessionWith('Stop', () => blocks('go on'));
    await on.send('Hello');
    await on.model.now.send(begins('m1'), uses('a', 'Look'));
    await on.interrupt('escape');
    on.tools.call('a').throw(new DOMException('stopped', 'AbortError'));
    await quiet();
    expect(turnEnds(on)).toEqual(['interrupted']);
    expect(on.hooks.inputs.some(({ event }) => event === 'Stop')).toBe(false);
  });

  test('that take long end with Esc', async () => {
    const on = await answered(() => new Promise<never>(() => undefined));
    expect(turnEnds(on)).toEqual([]);
    await on.interrupt('escape');
    expect(turnEnds(on)).toEqual(['interrupted']);
  });
});

describe('hooks at the ends of a session', () => {
  test('at its start add context once, and name it', async () => {
    const on = sessionWith('SessionStart', () => ({
      contexts: words('Branch main.', 'SessionStart:startup'),
      sessionTitle: 'Tidy up',
    }));
    expect(on.hooks.inputs).toEqual([]);
    await on.send('Hello');
    expect(on.hooks.inputs[0]).toMatchObject({ event: 'SessionStart', source: 'startup', model: 'hand-1' });
    expect(sent(on)[1]).toContain('SessionStart:startup hook additional context: Branch main.');
    expect(on.log.state.title).toBe('Tidy up');
    await on.model.now.send(begins('m1'), says('Hi.'), ends());
    await on.send('And?');
    expect(on.hooks.inputs.filter(({ event }) => event === 'SessionStart')).toHaveLength(1);
    const again = sessionWith('SessionStart', () => undefined, on);
    await again.send('Back.');
    expect(again.hooks.inputs[0]).toMatchObject({ source: 'resume' });
  });

  test('at its end are heard before the journal closes, and nothing runs on', async () => {
    const on = sessionWith('SessionEnd', () => ({}));
    await on.session.close('quit');
    expect(on.hooks.inputs.at(-1)).toMatchObject({ event: 'SessionEnd', reason: 'other' });
    expect(on.hooks.isClosed).toBe(true);
    const types = on.store.events.map(({ type }) => type);
    expect(types.slice(-3)).toEqual(['hook-started', 'hook-ended', 'session-ended']);
  });

  test('do not keep the app from ending when the disk is full', async () => {
    const on = sessionWith('SessionEnd', () => ({}));
    on.store.full = true;
    on.log.append({ type: 'title-changed', title: 'x' });
    await quiet();
    await on.session.close('quit');
    expect(on.hooks.isClosed).toBe(true);
    expect(on.hooks.inputs).toEqual([]);
  });
});

describe('what hooks say in the background', () => {
  const late = (wakes: boolean) => ({ text: 'lint failed', name: 'PostToolUse:Edit', command: 'lint.sh', wakes });
  const lateLine = 'user: <system-reminder>\nPostToolUse:Edit hook additional context: lint failed\n</system-reminder>';

  test('goes with the next message', async () => {
    const on = sessionWith('Stop', () => undefined);
    await on.send('Hello');
    await on.model.now.send(begins('m1'), uses('a', 'Look'), ends('tool-use'));
    on.hooks.say(late(false));
    on.tools.call('a').end('seen');
    await quiet();
    expect(sent(on).slice(-2)).toEqual(['result a: seen', lateLine]);
  });

  test('keeps the turn going when it wakes, and starts one when the model is idle', async () => {
    let listener: HookListener | undefined;
    const hooks = new FakeHookRunner();
    const run = hooks.run.bind(hooks);
    hooks.run = (input, signal, on) => {
      listener = on;
      return run(input, signal, on);
    };
    const on = new SessionBench({ hooks });
    await on.send('Hello');
    await on.model.now.send(begins('m1'), says('Done.'));
    hooks.say(late(true));
    await on.model.now.send(ends());
    expect(sent(on).slice(-1)).toEqual([lateLine]);
    await on.model.now.send(begins('m2'), says('I see.'), ends());
    expect(turnEnds(on)).toEqual(['completed']);

    hooks.say(late(true));
    listener?.ended(wakingRun);
    await quiet();
    expect(on.session.running).toBe(true);
    expect(sent(on).slice(-1)).toEqual([lateLine]);
    await on.model.now.send(begins('m3'), says('Again.'), ends());
    expect(turnEnds(on)).toEqual(['completed', 'completed']);
    expect(on.session.running).toBe(false);
  });
});

const wakingRun: HookRunReport = {
  runId: 'late' as HookRunId,
  hook: { event: 'PostToolUse', command: 'lint.sh', mode: 'wake', file: '/home/me/settings.json' } as CommandHook,
  name: 'PostToolUse:Edit',
  exitCode: 2,
  durationMs: 0,
  stdout: '',
  stderr: '',
  outcome: 'ok',
  effects: ['woke the model'],
  notice: undefined,
};

test('a runner that answers nothing changes nothing', async () => {
  const on = sessionWith('Stop', () => NO_HOOKS_RAN);
  await on.send('Hello');
  await on.model.now.send(begins('m1'), says('Hi.'), ends());
  expect(turnEnds(on)).toEqual(['completed']);
  expect(told(on.conversation)).toEqual(['user: Hello', 'model: Hi.']);
});
