import type { LinkedAgent } from './judged.ts';
import { type CallStory, compare, isBefore, MAIN_KEY, type Moment, NEVER, type Story } from './story.ts';

export type OpenEnd = { readonly moment: Moment; readonly interrupted: boolean };

/** Just before the line at this place. */
const justBefore = ({ at, ord }: Moment): Moment => ({ at, ord: ord - 0.5 });
const justAfter = ({ at, ord }: Moment): Moment => ({ at, ord: ord + 0.5 });

/**
 * Where calls without a result end: at an interruption, at the next prompt of their agent, at the end of the call that
 * started their agent, or with the file; whichever comes first (reference, section 14). A file that is still being
 * written ends nothing.
 */
export function openEnds(
  story: Story,
  agents: ReadonlyMap<string, LinkedAgent>,
  goesOn = false,
): (call: CallStory) => OpenEnd {
  const breaks = new Map<string, { readonly place: Moment; readonly interrupted: boolean }[]>();
  for (const entry of story.entries) {
    if (entry.kind === 'said') continue;
    const one = { place: entry.place, interrupted: entry.kind === 'interrupt' };
    const list = breaks.get(entry.agentKey);
    if (list === undefined) breaks.set(entry.agentKey, [one]);
    else list.push(one);
  }
  for (const list of breaks.values()) list.sort((a, b) => compare(a.place, b.place));
  const last = goesOn ? NEVER : justAfter(story.last);

  const endOf = (call: CallStory, depth: number): OpenEnd => {
    const next = firstAfter(breaks.get(call.agentKey) ?? [], call.queued);
    const own = next === undefined ? undefined : { moment: justBefore(next.place), interrupted: next.interrupted };
    const parent = call.agentKey === MAIN_KEY ? undefined : agents.get(call.agentKey)?.parentCall;
    const isAsync = parent?.background !== undefined || isLaunch(parent);
    if (parent === undefined || isAsync || depth > 20) return own ?? { moment: last, interrupted: false };
    const around: OpenEnd =
      parent.result === undefined
        ? endOf(parent, depth + 1)
        : { moment: justBefore(parent.result.place), interrupted: false };
    if (isBefore(around.moment, call.queued)) return own ?? { moment: last, interrupted: false };
    return own !== undefined && isBefore(own.moment, around.moment) ? own : around;
  };
  return (call) => endOf(call, 0);
}

/** The call only launched its agent; its own end says nothing about the agent's. */
const isLaunch = (call: CallStory | undefined): boolean => call?.result?.facts.isAsync === true;

function firstAfter<T extends { readonly place: Moment }>(list: readonly T[], moment: Moment): T | undefined {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(moment, (list[middle] as T).place)) high = middle;
    else low = middle + 1;
  }
  return list[low];
}
