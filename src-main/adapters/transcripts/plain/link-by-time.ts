import type { PlainAgent, PlainCall, PlainStep } from './session.ts';

/** Names of tools that start an agent, whatever the program calls them. */
const STARTS_AGENTS = /agent|investigator|^task$|delegate|subtask/i;

/**
 * A sub-agent whose file names no call: the call that was running when it began is its parent, if there is just one that
 * can start agents. `own`: the steps of the main agent.
 */
export function linkByTime(
  agent: { readonly key: string; readonly steps: readonly PlainStep[]; readonly startedAt: number | undefined },
  own: readonly PlainStep[],
): PlainAgent {
  const prompt = agent.steps.find((step) => step.kind === 'entry');
  const at = agent.startedAt ?? prompt?.at;
  const calls = own
    .flatMap((step) => (step.kind === 'message' ? step.blocks : []))
    .flatMap((block) => (block.kind === 'call' && STARTS_AGENTS.test(block.call.tool) ? [block.call] : []));
  const running = at === undefined ? [] : calls.filter((call) => wasRunning(call, at));
  const parent = running.length === 1 ? running[0] : undefined;
  return {
    key: agent.key,
    name: parent?.tool ?? agent.key,
    agentType: 'sub-agent',
    prompt: prompt?.text ?? '',
    parentCallId: parent?.id,
  };
}

function wasRunning({ start, end }: PlainCall, at: number): boolean {
  if (typeof start === 'string' || typeof end === 'string') return false;
  return start.earliest <= at && at <= end.latest;
}
