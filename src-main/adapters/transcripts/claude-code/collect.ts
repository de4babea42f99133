import type { EventFacts } from '../../../../src-shared/session/event.ts';
import { type Fields, fieldsOf, textAt, timeOf } from '../common/fields.ts';
import { Places } from '../common/places.ts';
import type {
  BackgroundEnd,
  CallStory,
  EntryStory,
  Evidence,
  FactStory,
  HookStory,
  MessageStory,
  Place,
  Story,
  TurnMark,
} from '../common/story.ts';
import type { OnFinding } from '../importer.ts';
import { AssistantLines } from './assistant-lines.ts';
import { handleAttachment, handleProgress } from './collect-extras.ts';
import { handleBookkeeping, handleSystem } from './collect-system.ts';
import { handleUser } from './collect-user.ts';
import { Agents } from './line-agents.ts';
import { Line } from './lines.ts';
import { ResultLines } from './result-lines.ts';
import { isShell } from './safety.ts';

export type OpenFile = {
  readonly path: string;
  /** All lines of the file are this agent's; undefined for the session's own file. */
  readonly agentKey: string | undefined;
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

/** Takes the lines of a session's files, one by one, and sorts what they say by kind. One pass, no line is kept. */
export class Collector {
  readonly onFinding: OnFinding;
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
  readonly notified = new Set<string>();
  readonly backgroundEnds: BackgroundEnd[] = [];
  /** Agents that have a file of their own; copies of their lines elsewhere are not needed. */
  readonly ownFiles = new Set<string>();
  readonly #evidence = new Map<string, Evidence>();
  readonly #hookDenials = new Map<string, string>();
  readonly retractions: { readonly uuids: ReadonlySet<string>; readonly place: Place }[] = [];
  readonly #seen = new Map<string, string>();
  readonly #unknown = new Map<string, { count: number; line: number; file: string; what: string }>();
  #file: OpenFile = { path: '', agentKey: undefined };
  sessionId: string | undefined;
  cwd: string | undefined;
  version: string | undefined;
  firstMode: string | undefined;
  mode = 'default';

  constructor(onFinding: OnFinding) {
    this.onFinding = onFinding;
  }

  get calls(): ReadonlyMap<string, CallStory> {
    return this.assistant.calls;
  }

  get filePath(): string {
    return this.#file.path;
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
    return before === mark;
  }

  #noteSession(line: Line): void {
    // The session's own file comes first, so its words about the session win over those of its sub-agents.
    this.sessionId ??= line.sessionId ?? line.session_id;
    this.cwd ??= line.cwd;
    this.version ??= line.version ?? line.claude_code_version;
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
  finish(base: number, leadMs: number): ClaudeStory {
    this.places.settle(base, leadMs);
    this.results.pair();
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
      messages: this.assistant.messages,
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
      if (isShell(call.tool)) call.shellId = textAt(facts, 'backgroundTaskId');
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
    for (const message of this.assistant.messages) for (const uuid of message.lineUuids) byUuid.set(uuid, message);
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
