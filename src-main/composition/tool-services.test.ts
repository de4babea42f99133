import { expect, test } from 'vitest';
import type { ModelChoice } from '../../src-shared/model/choice.ts';
import type { AdvisorChoice } from '../core/settings/settings.ts';
import type { ModelProvider } from '../ports/model-provider.ts';
import { noSettings, type SettingsSource } from '../ports/settings.ts';
import { advisorFor } from './tool-services.ts';

function bench(first: AdvisorChoice) {
  let advisor = first;
  const made: ModelChoice[] = [];
  const base = noSettings('/shop');
  const settings: SettingsSource = { ...base, current: () => ({ ...base.current(), advisor }) };
  const model = advisorFor(settings, (choice) => {
    made.push(choice);
    return { name: choice.provider, model: choice.model } as ModelProvider;
  });
  const set = (next: AdvisorChoice): void => {
    advisor = next;
  };
  return { model, made, set };
}

test('the advisor is the model that the settings name, made once', () => {
  const { model, made, set } = bench({ provider: 'anthropic', model: 'wise-1' });
  expect(model()?.model).toBe('wise-1');
  expect(model()).toBe(model());
  expect(made).toHaveLength(1);
  set({ provider: 'anthropic', model: 'wise-2' });
  expect(model()?.model).toBe('wise-2');
  set({ provider: 'anthropic', model: 'wise-2', enabled: false });
  expect(model()).toBeUndefined();
});

test.each<AdvisorChoice>([{}, { provider: 'anthropic' }, { model: 'x' }, { provider: 'scripted', model: 'x' }])(
  '%j names none',
  (advisor) => expect(bench(advisor).model()).toBeUndefined(),
);
