import { describe, expect, test } from 'vitest';
import { KNOWN_MODELS, PRICES_AS_OF } from './known-models.ts';
import { claudeThinking, contextWindowOf, costUsd, mostOutputTokens } from './prices.ts';

describe('the cost of a message', () => {
  test('counts each kind of token at its own price', () => {
    const usage = {
      inputTokens: 1_000,
      outputTokens: 2_000,
      cacheReadTokens: 10_000,
      cacheCreationTokens: 4_000,
    };
    // 3, 15, 0.30 and 3.75 dollars for a million.
    expect(costUsd('claude-sonnet-4-5-20250929', usage)).toBeCloseTo(0.003 + 0.03 + 0.003 + 0.015, 10);
    expect(costUsd('gpt-4.1', { inputTokens: 1_000_000, outputTokens: 500_000 })).toBeCloseTo(6, 10);
  });

  test('is of the whole prompt where a long one has a price of its own', () => {
    const short = costUsd('claude-haiku-5-5', { inputTokens: 10_000, cacheReadTokens: 90_000, outputTokens: 1_000 });
    const long = costUsd('claude-haiku-5-5', { inputTokens: 10_001, cacheReadTokens: 90_000, outputTokens: 1_000 });
    expect(long).toBeGreaterThan((short ?? 0) * 4.9);
  });

  test.each(['scenario two', 'gpt-oss:20b', 'llama3.2:3b', 'claude', '__proto__', ''])(
    'is not known of %j',
    (model) => {
      expect(costUsd(model, { inputTokens: 1_000, outputTokens: 1_000 })).toBeUndefined();
      expect(contextWindowOf(model)).toBeUndefined();
      expect(mostOutputTokens(model)).toBe(32_000);
    },
  );

  test('is not known where no tokens were told', () => {
    expect(costUsd('gpt-5', {})).toBeUndefined();
    expect(costUsd('gpt-5', { outputTokens: 0 })).toBe(0);
  });
});

test.each([
  ['claude-opus-4-20250514', 'claude-opus-4'],
  ['claude-opus-4-0', 'claude-opus-4'],
  ['claude-3-7-sonnet-latest', 'claude-3-7-sonnet'],
  ['anthropic/claude-sonnet-5', 'claude-sonnet-5'],
  ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5'],
  ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
  ['claude-opus-4-6[1m]', 'claude-opus-4-6'],
  ['gpt-4o-2024-08-06', 'gpt-4o'],
  ['openai/gpt-5-mini', 'gpt-5-mini'],
  ['GPT-4.1', 'gpt-4.1'],
])('%s is priced as %s', (name, known) => {
  const usage = { inputTokens: 1_000, outputTokens: 1_000 };
  const price = KNOWN_MODELS[known]?.price;
  expect(costUsd(name, usage)).toBeCloseTo(((price?.input ?? Number.NaN) + (price?.output ?? 0)) / 1_000, 10);
});

test('the table is dated and plausible: reading from the cache is cheaper than input, output dearer', () => {
  expect(PRICES_AS_OF).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  for (const [name, { price, window, answer }] of Object.entries(KNOWN_MODELS)) {
    expect(price.cacheRead, name).toBeLessThan(price.input);
    expect(price.output, name).toBeGreaterThan(price.input);
    expect(answer, name).toBeLessThan(window);
  }
});

test.each([
  ['claude-3-7-sonnet-20250219', 'budget'],
  ['claude-sonnet-4-20250514', 'budget'],
  ['claude-haiku-4-5', 'budget'],
  ['claude-opus-4-6', 'adaptive'],
  ['claude-opus-4-8', 'adaptive'],
  ['claude-sonnet-5', 'by-itself'],
  ['claude-opus-5-5-20260922', 'by-itself'],
  ['my-proxy-model', 'budget'],
] as const)('%s is asked to think with %s', (model, how) => {
  expect(claudeThinking(model)).toBe(how);
});
