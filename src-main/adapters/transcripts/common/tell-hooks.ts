import type { CallId, HookRunId } from '../../../../src-shared/ids.ts';
import { MEASURED, type Timing } from '../../../../src-shared/tool-call/timing.ts';
import { sessionTime } from '../../../../src-shared/units.ts';
import type { EventList } from '../event-list.ts';
import { RANK } from './ranks.ts';
import type { HookStory, Story } from './story.ts';

/** A line at a hook's end, with or without how long it took, or one at its start: each becomes a start and an end. */
export function tellHooks(story: Story, list: EventList, zero: number): void {
  const counts = new Map<string, number>();
  for (const hook of story.hooks) {
    // Counted for each call and event alone: a count over all would change while agents go on.
    const of = (hook.callId ?? hook.event).slice(0, 380);
    const number = (counts.get(of) ?? 0) + 1;
    counts.set(of, number);
    const runId = `hook-${of}-${number}` as HookRunId;
    const { place } = hook;
    const from = Math.max(zero, place.at - (hook.durationMs ?? 0));
    const isCalls = hook.callId !== undefined && story.calls.has(hook.callId);
    const matcher = hook.name?.split(':')[1];
    list.add({ at: from, ord: place.ord }, RANK.hookStarted, {
      type: 'hook-started',
      runId,
      hookEvent: hook.event,
      command: hook.command,
      timing: startTiming(hook, from - zero, place.timed),
      ...(isCalls ? { callId: hook.callId as CallId } : {}),
      ...(matcher ? { matcher } : {}),
    });
    list.add(place, RANK.hookEnded, {
      type: 'hook-ended',
      runId,
      outcome: hook.outcome,
      stdout: hook.stdout,
      stderr: hook.stderr,
      effects: hook.effects,
      ...(hook.exitCode === undefined ? {} : { exitCode: hook.exitCode }),
    });
  }
}

function startTiming(hook: HookStory, t: number, timed: boolean): Timing {
  if (hook.startOnly && timed) return MEASURED;
  const source = hook.durationMs === undefined ? 'line-time' : 'duration-in-result';
  return { certainty: 'inferred', source, earliest: sessionTime(t), latest: sessionTime(t) };
}
