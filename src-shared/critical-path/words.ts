import { assertNever } from '../assert-never.ts';
import { callById, type SessionState } from '../session/state.ts';
import { callName, formatMillis, listNames } from '../timeline/words.ts';
import type { CriticalPath, PathKind } from './path.ts';
import type { LongestWait, PathShares, TurnWork } from './shares.ts';

/** The kinds as a person reads them, in the order of the design. */
export const PATH_WORDS: readonly (readonly [PathKind, string])[] = [
  ['model', 'Model'],
  ['tool', 'Tools'],
  ['human', 'You'],
  ['hook', 'Hooks'],
  ['lock', 'Lock, no work meanwhile'],
  ['other', 'Other'],
];

/** Less than this is told as nothing, in ms. */
export const NEWS_MS = 0.5;

/** `36 %`; what is there but less than half a percent is `< 1 %`. */
export function percentWords(ms: number, total: number): string {
  if (total <= 0) return '0 %';
  const percent = Math.round((100 * ms) / total);
  return percent === 0 && ms >= NEWS_MS ? '< 1 %' : `${percent} %`;
}

/** The path in one sentence, for who cannot see the bar: `34.8 s: Model 12.7 s (36 %), Tools 18.4 s (53 %)`. */
export function sharesSentence(shares: PathShares, total: number): string {
  const parts = PATH_WORDS.filter(([kind]) => shares[kind] >= NEWS_MS).map(
    ([kind, word]) => `${word} ${formatMillis(shares[kind])} (${percentWords(shares[kind], total)})`,
  );
  return parts.length === 0 ? formatMillis(total) : `${formatMillis(total)}: ${parts.join(', ')}`;
}

/** How parallel the tools ran: `1.7×` and `31.4 s of tool work in 18.4 s of tool time`; undefined where none worked. */
export function efficiencyWords({
  workMs,
  wallMs,
}: TurnWork): { readonly factor: string; readonly text: string } | undefined {
  if (wallMs <= 0) return undefined;
  return {
    factor: `${(workMs / wallMs).toFixed(1)}×`,
    text: `${formatMillis(workMs)} of tool work in ${formatMillis(wallMs)} of tool time.`,
  };
}

/** `The longest wait, 5.2 s, was that of Edit(price.ts) for Agent(Who else).` */
export function longestWaitWords(state: SessionState, wait: LongestWait): string {
  const call = callById(state, wait.callId);
  const name = call === undefined ? 'a call' : callName(call);
  return `The longest wait, ${formatMillis(wait.ms)}, was that of ${name} ${waitedFor(state, wait)}.`;
}

function waitedFor(state: SessionState, { why, by }: LongestWait): string {
  const names = listNames(
    by.flatMap((id) => {
      const call = callById(state, id);
      return call === undefined ? [] : [callName(call)];
    }),
  );
  switch (why) {
    case 'permission':
      return 'for your answer';
    case 'no-lane':
      return 'for a free lane';
    case 'message-open':
    case 'settings':
      return 'for the end of its message';
    case 'hold':
      return 'in the held queue';
    case 'lock':
      return names === '' ? 'for the lock' : `for ${names}`;
    case 'order':
    case 'batch':
      return names === '' ? 'for calls before it' : `for ${names}`;
    default:
      return assertNever(why, 'reason to wait');
  }
}

/** What a call means for the length of its turn, by what it has of the path. */
export function onPathWords(name: string, ms: number, path: CriticalPath): string {
  if (ms < NEWS_MS) return `${name} is not on the critical path. Without it the turn would have been as long.`;
  const share = percentWords(ms, path.until - path.from);
  return `${name} is on the critical path. Without it the turn would have been at most ${formatMillis(ms)} shorter, ${share} of its time.`;
}
