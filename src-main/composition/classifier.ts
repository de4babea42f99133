import { ModelChoice } from '../../src-shared/model/choice.ts';
import { modelClassifier } from '../adapters/classifier/model-classifier.ts';
import { afterRules, type Classifier, ruleClassifier } from '../ports/classifier.ts';
import type { ModelProvider } from '../ports/model-provider.ts';
import type { SettingsSource } from '../ports/settings.ts';

/** An answer is one word; what is more is for models that think first. */
const MOST_TOKENS = 1_024;

/**
 * The classifier of a session: the model that the person's own settings name (`classifier`), behind the built-in rules, or
 * these alone. Settings are looked at before each call, as they are everywhere.
 */
export function classifierFor(
  settings: SettingsSource,
  providerFor: (choice: ModelChoice) => ModelProvider,
): Classifier {
  let known: { readonly key: string; readonly classifier: Classifier } | undefined;
  const current = (): Classifier => {
    const choice = ModelChoice.safeParse(settings.current().classifier);
    if (!choice.success) return ruleClassifier;
    const key = JSON.stringify(choice.data);
    if (known?.key !== key) known = { key, classifier: afterRules(ofModel(choice.data, providerFor)) };
    return known.classifier;
  };
  return {
    get name() {
      return current().name;
    },
    classify: (input, signal) => current().classify(input, signal),
  };
}

/** A choice that cannot be fails when it is asked, so that the person reads why in the trace. */
const ofModel = (choice: ModelChoice, providerFor: (choice: ModelChoice) => ModelProvider): Classifier => ({
  name: choice.model,
  classify: async (input, signal) => {
    const provider = providerFor({ ...choice, maxTokens: choice.maxTokens ?? MOST_TOKENS });
    return modelClassifier(provider).classify(input, signal);
  },
});
