import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { defaultSettings } from '../../../../src-shared/session/settings.ts';
import type { BestTime, JudgedMessage, LinkedAgent, PlayedBatch, PlayedStart, Verdict } from '../common/judged.ts';
import { openEnds } from '../common/open-ends.ts';
import { type CallStory, isBefore, isKnown, type MessageStory, type Moment } from '../common/story.ts';
import { tellSession } from '../common/tell-session.ts';
import type { Reading, TranscriptSource } from '../importer.ts';
import { MAIN, type PlainAgent, type PlainSession } from './session.ts';
import { storyOf, type Told, type ToldCall } from './to-story.ts';

/** The last step of reading for every format that tells its sessions in plain words. */
export async function plainToReading(
  session: PlainSession,
  { format, source }: { readonly format: string; readonly source: TranscriptSource },
): Promise<Reading> {
  const path = source.main ?? source.path;
  // Without any time a session is laid out from when its file was last written.
  const { mtimeMs } = await stat(source.stored?.file ?? path);
  const told = storyOf(session, path, Math.round(mtimeMs));
  const fallbackId = basename(path).replace(/\.[^.]*$/, '') || 'session';
  const agents = linkedAgents(session.agents, told);
  const goesOn = source.goesOn === true;
  const openEnd = openEnds(told.story, agents, goesOn);
  const events = tellSession({
    story: told.story,
    agents,
    judged: told.story.messages.map((message) => judgedOf(message, told, (call) => openEnd(call).moment)),
    // What the program itself ran by is not known; these say that nothing of it is.
    settings: defaultSettings('batch'),
    settingsChanges: [],
    policyOf: () => 'none',
    savedOf: () => undefined,
    format,
    path,
    fallbackId,
    goesOn,
  });
  return { events, title: session.title ?? fallbackId, cwd: session.cwd ?? '', version: session.version };
}

function linkedAgents(plain: readonly PlainAgent[], { story, byRecordedId }: Told): ReadonlyMap<string, LinkedAgent> {
  const linked = new Map<string, LinkedAgent>();
  const parentOf = ({ key, parentCallId }: PlainAgent): CallStory | undefined => {
    const call = byRecordedId.get(parentCallId ?? '');
    return call?.agentKey === key ? undefined : call;
  };
  const depthOf = (agent: PlainAgent, seen: number): number => {
    const around = plain.find((one) => one.key === parentOf(agent)?.agentKey);
    return around === undefined || seen > 20 ? 1 : 1 + depthOf(around, seen + 1);
  };
  for (const agent of plain) {
    const own = story.agents.get(agent.key);
    if (own === undefined) continue;
    const { name, agentType, prompt } = agent;
    const agentId = agent.key.slice(0, 400) || 'agent';
    linked.set(agent.key, {
      story: own,
      agentId,
      parentCall: parentOf(agent),
      depth: depthOf(agent, 0),
      name,
      agentType,
      prompt,
    });
  }
  // Steps of an agent that nothing describes.
  for (const [key, own] of story.agents) {
    if (key === MAIN || linked.has(key)) continue;
    const agentId = key.slice(0, 400) || 'agent';
    linked.set(key, {
      story: own,
      agentId,
      parentCall: undefined,
      depth: 1,
      name: key,
      agentType: 'sub-agent',
      prompt: '',
    });
  }
  return linked;
}

type Run = { readonly call: CallStory; readonly said: ToldCall; readonly end: Moment; readonly start: BestTime };

function judgedOf(message: MessageStory, told: Told, openEnd: (call: CallStory) => Moment): JudgedMessage {
  const verdicts = new Map<string, Verdict>();
  const ends = new Map<string, Moment>();
  const starts = new Map<string, BestTime>();
  const endTimes = new Map<string, BestTime>();
  const runs: Run[] = [];
  let before: Moment | undefined;
  let group: number | undefined;
  let groupEnd: Moment | undefined;
  for (const call of message.calls) {
    const said = told.calls.get(call);
    if (said === undefined) continue;
    const { plain } = said;
    const open = said.end ?? oneAfterOther(openEnd(call), call.index);
    const end = isBefore(open, call.queued) ? call.queued : open;
    ends.set(call.id, end);
    const { outcome, exit, refusal, cancel } = plain;
    verdicts.set(call.id, { outcome, exit, refusal, cancel: cancel && { reason: cancel, culprit: undefined } });
    if (said.endTime !== undefined) endTimes.set(call.id, boundedBy(said.endTime, call.queued.at));
    if (plain.start === 'never') continue;
    // Calls of a later group began when those of the groups before were done.
    if (plain.group !== group || plain.group === undefined) before = groupEnd;
    group = plain.group;
    // A group before this one is still at work: it is not its turn yet.
    if (before !== undefined && !isKnown(before)) continue;
    const start = startOf(call, plain.start, { end, before, orderOnly: !told.story.timed });
    starts.set(call.id, start);
    runs.push({ call, said, end, start });
    if (groupEnd === undefined || isBefore(groupEnd, end)) groupEnd = end;
  }
  const { batches, played } = batchesOf(message, runs);
  const safe = new Map(runs.map(({ call }) => [call.id, played.get(call.id)?.safe ?? false]));
  return {
    message,
    verdicts,
    ends,
    starts,
    endTimes,
    played: {
      strategy: 'batch',
      starts: new Map([...played].map(([id, { start }]) => [id, start])),
      waits: [],
      batches,
      plans: [],
      safe,
    },
    cascades: new Map(),
    stoppedAt: undefined,
  };
}

/** Calls whose ends nobody recorded end in one moment, but not in one place: a lane is free before it is taken again. */
const oneAfterOther = ({ at, ord }: Moment, index: number): Moment => ({ at, ord: ord + Math.min(index, 900) / 2000 });

/** When the call was asked for is known only now, where its line had no time. */
const boundedBy = (time: BestTime, askedAt: number): BestTime => ({
  ...time,
  earliest: Number.isNaN(time.earliest) ? askedAt : time.earliest,
});

type Around = { readonly end: Moment; readonly before: Moment | undefined; readonly orderOnly: boolean };

/** The recorded start, or the earliest one there can have been; never before the call was asked for or after its end. */
function startOf({ queued }: CallStory, said: BestTime | 'unknown', { end, before, orderOnly }: Around): BestTime {
  const within = (at: number) => Math.min(Math.max(at, queued.at), end.at);
  if (said !== 'unknown') {
    if (said.source === 'measured') return { ...said, at: within(said.at) };
    return { at: within(said.at), source: said.source, earliest: within(said.earliest), latest: within(said.latest) };
  }
  const free = before !== undefined && isBefore(queued, before) ? before : queued;
  const at = within(free.at);
  const source = orderOnly ? 'order-only' : free === before ? 'previous-call' : 'line-time';
  return { at, source, earliest: at, latest: isKnown(end) ? end.at : at };
}

type PlayedCall = { readonly start: PlayedStart; readonly safe: boolean };

/** Tools that only look, by the words programs name them with. */
const LOOKS = /(?:^|_|\b)(?:read|view|list|ls|glob|grep|rg|search|find|fetch|get|cat|open|inspect)/i;
const CHANGES = /write|edit|replace|patch|delete|remove|create|move|run|exec|command|shell|bash|set|update/i;
const looksOnly = (tool: string): boolean => LOOKS.test(tool) && !CHANGES.test(tool);

/** Calls that ran at one time, or that the file says went together, are a batch. */
function batchesOf(message: MessageStory, runs: readonly Run[]) {
  const groups: { calls: Run[]; until: number; label: number | undefined }[] = [];
  for (const run of [...runs].sort((a, b) => a.start.at - b.start.at)) {
    const open = groups.at(-1);
    const { group } = run.said.plain;
    const together = open !== undefined && (group === undefined ? run.start.at < open.until : group === open.label);
    if (together) {
      open.calls.push(run);
      open.until = Math.max(open.until, run.end.at);
    } else {
      groups.push({ calls: [run], until: run.end.at, label: group });
    }
  }
  const batches: PlayedBatch[] = [];
  const played = new Map<string, PlayedCall>();
  groups.forEach(({ calls }, index) => {
    const batchId = `${message.id.slice(0, 380)}-batch-${index + 1}`;
    // What ran beside others may do so; of what ran alone only its name tells.
    const safe = calls.length > 1 || calls.every(({ call }) => looksOnly(call.tool));
    batches.push({ batchId, kind: safe ? 'safe' : 'exclusive' });
    for (const { call } of calls) {
      // A start that is later than the call has no line of its own, and comes after the ends of its time.
      const moment = { at: call.queued.at, ord: call.queued.ord };
      played.set(call.id, { start: { moment, cause: 'block', batchId, outOfTurn: false }, safe });
    }
  });
  return { batches, played };
}
