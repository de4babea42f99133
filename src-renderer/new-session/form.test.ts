import { expect, test } from 'vitest';
import { choiceOf, EMPTY_FORM, type Form, placeOf, problemsOf, withChoice, withServer } from './form.ts';

const filled: Form = withServer({ ...EMPTY_FORM, folder: '/work/shop' }, { model: ' claude-x ' });

test('an empty form says what it needs, field by field', () => {
  expect(problemsOf(EMPTY_FORM, true)).toEqual({
    folder: 'Choose the folder to work in.',
    model: 'Choose a model, or type its name.',
  });
  expect(Object.keys(problemsOf(EMPTY_FORM, false))).toEqual(['model']);
  expect(problemsOf(filled, true)).toEqual({});
});

test.each(['api.anthropic.com', 'file:///x', 'http//x', 'ftp://x'])('%s is no address', (address) => {
  expect(Object.keys(problemsOf(withServer(filled, { address }), true))).toEqual(['address']);
});

test.each([
  ['8000', 8000],
  ['8,000', 8000],
  ['8 000', 8000],
  ['', undefined],
])('%j tokens', (text, number) => {
  expect(choiceOf({ ...filled, maxTokens: text }).maxTokens).toBe(number);
});

test.each(['0', '-1', 'many', '1e3', ','])('%j is no number of tokens', (thinkingTokens) => {
  expect(Object.keys(problemsOf({ ...filled, thinkingTokens }, true))).toEqual(['thinkingTokens']);
});

test('an empty address means the provider’s own server', () => {
  expect(choiceOf(filled)).toEqual({ provider: 'anthropic', model: 'claude-x' });
  expect(placeOf(withServer(filled, { address: ' http://localhost:1/v1 ' }))).toEqual({
    provider: 'anthropic',
    baseUrl: 'http://localhost:1/v1',
  });
});

test('a choice comes back as it went in, and the other provider’s words stay', () => {
  const choice = {
    provider: 'openai-compatible',
    model: 'llama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    contextWindow: 8192,
  } as const;
  const form = withChoice(filled, choice);
  expect(choiceOf(form)).toEqual(choice);
  expect(form.servers.anthropic.model).toBe(' claude-x ');
  expect(withChoice(filled, { provider: 'scripted', model: 'x' })).toBe(filled);
});
