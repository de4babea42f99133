import type { SessionState } from '../session/state.ts';
import { isEnded } from '../timeline/parts.ts';
import type { ToolCall } from '../tool-call/state.ts';
import type { CallTest } from './call-filter.ts';

/** A set of calls by their index in the session. */
export type CallSet = { readonly has: (index: number) => boolean; readonly size: number };

const BITS = 32;
/** Calls between two looks at whether time is up. */
const STRIDE = 64;

/**
 * Which calls of a session fit, one bit each. It grows with the session: a call is looked at again only when it has
 * changed, since calls are replaced when they do, or while it runs, since lengths then grow by themselves.
 */
export class Matching implements CallSet {
  private readonly test: CallTest;
  private readonly seen: (ToolCall | undefined)[] = [];
  private bits = new Uint32Array(32);
  private at = 0;
  private count = 0;

  constructor(test: CallTest) {
    this.test = test;
  }

  has(index: number): boolean {
    return (((this.bits[Math.floor(index / BITS)] ?? 0) >>> (index % BITS)) & 1) === 1;
  }

  /** How many fit. */
  get size(): number {
    return this.count;
  }

  /**
   * Brings all calls of the state up to date, or as many as there is time for: `isOver` is asked now and then. Answers
   * whether all are; if not, the next call goes on where this one stopped.
   */
  update(state: SessionState, isOver: () => boolean = () => false): boolean {
    const { calls } = state;
    this.makeRoom(calls.length);
    for (; this.at < calls.length; this.at++) {
      if (this.at % STRIDE === STRIDE - 1 && isOver()) {
        this.look(calls[this.at] as ToolCall, state);
        this.at++;
        return false;
      }
      this.look(calls[this.at] as ToolCall, state);
    }
    this.at = 0;
    return true;
  }

  /** Indices of the calls that fit, in the order in which they were asked for. */
  indices(): readonly number[] {
    const found: number[] = [];
    for (let i = 0; i < this.seen.length; i++) if (this.has(i)) found.push(i);
    return found;
  }

  private look(call: ToolCall, state: SessionState): void {
    const index = this.at;
    if (this.seen[index] === call && isEnded(call)) return;
    this.seen[index] = call;
    const fits = this.test(call, state);
    if (fits === this.has(index)) return;
    const word = Math.floor(index / BITS);
    this.bits[word] = (this.bits[word] as number) ^ (1 << (index % BITS));
    this.count += fits ? 1 : -1;
  }

  private makeRoom(calls: number): void {
    if (calls <= this.bits.length * BITS) return;
    const more = new Uint32Array(Math.max(this.bits.length * 2, Math.ceil(calls / BITS)));
    more.set(this.bits);
    this.bits = more;
  }
}

/** Where a call stands among those that fit, from 1; 0 where it is none of them. */
export function placeOf(indices: readonly number[], index: number | undefined): number {
  return index === undefined ? 0 : indices.indexOf(index) + 1;
}

/** The next of the calls that fit after `from`, or the one before it; round the end to the other side. */
export function stepAmong(indices: readonly number[], from: number | undefined, by: 1 | -1): number | undefined {
  if (from === undefined) return by === 1 ? indices[0] : indices.at(-1);
  if (by === 1) return indices.find((index) => index > from) ?? indices[0];
  return indices.findLast((index) => index < from) ?? indices.at(-1);
}
