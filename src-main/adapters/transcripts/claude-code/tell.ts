import type { AgentId, SessionId } from '../../../../src-shared/ids.ts';
import { PermissionMode } from '../../../../src-shared/permission/event.ts';
import type { EventFacts, Origin, SessionEvent } from '../../../../src-shared/session/event.ts';
import { defaultSettings, type SessionSettings, type Strategy } from '../../../../src-shared/session/settings.ts';
import { EventList } from '../event-list.ts';
import { type LinkedAgent, linkAgents } from './agents.ts';
import { markLeftBranches } from './branches.ts';
import { type JudgedMessage, judgeMessage, type PreparedMessage, prepareMessage } from './judge.ts';
import { openEnds } from './open-ends.ts';
import { RANK } from './ranks.ts';
import { cascadePolicyOf, usualStrategy } from './regime.ts';
import type { SavedOutput } from './saved-output.ts';
import { type CallStory, isBefore, later, MAIN_KEY, type Moment, type Story } from './story.ts';
import { type CallTelling, tellCalls } from './tell-calls.ts';
import { tellHooks } from './tell-hooks.ts';
import { tellEntry, tellRequest, tellTurn } from './tell-messages.ts';
import { turnsOf } from './turns.ts';

export type TellOptions = {
  readonly format: string;
  readonly path: string;
  readonly savedOf: (call: CallStory) => SavedOutput | undefined;
  /** Names the session where no line does. */
  readonly fallbackId: string;
};

/** Turns what the files say into the events of a session: works out what they leave out, and says which is which. */
export function tellSession(story: Story, options: TellOptions): readonly SessionEvent[] {
  const agents = linkAgents(story);
  markLeftBranches(story);
  const judged = judgeAll(story, agents);
  const strategy = sessionStrategy(judged, story.version);
  const list = new EventList();
  const zero = Number.isFinite(story.firstAt) ? story.firstAt : 0;
  tellStart(story, { list, zero, strategy, options });
  const agentIdOf = (key: string) => (key === MAIN_KEY ? MAIN_KEY : (agents.get(key)?.agentId ?? MAIN_KEY));
  const requestIds = new Set<string>();
  const newRequestId = (wanted: string) => {
    let id = wanted.slice(0, 380) || 'request';
    if (requestIds.has(id)) id = `${id}#${requestIds.size}`;
    requestIds.add(id);
    return id;
  };
  const orderOnly = !story.timed;
  const telling: CallTelling = {
    list,
    zero,
    orderOnly,
    savedOf: options.savedOf,
    policyOf: (one) => cascadePolicyOf(one.message.version ?? story.version, one.played.strategy),
  };
  story.entries.forEach((entry, index) => {
    tellEntry(entry, index, agentIdOf(entry.agentKey), list);
  });
  const ofAgent = groupByAgent(story, judged);
  for (const [key, { entries, marks, messages }] of ofAgent) {
    const agentId = agentIdOf(key);
    const { turns, requests } = turnsOf({ agentId, entries, marks, messages });
    for (const turn of turns) tellTurn(turn, agentId, list);
    const byMessage = new Map(messages.map((one) => [one.message, one]));
    for (const request of requests) {
      const one = byMessage.get(request.message);
      if (one !== undefined) tellRequest(request, one, { list, zero, orderOnly, agentId, newRequestId });
    }
    tellCalls(messages, agentId, telling);
    const agent = agents.get(key);
    if (agent !== undefined) tellAgent(agent, messages, list);
  }
  tellHooks(story, list, zero);
  for (const { place, facts } of story.facts) if (isAboutKnown(story, facts)) list.add(place, RANK.fact, facts);
  tellPolicyChanges(judged, strategy, { story, list, zero });
  const end = { at: Math.max(zero, list.lastAt), ord: Number.MAX_VALUE };
  list.add(end, RANK.sessionEnded, { type: 'session-ended', reason: 'end-of-file' });
  return list.stamped(zero);
}

function judgeAll(story: Story, agents: ReadonlyMap<string, LinkedAgent>): readonly JudgedMessage[] {
  const openEnd = openEnds(story, agents);
  const input = { openEnd, denied: story.deniedCalls };
  const prepared = story.messages.map((message) => prepareMessage(message, input));
  const usual = usualByVersion(prepared);
  return prepared.map((one) => judgeMessage(one, usual(one.message.version ?? story.version), story.cwd ?? ''));
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

type StartTelling = {
  readonly list: EventList;
  readonly zero: number;
  readonly strategy: Strategy;
  readonly options: TellOptions;
};

function tellStart(story: Story, { list, zero, strategy, options }: StartTelling): void {
  const start = { at: zero, ord: -1 };
  const origin: Origin = {
    kind: 'imported',
    format: options.format,
    path: options.path,
    clock: story.timed ? 'recorded' : 'order-only',
    ...(story.version === undefined ? {} : { version: story.version }),
  };
  list.add(start, RANK.session, {
    type: 'session-started',
    sessionId: (story.sessionId || options.fallbackId).slice(0, 400) as SessionId,
    title: story.title ?? options.fallbackId,
    cwd: story.cwd ?? '',
    origin,
    app: `gantry importer ${options.format}`,
    settings: settingsOf(story, strategy, story.version),
  });
}

function settingsOf(story: Story, strategy: Strategy, version: string | undefined): SessionSettings {
  const mode = PermissionMode.safeParse(story.mode);
  return {
    ...defaultSettings(strategy),
    cascade: cascadePolicyOf(version, strategy),
    mode: mode.success ? mode.data : 'default',
  };
}

/** A session that was continued with another version of the program had another policy from then on. */
function tellPolicyChanges(
  judged: readonly JudgedMessage[],
  strategy: Strategy,
  { story, list }: { readonly story: Story; readonly list: EventList; readonly zero: number },
): void {
  let version = story.version;
  const inOrder = [...judged].sort((a, b) => a.message.first.at - b.message.first.at);
  for (const { message } of inOrder) {
    if (message.version === undefined || message.version === version || message.agentKey !== MAIN_KEY) continue;
    const changed = cascadePolicyOf(message.version, strategy) !== cascadePolicyOf(version, strategy);
    version = message.version;
    if (!changed) continue;
    const settings = { ...settingsOf(story, strategy, version), mode: message.mode } as SessionSettings;
    list.add(message.first, RANK.settings, { type: 'settings-changed', settings });
  }
}

type AgentParts = {
  entries: Story['entries'][number][];
  marks: Story['turnMarks'][number][];
  messages: JudgedMessage[];
};

function groupByAgent(story: Story, judged: readonly JudgedMessage[]): ReadonlyMap<string, AgentParts> {
  const groups = new Map<string, AgentParts>();
  const of = (key: string): AgentParts => {
    const known = groups.get(key);
    if (known !== undefined) return known;
    const made: AgentParts = { entries: [], marks: [], messages: [] };
    groups.set(key, made);
    return made;
  };
  for (const key of story.agents.keys()) of(key);
  for (const entry of story.entries) of(entry.agentKey).entries.push(entry);
  for (const mark of story.turnMarks) of(mark.agentKey).marks.push(mark);
  for (const one of judged) of(one.message.agentKey).messages.push(one);
  return groups;
}

function tellAgent(agent: LinkedAgent, messages: readonly JudgedMessage[], list: EventList): void {
  const agentId = agent.agentId as AgentId;
  const { first, last } = agent.story;
  const from: Moment = agent.parentCall === undefined ? first : later(first, agent.parentCall.queued);
  const facts: EventFacts = {
    type: 'agent-started',
    agentId,
    depth: agent.depth,
    name: agent.name,
    agentType: agent.agentType,
    prompt: agent.prompt,
    ...(agent.parentCall === undefined ? {} : { parentCallId: agent.parentCall.id as never }),
  };
  list.add(from, isBefore(first, from) ? RANK.started : RANK.agentStarted, facts);
  let until: Moment = later(last, from);
  for (const { ends } of messages) for (const end of ends.values()) until = later(until, end);
  list.add(until, RANK.agentEnded, { type: 'agent-ended', agentId });
}

/** Progress and hooks may speak of calls that are in none of the files. */
const isAboutKnown = (story: Story, facts: EventFacts): boolean =>
  !('callId' in facts) || facts.callId === undefined || story.calls.has(facts.callId);
