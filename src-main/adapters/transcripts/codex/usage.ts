import type { Usage } from '../../../../src-shared/model/event.ts';
import { type Fields, fieldsOf, numberAt } from '../common/fields.ts';

/** Counts are cumulative and written more than once: only a new total is a new response. */
export class TokenCounts {
  #total: Fields | undefined;

  /** Tokens of the response that this count follows; undefined where it says nothing new. */
  take(payload: Fields): Usage | undefined {
    const info = fieldsOf(payload.info);
    const total = fieldsOf(info?.total_token_usage);
    const last = fieldsOf(info?.last_token_usage) ?? this.#sinceTotal(total);
    if (last === undefined) return undefined;
    if (total !== undefined && this.#total !== undefined && isSame(total, this.#total)) return undefined;
    this.#total = total ?? this.#total;
    return usageOf(last);
  }

  #sinceTotal(total: Fields | undefined): Fields | undefined {
    if (total === undefined) return undefined;
    const since = (key: string) => Math.max(0, (numberAt(total, key) ?? 0) - (numberAt(this.#total, key) ?? 0));
    return Object.fromEntries(Object.keys(total).map((key) => [key, since(key)]));
  }
}

/** Some versions leave the sum of all kinds out. */
const isSame = (a: Fields, b: Fields): boolean =>
  'total_tokens' in a && 'total_tokens' in b
    ? a.total_tokens === b.total_tokens
    : JSON.stringify(a) === JSON.stringify(b);

/** Tokens the server read from its cache are counted within the input here; not so in sessions. */
export function usageOf(raw: Fields): Usage {
  const cached = numberAt(raw, 'cached_input_tokens');
  const input = numberAt(raw, 'input_tokens');
  const output = numberAt(raw, 'output_tokens');
  const written = numberAt(raw, 'cache_write_input_tokens');
  return {
    ...(input === undefined ? {} : { inputTokens: Math.max(0, input - (cached ?? 0)) }),
    ...(output === undefined ? {} : { outputTokens: output }),
    ...(cached === undefined ? {} : { cacheReadTokens: cached }),
    ...(written === undefined ? {} : { cacheCreationTokens: written }),
  };
}
