/** The longest name of a tool that the Messages API takes, and chat completions. */
export const MOST_NAME = { anthropic: 128, chat: 64 } as const;

/**
 * The name of a called tool as servers take it back: letters, digits, `_` and `-`. Models also call tools that there never
 * were, and other programs' tools have other names; such a call would have the whole conversation refused for ever.
 */
export const wireName = (name: string, most: number): string =>
  name.replace(/[^A-Za-z0-9_-]/gu, '_').slice(0, most) || 'unknown';

/** The id of a call as the Messages API takes it back; ids of another server that answered before may hold other characters. */
export const wireId = (id: string): string =>
  id.replace(/[^A-Za-z0-9_-]/gu, (odd) => `_${odd.codePointAt(0)?.toString(16)}_`);
