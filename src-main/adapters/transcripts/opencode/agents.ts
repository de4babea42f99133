import { linkByTime } from '../plain/link-by-time.ts';
import type { PlainAgent, PlainStep } from '../plain/session.ts';
import type { UnknownKinds } from '../plain/unknown.ts';
import type { SessionParts } from './read-storage.ts';
import { stepsOf } from './steps.ts';

/** A session, and the sessions its calls started. */
export type SessionTree = {
  readonly key: string;
  readonly session: SessionParts;
  readonly children: readonly SessionTree[];
};

type Agents = { readonly steps: readonly PlainStep[]; readonly agents: readonly PlainAgent[] };

/** The call that started a session names it in its metadata; where none does, the time tells. */
export function agentsUnder(tree: SessionTree, own: readonly PlainStep[], unknown: UnknownKinds): Agents {
  const steps: PlainStep[] = [];
  const agents: PlainAgent[] = [];
  const parts = tree.session.messages.flatMap((message) => message.parts);
  for (const child of tree.children) {
    const { key, session } = child;
    const theirs = stepsOf(session.messages, { agent: key, unknown, file: session.file });
    const parent = parts.find(({ state }) => [state?.metadata?.sessionId, state?.metadata?.sessionID].includes(key));
    const linked = linkByTime({ key, steps: theirs, startedAt: session.info.time?.created }, own);
    agents.push({
      ...linked,
      name: session.info.title ?? key,
      parentCallId: parent?.callID ?? linked.parentCallId,
    });
    const under = agentsUnder(child, theirs, unknown);
    steps.push(...theirs, ...under.steps);
    agents.push(...under.agents);
  }
  return { steps, agents };
}
