/** When this table was last compared with the public price lists of Anthropic and OpenAI. */
export const PRICES_AS_OF = '2026-11-06';

/** US dollars for a million tokens. */
export type Price = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
};

export type KnownModel = {
  readonly price: Price;
  /** Another price for every token of a request whose prompt has more tokens than `over`. */
  readonly long?: { readonly over: number; readonly price: Price };
  /** Tokens that fit into a conversation. */
  readonly window: number;
  /** The most tokens of one answer. */
  readonly answer: number;
};

/** Anthropic: what is written for five minutes costs a quarter more than input. */
const claude = (input: number, output: number, cacheRead = input / 10, cacheWrite = input * 1.25): Price => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});
/** OpenAI: writing into the cache costs nothing more, except with the newest. */
const gpt = (input: number, cacheRead: number, output: number, cacheWrite = input): Price => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});

const MILLION = { window: 1_000_000, answer: 128_000 };
const CLASSIC = { window: 200_000, answer: 64_000 };
const GPT_LONG = { window: 1_050_000, answer: 128_000 };
const GPT_5 = { window: 400_000, answer: 128_000 };
const GPT_4_1 = { window: 1_047_576, answer: 32_768 };
const GPT_4O = { window: 128_000, answer: 16_384 };
const O_SERIES = { window: 200_000, answer: 100_000 };

/** By the name without vendor, date and `-latest`. Models that are not here have no price and no known window. */
export const KNOWN_MODELS: Readonly<Record<string, KnownModel>> = {
  'claude-fable-5-2': { price: claude(8, 40, 0.2), ...MILLION },
  'claude-fable-5-1': { price: claude(10, 50, 0.25), ...MILLION },
  'claude-mythos-5-1': { price: claude(10, 50, 0.25), ...MILLION },
  'claude-fable-5': { price: claude(10, 50), ...MILLION },
  'claude-mythos-5': { price: claude(10, 50), ...MILLION },
  'claude-opus-5-5': { price: claude(4, 20, 0.2), ...MILLION },
  'claude-opus-5': { price: claude(5, 25), ...MILLION },
  'claude-opus-4-8': { price: claude(5, 25), ...MILLION },
  'claude-opus-4-7': { price: claude(5, 25), ...MILLION },
  'claude-opus-4-6': { price: claude(5, 25), ...MILLION },
  'claude-opus-4-5': { price: claude(5, 25), ...CLASSIC },
  'claude-opus-4-1': { price: claude(15, 75), window: 200_000, answer: 32_000 },
  'claude-opus-4': { price: claude(15, 75), window: 200_000, answer: 32_000 },
  'claude-3-opus': { price: claude(15, 75), window: 200_000, answer: 4_096 },
  'claude-sonnet-5-5': { price: claude(2, 10, 0.1), ...MILLION },
  'claude-sonnet-5': { price: claude(2, 10), ...MILLION },
  'claude-sonnet-4-6': { price: claude(3, 15), ...MILLION },
  'claude-sonnet-4-5': { price: claude(3, 15), ...CLASSIC },
  'claude-sonnet-4': { price: claude(3, 15), ...CLASSIC },
  'claude-3-7-sonnet': { price: claude(3, 15), ...CLASSIC },
  'claude-3-5-sonnet': { price: claude(3, 15), window: 200_000, answer: 8_192 },
  'claude-haiku-5-5': { price: claude(0.1, 0.5), long: { over: 100_000, price: claude(0.5, 2.5) }, ...MILLION },
  'claude-haiku-4-5': { price: claude(1, 5), ...CLASSIC },
  'claude-3-5-haiku': { price: claude(0.8, 4), window: 200_000, answer: 8_192 },
  'claude-3-haiku': { price: claude(0.25, 1.25, 0.03, 0.3), window: 200_000, answer: 4_096 },

  'gpt-6-astra': { price: gpt(10, 1, 50), ...GPT_LONG },
  'gpt-6.1-sol': { price: gpt(2, 0.1, 10, 2.5), long: { over: 272_000, price: gpt(4, 0.2, 15, 5) }, ...GPT_LONG },
  'gpt-6.1-terra': { price: gpt(1, 0.05, 5, 1.25), ...GPT_LONG },
  'gpt-6-sol': { price: gpt(2, 0.2, 10, 2.5), ...GPT_LONG },
  'gpt-6-luna': { price: gpt(0.1, 0.01, 0.5, 0.125), ...GPT_LONG },
  'gpt-5.6-sol': { price: gpt(4, 0.4, 20), ...GPT_LONG },
  'gpt-5.6-terra': { price: gpt(2, 0.2, 12), ...GPT_LONG },
  'gpt-5.6-luna': { price: gpt(0.2, 0.02, 1.2), ...GPT_LONG },
  'gpt-5.5': { price: gpt(5, 0.5, 30), ...GPT_LONG },
  'gpt-5.4': { price: gpt(2.5, 0.25, 15), ...GPT_LONG },
  'gpt-5.4-mini': { price: gpt(0.75, 0.075, 4.5), ...GPT_5 },
  'gpt-5.4-nano': { price: gpt(0.2, 0.02, 1.25), ...GPT_5 },
  'gpt-5.2': { price: gpt(1.75, 0.175, 14), ...GPT_5 },
  'gpt-5.1': { price: gpt(1.25, 0.125, 10), ...GPT_5 },
  'gpt-5': { price: gpt(1.25, 0.125, 10), ...GPT_5 },
  'gpt-5-mini': { price: gpt(0.25, 0.025, 2), ...GPT_5 },
  'gpt-5-nano': { price: gpt(0.05, 0.005, 0.4), ...GPT_5 },
  'gpt-4.1': { price: gpt(2, 0.5, 8), ...GPT_4_1 },
  'gpt-4.1-mini': { price: gpt(0.4, 0.1, 1.6), ...GPT_4_1 },
  'gpt-4.1-nano': { price: gpt(0.1, 0.025, 0.4), ...GPT_4_1 },
  'gpt-4o': { price: gpt(2.5, 1.25, 10), ...GPT_4O },
  'gpt-4o-mini': { price: gpt(0.15, 0.075, 0.6), ...GPT_4O },
  o3: { price: gpt(2, 0.5, 8), ...O_SERIES },
  'o4-mini': { price: gpt(1.1, 0.275, 4.4), ...O_SERIES },
  'o3-mini': { price: gpt(1.1, 0.55, 4.4), ...O_SERIES },
  o1: { price: gpt(15, 7.5, 60), ...O_SERIES },
};
