import { assertNever } from '../../src-shared/assert-never.ts';
import type { Agent, SessionState } from '../../src-shared/session/state.ts';

/** What an agent took: as it was recorded at its end, or its own calls and tokens as far as they are known. */
export function agentTook(
  { calls, requests }: Pick<SessionState, 'calls' | 'requests'>,
  { agentId, end }: Agent,
): { readonly calls: number; readonly tokens: number | undefined; readonly withBelow: boolean } {
  let tokens: number | undefined;
  for (const request of requests) {
    if (request.agentId !== agentId || request.end?.kind !== 'completed') continue;
    const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens } = request.end.usage;
    const known = [inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens].filter((one) => one !== undefined);
    if (known.length > 0) tokens = known.reduce((sum, one) => sum + one, tokens ?? 0);
  }
  const own = calls.filter((call) => call.agentId === agentId).length;
  const recorded = end?.calls;
  return {
    calls: recorded ?? own,
    tokens: end?.tokens ?? tokens,
    withBelow: recorded !== undefined && recorded > own,
  };
}

/** How an agent came to its end, in words. */
export function endOfAgent({ until, end }: Agent, isRunning: boolean): string {
  if (until === undefined) return isRunning ? 'still at work' : 'not known';
  const reason = end?.reason;
  switch (reason) {
    case undefined:
    case 'completed':
      return 'by itself';
    case 'interrupted':
      return 'it was stopped';
    case 'rejected':
      return 'you refused one of its calls';
    case 'stopped-by-hook':
      return 'a hook stopped it';
    case 'error':
      return 'with an error';
    case 'limit':
      return 'at its limit';
    case 'unknown':
      return 'with the app';
    default:
      return assertNever(reason, 'end of an agent');
  }
}
