import type { ClassifierWord } from '../core/permission/chain.ts';
import type { World } from '../core/permission/ground.ts';
import { classifyByRules, RULES_NAME } from '../core/permission/rule-classifier.ts';
import type { Use } from '../core/permission/tool-rules.ts';
import type { Spending } from './tool.ts';

export type ClassifierInput = {
  readonly use: Use;
  readonly world: World;
  /** What the person last asked for, in their own words. */
  readonly asked: string | undefined;
};

/** `spent`: what it took, where a model was asked and has said it. */
export type ClassifierAnswer = Pick<ClassifierWord, 'verdict' | 'reason'> & { readonly spent?: Spending | undefined };

/**
 * Says whether a call may run unasked in mode auto (spec 2.4). It is one voice among others: deny and ask rules, hooks,
 * the tool's own word and protected paths stand above it. Whatever is not `allow` asks a person; so does a classifier
 * that fails or takes too long, which whoever asks it sees to.
 */
export interface Classifier {
  readonly name: string;
  /** Ends early when the signal is aborted. May fail. */
  classify(input: ClassifierInput, signal: AbortSignal): Promise<ClassifierAnswer>;
}

/** The built-in one. It costs nothing and asks nobody. */
export const ruleClassifier: Classifier = {
  name: RULES_NAME,
  classify: async ({ use, world }) => {
    const { verdict, reason } = classifyByRules(use, world);
    return { verdict: verdict === 'allow' ? 'allow' : 'ask', reason };
  },
};

/** Another one is asked only about what the rules leave open: neither what is proved harmless nor what is for a person. */
export const afterRules = (other: Classifier): Classifier => ({
  name: other.name,
  classify: async (input, signal) => {
    const { verdict, reason } = classifyByRules(input.use, input.world);
    if (verdict === 'unsure') return other.classify(input, signal);
    return { verdict: verdict === 'allow' ? 'allow' : 'ask', reason: `by its rules: ${reason}` };
  },
});
