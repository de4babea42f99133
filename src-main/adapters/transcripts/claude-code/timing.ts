import type { TimeSource } from '../../../../src-shared/tool-call/timing.ts';
import { numberAt } from '../common/fields.ts';
import type { BestTime, PlayedStart } from '../common/judged.ts';
import { type CallStory, isKnown, type Moment } from '../common/story.ts';

/** How long the tool itself took, as its result says. In ms. */
function recordedDuration(call: CallStory): number | undefined {
  const facts = call.result?.facts;
  const seconds = numberAt(facts, 'durationSeconds');
  const ms =
    numberAt(facts, 'durationMs') ??
    numberAt(facts, 'totalDurationMs') ??
    (seconds === undefined ? undefined : seconds * 1000);
  return ms !== undefined && ms >= 0 ? ms : undefined;
}

/** A bash_progress line gives its time in whole seconds. */
const PROGRESS_SLACK_MS = 1000;

/** What other lines tell of the start, best first (reference, section 3). */
function seenStarts(call: CallStory): readonly BestTime[] {
  const { evidence, queued, result } = call;
  const starts: BestTime[] = [];
  const duration = recordedDuration(call);
  if (duration !== undefined && result?.place.timed) {
    const at = result.place.at - duration;
    starts.push({ at, source: 'duration-in-result', earliest: queued.at, latest: at });
  }
  const { mcpStart, bashStart, agentStart, hookEnd } = evidence;
  if (mcpStart !== undefined)
    starts.push({ at: mcpStart, source: 'progress-line', earliest: mcpStart, latest: mcpStart });
  if (bashStart !== undefined) {
    const [earliest, latest] = [bashStart - PROGRESS_SLACK_MS, bashStart + PROGRESS_SLACK_MS];
    starts.push({ at: bashStart, source: 'progress-line', earliest, latest });
  }
  if (agentStart !== undefined)
    starts.push({ at: agentStart, source: 'agent-file', earliest: queued.at, latest: agentStart });
  if (hookEnd !== undefined) {
    starts.push({ at: hookEnd, source: 'hook-end', earliest: hookEnd, latest: Number.POSITIVE_INFINITY });
  }
  return starts;
}

/** A wall time at which the call was certainly running already. */
export function seenRunning(call: CallStory): number | undefined {
  const seen = seenStarts(call).filter((start) => start.source !== 'hook-end');
  return seen.length === 0 ? undefined : Math.min(...seen.map((start) => start.latest));
}

const SOURCES: Readonly<Record<PlayedStart['cause'], TimeSource>> = {
  block: 'block-time',
  message: 'block-time',
  'previous-call': 'previous-call',
};

/**
 * The best start: what was seen, but never before the rules let the call go and never after its end. Without a sighting
 * it is the moment the rules let it go, and the truth lies between that and the end.
 */
export function bestStart(call: CallStory, played: PlayedStart, end: Moment, orderOnly: boolean): BestTime {
  const free = played.moment.at;
  if (!isKnown(end)) return startSoFar(call, played, orderOnly);
  if (orderOnly) return { at: free, source: 'order-only', earliest: free, latest: end.at };
  const within = (at: number) => Math.min(Math.max(at, free), end.at);
  const seen = played.outOfTurn ? undefined : seenStarts(call).find((start) => start.at <= end.at);
  if (seen === undefined || seen.at < free) {
    const source = call.queued.timed ? SOURCES[played.cause] : 'line-time';
    return { at: free, source, earliest: played.outOfTurn ? call.queued.at : free, latest: end.at };
  }
  return { at: within(seen.at), source: seen.source, earliest: within(seen.earliest), latest: within(seen.latest) };
}

/** The best start of a call that still runs. Its end may tell better. */
function startSoFar(call: CallStory, { moment, cause }: PlayedStart, orderOnly: boolean): BestTime {
  const free = moment.at;
  const [seen] = orderOnly ? [] : seenStarts(call);
  if (seen !== undefined && seen.at >= free) {
    const earliest = Math.max(free, Math.min(seen.earliest, seen.at));
    return { at: seen.at, source: seen.source, earliest, latest: seen.at };
  }
  const source = orderOnly ? 'order-only' : call.queued.timed ? SOURCES[cause] : 'line-time';
  return { at: free, source, earliest: free, latest: free };
}
