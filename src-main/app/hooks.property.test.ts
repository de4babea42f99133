import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PermissionMode } from '../../src-shared/permission/event.ts';
import { fixedClassifier } from '../ports/classifier.fake.ts';
import { fixedAsker } from './ask-board.ts';
import { HandTools } from './testing/hand-tools.ts';
import { hookBench, pre, ran, verdict } from './testing/hook-words.ts';

const COMMANDS = ['npm test', 'npm publish', 'git push', 'ls src', 'rm x'] as const;
/** Each rule, and which of the commands it speaks of. */
const RULES: Readonly<Record<string, readonly string[]>> = {
  'Bash(npm:*)': ['npm test', 'npm publish'],
  'Bash(npm publish)': ['npm publish'],
  'Bash(git push:*)': ['git push'],
  'Bash(ls src)': ['ls src'],
  'Bash(rm:*)': ['rm x'],
  Bash: COMMANDS,
};
const speaksOf = (rules: readonly string[], commands: readonly string[]): boolean =>
  rules.some((rule) => commands.some((command) => RULES[rule]?.includes(command)));

const rules = (maxLength: number) =>
  fc.oneof(fc.constant<string[]>([]), fc.subarray(Object.keys(RULES), { maxLength }));
const situation = fc.record({
  command: fc.constantFrom(...COMMANDS),
  changed: fc.option(fc.constantFrom(...COMMANDS), { nil: undefined }),
  says: fc.constantFrom('none' as const, 'none' as const, 'allow' as const, 'ask' as const, 'deny' as const),
  tool: fc.constantFrom('allow' as const, 'pass' as const, 'pass' as const, 'ask' as const),
  deny: rules(2),
  ask: rules(2),
  allow: rules(3),
  mode: fc.oneof(
    fc.constant<PermissionMode>('auto'),
    fc.constantFrom<PermissionMode[]>('default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'),
  ),
  strategy: fc.constantFrom('streaming' as const, 'serial' as const),
  classifier: fc.constantFrom('allow' as const, 'allow' as const, 'ask' as const, 'fails' as const),
});
type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

async function play(at: Situation, answer: 'allow' | 'nobody') {
  const source = (list: readonly string[]) => list.map((text) => ({ text, scope: 'user' as const }));
  const tools = new HandTools([
    new HandTools().tool('Bash', {
      isConcurrencySafe: ({ command }) => command.startsWith('ls'),
      checkPermissions: async () => ({ verdict: at.tool, because: 'it is a test' }),
    }),
  ]);
  const on = hookBench(
    pre({
      ...verdict(at.says),
      ...(at.says === 'deny' ? { denial: 'no' } : {}),
      // Deny and a changed input are never said together.
      ...(at.changed === undefined || at.says === 'deny' ? {} : { updatedInput: { command: at.changed } }),
    }),
    {
      tools,
      mode: at.mode,
      rules: { deny: source(at.deny), ask: source(at.ask), allow: source(at.allow) },
      settings: { strategy: at.strategy },
      classifier: fixedClassifier(at.classifier),
      ...(answer === 'allow' ? { asker: fixedAsker('allow') } : {}),
    },
  );
  await on.add('a', 'Bash', at.command);
  await on.messageEnds();
  return on;
}

const seeds = [1_001, ...(process.env.GANTRY_SEED ? [Number(process.env.GANTRY_SEED)] : [])];

test.each(seeds)(
  'whatever hooks and classifiers say, a deny rule denies and no ask rule is skipped (seed %d)',
  async (seed) => {
    let ranByHook = 0;
    let ranByClassifier = 0;
    await fc.assert(
      fc.asyncProperty(situation, async (at) => {
        const commands = [at.command, ...(at.changed === undefined || at.says === 'deny' ? [] : [at.changed])];
        const isDenied = at.says === 'deny' || speaksOf(at.deny, commands);
        const isAsked = at.says === 'ask' || speaksOf(at.ask, commands);

        // With somebody who says yes to everything, only a deny keeps a call from running.
        const willing = await play(at, 'allow');
        if (isDenied) expect(ran(willing, 'a')).toBe(false);
        // With nobody who answers, whatever has to be asked does not run.
        const alone = await play(at, 'nobody');
        if (isDenied || isAsked) expect(ran(alone, 'a')).toBe(false);
        if (!ran(alone, 'a')) return;
        const by = alone.all('permission-settled')[0]?.by;
        if (by === 'hook') ranByHook++;
        if (by === 'classifier') ranByClassifier++;
        // It allows in mode auto alone, and only with the very word.
        if (by === 'classifier') expect([at.mode, at.classifier]).toEqual(['auto', 'allow']);
      }),
      { seed, numRuns: 400 },
    );
    expect(ranByHook).toBeGreaterThan(10);
    expect(ranByClassifier).toBeGreaterThan(0);
  },
);
