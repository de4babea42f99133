import { DETECTORS, type Detector, HOME_FOLDER } from './detectors.ts';
import { viewsOf } from './views.ts';

/** Something to be replaced in a text. `value` is what it reads as, without escapes: the same secret, the same value. */
export type Found = { readonly kind: string; readonly from: number; readonly until: number; readonly value: string };

/**
 * What no secret, address or home folder is without, in any spelling. Most of a session's texts have none of it, and one
 * look is all they cost.
 */
const SUSPICIOUS =
  /[@\\]|%[2-7][0-9a-f]|:\/\/|-----|users|\/home\/|pass|pwd|secret|token|key|credential|cookie|bearer|basic|authorization|sk-|gh[pousr]_|github_pat|glpat|AKIA|ASIA|AIza|ya29|GOCSPX|xox|xapp|slack|npm_|_live_|_test_|hf_|eyJ/i;
const NOTHING: readonly Found[] = [];

/** So much of a known secret, from its first character on, is taken for a part of it that a preview has left. */
const LEAST_PREFIX = 12;
/** Values behind `password=` that are words of a language are replaced where they stand, not wherever the word is used. */
const isTelling = (value: string): boolean => value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value);
const BY_CONTEXT: ReadonlySet<string> = new Set([
  'password',
  'secret',
  'authorization',
  'connection-password',
  'cookie',
  'advisor',
]);
const HOME = 'home-folder';

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** The secrets of one session: finds them in texts and gives each its number. */
export class Secrets {
  readonly #detectors: readonly Detector[];
  readonly #hasOwn: boolean;
  readonly #folders: readonly string[];
  readonly #homes: readonly RegExp[];
  readonly #numbers = new Map<string, Map<string, number>>();
  readonly #kinds = new Map<string, string>();
  readonly #known = new Map<string, string>();
  readonly #homeNames = new Set<string>();
  /** Made of what is known; forgotten when something new is. */
  #wanted: { readonly whole: RegExp; readonly any: RegExp; readonly names: RegExp | undefined } | undefined;

  /** @param homes further home folders, whatever they are called. Absolute. */
  constructor(homes: readonly string[], own: readonly Detector[]) {
    // What a person asks for goes first: it names what both have found.
    this.#detectors = [...own, ...DETECTORS];
    this.#hasOwn = own.length > 0;
    this.#folders = homes
      .map((home) => home.replace(/[/\\]+$/, ''))
      .filter((home) => home.length > 1)
      .sort((a, b) => b.length - a.length);
    this.#homes = this.#folders.map((home) => new RegExp(`(?<![A-Za-z0-9_.-])${escaped(home)}(?![A-Za-z0-9_.-])`, 'g'));
  }

  /** Everything in the text that is to be replaced, in its order, without overlaps. */
  find(text: string): readonly Found[] {
    if (text.length < 4 || !this.#isSuspicious(text)) return NOTHING;
    const all: Found[] = [];
    for (const view of viewsOf(text)) {
      const add = (kind: string, from: number, until: number): void => {
        all.push({ kind, from: view.start(from), until: view.start(until), value: view.text.slice(from, until) });
      };
      for (const detect of this.#detectors)
        for (const { kind, from, until } of detect(view.text)) add(kind, from, until);
      for (const { from, until } of this.#homesIn(view.text)) add(HOME, from, until);
      for (const { kind, from, until } of this.#knownIn(view.text)) add(kind, from, until);
    }
    const found = all.length < 2 ? all : merged(all);
    return found.map((one) => ({ ...one, kind: this.kindOf(one.value, one.kind) }));
  }

  #isSuspicious(text: string): boolean {
    if (this.#hasOwn || SUSPICIOUS.test(text)) return true;
    if (this.#folders.some((folder) => text.includes(folder))) return true;
    if (this.#known.size === 0 && this.#homeNames.size === 0) return false;
    this.#wanted ??= this.#makeWanted();
    return this.#wanted.any.test(text);
  }

  /** Remembers what was found, so that it is found again where nothing tells that it is a secret. */
  learn(found: readonly Found[]): void {
    for (const { kind, value } of found) this.learnValue(kind, value);
  }

  /** A secret keeps the kind it was first met as. */
  kindOf(value: string, otherwise: string): string {
    return this.#kinds.get(value) ?? otherwise;
  }

  learnValue(kind: string, value: string): void {
    if (kind === HOME || this.#kinds.has(value)) return;
    this.#kinds.set(value, kind);
    const numbers = this.#numbers.get(kind) ?? new Map<string, number>();
    this.#numbers.set(kind, numbers);
    numbers.set(value, numbers.size + 1);
    if (kind === 'email' || (BY_CONTEXT.has(kind) ? !isTelling(value) : value.length < 8)) return;
    if (!this.#known.has(value)) this.#known.set(value, kind);
    this.#wanted = undefined;
  }

  /** What stands in the secret's place. The same secret, the same words. */
  placeholder(kind: string, value: string): string {
    if (kind === HOME) return value.startsWith('-') ? '-~' : '~';
    return `[redacted-${kind}-${this.#numbers.get(kind)?.get(value) ?? this.#partOf(kind, value)}]`;
  }

  distinct(kind: string): number {
    return kind === HOME ? this.#homeNames.size : (this.#numbers.get(kind)?.size ?? 0);
  }

  /** A part of a secret gets the number of the whole. */
  #partOf(kind: string, value: string): number | string {
    for (const [whole, number] of this.#numbers.get(kind) ?? []) {
      if (whole.startsWith(value) || whole.endsWith(value)) return number;
    }
    this.learnValue(kind, value);
    return this.#numbers.get(kind)?.get(value) ?? 0;
  }

  *#homesIn(text: string): Iterable<{ readonly from: number; readonly until: number }> {
    for (const home of this.#homes) {
      for (const match of text.matchAll(home)) {
        this.#homeNames.add(match[0]);
        yield { from: match.index, until: match.index + match[0].length };
      }
    }
    for (const match of text.matchAll(HOME_FOLDER)) {
      const name = match.groups?.name ?? '';
      if (!this.#homeNames.has(name)) {
        this.#homeNames.add(name);
        this.#wanted = undefined;
      }
      yield { from: match.index, until: match.index + match[0].length };
    }
  }

  *#knownIn(text: string): Iterable<{ readonly kind: string; readonly from: number; readonly until: number }> {
    this.#wanted ??= this.#makeWanted();
    const { whole, names } = this.#wanted;
    if (this.#known.size > 0) {
      for (const match of text.matchAll(whole)) {
        const kind = this.#known.get(match[0]);
        if (kind !== undefined) yield { kind, from: match.index, until: match.index + match[0].length };
        else yield* this.#beginningAt(text, match.index);
      }
      yield* this.#endAtStart(text);
    }
    if (names === undefined) return;
    for (const match of text.matchAll(names)) {
      yield { kind: HOME, from: match.index, until: match.index + match[0].length };
    }
  }

  #makeWanted() {
    const values = [...this.#known.keys()].sort((a, b) => b.length - a.length);
    const beginnings = new Set(
      values.filter((value) => value.length >= 16).map((value) => value.slice(0, LEAST_PREFIX)),
    );
    const whole = new RegExp([...values, ...beginnings].map(escaped).join('|') || '(?!)', 'g');
    // Claude Code names the folder of a project after its path: `-home-ann-shop`.
    const names = [...this.#homeNames].filter((name) => /^[\w.]+$/.test(name)).map(escaped);
    const folder = `-(?:home|Users)-(?:${names.join('|')})(?![A-Za-z0-9_])`;
    // Without `g` a test begins at the start each time. The ends of secrets may begin a text that has lost their rest.
    const ends = values.filter((value) => value.length >= 16).map((value) => escaped(value.slice(-LEAST_PREFIX)));
    return {
      whole,
      any: new RegExp([whole.source, ...ends, ...(names.length === 0 ? [] : [folder])].join('|')),
      names: names.length === 0 ? undefined : new RegExp(folder, 'g'),
    };
  }

  /** The longest known secret that goes on like the text does from here. */
  *#beginningAt(text: string, at: number) {
    let best: { kind: string; length: number } | undefined;
    for (const [value, kind] of this.#known) {
      let length = 0;
      while (length < value.length && text[at + length] === value[length]) length++;
      if (length >= LEAST_PREFIX && length > (best?.length ?? 0)) best = { kind, length };
    }
    if (best !== undefined) yield { kind: best.kind, from: at, until: at + best.length };
  }

  /** The last lines of an output may begin in the middle of a secret. */
  *#endAtStart(text: string) {
    const most = 500;
    let looked = 0;
    for (const [value, kind] of this.#known) {
      if (++looked > most) return;
      const end = text.indexOf(value.slice(-LEAST_PREFIX));
      if (value.length < 16 || end < 0 || end + LEAST_PREFIX >= value.length) continue;
      if (value.endsWith(text.slice(0, end + LEAST_PREFIX))) yield { kind, from: 0, until: end + LEAST_PREFIX };
    }
  }
}

/** Joins what overlaps. The longest find names the whole; of equals the first. */
function merged(all: readonly Found[]): readonly Found[] {
  const inOrder = [...all].sort((a, b) => a.from - b.from || b.until - a.until);
  const result: Found[] = [];
  let longest = 0;
  for (const one of inOrder) {
    const last = result.at(-1);
    if (last === undefined || one.from >= last.until) {
      result.push(one);
      longest = one.until - one.from;
      continue;
    }
    const until = Math.max(last.until, one.until);
    const isLonger = one.until - one.from > longest;
    if (isLonger) longest = one.until - one.from;
    const { kind, value } = isLonger ? one : last;
    result[result.length - 1] = { kind, value, from: last.from, until };
  }
  return result;
}
