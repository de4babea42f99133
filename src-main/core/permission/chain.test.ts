import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChainInput, decidePermission, type HookVerdict, NO_HOOK } from './chain.ts';
import { worldWithoutLinks } from './ground.ts';
import { NO_RULES, type RuleSet } from './rules.ts';

const bash = (command: string) => ({ tool: 'Bash', input: { command } });
const write = (file_path: string) => ({ tool: 'Write', input: { file_path, content: '' } });

function given(
  more: Partial<Omit<ChainInput, 'rules'>> & { readonly rules?: Partial<Record<keyof RuleSet, string[]>> },
) {
  const rules = Object.fromEntries(
    Object.entries({ ...NO_RULES, ...more.rules }).map(([list, texts]) => [
      list,
      texts.map((text) => (typeof text === 'string' ? { text, scope: 'project' } : text)),
    ]),
  ) as unknown as RuleSet;
  const use = more.use ?? bash('npm test');
  return decidePermission({
    original: use,
    hook: NO_HOOK,
    tool: { verdict: 'pass', because: 'Not read-only' },
    mode: 'default',
    edit: 'none',
    world: worldWithoutLinks('/work'),
    ...more,
    use,
    rules,
  });
}

const words = (verdict: ReturnType<typeof given>) => `${verdict.verdict} by ${verdict.by}`;
const trace = (verdict: ReturnType<typeof given>) => verdict.trace.map((step) => `${step.step} ${step.verdict}`);
const hook = (verdict: HookVerdict['verdict']): HookVerdict => ({ verdict, reason: 'check.sh' });

describe('without a hook, in this order', () => {
  test('a deny rule', () => {
    const verdict = given({
      rules: { deny: ['Bash(npm:*)'], ask: ['Bash'], allow: ['Bash'] },
      mode: 'bypassPermissions',
    });
    expect(words(verdict)).toBe('deny by rule');
    expect(trace(verdict)).toEqual(['hook pass', 'deny-rules deny']);
    expect(verdict.trace.at(-1)?.detail).toBe('Bash(npm:*) · project');
  });

  test('a deny rule that may match, which asks', () => {
    const use = bash('$X test');
    const verdict = given({ use, rules: { deny: ['Bash(rm:*)'], allow: ['Bash'] }, mode: 'bypassPermissions' });
    expect(words(verdict)).toBe('ask by rule');
    expect(trace(verdict)).toEqual(['hook pass', 'deny-rules ask']);
  });

  test('an ask rule', () => {
    const verdict = given({ rules: { ask: ['Bash(npm:*)'], allow: ['Bash'] }, mode: 'bypassPermissions' });
    expect(words(verdict)).toBe('ask by rule');
    expect(trace(verdict)).toEqual(['hook pass', 'deny-rules pass', 'ask-rules ask']);
  });

  test.each(['allow', 'deny', 'ask'] as const)('the tool’s own %s', (own) => {
    const verdict = given({ tool: { verdict: own, because: 'It says so' }, mode: 'bypassPermissions' });
    expect(words(verdict)).toBe(`${own} by tool`);
    expect(trace(verdict)).toEqual(['hook pass', 'deny-rules pass', 'ask-rules pass', `tool ${own}`]);
    expect(verdict.trace.at(-1)?.text).toBe('It says so');
  });

  test('the mode', () => {
    const writing = (path: string, mode: ChainInput['mode']) => words(given({ use: write(path), mode }));
    expect(writing('.git/config', 'bypassPermissions')).toBe('allow by mode');
    for (const mode of ['acceptEdits', 'auto'] as const) {
      expect(writing('a.ts', mode)).toBe('allow by mode');
      expect(writing('../a.ts', mode)).toBe('ask by fallback');
      expect(writing('.git/config', mode)).toBe('ask by fallback');
      expect(words(given({ mode }))).toBe('ask by fallback');
    }
    for (const path of ['a.ts', '../a.ts', '.git/config']) {
      expect(words(given({ use: write(path), mode: 'plan', rules: { allow: ['Edit'] } }))).toBe('deny by mode');
    }
    expect(words(given({ mode: 'plan' }))).toBe('ask by fallback');
    expect(words(given({ mode: 'default' }))).toBe('ask by fallback');
    expect(writing('a.ts', 'default')).toBe('ask by fallback');
  });

  test('in mode dontAsk every question is a deny', () => {
    const verdict = given({ mode: 'dontAsk' });
    expect(words(verdict)).toBe('deny by mode');
    expect(verdict.trace.slice(-2).map(({ text }) => text)).toEqual(['So you are asked', 'Mode dontAsk asks nobody']);
    expect(words(given({ mode: 'dontAsk', rules: { ask: ['Bash'] } }))).toBe('deny by mode');
    expect(words(given({ mode: 'dontAsk', hook: hook('ask') }))).toBe('deny by mode');
    expect(words(given({ mode: 'dontAsk', hook: hook('allow') }))).toBe('allow by hook');
    expect(words(given({ mode: 'dontAsk', rules: { allow: ['Bash(npm test)'] } }))).toBe('allow by rule');
    expect(words(given({ mode: 'dontAsk', use: bash('ls') }))).toBe('allow by tool');
  });

  test('mode plan lets no allow rule change files through a command', () => {
    const rules = { allow: ['Bash(touch *)', 'Bash(npm test)', 'Edit'] };
    expect(words(given({ mode: 'plan', use: bash('touch x'), rules }))).toBe('ask by fallback');
    expect(words(given({ mode: 'plan', use: bash('npm test > out'), rules }))).toBe('ask by fallback');
    expect(words(given({ mode: 'plan', use: bash('npm test'), rules }))).toBe('allow by rule');
  });

  test('mode auto leaves out allow rules that would let anything run, and has no classifier', () => {
    const verdict = given({ mode: 'auto', rules: { allow: ['Bash', 'Bash(npm run *)'] } });
    expect(words(verdict)).toBe('ask by fallback');
    expect(verdict.trace.slice(-3).map(({ step, detail }) => [step, detail])).toEqual([
      ['allow-rules', '0 rules looked at; mode auto leaves out 2 that would let anything run'],
      ['classifier', undefined],
      ['fallback', undefined],
    ]);
    expect(words(given({ mode: 'auto', rules: { allow: ['Bash(npm test)'] } }))).toBe('allow by rule');
  });

  test('an allow rule', () => {
    const verdict = given({ rules: { allow: ['Bash(npm test)'] } });
    expect(words(verdict)).toBe('allow by rule');
    expect(trace(verdict)).toEqual([
      'hook pass',
      'deny-rules pass',
      'ask-rules pass',
      'tool pass',
      'mode pass',
      'allow-rules allow',
    ]);
    const both = given({ use: bash('npm test && npm ci'), rules: { allow: ['Bash(npm test)', 'Bash(npm ci)'] } });
    expect(words(both)).toBe('allow by rule');
    expect(both.trace.at(-1)?.detail).toBe('Bash(npm test) · project, Bash(npm ci) · project');
  });

  test('no allow rule for a protected path', () => {
    const verdict = given({ use: write('.git/config'), rules: { allow: ['Edit'] } });
    expect(words(verdict)).toBe('ask by fallback');
    expect(verdict.trace.at(-2)?.text).toBe('The path is or may be protected; no allow rule opens it');
    for (const command of ['cp a .git/hooks/x', 'echo x > .npmrc', 'rm -rf .git', 'touch "$WHERE"']) {
      expect(words(given({ use: bash(command), rules: { allow: ['Bash'] } })), command).toBe('ask by fallback');
    }
    expect(words(given({ rules: { allow: ['Bash'] }, edit: 'protected' }))).toBe('ask by fallback');
  });

  test('and otherwise a question', () => {
    const verdict = given({ rules: { allow: ['Bash(npm ci)'] } });
    expect(words(verdict)).toBe('ask by fallback');
    expect(verdict.trace.map((step) => step.text).slice(-2)).toEqual(['No allow rule covers it', 'So you are asked']);
    expect(verdict.trace.at(-2)?.detail).toBe('1 rule looked at');
  });
});

describe('with a hook', () => {
  test('its deny is the end', () => {
    const verdict = given({ hook: hook('deny'), mode: 'bypassPermissions', rules: { allow: ['Bash'] } });
    expect(words(verdict)).toBe('deny by hook');
    expect(trace(verdict)).toEqual(['hook deny']);
    expect(verdict.trace[0]?.detail).toBe('check.sh');
  });

  test('its allow looks at deny and ask rules only', () => {
    expect(words(given({ hook: hook('allow') }))).toBe('allow by hook');
    expect(words(given({ hook: hook('allow'), mode: 'plan', use: write('a.ts') }))).toBe('allow by hook');
    expect(words(given({ hook: hook('allow'), rules: { ask: ['Bash'] } }))).toBe('ask by rule');
    expect(words(given({ hook: hook('allow'), rules: { deny: ['Bash'] } }))).toBe('deny by rule');
    expect(trace(given({ hook: hook('allow') }))).toEqual(['hook allow', 'deny-rules pass', 'ask-rules pass']);
  });

  test('its allow does not lift what the tool itself insists on', () => {
    const insists = (verdict: 'ask' | 'deny') => given({ hook: hook('allow'), tool: { verdict, because: 'rm -rf /' } });
    expect(words(insists('ask'))).toBe('ask by tool');
    expect(words(insists('deny'))).toBe('deny by tool');
  });

  test('its allow opens no protected path, except in mode bypassPermissions', () => {
    const use = write('.git/config');
    expect(words(given({ hook: hook('allow'), use }))).toBe('ask by tool');
    expect(words(given({ hook: hook('allow'), use, mode: 'bypassPermissions' }))).toBe('allow by hook');
    expect(words(given({ hook: hook('allow'), use: bash('rm -rf ~') }))).toBe('ask by tool');
    expect(words(given({ hook: hook('allow'), use: bash('rm -rf ~'), mode: 'bypassPermissions' }))).toBe('ask by tool');
  });

  test('its ask ends in asking wherever there would have been an allow', () => {
    expect(words(given({ hook: hook('ask'), mode: 'bypassPermissions' }))).toBe('ask by fallback');
    expect(words(given({ hook: hook('ask'), rules: { allow: ['Bash'] } }))).toBe('ask by fallback');
    expect(words(given({ hook: hook('ask'), tool: { verdict: 'allow', because: '' } }))).toBe('ask by fallback');
    expect(words(given({ hook: hook('ask'), rules: { deny: ['Bash'] } }))).toBe('deny by rule');
    expect(words(given({ hook: hook('ask'), mode: 'plan', use: write('a.ts') }))).toBe('deny by mode');
  });
});

test('a tool speaks for itself, but not against what is known anyway', () => {
  const says = (verdict: 'allow' | 'deny' | 'ask' | 'pass') => ({ tool: { verdict, because: 'It says so' } });
  expect(words(given({ use: bash('ls'), ...says('pass') }))).toBe('allow by tool');
  expect(words(given({ use: bash('ls'), ...says('ask') }))).toBe('ask by tool');
  expect(words(given({ use: bash('rm -rf /'), ...says('allow') }))).toBe('ask by tool');
  expect(words(given({ use: { tool: 'mcp__a__b', input: {} }, ...says('allow') }))).toBe('allow by tool');
  expect(words(given({ use: { tool: 'mcp__a__b', input: {} }, ...says('pass') }))).toBe('ask by fallback');
});

test('rules are tested on the input that runs and on the model’s own', () => {
  const changed = { use: bash('ls'), original: bash('rm x'), tool: { verdict: 'allow', because: '' } } as const;
  expect(words(given({ ...changed, rules: { deny: ['Bash(rm:*)'] } }))).toBe('deny by rule');
  expect(words(given({ ...changed, rules: { ask: ['Bash(rm:*)'] } }))).toBe('ask by rule');
  const back = { use: bash('rm x'), original: bash('ls'), hook: hook('allow') } as const;
  expect(words(given({ ...back, rules: { deny: ['Bash(rm:*)'] } }))).toBe('deny by rule');
});

const seeds = [1_001, ...(process.env.GANTRY_SEED ? [Number(process.env.GANTRY_SEED)] : [])];

const command = fc.constantFrom('npm test', 'rm x', 'ls', 'cd a && rm b', 'echo $(rm x)', '$X y', 'ls "', 'sudo rm x');
const rule = fc.constantFrom(
  'Bash',
  'Bash(rm:*)',
  'Bash(npm test)',
  'Bash(npm *)',
  'Bash(ls)',
  '*',
  'Edit',
  'Bash(*rm*)',
);
const anything = fc.record({
  use: command.map(bash),
  original: command.map(bash),
  hook: fc.constantFrom(...(['none', 'allow', 'ask', 'deny'] as const)).map(hook),
  tool: fc.constantFrom(...(['allow', 'deny', 'ask', 'pass'] as const)).map((verdict) => ({ verdict, because: '' })),
  mode: fc.constantFrom(...(['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const)),
  edit: fc.constantFrom(...(['none', 'inside', 'outside', 'protected'] as const)),
  rules: fc.record({
    allow: fc.array(rule, { maxLength: 3 }),
    ask: fc.array(rule, { maxLength: 2 }),
    deny: fc.array(rule, { maxLength: 2 }),
  }),
});

/** What the rules of these properties mean, said once more and simply. */
const says = (text: string, { input }: ReturnType<typeof bash>): boolean => {
  if (text === 'Bash' || text === '*') return true;
  if (text === 'Bash(rm:*)' || text === 'Bash(*rm*)') return /\brm\b/.test(input.command);
  if (text === 'Bash(ls)') return input.command === 'ls';
  return text !== 'Edit' && input.command === 'npm test';
};

test.each(seeds)('nothing turns a matching deny rule into anything but deny (seed %d)', (seed) => {
  fc.assert(
    fc.property(anything, (input) => {
      const matches = input.rules.deny.some((text) => says(text, input.use) || says(text, input.original));
      if (matches) expect(given(input).verdict).toBe('deny');
    }),
    { seed, numRuns: 1_000 },
  );
});

test.each(seeds)('a hook’s allow never skips an ask rule (seed %d)', (seed) => {
  fc.assert(
    fc.property(anything, (input) => {
      const matches = input.rules.ask.some((text) => says(text, input.use) || says(text, input.original));
      if (matches) expect(given({ ...input, hook: hook('allow') }).verdict).not.toBe('allow');
    }),
    { seed, numRuns: 1_000 },
  );
});

test.each(seeds)('a hook’s ask never ends in an allow, and every verdict says what it looked at (seed %d)', (seed) => {
  fc.assert(
    fc.property(anything, (input) => {
      expect(given({ ...input, hook: hook('ask') }).verdict).not.toBe('allow');
      const { trace: steps, verdict, by } = given(input);
      expect(steps[0]?.step).toBe('hook');
      if (by !== 'hook') expect(steps.at(-1)?.verdict).toBe(verdict);
    }),
    { seed, numRuns: 1_000 },
  );
});
