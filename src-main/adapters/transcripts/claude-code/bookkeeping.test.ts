import { expect, test } from 'vitest';
import { opened, Writer } from '../write-transcript.ts';

const prompt = (extra = {}) => new Writer(extra).says(0, 'go');
const notices = ({ state }: Awaited<ReturnType<typeof opened>>) =>
  state.entries.flatMap((entry) => (entry.kind === 'notice' ? [[entry.level, entry.text, entry.detail]] : []));

test('unknown kinds of lines are counted, one finding a kind, and nothing else is lost', async () => {
  const { state, findings } = await opened(
    prompt()
      .raw({ type: 'never-seen', value: 1 })
      .raw({ type: 'never-seen', value: 2 })
      .raw(42)
      .line(5, { type: 'system', subtype: 'brand-new' })
      .line(6, { type: 'attachment', attachment: { type: 'novelty' } })
      .line(7, { type: 'assistant', message: 42 })
      .answers(10, 'm', 'Hello.'),
  );
  expect(state.entries).toHaveLength(2);
  expect(findings.map(({ line, kind, message }) => `${line} ${kind}: ${message.split(';')[0]}`)).toEqual([
    '2 unknown-line: 2 × line of type "never-seen"',
    '4 odd-value: 1 × values that are no objects',
    '5 unknown-line: 1 × system/brand-new',
    '6 unknown-attachment: 1 × attachment of type "novelty"',
    '7 odd-message: 1 × assistant lines without a message',
  ]);
});

test('compaction, errors of the service and local commands become notices', async () => {
  const session = await opened(
    prompt()
      .line(5, { type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto', preTokens: 9000 } })
      .line(6, {
        type: 'system',
        subtype: 'api_error',
        error: { message: 'overloaded' },
        retryAttempt: 1,
        maxRetries: 3,
        retryInMs: 1500,
      })
      .says(7, '<command-name>/model</command-name>\n<command-args>opus</command-args>')
      .says(8, '<local-command-stdout>Set model to opus</local-command-stdout>'),
  );
  expect(notices(session)).toEqual([
    ['info', 'The conversation was compacted', 'Trigger: auto. 9000 tokens before.'],
    ['warning', "The model's service answered with an error, attempt 1 of 3, next try after 1500 ms", 'overloaded'],
    ['info', 'Output of a local command', 'Set model to opus'],
  ]);
  expect(session.state.entries.some((entry) => entry.kind === 'user' && entry.text === '/model opus')).toBe(true);
});

test('an answer that is an error of the service ends the turn as one', async () => {
  const { state } = await opened(
    prompt().answers(10, 'm', 'API Error: 529', { isApiErrorMessage: true, error: 'overloaded' }),
  );
  expect(state.turns).toMatchObject([{ end: { reason: 'error' } }]);
});

test('words typed ahead wait in the queue until they are sent, taken back or removed', async () => {
  const queue = (operation: string, extra = {}) => ({ type: 'queue-operation', operation, ...extra });
  const { events } = await opened(
    prompt()
      .line(1, queue('enqueue', { content: 'one' }))
      .line(2, queue('enqueue', { content: '<task-notification><task-id>x</task-id></task-notification>' }))
      .line(3, queue('enqueue', { content: 'two' }))
      .line(4, queue('enqueue', { content: 'three' }))
      .line(5, queue('dequeue'))
      .line(6, queue('remove', { content: 'three', reason: 'absorbed_mid_turn' }))
      .line(7, queue('popAll', { content: 'two' })),
  );
  const moves = events.flatMap((event) => {
    if (event.type === 'user-message-queued') return [`+${event.text}`];
    return event.type === 'user-message-unqueued' ? [`-${event.why}`] : [];
  });
  expect(moves).toEqual(['+one', '+two', '+three', '-sent', '-sent', '-edited']);
});

test('words absorbed in the middle of a turn are not lost', async () => {
  const { state } = await opened(
    prompt()
      .answers(10, 'm', 'Working.')
      .line(20, { type: 'attachment', attachment: { type: 'queued_command', prompt: 'and the tests' } })
      .answers(30, 'n', 'Those too.'),
  );
  expect(state.entries.at(2)).toMatchObject({ kind: 'user', text: 'and the tests', from: 'person' });
  expect(state.turns).toHaveLength(1);
});

test('a hook that stops the turn says so', async () => {
  const { state } = await opened(
    prompt()
      .calls(10, 'm', 'a', 'Read', {})
      .result(20, 'a', 'x')
      .line(21, {
        type: 'attachment',
        attachment: {
          type: 'hook_stopped_continuation',
          message: 'enough',
          hookName: 'PostToolUse:Read',
          hookEvent: 'PostToolUse',
          toolUseID: 'a',
        },
      }),
  );
  expect(state.stops).toEqual([{ callId: 'a', reason: 'enough', at: 21 }]);
  expect(state.turns).toMatchObject([{ end: { reason: 'stopped-by-hook', message: 'enough' } }]);
});

test('stop hooks are runs with their lengths', async () => {
  const { state } = await opened(
    prompt()
      .answers(10, 'm', 'Done.')
      .line(200, { type: 'system', subtype: 'stop_hook_summary', hookInfos: [{ command: './end', durationMs: 40 }] })
      .line(201, { type: 'system', subtype: 'turn_duration', durationMs: 201 }),
  );
  expect(state.hookRuns).toMatchObject([{ hookEvent: 'Stop', command: './end', from: 160, end: { at: 200 } }]);
  expect(state.turns).toMatchObject([{ end: { reason: 'completed', at: 201 } }]);
});

test('the title is the one a person gave, else the one that was made, else the first prompt', async () => {
  const ai = { type: 'ai-title', aiTitle: 'Made up' };
  const custom = { type: 'custom-title', customTitle: 'Given' };
  expect((await opened(prompt())).title).toBe('go');
  expect((await opened(prompt().raw(ai))).title).toBe('Made up');
  const both = await opened(prompt().raw(custom).raw(ai));
  expect([both.title, both.state.title]).toEqual(['Given', 'Given']);
  const foreign = { type: 'summary', summary: 'Of another session', leafUuid: 'not-here' };
  expect((await opened(prompt().raw(foreign))).title).toBe('go');
});
