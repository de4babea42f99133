import { PermissionMode } from '../../../../src-shared/permission/event.ts';
import type { SessionEvent } from '../../../../src-shared/session/event.ts';
import { defaultSettings, type SessionSettings, type Strategy } from '../../../../src-shared/session/settings.ts';
import type { JudgedMessage, LinkedAgent } from '../common/judged.ts';
import { openEnds } from '../common/open-ends.ts';
import { MAIN_KEY } from '../common/story.ts';
import { type Telling, tellSession } from '../common/tell-session.ts';
import { linkAgents } from './agents.ts';
import { markLeftBranches } from './branches.ts';
import type { ClaudeStory } from './collect.ts';
import type { PreparedMessage } from './judge.ts';
import { Judgements } from './judgements.ts';
import { cascadePolicyOf, usualStrategy } from './regime.ts';

export type TellOptions = Pick<Telling, 'format' | 'path' | 'savedOf' | 'fallbackId' | 'goesOn'> & {
  /** Judgements of an earlier telling, which are made anew only for messages that have changed. */
  readonly judgements?: Judgements;
};

/** Turns what the files say into the events of a session: works out what they leave out, and says which is which. */
export function tellClaudeSession(story: ClaudeStory, options: TellOptions): readonly SessionEvent[] {
  const agents = linkAgents(story);
  markLeftBranches(story);
  const judged = judgeAll(story, agents, options);
  const strategy = sessionStrategy(judged, story.version);
  return tellSession({
    ...options,
    story,
    agents,
    judged,
    settings: settingsOf(story, strategy, story.version),
    settingsChanges: policyChanges(judged, strategy, story),
    policyOf: (one) => cascadePolicyOf(one.message.version ?? story.version, one.played.strategy),
  });
}

function judgeAll(
  story: ClaudeStory,
  agents: ReadonlyMap<string, LinkedAgent>,
  { goesOn, judgements = new Judgements() }: TellOptions,
): readonly JudgedMessage[] {
  const openEnd = openEnds(story, agents, goesOn);
  const input = { openEnd, denied: story.deniedCalls };
  const prepared = story.messages.map((message) => judgements.prepare(message, input));
  const usual = usualByVersion(prepared);
  const surroundings = { cwd: story.cwd ?? '', orderOnly: !story.timed };
  return prepared.map((one) =>
    judgements.judge(one, { ...surroundings, usual: usual(one.message.version ?? story.version) }),
  );
}

/** Where one message does not show when its calls started, the others of the same version do, or the version does. */
function usualByVersion(prepared: readonly PreparedMessage[]): (version: string | undefined) => Strategy {
  const votes = new Map<string | undefined, number>();
  for (const { message, shown } of prepared) {
    if (shown === undefined) continue;
    votes.set(message.version, (votes.get(message.version) ?? 0) + (shown === 'streaming' ? 1 : -1));
  }
  return (version) => {
    const vote = votes.get(version) ?? 0;
    if (vote !== 0) return vote > 0 ? 'streaming' : 'batch';
    return usualStrategy(version);
  };
}

/** What most messages with more than one call ran under. */
function sessionStrategy(judged: readonly JudgedMessage[], version: string | undefined): Strategy {
  let vote = 0;
  for (const { message, played } of judged) {
    if (message.calls.length > 1) vote += played.strategy === 'streaming' ? 1 : -1;
  }
  if (vote === 0) return usualStrategy(version);
  return vote > 0 ? 'streaming' : 'batch';
}

function settingsOf(story: ClaudeStory, strategy: Strategy, version: string | undefined): SessionSettings {
  const mode = PermissionMode.safeParse(story.mode);
  return {
    ...defaultSettings(strategy),
    cascade: cascadePolicyOf(version, strategy),
    mode: mode.success ? mode.data : 'default',
  };
}

/** A session that was continued with another version of the program had another policy from then on. */
function policyChanges(
  judged: readonly JudgedMessage[],
  strategy: Strategy,
  story: ClaudeStory,
): Telling['settingsChanges'] {
  const changes: Telling['settingsChanges'][number][] = [];
  let version = story.version;
  const inOrder = [...judged].sort((a, b) => a.message.first.at - b.message.first.at);
  for (const { message } of inOrder) {
    if (message.version === undefined || message.version === version || message.agentKey !== MAIN_KEY) continue;
    const changed = cascadePolicyOf(message.version, strategy) !== cascadePolicyOf(version, strategy);
    version = message.version;
    if (!changed) continue;
    const settings = { ...settingsOf(story, strategy, version), mode: message.mode } as SessionSettings;
    changes.push({ place: message.first, settings });
  }
  return changes;
}
