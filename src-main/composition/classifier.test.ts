import { expect, test } from 'vitest';
import { FailureError } from '../../src-shared/failure.ts';
import type { ModelChoice } from '../../src-shared/model/choice.ts';
import { worldWithoutLinks } from '../core/permission/ground.ts';
import { noSettings, type SettingsSource } from '../ports/settings.ts';
import { classifierFor } from './classifier.ts';

const input = {
  use: { tool: 'Bash', input: { command: 'npm test' } },
  world: worldWithoutLinks('/work'),
  asked: undefined,
};
const never = new AbortController().signal;

function bench(classifier: Partial<ModelChoice>) {
  let chosen = classifier;
  const base = noSettings('/work');
  const settings: SettingsSource = { ...base, current: () => ({ ...base.current(), classifier: chosen }) };
  const asked: ModelChoice[] = [];
  const made = classifierFor(settings, (choice) => {
    asked.push(choice);
    throw new FailureError({ kind: 'bad-input', message: 'No such server.' });
  });
  const choose = (next: Partial<ModelChoice>): void => {
    chosen = next;
  };
  return { classifier: made, asked, choose };
}

test('the built-in one looks at calls until the settings name a whole model', async () => {
  const { classifier, asked, choose } = bench({});
  expect(classifier.name).toBe('rules');
  expect((await classifier.classify(input, never)).verdict).toBe('ask');
  choose({ provider: 'anthropic' });
  expect(classifier.name).toBe('rules');
  expect(asked).toEqual([]);
  choose({ provider: 'anthropic', model: 'small-1' });
  expect(classifier.name).toBe('small-1');
  await expect(classifier.classify(input, never)).rejects.toThrow('No such server.');
  expect(asked).toEqual([{ provider: 'anthropic', model: 'small-1', maxTokens: 1_024 }]);
});

test('a model is not asked about what the rules know', async () => {
  const { classifier, asked } = bench({ provider: 'anthropic', model: 'small-1' });
  const touch = { ...input, use: { tool: 'Bash', input: { command: 'touch a' } } };
  expect((await classifier.classify(touch, never)).verdict).toBe('allow');
  expect(asked).toEqual([]);
});
