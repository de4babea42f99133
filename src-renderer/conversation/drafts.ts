import { createStore } from 'zustand/vanilla';
import type { SessionId } from '../../src-shared/ids.ts';

const KEY = 'gantry.drafts';

/** What is written but not sent, by session. Outlives a change of session and a reload of the window. */
export type Drafts = Readonly<Record<SessionId, string>>;

function stored(): Drafts {
  try {
    const value: unknown = JSON.parse(globalThis.localStorage?.getItem(KEY) ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === 'string')) as Drafts;
  } catch {
    // A damaged entry is not worth a message: the drafts are empty then.
    return {};
  }
}

export const draftStore = createStore<Drafts>(stored);

/** Keeps a text for later; an empty one is forgotten. */
export function setDraft(sessionId: SessionId, text: string): void {
  const { [sessionId]: _, ...others } = draftStore.getState();
  const drafts: Drafts = text === '' ? others : { ...others, [sessionId]: text };
  draftStore.setState(drafts, true);
  try {
    globalThis.localStorage?.setItem(KEY, JSON.stringify(drafts));
  } catch {
    // Storage is full or refused: the draft then lives as long as the window.
  }
}
