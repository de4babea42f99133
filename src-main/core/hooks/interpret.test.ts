import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HookEventName } from '../../../src-shared/hook/event.ts';
import { interpretBackground } from './background.ts';
import { type EndedHook, type HookEnd, interpret } from './interpret.ts';
import type { Captured } from './output.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

const captured = (text: string): Captured => ({ text, bytes: Buffer.byteLength(text), cut: false });
const ended = (code: number, stdout: string, stderr = ''): EndedHook => ({
  end: { kind: 'exited', code },
  stdout: captured(stdout),
  stderr: captured(stderr),
});

/** Texts a hook may print: anything, JSON of any kind, the protocol's fields with any values, and all of it damaged. */
const anyEvent = fc.constantFrom(...HookEventName.options);
const anyCode = fc.oneof(fc.constantFrom(0, 1, 2, 126, 127), fc.integer({ min: 0, max: 255 }));
const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('allow', 'deny', 'ask', 'defer', 'approve', 'block', true, false, null),
);
const specificJson = fc.record(
  {
    hookEventName: fc.oneof(anyEvent, odd),
    permissionDecision: odd,
    permissionDecisionReason: odd,
    updatedInput: odd,
    additionalContext: odd,
    decision: fc.oneof(odd, fc.record({ behavior: odd, updatedInput: odd, message: odd }, { requiredKeys: [] })),
    updatedToolOutput: odd,
  },
  { requiredKeys: [] },
);
const protocolJson = fc.record(
  {
    continue: odd,
    stopReason: odd,
    systemMessage: odd,
    decision: odd,
    reason: odd,
    permissionDecision: odd,
    hookSpecificOutput: fc.oneof(specificJson, odd),
  },
  { requiredKeys: [] },
);
const goodJson = fc.record({
  hookSpecificOutput: fc.record({
    hookEventName: fc.constantFrom('PreToolUse', 'PermissionRequest'),
    permissionDecision: fc.constant('allow'),
    decision: fc.constant({ behavior: 'allow' }),
  }),
});
const damaged = fc
  .tuple(
    fc.oneof(goodJson, protocolJson).map((json) => JSON.stringify(json)),
    fc.nat(),
    fc.string(),
    fc.nat(4),
  )
  .map(([text, at, noise, how]) => {
    const cut = at % (text.length + 1);
    return [
      text.slice(0, cut),
      text.slice(cut),
      noise + text,
      text + noise,
      text.slice(0, cut) + noise + text.slice(cut),
    ][how]!;
  });
const anyStdout = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  protocolJson.map((json) => JSON.stringify(json)),
  goodJson.map((json) => JSON.stringify(json)),
  damaged,
);

/** Whether a text says yes, read as plainly as possible. */
function saysYes(event: HookEventName, text: string): boolean {
  let json: { decision?: unknown; hookSpecificOutput?: Record<string, unknown> };
  try {
    json = JSON.parse(text.trim());
  } catch {
    return false;
  }
  const own = json.hookSpecificOutput?.hookEventName === event ? json.hookSpecificOutput : undefined;
  if (event === 'PreToolUse') return own?.permissionDecision === 'allow' || json.decision === 'approve';
  return event === 'PermissionRequest' && (own?.decision as { behavior?: unknown } | undefined)?.behavior === 'allow';
}

describe('whatever a hook prints', () => {
  test('never throws, and is a yes only when its one JSON object says so and it does not exit with 2', () => {
    fc.assert(
      fc.property(anyEvent, anyCode, anyStdout, fc.string(), (event, code, stdout, stderr) => {
        const said = interpret(event, ended(code, stdout, stderr));
        const yes =
          said.permission?.verdict === 'allow' || said.request?.behavior === 'allow' || said.outcome === 'allow';
        if (!yes) return;
        expect(saysYes(event, stdout)).toBe(true);
        if (event === 'PreToolUse') expect(code).not.toBe(2);
      }),
      { numRuns: 3000 },
    );
  });

  test('a plain yes is one: the property above sees some', () => {
    fc.assert(
      fc.property(goodJson, fc.constantFrom(0, 1, 3), ({ hookSpecificOutput }, code) => {
        const event = hookSpecificOutput.hookEventName as HookEventName;
        const said = interpret(event, ended(code, JSON.stringify({ hookSpecificOutput })));
        expect(said.outcome).toBe('allow');
      }),
    );
  });

  test('exit code 2 before a call is a deny', () => {
    fc.assert(
      fc.property(anyStdout, fc.string(), (stdout, stderr) => {
        const { permission, updatedInput } = interpret('PreToolUse', ended(2, stdout, stderr));
        expect(permission?.verdict).toBe('deny');
        expect(permission?.reason?.trim()).toBeTruthy();
        expect(updatedInput).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  test('a hook that did not end by itself has no say', () => {
    const ends: readonly HookEnd[] = [
      { kind: 'signalled', signal: 'SIGSEGV' },
      { kind: 'timed-out', limitMs: 5 },
      { kind: 'cancelled' },
      { kind: 'never-started', reason: 'gone' },
    ];
    fc.assert(
      fc.property(anyEvent, anyStdout, fc.constantFrom(...ends), (event, stdout, end) => {
        const said = interpret(event, { ...ended(0, stdout, 'words'), end });
        expect(said).toMatchObject({ permission: undefined, block: undefined, request: undefined, stop: undefined });
        expect(said).toMatchObject({ context: undefined, feedback: undefined, updatedInput: undefined, effects: [] });
        expect(['error', 'timed-out', 'cancelled']).toContain(said.outcome);
      }),
      { numRuns: 500 },
    );
  });

  test('a background hook never throws and never decides', () => {
    fc.assert(
      fc.property(anyEvent, anyCode, anyStdout, fc.constantFrom('background', 'wake'), (event, code, stdout, mode) => {
        const { said } = interpretBackground(mode as 'background' | 'wake', event, ended(code, stdout));
        expect(said).toMatchObject({ permission: undefined, block: undefined, request: undefined, stop: undefined });
        expect(said).toMatchObject({ feedback: undefined, updatedInput: undefined, updatedOutput: undefined });
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the words of each event', () => {
  const json = (value: object) => JSON.stringify(value);

  test('a prompt can be blocked with its text hidden, and name the session', () => {
    const specific = { hookEventName: 'UserPromptSubmit', sessionTitle: 'Tidy', additionalContext: 'branch main' };
    const said = interpret(
      'UserPromptSubmit',
      ended(
        0,
        json({ decision: 'block', reason: 'secret', suppressOriginalPrompt: true, hookSpecificOutput: specific }),
      ),
    );
    expect(said).toMatchObject({
      block: 'secret',
      hidesPrompt: true,
      sessionTitle: 'Tidy',
      context: 'branch main',
      outcome: 'deny',
    });
    expect(said.effects).toEqual(['blocked the prompt', 'added context', 'named the session']);
  });

  test('a compaction can be blocked; what else its hooks say is for nobody', () => {
    const said = interpret(
      'PreCompact',
      ended(0, json({ decision: 'block', reason: 'not now', systemMessage: 'hm', continue: false })),
    );
    expect(said).toMatchObject({ block: 'not now', systemMessage: undefined, stop: undefined });
    expect(interpret('PreCompact', ended(2, '', 'not now')).block).toBe('not now');
  });

  test('notifications and the end of a session hear nothing', () => {
    for (const event of ['Notification', 'SessionEnd'] as const) {
      const said = interpret(event, ended(0, json({ decision: 'block', systemMessage: 'hm', continue: false })));
      expect(said).toMatchObject({ outcome: 'ok', effects: [], failure: undefined });
    }
    expect(interpret('Notification', ended(2, '', 'x'))).toMatchObject({ outcome: 'ok', failure: undefined });
    expect(interpret('SessionEnd', ended(2, '', 'x')).failure).toContain('x');
  });

  test('a permission request can be granted with another input and more rules, or denied and stopped', () => {
    const grant = { behavior: 'allow', updatedInput: { command: 'ls' }, updatedPermissions: [{ type: 'setMode' }] };
    const granted = interpret(
      'PermissionRequest',
      ended(0, json({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: grant } })),
    );
    expect(granted).toMatchObject({
      request: grant,
      outcome: 'allow',
      effects: ['allowed the call for you', 'changed the input'],
    });
    const denial = { behavior: 'deny', message: 'no', interrupt: true };
    const denied = interpret(
      'PermissionRequest',
      ended(0, json({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: denial } })),
    );
    expect(denied).toMatchObject({ request: denial, outcome: 'deny' });
  });

  test('after a call a block is feedback, and blank texts are none', () => {
    expect(interpret('PostToolUse', ended(0, json({ decision: 'block', reason: 'lint fails' }))).feedback).toBe(
      'lint fails',
    );
    const blank = { hookSpecificOutput: { hookEventName: 'Stop', additionalContext: ' \n' } };
    expect(interpret('Stop', ended(0, json(blank))).context).toBeUndefined();
  });

  test('fields of other events are not looked at, so that they cannot be wrong', () => {
    const specific = {
      hookEventName: 'PostToolUse',
      decision: 'block',
      permissionDecision: 'perhaps',
      additionalContext: 'kept',
    };
    expect(interpret('PostToolUse', ended(0, json({ hookSpecificOutput: specific })))).toMatchObject({
      context: 'kept',
      failure: undefined,
    });
  });

  test('a changed input goes on exactly as it stands, a key named __proto__ included', () => {
    const text = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"__proto__":{"a":1},"b":2}}}';
    const { updatedInput } = interpret('PreToolUse', ended(0, text));
    expect(JSON.stringify(updatedInput)).toBe('{"__proto__":{"a":1},"b":2}');
  });
});
