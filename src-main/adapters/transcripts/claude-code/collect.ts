import type { EventFacts } from '../../../../src-shared/session/event.ts';
import type { OnFinding } from '../importer.ts';
import { handleAttachment, handleProgress } from './collect-extras.ts';
import { handleBookkeeping, handleSystem } from './collect-system.ts';
import { handleUser } from './collect-user.ts';
import { Agents } from './line-agents.ts';
import {
  type Block,
  blocksOf,
  type Fields,
  fieldsOf,
  Line,
  listAt,
  Message,
  numberAt,
  textAt,
  timeOf,
} from './lines.ts';
import { Places } from './places.ts';
import { factsOf, toolResultOf } from './results.ts';
import type {
  BackgroundEnd,
  BlockStory,
  CallStory,
  EntryStory,
  Evidence,
  FactStory,
  HookStory,
  MessageStory,
  Place,
  ResultStory,
  Story,
  TurnMark,
} from './story.ts';

export type OpenFile = {
  readonly path: string;
  /** All lines of the file are this agent's; undefined for the session's own file. */
  readonly agentKey: string | undefined;
};

/** A line on its way into the story. */
export type Current = {
  readonly line: Line;
  readonly place: Place;
  readonly agentKey: string;
  readonly lineNo: number;
};

const MAX_ID = 400;

type FoundResult = { readonly id: string; readonly result: ResultStory; readonly line: number; readonly file: string };

/** Takes the lines of a session's files, one by one, and sorts what they say by kind. One pass, no line is kept. */
export class Collector {
  readonly onFinding: OnFinding;
  readonly places = new Places();
  readonly agents = new Agents();
  readonly messages: MessageStory[] = [];
  readonly calls = new Map<string, CallStory>();
  readonly entries: EntryStory[] = [];
  readonly turnMarks: TurnMark[] = [];
  readonly hooks: HookStory[] = [];
  readonly facts: FactStory[] = [];
  readonly parents = new Map<string, string>();
  readonly deniedCalls = new Set<string>();
  /** Words typed ahead, in order; background notifications pass through the same queue without being words. */
  readonly queue: { readonly id: string; readonly text: string; readonly isWords: boolean }[] = [];
  readonly titles = { custom: '', ai: '', prompt: '', summaries: [] as { leaf: string; text: string }[] };
  readonly notified = new Set<string>();
  readonly backgroundEnds: BackgroundEnd[] = [];
  /** Agents that have a file of their own; copies of their lines elsewhere are not needed. */
  readonly ownFiles = new Set<string>();
  readonly #evidence = new Map<string, Evidence>();
  readonly #hookDenials = new Map<string, string>();
  readonly retractions: { readonly uuids: ReadonlySet<string>; readonly place: Place }[] = [];
  readonly #openMessages = new Map<string, Map<string, MessageStory>>();
  readonly #messageIds = new Set<string>();
  readonly #results: FoundResult[] = [];
  readonly #nextNumber = new Map<string, number>();
  readonly #seen = new Map<string, string>();
  readonly #unknown = new Map<string, { count: number; line: number; file: string; what: string }>();
  #file: OpenFile = { path: '', agentKey: undefined };
  sessionId: string | undefined;
  cwd: string | undefined;
  version: string | undefined;
  firstMode: string | undefined;
  mode = 'default';
  #madeIds = 0;

  constructor(onFinding: OnFinding) {
    this.onFinding = onFinding;
  }

  startFile(file: OpenFile): void {
    this.#file = file;
    this.places.startFile();
  }

  /** One JSON value of the current file. `at` is a time known from outside of the line. */
  add(value: unknown, lineNo: number, length: number, at?: number): void {
    const fields = fieldsOf(value);
    if (fields === undefined) {
      this.countUnknown('odd-value', 'values that are no objects', lineNo);
      return;
    }
    const line = Line.parse(fields);
    if (this.#isCopy(line, length)) return;
    const place = this.places.at(at ?? timeOf(line.timestamp), lineNo);
    this.#noteSession(line);
    const agentKey = this.#file.agentKey ?? this.agents.keyOf(line);
    if (line.uuid !== undefined && line.parentUuid) this.parents.set(line.uuid, line.parentUuid);
    this.#dispatch({ line, place, agentKey, lineNo });
  }

  #dispatch(current: Current): void {
    switch (current.line.type) {
      case 'assistant':
        this.agents.touch(current.agentKey, current.place);
        this.#handleAssistant(current);
        return;
      case 'user':
        this.agents.touch(current.agentKey, current.place);
        handleUser(this, current);
        return;
      case 'system':
        handleSystem(this, current);
        return;
      case 'attachment':
        handleAttachment(this, current);
        return;
      case 'progress':
        handleProgress(this, current);
        return;
      default:
        handleBookkeeping(this, current);
    }
  }

  /** The same line again: resumed and forked sessions copy history. Ids alone do not tell, some writers repeat them. */
  #isCopy(line: Line, length: number): boolean {
    if (line.uuid === undefined) return false;
    const mark = `${line.type} ${line.timestamp} ${length}`;
    const before = this.#seen.get(line.uuid);
    this.#seen.set(line.uuid, mark);
    return before === mark;
  }

  #noteSession(line: Line): void {
    // The session's own file comes first, so its words about the session win over those of its sub-agents.
    this.sessionId ??= line.sessionId ?? line.session_id;
    this.cwd ??= line.cwd;
    this.version ??= line.version ?? line.claude_code_version;
  }

  #handleAssistant(current: Current): void {
    const { line, place } = current;
    const parsed = typeof line.message === 'string' ? Message.parse({ content: line.message }) : undefined;
    const fields = parsed ?? fieldsOf(line.message);
    if (fields === undefined) {
      this.countUnknown('odd-message', 'assistant lines without a message', current.lineNo);
      return;
    }
    const raw = Message.parse(fields);
    const message = this.#messageOf(current, raw);
    if (line.uuid !== undefined) message.lineUuids.push(line.uuid);
    if (!(place.at < message.last.at)) message.last = place;
    this.#noteUsage(message, raw, line);
    if (line.isApiErrorMessage) message.apiError = true;
    const replaced = listAt(line, 'supersedesUuids').filter((one): one is string => typeof one === 'string');
    if (replaced.length > 0) this.retractions.push({ uuids: new Set(replaced), place });
    const blocks = blocksOf(raw.content);
    blocks.forEach((block, position) => {
      this.#addBlock(current, message, block, blocks.length > 1 ? position : undefined);
    });
  }

  #noteUsage(message: MessageStory, raw: Message, line: Line): void {
    message.stopReason = raw.stop_reason ?? message.stopReason;
    message.costUsd = numberAt(line, 'costUSD') ?? message.costUsd;
    // Repeated on every line and growing: the largest is the message's, the sum never is.
    if (raw.usage === undefined) return;
    if ((raw.usage.output_tokens ?? 0) >= (message.usage?.output_tokens ?? 0)) message.usage = raw.usage;
  }

  #messageOf(current: Current, raw: Message): MessageStory {
    const { line, place, agentKey } = current;
    let open = this.#openMessages.get(agentKey);
    if (open === undefined) {
      open = new Map();
      this.#openMessages.set(agentKey, open);
    }
    const known = raw.id === undefined ? undefined : open.get(raw.id);
    const sameRequest = known?.requestId === undefined || !line.requestId || known.requestId === line.requestId;
    if (known !== undefined && sameRequest) return known;
    const message: MessageStory = {
      id: this.uniqueId(raw.id ?? line.uuid ?? `message-${place.ord}`, this.#messageIds),
      agentKey,
      requestId: line.requestId,
      model: raw.model ?? 'unknown',
      mode: this.mode,
      version: line.version ?? this.version,
      first: place,
      last: place,
      calls: [],
      blocks: [],
      lineUuids: [],
      usage: undefined,
      costUsd: undefined,
      stopReason: undefined,
      apiError: false,
      discardedAt: undefined,
    };
    if (raw.id !== undefined) open.set(raw.id, message);
    this.messages.push(message);
    return message;
  }

  /** A person has spoken: a message id that comes again after this belongs to a new message. */
  closeMessages(agentKey: string): void {
    this.#openMessages.delete(agentKey);
  }

  /** `position` is given where a line holds several blocks: such lines may repeat the blocks of earlier ones. */
  #addBlock(current: Current, message: MessageStory, block: Block, position: number | undefined): void {
    const { place } = current;
    if (block.type === 'tool_use') {
      this.#addCall(current, message, block, position);
    } else if (block.type === 'tool_result') {
      this.addResult(current, block);
    } else if (block.type === 'text' || block.type === 'thinking') {
      const story: BlockStory = { kind: block.type, text: block.text ?? block.thinking ?? '', place };
      const before = position === undefined ? undefined : message.blocks[position];
      if (before?.kind === story.kind && story.text.startsWith(before.text)) {
        message.blocks[position as number] = { ...story, place: before.place };
      } else {
        message.blocks.push(story);
      }
    } else {
      message.blocks.push({ kind: 'other', raw: block, place });
    }
  }

  #addCall(current: Current, message: MessageStory, block: Block, position: number | undefined): void {
    const { place, agentKey, lineNo } = current;
    const recorded = block.id || undefined;
    const known = recorded === undefined ? undefined : this.calls.get(recorded.slice(0, MAX_ID));
    if (known !== undefined) {
      if (known.message !== message || position === undefined) {
        this.finding(lineNo, 'repeated-call', `The call ${recorded} was already there; shown once`);
      }
      return;
    }
    if (recorded === undefined) this.finding(lineNo, 'call-without-id', 'A call has no id; it cannot have a result');
    const id = this.uniqueId(recorded ?? `call-without-id-${++this.#madeIds}`, this.calls);
    const call: CallStory = {
      id,
      agentKey,
      message,
      index: message.calls.length,
      tool: block.name || 'unknown',
      input: block.input ?? {},
      queued: place,
      file: this.#file.path,
      line: lineNo,
      evidence: {},
      result: undefined,
      hookDenial: undefined,
      background: undefined,
    };
    this.calls.set(id, call);
    message.calls.push(call);
    message.blocks.push({ kind: 'call', call, place });
  }

  /** Results are paired by id alone, and only once all lines are read: a result may stand before its call. */
  addResult(current: Current, block: Block): void {
    const { line, place, agentKey, lineNo } = current;
    if (!block.tool_use_id) {
      this.finding(lineNo, 'result-without-id', 'A result names no call and was left out');
      return;
    }
    const twin = line.toolUseResult ?? line.tool_use_result;
    const result: ResultStory = {
      place,
      agentKey,
      shown: toolResultOf({ content: block.content, isError: block.is_error === true, twin }),
      facts: factsOf(twin),
      twinText: typeof twin === 'string' ? twin : undefined,
      denialKind: line.toolDenialKind,
    };
    const id = block.tool_use_id.slice(0, MAX_ID);
    this.#results.push({ id, result, line: lineNo, file: this.#file.path });
    this.agents.noteResult(id, result.facts);
  }

  #pairResults(): void {
    // A result in the call's own agent comes before a copy of it in a fork's file.
    const own = (one: FoundResult) => this.calls.get(one.id)?.agentKey === one.result.agentKey;
    for (const one of [...this.#results.filter(own), ...this.#results.filter((other) => !own(other))]) {
      const call = this.calls.get(one.id);
      const at = { file: one.file, line: one.line };
      if (call === undefined) {
        this.onFinding({
          ...at,
          kind: 'result-without-call',
          message: `The call ${one.id} of this result is not in the files`,
        });
      } else if (call.result === undefined) {
        call.result = one.result;
      } else if (own(one)) {
        this.onFinding({
          ...at,
          kind: 'second-result',
          message: `A second result of ${one.id}; the first one is shown`,
        });
      }
    }
  }

  uniqueId(wanted: string, taken: { has(id: string): boolean; add?(id: string): unknown }): string {
    const base = wanted.slice(0, MAX_ID) || 'none';
    let id = base;
    while (taken.has(id)) {
      const n = (this.#nextNumber.get(base) ?? 1) + 1;
      this.#nextNumber.set(base, n);
      id = `${base.slice(0, MAX_ID - 12)}#${n}`;
    }
    taken.add?.(id);
    return id;
  }

  noteEvidence(callId: string, seen: Evidence): void {
    // The first sight of a kind is the nearest to the start.
    this.#evidence.set(callId, { ...seen, ...this.#evidence.get(callId) });
  }

  noteHookEnd(callId: string, place: Place, denial: string | undefined): void {
    if (place.timed) this.#evidence.set(callId, { ...this.#evidence.get(callId), hookEnd: place.at });
    if (denial !== undefined) this.#hookDenials.set(callId, denial);
  }

  addBackgroundEnd(end: BackgroundEnd): void {
    this.backgroundEnds.push(end);
  }

  /** A line that stands inside another one. */
  addNested(agentKey: string, fields: Fields, around: Current, at: number | undefined): void {
    const line = Line.parse(fields);
    if (line.uuid !== undefined && this.#seen.has(line.uuid)) return;
    if (line.uuid !== undefined) this.#seen.set(line.uuid, '');
    this.#dispatch({ line, place: this.places.at(at, around.lineNo), agentKey, lineNo: around.lineNo });
  }

  addFact(place: Place, facts: EventFacts): void {
    this.facts.push({ place, facts });
  }

  finding(line: number, kind: string, message: string): void {
    this.onFinding({ file: this.#file.path, line, kind, message });
  }

  /** Something we do not know: counted, one finding a kind at the end. */
  countUnknown(kind: string, what: string, line: number): void {
    const key = `${kind}\n${what}`;
    const known = this.#unknown.get(key);
    if (known !== undefined) known.count++;
    else this.#unknown.set(key, { count: 1, line, file: this.#file.path, what });
  }

  /** Nothing more comes. `base` and `leadMs`: see `Places.settle`. */
  finish(base: number, leadMs: number): Story {
    this.places.settle(base, leadMs);
    this.#pairResults();
    this.#settleCalls();
    this.#settleMessages();
    for (const [key, { count, line, file, what }] of this.#unknown) {
      const kind = key.split('\n')[0] ?? key;
      this.onFinding({ file, line, kind, message: `${count} × ${what}; kept out of the session, the first one here` });
    }
    return {
      sessionId: this.sessionId,
      cwd: this.cwd,
      version: this.version,
      title: this.#title(),
      mode: this.firstMode,
      timed: this.places.anyTimed,
      firstAt: this.places.firstAt,
      last: this.places.last,
      agents: this.agents.settle(this.places.last),
      messages: this.messages,
      calls: this.calls,
      entries: this.entries,
      turnMarks: this.turnMarks,
      hooks: this.hooks,
      facts: this.facts,
      parents: this.parents,
      deniedCalls: this.deniedCalls,
    };
  }

  #settleCalls(): void {
    const ofTask = new Map<string, CallStory>();
    for (const call of this.calls.values()) {
      call.evidence = this.#evidence.get(call.id) ?? {};
      call.hookDenial = this.#hookDenials.get(call.id);
      const facts = call.result?.facts;
      const task = textAt(facts, 'backgroundTaskId') ?? textAt(facts, 'agentId');
      if (task !== undefined) ofTask.set(task, call);
    }
    for (const end of this.backgroundEnds) {
      const call = this.calls.get(end.callId ?? '') ?? ofTask.get(end.taskId ?? '');
      if (call !== undefined) call.background = end;
    }
  }

  #settleMessages(): void {
    const byUuid = new Map<string, MessageStory>();
    for (const message of this.messages) for (const uuid of message.lineUuids) byUuid.set(uuid, message);
    for (const { uuids, place } of this.retractions) {
      for (const uuid of uuids) {
        const message = byUuid.get(uuid);
        if (message !== undefined) message.discardedAt = place;
      }
    }
  }

  #title(): string | undefined {
    // Older programs put summaries of other sessions at the head of the file.
    const own = this.titles.summaries.findLast(({ leaf }) => this.#seen.has(leaf));
    return this.titles.custom || this.titles.ai || own?.text || this.titles.prompt || undefined;
  }
}
