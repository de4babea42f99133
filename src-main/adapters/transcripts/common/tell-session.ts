import type { AgentId, CallId, SessionId } from '../../../../src-shared/ids.ts';
import type { EventFacts, Origin, SessionEvent } from '../../../../src-shared/session/event.ts';
import type { SessionSettings } from '../../../../src-shared/session/settings.ts';
import { EventList } from '../event-list.ts';
import type { JudgedMessage, LinkedAgent, SavedOutput } from './judged.ts';
import { RANK } from './ranks.ts';
import { type CallStory, isBefore, isKnown, later, MAIN_KEY, type Moment, type Place, type Story } from './story.ts';
import { type CallTelling, tellCalls } from './tell-calls.ts';
import { tellHooks } from './tell-hooks.ts';
import { tellEntry, tellRequest, tellTurn } from './tell-messages.ts';
import { turnsOf } from './turns.ts';

/** All that is known of a session, decided and linked. */
export type Telling = {
  readonly story: Story;
  /** Sub-agents by the keys their lines have. */
  readonly agents: ReadonlyMap<string, LinkedAgent>;
  readonly judged: readonly JudgedMessage[];
  readonly settings: SessionSettings;
  /** Settings that were in force from a later place on. */
  readonly settingsChanges: readonly { readonly place: Place; readonly settings: SessionSettings }[];
  /** The cascade policy that is in force for a message. */
  readonly policyOf: (judged: JudgedMessage) => string;
  readonly savedOf: (call: CallStory) => SavedOutput | undefined;
  readonly format: string;
  readonly path: string;
  /** Names the session where no line does. */
  readonly fallbackId: string;
  /** The files are still being written: what has no end in them goes on, and the session is not over. */
  readonly goesOn?: boolean;
};

/** Turns what is known into the events of a session, in order and counted. */
export function tellSession(telling: Telling): readonly SessionEvent[] {
  const { story, agents } = telling;
  const list = new EventList();
  const zero = Number.isFinite(story.firstAt) ? story.firstAt : 0;
  tellStart(telling, list, zero);
  const agentIdOf = (key: string) => (key === MAIN_KEY ? MAIN_KEY : (agents.get(key)?.agentId ?? MAIN_KEY));
  const told = new Map<string, number>();
  for (const entry of story.entries) {
    const agentId = agentIdOf(entry.agentKey);
    const number = (told.get(agentId) ?? 0) + 1;
    told.set(agentId, number);
    tellEntry(entry, number, agentId, list);
  }
  const orderOnly = !story.timed;
  const { savedOf, policyOf, goesOn = false } = telling;
  const calls: CallTelling = { list, zero, orderOnly, savedOf, policyOf };
  const newRequestId = requestIds();
  for (const [key, { entries, marks, messages }] of groupByAgent(telling)) {
    const agentId = agentIdOf(key);
    const { turns, requests } = turnsOf({ agentId, entries, marks, messages, goesOn });
    // The end of its turn ends the last message, too.
    const lastMessage = turns.at(-1)?.goesOn ? requests.at(-1)?.message : undefined;
    for (const turn of turns) tellTurn(turn, agentId, list);
    const byMessage = new Map(messages.map((one) => [one.message, one]));
    for (const request of requests) {
      const one = byMessage.get(request.message);
      if (one === undefined) continue;
      const mayGrow = request.message === lastMessage && lastMessage.stopReason === 'unknown' && !lastMessage.apiError;
      tellRequest(request, one, { list, zero, orderOnly, agentId, newRequestId, goesOn: mayGrow });
    }
    tellCalls(messages, agentId, calls);
    const agent = agents.get(key);
    if (agent !== undefined) tellAgent(agent, messages, list, goesOn);
  }
  tellHooks(story, list, zero);
  for (const { place, facts } of story.facts) if (isAboutKnown(story, facts)) list.add(place, RANK.fact, facts);
  for (const { place, settings } of telling.settingsChanges) {
    list.add(place, RANK.settings, { type: 'settings-changed', settings });
  }
  if (!goesOn) {
    const end = { at: Math.max(zero, list.lastAt), ord: Number.MAX_VALUE };
    list.add(end, RANK.sessionEnded, { type: 'session-ended', reason: 'end-of-file' });
  }
  return list.stamped(zero);
}

function requestIds(): (wanted: string) => string {
  const taken = new Set<string>();
  return (wanted) => {
    let id = wanted.slice(0, 380) || 'request';
    for (let n = 2; taken.has(id); n++) id = `${wanted.slice(0, 380)}#${n}`;
    taken.add(id);
    return id;
  };
}

function tellStart({ story, settings, format, path, fallbackId }: Telling, list: EventList, zero: number): void {
  const origin: Origin = {
    kind: 'imported',
    format,
    path,
    clock: story.timed ? 'recorded' : 'order-only',
    ...(story.version === undefined ? {} : { version: story.version }),
  };
  list.add({ at: zero, ord: -1 }, RANK.session, {
    type: 'session-started',
    sessionId: (story.sessionId || fallbackId).slice(0, 400) as SessionId,
    title: story.title ?? fallbackId,
    cwd: story.cwd ?? '',
    origin,
    app: `gantry importer ${format}`,
    settings,
  });
}

type AgentParts = {
  entries: Story['entries'][number][];
  marks: Story['turnMarks'][number][];
  messages: JudgedMessage[];
};

function groupByAgent({ story, judged, agents }: Telling): ReadonlyMap<string, AgentParts> {
  const groups = new Map<string, AgentParts>();
  const of = (key: string): AgentParts => {
    const known = groups.get(key);
    if (known !== undefined) return known;
    const made: AgentParts = { entries: [], marks: [], messages: [] };
    groups.set(key, made);
    return made;
  };
  for (const key of [...story.agents.keys(), ...agents.keys()]) of(key);
  for (const entry of story.entries) of(entry.agentKey).entries.push(entry);
  for (const mark of story.turnMarks) of(mark.agentKey).marks.push(mark);
  for (const one of judged) of(one.message.agentKey).messages.push(one);
  return groups;
}

function tellAgent(agent: LinkedAgent, messages: readonly JudgedMessage[], list: EventList, goesOn: boolean): void {
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
    ...(agent.parentCall === undefined ? {} : { parentCallId: agent.parentCall.id as CallId }),
  };
  list.add(from, isBefore(first, from) ? RANK.started : RANK.agentStarted, facts);
  if (goesOn && !isAgentOver(agent, messages)) return;
  let until: Moment = later(last, from);
  for (const { ends } of messages) for (const end of ends.values()) until = later(until, end);
  list.add(until, RANK.agentEnded, { type: 'agent-ended', agentId });
}

/** Its call is done, its end was told, or it has said its last word. A call that only launched it says nothing. */
function isAgentOver({ parentCall }: LinkedAgent, messages: readonly JudgedMessage[]): boolean {
  if (messages.some(({ ends }) => [...ends.values()].some((end) => !isKnown(end)))) return false;
  if (parentCall?.background !== undefined) return true;
  if (parentCall?.result !== undefined && parentCall.result.facts.isAsync !== true) return true;
  const said = messages.at(-1)?.message.stopReason;
  return said !== undefined && said !== 'unknown' && said !== 'tool-use';
}

/** Progress and hooks may speak of calls that are in none of the files. */
const isAboutKnown = (story: Story, facts: EventFacts): boolean =>
  !('callId' in facts) || facts.callId === undefined || story.calls.has(facts.callId);
