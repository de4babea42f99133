import { assertNever } from '../assert-never.ts';
import type { AgentId, CallId } from '../ids.ts';
import { barParts, type PartKind } from '../timeline/parts.ts';
import type { ToolCall, Wait } from '../tool-call/state.ts';
import { MOMENT_MS, type PathItem, type TurnItems } from './items.ts';
import type { PathKind, PathSegment } from './path.ts';

type Owner = Pick<PathSegment, 'kind' | 'place' | 'agentId' | 'callId' | 'requestId'>;

const KIND_OF_PART: Readonly<Record<PartKind, PathKind>> = {
  hooks: 'hook',
  permission: 'human',
  paused: 'human',
  running: 'tool',
  saving: 'tool',
  empty: 'other',
};

/**
 * Goes back through a turn. `cursor` only ever moves towards the start, and every move leaves the stretch it passed as a
 * segment: so the segments tile the turn whatever the records say.
 */
export class Walk {
  /** Newest first. */
  private readonly found: PathSegment[] = [];
  private readonly visited = new Set<PathItem>();
  private readonly items: TurnItems;
  private cursor: number;
  private floor: number;

  constructor(items: TurnItems, from: number, until: number) {
    this.items = items;
    this.floor = from;
    this.cursor = until;
  }

  segments(): readonly PathSegment[] {
    return this.found.toReversed();
  }

  /** Walks an agent's work down to `floor`. `within`: the call it works for, which owns what lies around its work. */
  agent(agentId: AgentId, floor: number, within: ToolCall | undefined): void {
    const before = this.floor;
    this.floor = Math.max(floor, before);
    let item = this.before(agentId);
    if (within !== undefined) this.take(item?.end ?? this.floor, laneOf(within, 'tool'));
    while (item !== undefined && this.cursor > this.floor) {
      this.visited.add(item);
      this.rest(item.end, agentId);
      item = item.call === undefined ? this.request(item) : this.call(item);
    }
    if (within !== undefined) this.take(this.floor, laneOf(within, 'tool'));
    this.rest(this.floor, agentId);
    this.floor = before;
  }

  /** Leaves everything from `from` up to the cursor to its owner. */
  private take(from: number, owner: Owner): void {
    const start = Math.max(from, this.floor);
    if (start >= this.cursor) return;
    const last = this.found.at(-1);
    const joins =
      last !== undefined &&
      last.from === this.cursor &&
      last.kind === owner.kind &&
      last.place === owner.place &&
      last.callId === owner.callId &&
      last.requestId === owner.requestId;
    if (joins) this.found[this.found.length - 1] = { ...last, from: start };
    else this.found.push({ ...owner, from: start, until: this.cursor });
    this.cursor = start;
  }

  /** A stretch in which no call and no request decided: hooks of the turn, and what the program did itself. */
  private rest(from: number, agentId: AgentId): void {
    const owner = { place: 'none', agentId, callId: undefined, requestId: undefined } as const;
    const start = Math.max(from, this.floor);
    while (this.cursor > start) {
      const hook = this.items.lastHook(start, this.cursor);
      this.take(hook?.until ?? start, { ...owner, kind: 'other' });
      if (hook !== undefined) this.take(hook.from, { ...owner, kind: 'hook' });
    }
  }

  private before(agentId: AgentId): PathItem | undefined {
    return this.items.lastEnded(agentId, { t: this.cursor }, (item) => this.isNew(item));
  }

  private request(item: PathItem): PathItem | undefined {
    const { request } = item;
    if (request === undefined) return undefined;
    const { agentId, requestId } = request;
    this.take(item.start, { kind: 'model', place: 'model', agentId, callId: undefined, requestId });
    return this.before(agentId);
  }

  private call({ call }: PathItem): PathItem | undefined {
    if (call === undefined) return undefined;
    for (const part of barParts(call).toReversed()) {
      if (part.from >= this.cursor) continue;
      const inside = part.kind === 'running' ? this.items.inside(call.callId) : undefined;
      if (inside !== undefined) this.agent(inside.agentId, part.from, call);
      else this.take(part.from, laneOf(call, KIND_OF_PART[part.kind]));
    }
    return this.beforeStart(call);
  }

  /** What a call waited for before it started, newest reason first. */
  private beforeStart(call: ToolCall): PathItem | undefined {
    for (const wait of call.waits.toReversed()) {
      if (wait.from >= this.cursor) continue;
      // What lies between the end of the wait and the start is the scheduler's own.
      if (wait.until !== undefined) this.take(wait.until, queueOf(call, 'other'));
      const next = this.beforeWait(call, wait);
      if (next !== undefined) return next;
    }
    if (call.waits.length === 0 && this.cursor > call.queuedAt + MOMENT_MS) {
      // Nobody wrote down why: what ended last while it waited is the likeliest reason.
      const { agentId, queuedAt, callId } = call;
      const freed = this.items.lastEnded(
        agentId,
        { t: this.cursor, since: queuedAt + MOMENT_MS },
        (item) => item.call !== undefined && item.call.callId !== callId && this.isNew(item),
      );
      if (freed !== undefined) return freed;
    }
    this.take(call.queuedAt, queueOf(call, 'other'));
    return this.unlessVisited(this.items.requestOf(call)) ?? this.before(call.agentId);
  }

  private beforeWait(call: ToolCall, wait: Wait): PathItem | undefined {
    switch (wait.why) {
      case 'lock':
      case 'order':
      case 'batch':
        return this.afterHolder(call, wait);
      case 'no-lane': {
        const freed = this.items.lastEnded(
          call.agentId,
          { t: this.cursor, since: wait.from - MOMENT_MS },
          (item) =>
            this.isNew(item) && laneNumber(item.call) !== undefined && laneNumber(item.call) === laneNumber(call),
        );
        if (freed !== undefined) return freed;
        this.take(wait.from, queueOf(call, 'lock'));
        return undefined;
      }
      case 'message-open':
      case 'settings':
        return this.unlessVisited(this.items.requestOf(call)) ?? this.waitItself(call, wait);
      case 'hold':
        this.take(wait.from, queueOf(call, 'human'));
        return undefined;
      default:
        return assertNever(wait.why, 'reason to wait');
    }
  }

  private waitItself(call: ToolCall, wait: Wait): undefined {
    this.take(wait.from, queueOf(call, 'other'));
    return undefined;
  }

  /**
   * The path goes on at the call that held the waiting one up: the last of them to end. One that goes first and runs on
   * leads to what kept it from starting earlier.
   */
  private afterHolder(call: ToolCall, wait: Wait): PathItem | undefined {
    let last: PathItem | undefined;
    let running: PathItem | undefined;
    for (const callId of wait.by) {
      const item = this.items.ofCall(callId);
      if (item === undefined || !this.isNew(item)) continue;
      if (item.end > this.cursor + MOMENT_MS) running = item;
      else if (item.end > wait.from - MOMENT_MS && (last === undefined || item.end > last.end)) last = item;
    }
    if (last !== undefined) {
      // Over, and still the lock was not free: nobody is known who worked.
      this.take(last.end, queueOf(call, 'lock'));
      return last;
    }
    if (running?.call !== undefined && running.start < this.cursor + MOMENT_MS && running.start > wait.from) {
      this.visited.add(running);
      this.take(running.start, queueOf(call, 'other'));
      return this.beforeStart(running.call);
    }
    this.take(wait.from, queueOf(call, 'lock'));
    return undefined;
  }

  private isNew(item: PathItem): boolean {
    return !this.visited.has(item);
  }

  private unlessVisited(item: PathItem | undefined): PathItem | undefined {
    return item !== undefined && this.isNew(item) && item.start < this.cursor ? item : undefined;
  }
}

const laneNumber = (call: ToolCall | undefined): number | undefined =>
  call === undefined || call.phase === 'queued' ? undefined : call.run?.lane;

const laneOf = (call: ToolCall, kind: PathKind): Owner => ({ ...ownerOf(call), kind, place: 'lane' });
const queueOf = (call: ToolCall, kind: PathKind): Owner => ({ ...ownerOf(call), kind, place: 'queue' });
const ownerOf = (call: ToolCall): { agentId: AgentId; callId: CallId; requestId: undefined } => ({
  agentId: call.agentId,
  callId: call.callId,
  requestId: undefined,
});
