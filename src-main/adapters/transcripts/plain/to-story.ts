import type { ToolResult } from '../../../../src-shared/tool-call/content.ts';
import type { BestTime } from '../common/judged.ts';
import { Places } from '../common/places.ts';
import type {
  AgentStory,
  BlockStory,
  CallStory,
  EntryStory,
  FactStory,
  MessageStory,
  Place,
  Story,
  TurnMark,
} from '../common/story.ts';
import { UniqueIds } from '../common/unique-ids.ts';
import {
  MAIN,
  type PlainBlock,
  type PlainCall,
  type PlainMessage,
  type PlainSession,
  type PlainStep,
} from './session.ts';

/** What a session says in plain words, as a story, and with each call what was said of it. */
export type Told = {
  readonly story: Story;
  readonly calls: ReadonlyMap<CallStory, ToldCall>;
  /** Calls by the ids the file has for them, the first where an id stands for several. */
  readonly byRecordedId: ReadonlyMap<string, CallStory>;
};

export type ToldCall = {
  readonly plain: PlainCall;
  /** When it ended; undefined where no end was recorded. */
  readonly end: Place | undefined;
  readonly endTime: BestTime | undefined;
};

/** `base`: wall ms from which a session without any time is laid out. */
export function storyOf(session: PlainSession, file: string, base: number): Told {
  return new StoryMaker(session, file).make(base);
}

class StoryMaker {
  readonly #session: PlainSession;
  readonly #file: string;
  readonly #places = new Places();
  readonly #callIds = new UniqueIds();
  readonly #messageIds = new UniqueIds();
  readonly #messages: MessageStory[] = [];
  readonly #entries: EntryStory[] = [];
  readonly #marks: TurnMark[] = [];
  readonly #facts: FactStory[] = [];
  readonly #calls = new Map<CallStory, ToldCall>();
  readonly #byRecordedId = new Map<string, CallStory>();
  readonly #agents = new Map<string, AgentStory>();
  readonly #left: { readonly message: MessageStory; readonly next: () => Place | undefined }[] = [];
  readonly #timed: boolean;
  #line = 0;

  constructor(session: PlainSession, file: string) {
    this.#session = session;
    this.#file = file;
    this.#timed = session.steps.some(hasTime);
  }

  make(base: number): Told {
    const { steps, startedAt } = this.#session;
    if (!this.#timed && steps.length === 0 && startedAt !== undefined) this.#place(startedAt);
    const byAgent = grouped(steps);
    for (const key of new Set([MAIN, ...this.#session.agents.map((agent) => agent.key), ...byAgent.keys()])) {
      this.#takeAgent(key, byAgent.get(key) ?? []);
    }
    this.#places.settle(base, 0);
    for (const { message, next } of this.#left) message.discardedAt = next() ?? message.last;
    const { sessionId, cwd, version, title } = this.#session;
    const story: Story = {
      sessionId,
      cwd,
      version,
      title,
      timed: this.#places.anyTimed,
      firstAt: this.#places.firstAt,
      last: this.#places.last,
      agents: this.#agents,
      messages: this.#messages,
      calls: new Map([...this.#calls.keys()].map((call) => [call.id, call])),
      entries: this.#entries,
      turnMarks: this.#marks,
      hooks: [],
      facts: this.#facts,
    };
    return { story, calls: this.#calls, byRecordedId: this.#byRecordedId };
  }

  #place(at: number | undefined): Place {
    return this.#places.at(at, this.#line++);
  }

  #takeAgent(key: string, steps: readonly PlainStep[]): void {
    this.#places.startFile();
    this.#line = 0;
    const places: Place[] = [];
    steps.forEach((step, index) => {
      const next = steps
        .slice(index + 1, index + 50)
        .map(timeOfStep)
        .find((at) => at !== undefined);
      places.push(this.#takeStep(step, next));
    });
    const [first] = places;
    const last = places.at(-1);
    if (key === MAIN || first === undefined || last === undefined) return;
    this.#agents.set(key, {
      key,
      agentId: key,
      first,
      last,
      prompt: undefined,
      parentCallId: undefined,
      description: undefined,
      agentType: undefined,
      spawnDepth: undefined,
    });
  }

  #takeStep(step: PlainStep, nextAt: number | undefined): Place {
    if (step.kind === 'message') return this.#takeMessage(step, nextAt);
    const place = this.#place(step.at);
    if (step.kind === 'entry') {
      const { agent: agentKey, text, says: kind, from } = step;
      this.#entries.push({ place, agentKey, uuid: undefined, parentUuid: undefined, text, kind, from });
    } else if (step.kind === 'mark') {
      this.#marks.push({ place, agentKey: step.agent, kind: step.says, message: step.message });
    } else {
      this.#facts.push({ place, facts: step.facts });
    }
    return place;
  }

  #takeMessage(step: PlainMessage, nextAt: number | undefined): Place {
    const first = this.#place(least([step.at, ...step.blocks.map(timeOfBlock)]));
    const message: MessageStory = {
      id: this.#messageIds.take(step.id ?? `message-${this.#messages.length + 1}`),
      agentKey: step.agent,
      requestId: undefined,
      model: step.model,
      mode: 'default',
      version: undefined,
      first,
      calls: [],
      blocks: [],
      lineUuids: [],
      last: first,
      usage: step.usage,
      stopReason: step.stopReason,
      apiError: step.failed,
      discardedAt: undefined,
      askedAt: step.askedAt,
    };
    this.#messages.push(message);
    const plainCalls: PlainCall[] = [];
    for (const block of step.blocks) {
      message.blocks.push(this.#blockOf(block, message));
      if (block.kind === 'call') plainCalls.push(block.call);
    }
    const lastBlock = latest(message.blocks.map((block) => block.place)) ?? first;
    const whole = step.until !== undefined && step.until >= lastBlock.at ? this.#place(step.until) : lastBlock;
    message.last = whole;
    message.calls.forEach((call, index) => {
      const plain = plainCalls[index];
      if (plain !== undefined) this.#endCall(call, plain, nextAt);
    });
    if (step.left) this.#leave(message);
    return whole;
  }

  /** A message that was taken back was so before the next thing happened. */
  #leave(message: MessageStory): void {
    const entries = this.#entries;
    const index = entries.length;
    this.#left.push({ message, next: () => entries[index]?.place });
  }

  #blockOf(block: PlainBlock, message: MessageStory): BlockStory {
    const place = this.#place(timeOfBlock(block));
    if (block.kind !== 'call') return { ...block, place };
    const { id, tool, input } = block.call;
    const call: CallStory = {
      id: this.#callIds.take(id ?? `call-without-id-${this.#calls.size + 1}`),
      agentKey: message.agentKey,
      message,
      index: message.calls.length,
      tool,
      input,
      queued: place,
      file: this.#file,
      line: this.#line,
      evidence: {},
      result: undefined,
      shellId: undefined,
      hookDenial: undefined,
      background: undefined,
    };
    message.calls.push(call);
    this.#calls.set(call, { plain: block.call, end: undefined, endTime: undefined });
    if (id !== undefined && !this.#byRecordedId.has(id)) this.#byRecordedId.set(id, call);
    return { kind: 'call', call, place };
  }

  #endCall(call: CallStory, plain: PlainCall, nextAt: number | undefined): void {
    if (plain.end === 'open') return;
    const known = typeof plain.end === 'string' ? undefined : plain.end;
    // An end that was not recorded lies before the next thing that was.
    const at = known?.at ?? (this.#timed ? (nextAt ?? undefined) : undefined);
    const end = this.#place(at === undefined || Number.isNaN(call.queued.at) ? at : Math.max(at, call.queued.at));
    const inferred: BestTime | undefined =
      at === undefined ? undefined : { at, source: 'line-time', earliest: call.queued.at, latest: at };
    const endTime = known === undefined ? inferred : known.source === 'measured' ? undefined : known;
    call.result = {
      place: end,
      agentKey: call.agentKey,
      shown: plain.result ?? emptyResult(plain),
      facts: {},
      twinText: undefined,
      denialKind: undefined,
    };
    this.#calls.set(call, { plain, end, endTime });
  }
}

/** The file says how it ended but not what came of it. */
const emptyResult = ({ outcome }: PlainCall): ToolResult => ({ content: [], isError: outcome !== 'ok' });

function grouped(steps: readonly PlainStep[]): ReadonlyMap<string, readonly PlainStep[]> {
  const groups = new Map<string, PlainStep[]>();
  for (const step of steps) {
    const own = groups.get(agentOf(step));
    if (own === undefined) groups.set(agentOf(step), [step]);
    else own.push(step);
  }
  return groups;
}

const agentOf = (step: PlainStep): string => (step.kind === 'fact' ? MAIN : step.agent);

/** Blocks of calls come no later than the call began. */
function timeOfBlock(block: PlainBlock): number | undefined {
  if (block.kind !== 'call') return block.at;
  const { askedAt, start, end } = block.call;
  const began = typeof start === 'string' ? undefined : start.at;
  const ended = typeof end === 'string' ? undefined : end.at;
  return least([askedAt ?? began ?? ended, began, ended]);
}

const timeOfStep = (step: PlainStep): number | undefined =>
  step.kind === 'message' ? (step.askedAt ?? least([step.at, ...step.blocks.map(timeOfBlock)])) : step.at;

const hasTime = (step: PlainStep): boolean => timeOfStep(step) !== undefined;

function least(times: readonly (number | undefined)[]): number | undefined {
  let found: number | undefined;
  for (const at of times) if (at !== undefined && (found === undefined || at < found)) found = at;
  return found;
}

function latest(places: readonly Place[]): Place | undefined {
  let found: Place | undefined;
  for (const place of places) if (found === undefined || !(place.at < found.at)) found = place;
  return found;
}
