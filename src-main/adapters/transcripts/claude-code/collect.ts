import type { EventFacts } from '../../../../src-shared/session/event.ts';
import { type Fields, fieldsOf, textAt, timeOf } from '../common/fields.ts';
import { type FilePlaces, Places } from '../common/places.ts';
import {
  type BackgroundEnd,
  type CallStory,
  type EntryStory,
  type Evidence,
  type FactStory,
  type HookStory,
  MAIN_KEY,
  type MessageStory,
  type Place,
  type Story,
  type TurnMark,
} from '../common/story.ts';
import type { OnFinding } from '../importer.ts';
import { AssistantLines } from './assistant-lines.ts';
import { handleAttachment, handleProgress } from './collect-extras.ts';
import { handleBookkeeping, handleSystem } from './collect-system.ts';
import { handleUser } from './collect-user.ts';
import { Agents } from './line-agents.ts';
import { type Line, lineOf } from './lines.ts';
import { ResultLines } from './result-lines.ts';
import { isShell } from './safety.ts';

export type OpenFile = {
  readonly path: string;
  /** All lines of the file are this agent's; undefined for the session's own file. */
  readonly agentKey: string | undefined;
  /** See `Places.startFile`. */
  readonly base?: number;
};

/** A file of the session, and what it says about the session itself. */
type FileMark = OpenFile & {
  readonly places: FilePlaces;
  sessionId: string | undefined;
  cwd: string | undefined;
  version: string | undefined;
};

/** What only these files say, besides. */
export type ClaudeStory = Story & {
  readonly mode: string | undefined;
  readonly parents: ReadonlyMap<string, string>;
  /** Ids of calls that the end of a stream lists as refused. */
  readonly deniedCalls: ReadonlySet<string>;
};

/** A line on its way into the story. */
export type Current = {
  readonly line: Line;
  readonly place: Place;
  readonly agentKey: string;
  readonly lineNo: number;
};

/**
 * Takes the lines of a session's files, one by one, and sorts what they say by kind. One pass, no line is kept. Files may
 * be taken up again when they have grown: `finish` answers as if each had been read whole, in the order of their bases,
 * and may be called again after more lines.
 */
export class Collector {
  /** Set anew by whoever wants the findings of one call alone. */
  onFinding: OnFinding;
  readonly places = new Places();
  readonly agents = new Agents();
  readonly assistant = new AssistantLines(this);
  readonly results = new ResultLines(this);
  readonly entries: EntryStory[] = [];
  readonly turnMarks: TurnMark[] = [];
  readonly hooks: HookStory[] = [];
  readonly facts: FactStory[] = [];
  readonly parents = new Map<string, string>();
  readonly deniedCalls = new Set<string>();
  /** Words typed ahead, in order; background notifications pass through the same queue without being words. */
  readonly queue: { readonly id: string; readonly text: string; readonly isWords: boolean }[] = [];
  readonly titles = { custom: '', ai: '', prompt: '', summaries: [] as { leaf: string; text: string }[] };
  /** Notifications, each with where it was first read. */
  readonly notified = new Map<string, number>();
  readonly backgroundEnds: BackgroundEnd[] = [];
  /** Agents that have a file of their own; copies of their lines elsewhere are not needed. */
  readonly ownFiles = new Set<string>();
  readonly #evidence = new Map<string, Evidence>();
  readonly #hookDenials = new Map<string, string>();
  readonly retractions: { readonly uuids: ReadonlySet<string>; readonly place: Place }[] = [];
  readonly #seen = new Map<string, string>();
  /** Lines of the files of sub-agents, by uuid. */
  readonly #seenInAgents = new Set<string>();
  readonly #unknown = new Map<string, { count: number; line: number; file: string; what: string }>();
  readonly #files: FileMark[] = [];
  #file: FileMark | undefined;
  firstMode: string | undefined;
  mode = 'default';
  /** Modes of the session, each with its first moment. */
  readonly modes: { readonly place: Place; readonly mode: string }[] = [];
  /**
   * Lines of one file were taken before lines of another that come first and say the same. What was collected is then not
   * what reading the files one after the other gives; only that tells it right.
   */
  isDisordered = false;

  constructor(onFinding: OnFinding) {
    this.onFinding = onFinding;
  }

  get calls(): ReadonlyMap<string, CallStory> {
    return this.assistant.calls;
  }

  get filePath(): string {
    return this.#file?.path ?? '';
  }

  /** Version of the program, as far as it is known. */
  get version(): string | undefined {
    return this.#first('version');
  }

  /** Is it the file of one sub-agent, beside that of the session? */
  get isAgentFile(): boolean {
    return this.#file?.agentKey !== undefined && this.#file.agentKey !== MAIN_KEY;
  }

  startFile(file: OpenFile): FileMark {
    const places = this.places.startFile(file.base);
    const mark: FileMark = { ...file, places, sessionId: undefined, cwd: undefined, version: undefined };
    this.#files.push(mark);
    this.#files.sort((a, b) => a.places.base - b.places.base);
    this.#file = mark;
    return mark;
  }

  /** Goes on with a file that has grown. */
  resumeFile(mark: FileMark): void {
    this.#file = mark;
    this.places.resumeFile(mark.places);
  }

  /** The session's own file comes first, so its words about the session win over those of its sub-agents. */
  #first(fact: 'sessionId' | 'cwd' | 'version'): string | undefined {
    for (const file of this.#files) if (file[fact] !== undefined) return file[fact];
    return undefined;
  }

  /** One JSON value of the current file. `at` is a time known from outside of the line. */
  add(value: unknown, lineNo: number, length: number, at?: number): void {
    const fields = fieldsOf(value);
    if (fields === undefined) {
      this.countUnknown('odd-value', 'values that are no objects', lineNo);
      return;
    }
    const line = lineOf(fields);
    if (this.#isCopy(line, length)) return;
    const place = this.places.at(at ?? timeOf(line.timestamp), lineNo);
    this.#noteSession(line);
    const agentKey = this.#file?.agentKey ?? this.agents.keyOf(line);
    if (line.uuid !== undefined && line.parentUuid) this.parents.set(line.uuid, line.parentUuid);
    this.#dispatch({ line, place, agentKey, lineNo });
  }

  #dispatch(current: Current): void {
    switch (current.line.type) {
      case 'assistant':
        this.agents.touch(current.agentKey, current.place);
        this.assistant.handle(current);
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
    if (this.isAgentFile) this.#seenInAgents.add(line.uuid);
    else if (before !== undefined && this.#seenInAgents.has(line.uuid)) this.isDisordered = true;
    return before === mark;
  }

  #noteSession(line: Line): void {
    const file = this.#file ?? this.startFile({ path: '', agentKey: undefined });
    file.sessionId ??= line.sessionId ?? line.session_id;
    file.cwd ??= line.cwd;
    file.version ??= line.version ?? line.claude_code_version;
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
    const line = lineOf(fields);
    if (line.uuid !== undefined && this.#seen.has(line.uuid)) return;
    if (line.uuid !== undefined) this.#seen.set(line.uuid, '');
    this.#dispatch({ line, place: this.places.at(at, around.lineNo), agentKey, lineNo: around.lineNo });
  }

  addFact(place: Place, facts: EventFacts): void {
    this.facts.push({ place, facts });
  }

  finding(line: number, kind: string, message: string): void {
    this.onFinding({ file: this.filePath, line, kind, message });
  }

  /** Something we do not know: counted, one finding a kind at the end. */
  countUnknown(kind: string, what: string, line: number): void {
    const key = `${kind}\n${what}`;
    const known = this.#unknown.get(key);
    if (known !== undefined) known.count++;
    else this.#unknown.set(key, { count: 1, line, file: this.filePath, what });
  }

  /** What all lines so far say. `base` and `leadMs`: see `Places.settle`. */
  finish(base: number, leadMs: number): ClaudeStory {
    this.places.settle(base, leadMs);
    this.#sort();
    this.results.pair();
    this.#settleCalls();
    this.#settleMessages();
    for (const [key, { count, line, file, what }] of this.#unknown) {
      const kind = key.split('\n')[0] ?? key;
      this.onFinding({ file, line, kind, message: `${count} × ${what}; kept out of the session, the first one here` });
    }
    return {
      sessionId: this.#first('sessionId'),
      cwd: this.#first('cwd'),
      version: this.version,
      title: this.#title(),
      mode: this.firstMode,
      timed: this.places.anyTimed,
      firstAt: this.places.firstAt,
      last: this.places.last,
      agents: this.agents.settle(this.places.last),
      messages: this.assistant.messages,
      calls: this.assistant.inOrder(),
      entries: this.entries,
      turnMarks: this.turnMarks,
      hooks: this.hooks,
      facts: this.facts,
      parents: this.parents,
      deniedCalls: this.deniedCalls,
    };
  }

  /** As the files have it, whatever file was read when. */
  #sort(): void {
    this.assistant.sort();
    const { entries, turnMarks, hooks, facts, backgroundEnds, retractions } = this;
    for (const list of [entries, turnMarks, hooks, facts, backgroundEnds, retractions]) {
      inFileOrder<{ readonly place: Place }>(list, ({ place }) => place.ord);
    }
  }

  #settleCalls(): void {
    const ofTask = new Map<string, CallStory>();
    for (const call of this.calls.values()) {
      call.evidence = this.#evidence.get(call.id) ?? {};
      call.hookDenial = this.#hookDenials.get(call.id);
      const facts = call.result?.facts;
      const task = textAt(facts, 'backgroundTaskId') ?? textAt(facts, 'agentId');
      if (task !== undefined) ofTask.set(task, call);
      call.shellId = isShell(call.tool) ? textAt(facts, 'backgroundTaskId') : undefined;
      call.background = undefined;
    }
    for (const end of this.backgroundEnds) {
      const call = this.calls.get(end.callId ?? '') ?? ofTask.get(end.taskId ?? '');
      if (call === undefined) continue;
      call.background = end;
      if (isShell(call.tool)) call.shellId ??= end.taskId;
    }
  }

  #settleMessages(): void {
    const byUuid = new Map<string, MessageStory>();
    for (const message of this.assistant.messages) {
      message.discardedAt = undefined;
      if (this.retractions.length > 0) for (const uuid of message.lineUuids) byUuid.set(uuid, message);
    }
    this.#settleModes();
    for (const { uuids, place } of this.retractions) {
      for (const uuid of uuids) {
        const message = byUuid.get(uuid);
        if (message !== undefined) message.discardedAt = place;
      }
    }
  }

  /** The mode is the session's: a sub-agent's messages have the one that was in force. */
  #settleModes(): void {
    for (const message of this.assistant.messages) {
      if (message.ofAgentFile !== true) continue;
      message.mode = this.modes.findLast(({ place }) => place.at <= message.first.at)?.mode ?? 'default';
    }
  }

  #title(): string | undefined {
    // Older programs put summaries of other sessions at the head of the file.
    const own = this.titles.summaries.findLast(({ leaf }) => this.#seen.has(leaf));
    return this.titles.custom || this.titles.ai || own?.text || this.titles.prompt || undefined;
  }
}

/** Sorts a list in place, where it is not sorted. Things of one line keep their order. */
export function inFileOrder<T>(list: T[], ordOf: (one: T) => number): boolean {
  const isSorted = list.every((one, at) => at === 0 || ordOf(list[at - 1] as T) <= ordOf(one));
  if (!isSorted) list.sort((a, b) => ordOf(a) - ordOf(b));
  return isSorted;
}
