import { type FoundIn, MOST_PLACES, type RedactionReport } from '../../../src-shared/export/redaction.ts';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import { callName } from '../../../src-shared/timeline/words.ts';
import { isSecretKey, isSecretValue } from './assignments.ts';
import type { Detector } from './detectors.ts';
import { GrowingBlocks } from './growing-blocks.ts';
import { Secrets } from './secrets.ts';
import { callOf, whereIn } from './where.ts';

export type RedactOptions = {
  /** Home folders beside those that look like one. Absolute. */
  readonly homes: readonly string[];
  readonly own: readonly Detector[];
  /** Leave out what advisors have answered (spec 4.2). */
  readonly advisor: boolean;
};

type Place = { callId: string | undefined; where: FoundIn; count: number };
type Tally = { count: number; readonly places: Map<string, Place> };
type Fields = Readonly<Record<string, unknown>>;

/**
 * Replaces what is secret in the events of one session. First every event goes through `learn`, then every one through
 * `redact`: a password that is named as one at the end of a session is no longer there at its beginning either.
 */
export class Redactor {
  readonly #secrets: Secrets;
  readonly #options: RedactOptions;
  readonly #growing = new GrowingBlocks();
  readonly #advisors = new Set<string>();
  readonly #calls = new Map<string, string>();
  readonly #tallies = new Map<string, Tally>();
  #pictures = 0;
  #event: SessionEvent | undefined;

  constructor(options: RedactOptions) {
    this.#options = options;
    this.#secrets = new Secrets(options.homes, options.own);
  }

  learn(event: SessionEvent): void {
    if (event.type === 'block-growing' || event.type === 'block-arrived') this.#growing.learn(event);
    if (event.type === 'call-queued' && event.tool === 'Advisor') this.#advisors.add(event.callId);
    this.#learnIn(event, undefined);
  }

  #learnIn(value: unknown, key: string | undefined): void {
    if (typeof value === 'string') {
      if (isKeyed(key, value)) this.#secrets.learnValue(kindOfKey(key), value);
      else this.#secrets.learn(this.#secrets.find(value));
    } else if (Array.isArray(value)) for (const one of value) this.#learnIn(one, key);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (isPictureData(value as Fields, name)) continue;
        if (!isPlainName(name)) this.#secrets.learn(this.#secrets.find(name));
        this.#learnIn(inner, name);
      }
    }
  }

  /** The event as it may be shown to others. The same event where there is nothing to replace. */
  redact(event: SessionEvent): SessionEvent {
    this.#event = event;
    const shown = event.type === 'block-growing' ? this.#growing.told(event) : this.#withoutAdvice(event);
    const redacted = this.#redactIn(shown, undefined) as SessionEvent;
    if (redacted.type === 'call-queued') this.#calls.set(redacted.callId, callName(redacted));
    return redacted;
  }

  #withoutAdvice(event: SessionEvent): SessionEvent {
    if (!this.#options.advisor || !('callId' in event) || !this.#advisors.has(event.callId ?? '')) return event;
    const words = '[redacted-advisor-answer]';
    switch (event.type) {
      case 'call-completed':
        this.#count('advisor');
        return { ...event, result: { content: [{ type: 'text', text: words }], isError: event.result.isError } };
      case 'result-replaced':
        return { ...event, content: [{ type: 'text', text: words }] };
      case 'call-progressed':
        return { ...event, tail: '' };
      case 'call-observed':
        return { ...event, fields: {} };
      default:
        return event;
    }
  }

  #redactIn(value: unknown, key: string | undefined): unknown {
    if (typeof value === 'string') return this.#redactText(value, key);
    if (Array.isArray(value)) {
      const list = value.map((one) => this.#redactIn(one, key));
      return list.some((one, at) => one !== value[at]) ? list : value;
    }
    if (typeof value !== 'object' || value === null) return value;
    return this.#redactObject(value as Fields);
  }

  #redactObject(value: Fields): Fields {
    let changed = false;
    const entries: [string, unknown][] = [];
    const names = new Set<string>();
    for (const [name, inner] of Object.entries(value)) {
      const isPicture = isPictureData(value, name);
      if (isPicture) this.#pictures++;
      const shownName = this.#freeName(isPlainName(name) ? name : this.#redactText(name, undefined), names);
      const shown = isPicture ? inner : this.#redactIn(inner, name);
      changed ||= shown !== inner || shownName !== name;
      entries.push([shownName, shown]);
    }
    return changed ? Object.fromEntries(entries) : value;
  }

  /** Two keys must not become one. */
  #freeName(name: string, taken: Set<string>): string {
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name} ${n}`;
    taken.add(free);
    return free;
  }

  #redactText(text: string, key: string | undefined): string {
    if (isKeyed(key, text)) {
      const kind = this.#secrets.kindOf(text, kindOfKey(key));
      this.#count(kind);
      return this.#secrets.placeholder(kind, text);
    }
    const found = this.#secrets.find(text);
    if (found.length === 0) return text;
    let result = '';
    let last = 0;
    for (const { kind, from, until, value } of found) {
      result += text.slice(last, from) + this.#secrets.placeholder(kind, value);
      last = until;
      this.#count(kind);
    }
    return result + text.slice(last);
  }

  #count(kind: string): void {
    const event = this.#event;
    if (event === undefined) return;
    const tally = this.#tallies.get(kind) ?? { count: 0, places: new Map<string, Place>() };
    this.#tallies.set(kind, tally);
    tally.count++;
    const callId = callOf(event);
    const where = whereIn(event);
    const key = `${callId ?? ''} ${where}`;
    const place = tally.places.get(key);
    if (place === undefined) tally.places.set(key, { callId, where, count: 1 });
    else place.count++;
  }

  /** What was replaced so far. */
  report(): RedactionReport {
    const kinds = [...this.#tallies].map(([kind, { count, places }]) => ({
      kind,
      distinct: Math.max(1, this.#secrets.distinct(kind)),
      count,
      places: [...places.values()].slice(0, MOST_PLACES).map(({ callId, ...place }) => ({
        ...(callId === undefined
          ? {}
          : { callId: this.#shownId(callId), call: this.#calls.get(callId) ?? this.#shownId(callId) }),
        ...place,
      })),
      morePlaces: Math.max(0, places.size - MOST_PLACES),
    }));
    kinds.sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
    return { total: kinds.reduce((sum, { count }) => sum + count, 0), kinds, pictures: this.#pictures };
  }

  #shownId(callId: string): string {
    const [first] = this.#secrets.find(callId);
    return first === undefined ? callId : '[redacted id]';
  }
}

/** Names of fields. Every secret that is known by its shape is longer, or has a sign in it. */
const isPlainName = (name: string): boolean => /^[A-Za-z]{0,19}$/.test(name);

const isKeyed = (key: string | undefined, value: string): key is string =>
  key !== undefined && isSecretKey(key) && isSecretValue(value);

const kindOfKey = (key: string): string => (/pass|pwd/i.test(key) ? 'password' : 'secret');

/** Base64 of a picture holds every letter sequence sooner or later. The server's mark on a thought is none of a person's. */
const isPictureData = (object: Fields, key: string): boolean =>
  typeof object[key] === 'string' &&
  ((key === 'data' && ('mediaType' in object || 'media_type' in object || 'mimeType' in object)) ||
    (key === 'signature' && object.kind === 'thinking'));
