import { z } from 'zod';
import type { ModelItem } from '../../ports/model-provider.ts';
import { callItem, cutOffCall, isWholeObject } from './tool-input.ts';

const Text = z.string().nullish().catch(undefined);

/** A fragment of a call. Some servers send the arguments as an object, all at once. */
export const WireCall = z.object({
  index: z.number().int().nullish().catch(undefined),
  id: Text,
  function: z
    .object({
      name: Text,
      arguments: z
        .union([z.string(), z.record(z.string(), z.unknown()).transform((input) => JSON.stringify(input))])
        .nullish()
        .catch(undefined),
    })
    .nullish(),
});
export type WireCall = z.output<typeof WireCall>;

type Fragment = {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly json: string;
};
type Incoming = { readonly index: number | undefined; readonly id: string; name: string; json: string };

/**
 * Puts the calls of one message together from fragments, and gives each away as early as its order allows: when the next
 * one has begun and its own arguments are whole. Servers differ in what they leave out (ids, the index), repeat (ids,
 * names) and get wrong (the same index for all).
 */
export class IncomingCalls {
  readonly #newCallId: () => string;
  /** Those that have not been given away, oldest first. Only the last one is the one that is being written, mostly. */
  #open: Incoming[] = [];
  readonly #given = new Set<string>();
  #any = false;

  constructor(newCallId: () => string) {
    this.#newCallId = newCallId;
  }

  get any(): boolean {
    return this.#any;
  }

  take(call: WireCall): readonly ModelItem[] {
    const fragment: Fragment = {
      index: call.index ?? undefined,
      id: call.id ?? '',
      name: call.function?.name ?? '',
      json: call.function?.arguments ?? '',
    };
    // What comes late for a call that has been given away is nothing new.
    if (fragment.name === '' && this.#given.has(fragment.id)) return [];
    const target = this.#targetOf(fragment) ?? this.#begin(fragment);
    if (target.name === '') target.name = fragment.name;
    target.json += fragment.json;
    const growth: readonly ModelItem[] =
      fragment.json === '' ? [] : [{ type: 'growing', kind: 'tool-use', added: fragment.json, name: target.name }];
    return [...this.#ready(), ...growth];
  }

  /** The message has ended: whatever is open is given away, whole or broken. */
  finish(isCutOff: boolean): readonly ModelItem[] {
    const open = this.#open;
    this.#open = [];
    // Only the last one can have been cut off; the others were left as they are for the next.
    return open.map((call, at) => (isCutOff && at === open.length - 1 ? cutOffCall(call) : callItem(call)));
  }

  /** The call that a fragment goes on with; undefined where it begins another one. */
  #targetOf({ index, id, name }: Fragment): Incoming | undefined {
    const newest = this.#open.at(-1);
    // A fragment that names nothing goes on with the call of its index, also where the server has begun several.
    if (id === '' && name === '') return this.#open.find((call) => call.index === index) ?? newest;
    const same = this.#open.findLast((call) => (id === '' ? call.index === index : call.id === id));
    // Another id for every fragment, the name only once.
    if (same === undefined) return name === '' && newest?.index === index ? newest : undefined;
    if (name === '') return same;
    // The same id for all calls, or the same index: a name begins another one when the one before has all it needs.
    const isElsewhere = index !== undefined && same.index !== undefined && index !== same.index;
    const isOver = id === '' && (name !== same.name || isWholeObject(same.json));
    return isElsewhere || isOver ? undefined : same;
  }

  #begin({ index, id, name }: Fragment): Incoming {
    this.#any = true;
    const call = { index, id: id === '' ? this.#newCallId() : id, name, json: '' };
    this.#open.push(call);
    return call;
  }

  /**
   * The oldest ones, as far as they are behind the newest and whole. One without arguments waits for the end: some servers
   * announce all calls before they fill them.
   */
  #ready(): readonly ModelItem[] {
    const ready: ModelItem[] = [];
    while (this.#open.length > 1 && this.#open[0] !== undefined && isWholeObject(this.#open[0].json)) {
      this.#given.add(this.#open[0].id);
      ready.push(callItem(this.#open[0]));
      this.#open.shift();
    }
    return ready;
  }
}
