import { describe, expect, test } from 'vitest';
import { faultsOf } from '../invariants.ts';
import { brief, opened, Writer } from '../write-transcript.ts';

const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the " +
  'new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.';
const cancelled = (by: string) => `<tool_use_error>Cancelled: parallel tool call ${by} errored</tool_use_error>`;
const prompt = (extra = {}) => new Writer(extra).says(0, 'go', { permissionMode: 'default' });

describe('cascades', () => {
  test('the culprit is found by a description that was cut to 40 characters', async () => {
    const long = 'ls /mnt/a/very/long/path/that/goes/on/and/on/and/on';
    const { call, state, events } = await opened(
      prompt()
        .calls(10, 'm', 'a', 'Bash', { command: 'ls /mnt/other' })
        .calls(11, 'm', 'b', 'Bash', { command: long })
        .calls(12, 'm', 'c', 'Read', { file_path: '/work/x' })
        .fails(20, 'a', 'Exit code 2\nno')
        .fails(30, 'b', 'Exit code 2\nno')
        .fails(31, 'c', cancelled(`Bash(${long.slice(0, 40)}…)`)),
    );
    expect(call('c').cancellation).toEqual({ reason: 'sibling_error', culprit: 'b', hadStarted: true, at: 30 });
    expect(state.cascades).toMatchObject([{ culprit: 'b', victims: ['c'], policy: 'bash' }]);
    expect(faultsOf(events)).toEqual([]);
  });

  test('the older text names nobody: the first call that failed before it', async () => {
    const old = '<tool_use_error>Sibling tool call errored</tool_use_error>';
    const { call, state } = await opened(
      prompt({ version: '2.1.39' })
        .calls(10, 'm', 'a', 'Read', { file_path: '/work/none' })
        .calls(12, 'm', 'b', 'Grep', { pattern: 'x' })
        .fails(20, 'a', 'File does not exist.')
        .fails(20, 'b', old)
        .calls(25, 'm', 'c', 'Edit', { file_path: '/work/y' })
        .fails(25, 'c', old),
    );
    expect([brief(call('b')), brief(call('c'))]).toEqual(['cancelled 12–20 lane 1', 'cancelled never']);
    expect(state.cascades).toMatchObject([{ culprit: 'a', victims: ['b', 'c'], policy: 'any-error' }]);
    expect(state.settings.cascade).toBe('any-error');
  });

  test('a victim whose culprit is not in the file is cancelled by nobody known', async () => {
    const { call, events } = await opened(
      prompt().calls(10, 'm', 'a', 'Read', { file_path: '/work/x' }).fails(20, 'a', cancelled('Bash(gone)')),
    );
    expect(call('a').cancellation).toMatchObject({ reason: 'sibling_error', culprit: undefined });
    expect(faultsOf(events)).toEqual([]);
  });
});

describe('refusals and interruptions', () => {
  test('a refusal with words is a rejection, and the turn goes on', async () => {
    const { call, state } = await opened(
      prompt()
        .calls(10, 'm', 'a', 'Bash', { command: 'rm x' })
        .fails(900, 'a', `${REFUSED} To tell you how to proceed, the user said:\nkeep it`)
        .answers(1000, 'n', 'I keep it.'),
    );
    expect(call('a').permission).toMatchObject({ verdict: 'deny', by: 'user', feedback: 'keep it' });
    expect(call('a').stages).toEqual([{ stage: 'permission', from: 10, until: 900, verdict: 'deny' }]);
    expect(state.turns.map((turn) => turn.end?.reason)).toEqual(['completed']);
  });

  test('of several calls with the same text one was at the dialog, the others went with it', async () => {
    const { call, state, events } = await opened(
      prompt()
        .calls(10, 'm', 'a', 'Edit', { file_path: '/work/a' })
        .calls(20, 'm', 'b', 'Edit', { file_path: '/work/b' })
        .fails(3000, 'a', REFUSED, { toolUseResult: 'User rejected tool use' })
        .fails(3001, 'b', "The user doesn't want to take this action right now. STOP what you are doing.")
        .says(3002, '[Request interrupted by user for tool use]'),
    );
    expect([brief(call('a')), brief(call('b'))]).toEqual(['rejected 10–3000 lane 0', 'interrupted never']);
    expect(call('b').cancellation).toMatchObject({ reason: 'escape', hadStarted: false });
    expect(state.turns.map((turn) => turn.end?.reason)).toEqual(['rejected']);
    expect(events.some((event) => event.type === 'interrupt-requested')).toBe(false);
  });

  test('where nothing asks, the same text is an interruption', async () => {
    const { call, state } = await opened(
      new Writer()
        .says(0, 'go', { permissionMode: 'bypassPermissions' })
        .calls(10, 'm', 'a', 'Edit', { file_path: '/work/a' })
        .fails(3000, 'a', REFUSED)
        .says(3001, '[Request interrupted by user for tool use]'),
    );
    expect(brief(call('a'))).toBe('interrupted 10–3000 lane 0');
    expect(state.turns.map((turn) => turn.end?.reason)).toEqual(['interrupted']);
    expect(state.interrupts).toEqual([{ reason: 'escape', at: 3000 }]);
  });

  test('a command that the interruption killed keeps its exit code and output', async () => {
    const { call } = await opened(
      prompt()
        .calls(10, 'm', 'a', 'Bash', { command: 'make' })
        .fails(500, 'a', 'Exit code 137\n[Request interrupted by user for tool use]\nhalf of it'),
    );
    expect(call('a')).toMatchObject({ end: { outcome: 'interrupted', exit: { code: 137 } } });
  });

  test('an interruption while the model streams ends the turn', async () => {
    const { state } = await opened(prompt().answers(10, 'm', 'I thi').says(20, '[Request interrupted by user]'));
    expect(state.turns).toMatchObject([{ end: { reason: 'interrupted', at: 20 } }]);
  });
});

describe('denials', () => {
  const deniedBy = async (text: string, extra = {}) => {
    const writer = prompt().calls(10, 'm', 'a', 'Bash', { command: 'rm x' }).fails(20, 'a', text, extra);
    const { call } = await opened(writer);
    const end = call('a');
    return end.phase === 'yielded' ? `${end.end.outcome} by ${end.permission?.by}` : end.phase;
  };

  test.each([
    ['Permission to use Bash with command rm x has been denied.', 'denied by rule'],
    ["Claude requested permissions to write to /x, but you haven't granted it yet.", 'denied by no-user'],
    ['Permission for this tool use was denied. The tool use was rejected (eg. …', 'denied by no-user'],
    [
      'sonnet is temporarily unavailable, so auto mode cannot determine the safety of Bash right now.',
      'denied by classifier',
    ],
    ['no deletions here', 'denied by hook'],
    ['Exit code 1\nno deletions here', 'error by undefined'],
    ['Command timed out after 2m 0s', 'error by undefined'],
    ['<tool_use_error>InputValidationError: Bash failed</tool_use_error>', 'error by undefined'],
  ])('%s', async (text, expected) => {
    expect(await deniedBy(text)).toBe(expected);
  });

  test('a hook that was written down as blocking denies a call of any tool', async () => {
    const { call, state } = await opened(
      prompt()
        .calls(10, 'm', 'a', 'Edit', { file_path: '/work/a' })
        .line(30, {
          type: 'attachment',
          attachment: {
            type: 'hook_blocking_error',
            hookName: 'PreToolUse:Edit',
            hookEvent: 'PreToolUse',
            toolUseID: 'a',
            blockingError: { blockingError: 'not that file', command: './guard' },
          },
        })
        .fails(31, 'a', 'not that file'),
    );
    expect(call('a').permission).toMatchObject({ by: 'hook', trace: [{ step: 'hook', detail: 'not that file' }] });
    expect(state.hookRuns).toMatchObject([
      { callId: 'a', matcher: 'Edit', command: './guard', end: { outcome: 'deny' } },
    ]);
  });
});

describe('calls without a result', () => {
  test('end at the next prompt, and nobody says how', async () => {
    const { call, events } = await opened(
      prompt().calls(10, 'm', 'a', 'Bash', { command: 'make' }).says(500, 'what now?').answers(600, 'n', 'Well.'),
    );
    expect(call('a')).toMatchObject({ phase: 'completed', end: { outcome: 'unknown', at: 500 } });
    expect(faultsOf(events)).toEqual([]);
  });

  test('end at an interruption, and with it', async () => {
    const { call } = await opened(
      prompt().calls(10, 'm', 'a', 'Bash', { command: 'make' }).says(300, '[Request interrupted by user for tool use]'),
    );
    expect(call('a')).toMatchObject({ phase: 'completed', end: { outcome: 'interrupted', at: 300 } });
  });

  test('end with the file', async () => {
    const { call } = await opened(prompt().calls(10, 'm', 'a', 'Bash', { command: 'make' }));
    expect(call('a')).toMatchObject({ phase: 'completed', end: { outcome: 'unknown', at: 10 } });
  });
});

describe('results', () => {
  test('are paired by id, before their call or twice', async () => {
    const { call, findings } = await opened(
      prompt()
        .result(20, 'a', 'first')
        .calls(10, 'm', 'a', 'Read', { file_path: '/work/a' })
        .result(30, 'a', 'second')
        .result(40, 'stranger', 'whose?'),
    );
    expect(call('a')).toMatchObject({ end: { at: 20, result: { content: [{ text: 'first' }] } } });
    expect(findings.map((finding) => finding.kind).sort()).toEqual(['result-without-call', 'second-result']);
  });

  test('of any shape are kept', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const content = ['plain', null, { type: 'text', text: 'text' }, image, { type: 'tool_reference', tool_name: 'X' }];
    const { call } = await opened(
      prompt()
        .calls(10, 'm', 'a', 'mcp__x__y', {})
        .result(20, 'a', content)
        .calls(30, 'n', 'b', 'mcp__x__y', 'not even an object')
        .result(40, 'b', null, { toolUseResult: [1, 2] }),
    );
    expect(call('a')).toMatchObject({
      end: {
        result: {
          content: [
            { type: 'text', text: 'plain' },
            { type: 'text', text: 'text' },
            { type: 'image', mediaType: 'image/png', data: 'AAAA' },
            { type: 'other', raw: { type: 'tool_reference' } },
          ],
        },
      },
    });
    expect(call('b')).toMatchObject({ end: { outcome: 'ok', result: { content: [] } } });
  });

  test('that were too large are looked for beside the session, whatever system wrote the path', async () => {
    const text = (path: string) =>
      `<persisted-output>\nOutput too large (91.5KB). Full output saved to: ${path}\n\nPreview (first 2KB):\nx\n</persisted-output>`;
    const { call, folder } = await opened({
      'session-1.jsonl': prompt()
        .calls(10, 'm', 'a', 'Bash', { command: 'ls' })
        .calls(11, 'm', 'b', 'Bash', { command: 'ls' })
        .result(20, 'a', text('C:\\Users\\x\\.claude\\projects\\p\\other-session\\tool-results\\bg1.txt'))
        .result(21, 'b', text('/home/x/.claude/projects/p/session-1/tool-results/gone.txt')),
      'session-1/tool-results/bg1.txt': 'the whole of it',
    });
    expect(call('a').saved).toEqual({ path: `${folder}/session-1/tool-results/bg1.txt`, bytes: 15, found: true });
    expect(call('b').saved).toMatchObject({ bytes: 93_696, found: false });
  });
});
