/** How much one message may hold. */
export type DataLimits = {
  /** Characters of all texts and keys together. */
  readonly characters: number;
  /** Values and keys together. */
  readonly parts: number;
};

/** Deeper than any input of a tool. Also what ends the walk through something that holds itself. */
const MOST_DEPTH = 100;

/**
 * What keeps a message of a page from being looked at any further; undefined when it is plain data of a sensible size.
 * The page's messages arrive by structured clone, which carries more than JSON can: maps, dates, big integers, and
 * things that hold themselves. None of that could be written to a journal. The walk stops at the first trouble, so that
 * a message is never more work than its limits.
 */
export function dataProblem(message: unknown, limits: DataLimits): string | undefined {
  let characters = 0;
  let parts = 0;
  const open: (readonly [unknown, number])[] = [[message, 0]];
  const countText = (text: string): boolean => {
    characters += text.length;
    return characters <= limits.characters;
  };
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next;
    if (++parts > limits.parts) return 'it has too many parts';
    if (depth > MOST_DEPTH) return 'it is too deep';
    if (typeof value === 'string') {
      if (!countText(value)) return 'it is too large';
    } else if (typeof value === 'object' && value !== null) {
      if (!isPlain(value)) return 'it is no plain data';
      if (Array.isArray(value) && value.length > limits.parts) return 'it has too many parts';
      for (const key of Object.keys(value)) {
        if (key === '__proto__') return 'it has a key __proto__';
        if (!Array.isArray(value) && !countText(key)) return 'it is too large';
        open.push([(value as Readonly<Record<string, unknown>>)[key], depth + 1]);
      }
      if (open.length > limits.parts) return 'it has too many parts';
    } else if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') {
      return 'it is no plain data';
    }
  }
  return undefined;
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || isForeignObject(prototype);
}

/** Electron builds what it has received in a context of its own, whose `Object` need not be ours. */
const isForeignObject = (prototype: unknown): boolean =>
  typeof prototype === 'object' &&
  prototype !== null &&
  Object.getPrototypeOf(prototype) === null &&
  Object.hasOwn(prototype, 'hasOwnProperty');
