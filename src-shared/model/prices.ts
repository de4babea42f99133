import type { Usage } from './event.ts';
import { KNOWN_MODELS, type KnownModel } from './known-models.ts';

const MILLION = 1_000_000;
/** For a model whose limit is not known; every newer one takes it. */
const ANSWER_OF_UNKNOWN = 32_000;

/**
 * What a message cost in US dollars, estimated from public list prices; discounts, tiers, and the hour-long cache are not
 * in it. Undefined for a model whose price is not known, and where no tokens were reported.
 */
export function costUsd(model: string, usage: Usage): number | undefined {
  const known = knownModel(model);
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheCreationTokens = 0 } = usage;
  if (known === undefined || (inputTokens === undefined && outputTokens === undefined)) return undefined;
  const prompt = (inputTokens ?? 0) + cacheReadTokens + cacheCreationTokens;
  const price = known.long !== undefined && prompt > known.long.over ? known.long.price : known.price;
  return (
    ((inputTokens ?? 0) * price.input +
      (outputTokens ?? 0) * price.output +
      cacheReadTokens * price.cacheRead +
      cacheCreationTokens * price.cacheWrite) /
    MILLION
  );
}

/** The same with its cost. What the server says of it counts; most say nothing, and then it is the estimate. */
export function withCost(usage: Usage, model: string): Usage {
  const cost = usage.costUsd ?? costUsd(model, usage);
  return cost === undefined ? usage : { ...usage, costUsd: cost };
}

/** Tokens that fit into a conversation with the model, or undefined where that is not known. */
export const contextWindowOf = (model: string): number | undefined => knownModel(model)?.window;

/** The most tokens that one answer of the model may have, or a number that any newer model takes. */
export const mostOutputTokens = (model: string): number => knownModel(model)?.answer ?? ANSWER_OF_UNKNOWN;

/**
 * How a Claude model is asked to think. `budget`: with a number of tokens, all up to 4.5 and names that tell no version.
 * `adaptive`: when asked, and as much as it finds right, from 4.6. `by-itself`: unasked, from 5.
 */
export function claudeThinking(model: string): 'budget' | 'adaptive' | 'by-itself' {
  const [, major, minor = '0'] = /^claude-[a-z]+-(\d+)(?:-(\d+))?$/.exec(plainName(model)) ?? [];
  if (major === undefined) return 'budget';
  const version = Number(major) + Number(minor) / 10;
  return version >= 5 ? 'by-itself' : version >= 4.6 ? 'adaptive' : 'budget';
}

const knownModel = (model: string): KnownModel | undefined => {
  const name = plainName(model);
  return Object.hasOwn(KNOWN_MODELS, name) ? KNOWN_MODELS[name] : undefined;
};

/** Without the vendor that gateways put before it, a date, a version of the server and `-latest`. */
const plainName = (model: string): string =>
  model
    .toLowerCase()
    .replace(/^(?:.*\/)?(?:[a-z]{2,6}\.)?(?:anthropic\.|openai\.)?/, '')
    .replace(/(?:\[1m\]|-v\d+(?::\d+)?|:\d+)$/, '')
    .replace(/(?:-latest|[-@](?:\d{8}|\d{4}-\d{2}-\d{2}))$/, '')
    .replace(/-0$/, '');
