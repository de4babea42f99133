import type { HookInput } from '../../core/hooks/hook-input.ts';
import type { HookText, MergedHooks } from '../../core/hooks/merge.ts';
import type { HookVerdict } from '../../core/permission/chain.ts';
import { FakeHookRunner } from '../../ports/hook-runner.fake.ts';
import { type BenchOptions, ExecutorBench } from './bench.ts';

/** What hooks say, in the words of the tests of the stages. */

type Says = Partial<MergedHooks> | undefined;
export type Answer = Says | Promise<Says>;

export const pre = (answer: Answer) => (input: HookInput) => (input.event === 'PreToolUse' ? answer : undefined);
export const post = (answer: Answer) => (input: HookInput) =>
  input.event.startsWith('PostToolUse') ? answer : undefined;

export const verdict = (word: HookVerdict['verdict'], reason = 'the hook says so') =>
  ({ verdict: { verdict: word, reason } }) as const;
export const denies = (denial: string) => ({ ...verdict('deny', denial), denial });
export const words = (text: string, name = 'PreToolUse:Bash'): readonly HookText[] => [
  { text, name, command: 'check.sh' },
];

/** An executor whose hooks answer this. */
export function hookBench(answer: (input: HookInput) => Answer, options: BenchOptions = {}) {
  const hooks = new FakeHookRunner(answer);
  return Object.assign(new ExecutorBench({ ...options, hooks }), { hooks });
}

/** Has the call's tool begun? */
export const ran = (on: ExecutorBench, id: string): boolean =>
  on.all('stage-started').some(({ callId, stage }) => callId === id && stage === 'run');
