import type { CascadePolicy, Strategy } from '../../../../src-shared/session/settings.ts';
import { type CallStory, compare, isBefore, type MessageStory, type Moment } from '../common/story.ts';
import type { Ending } from './texts.ts';

type Version = readonly [number, number, number];

export function parseVersion(text: string | undefined): Version | undefined {
  const found = /^(\d+)\.(\d+)\.(\d+)/.exec(text ?? '');
  return found === null ? undefined : [Number(found[1]), Number(found[2]), Number(found[3])];
}

const isUpTo = (version: Version, limit: Version): boolean => {
  for (let i = 0; i < 3; i++) {
    const difference = (version[i] as number) - (limit[i] as number);
    if (difference !== 0) return difference < 0;
  }
  return true;
};

/** Calls of a message started only once it was complete (reference, section 3). */
const LAST_BATCH_VERSION: Version = [2, 1, 24];

/** Whom a failing call cancelled, by version (spec 1.8). It acts where calls start while the message streams. */
export function cascadePolicyOf(version: string | undefined, strategy: Strategy): CascadePolicy {
  if (strategy !== 'streaming') return 'none';
  const parsed = parseVersion(version);
  if (parsed === undefined) return 'bash';
  if (isUpTo(parsed, [2, 1, 46])) return 'any-error';
  if (isUpTo(parsed, [2, 1, 71])) return 'except-writes';
  if (isUpTo(parsed, [2, 1, 127])) return 'bash';
  if (isUpTo(parsed, [2, 1, 160])) return 'bash-mutating';
  return 'none';
}

export type JudgedCall = { readonly call: CallStory; readonly ending: Ending | undefined; readonly end: Moment };

/** A quick tool that has no result this long after its block was not started with it. */
const TELLING_WAIT_MS = 250;
const QUICK_TOOLS: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'LS', 'TodoWrite']);

/**
 * Did this message's calls start as their blocks arrived, or after the whole message? Undefined where it does not show.
 * The order of lines tells; the version only says what was usual.
 */
export function strategyShownBy(message: MessageStory, calls: readonly JudgedCall[]): Strategy | undefined {
  const lastBlock = calls.at(-1)?.call.queued;
  if (lastBlock === undefined || calls.length < 2) return undefined;
  const startedEarly = ({ call }: JudgedCall) => {
    if (call.result !== undefined && isBefore(call.result.place, lastBlock)) return true;
    const seenRunning = call.evidence.agentStart ?? call.evidence.mcpStart;
    return seenRunning !== undefined && seenRunning < lastBlock.at;
  };
  if (calls.some(startedEarly) || calls.some(({ ending }) => ending?.kind === 'sibling')) return 'streaming';
  if (sparedSiblings(message, calls) || startedTogether(calls, lastBlock)) return 'batch';
  const waited = ({ call }: JudgedCall) =>
    QUICK_TOOLS.has(call.tool) && call.queued.timed && lastBlock.at - call.queued.at >= TELLING_WAIT_MS;
  return calls.some(waited) ? 'batch' : undefined;
}

/** Calls whose blocks came one after the other were seen to start at one moment, after the last block. */
function startedTogether(calls: readonly JudgedCall[], lastBlock: Moment): boolean {
  const seen = calls.flatMap(({ call }) => {
    const at = call.evidence.agentStart ?? call.evidence.mcpStart;
    return at === undefined || !call.queued.timed ? [] : [{ at, block: call.queued.at }];
  });
  const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
  const blocks = spread(seen.map((one) => one.block));
  const starts = spread(seen.map((one) => one.at));
  return seen.length > 1 && seen.every((one) => one.at > lastBlock.at) && blocks >= 10 && starts < blocks / 2;
}

/** A failure that would have cancelled its siblings, had calls started while the message streamed, did not. */
function sparedSiblings(message: MessageStory, calls: readonly JudgedCall[]): boolean {
  const policy = cascadePolicyOf(message.version, 'streaming');
  if (parseVersion(message.version) === undefined || policy === 'none' || policy === 'bash-mutating') return false;
  const cascades = ({ call, ending }: JudgedCall) =>
    (ending?.kind === 'error' || (ending?.kind === 'denied' && ending.by !== 'no-user')) &&
    (policy === 'bash' ? call.tool === 'Bash' : policy === 'any-error' || !/^(?:Write|Edit)$/.test(call.tool));
  const culprit = calls.filter(cascades).sort((a, b) => compare(a.end, b.end))[0];
  if (culprit === undefined) return false;
  return calls.some(({ call, ending, end }) => {
    const survived = ending?.kind === 'ok' || ending?.kind === 'error' || ending?.kind === 'denied';
    // Results a moment later may have been on their way; those of calls that came later were not.
    const clearlyLater = end.at > culprit.end.at + 50 || call.index > culprit.call.index + 1;
    return survived && clearlyLater && isBefore(culprit.end, end);
  });
}

/** What was usual where the lines do not show it. */
export function usualStrategy(version: string | undefined): Strategy {
  const parsed = parseVersion(version);
  return parsed === undefined || isUpTo(parsed, LAST_BATCH_VERSION) ? 'batch' : 'streaming';
}
