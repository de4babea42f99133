import { callById } from '../../src-shared/session/state.ts';
import { type ScriptedCall, SessionScript } from '../../src-shared/timeline/session-script.ts';
import type { GalleryPage } from '../gallery/page.ts';
import { OutcomePill } from './OutcomePill.tsx';

const STATES: readonly (readonly [string, Partial<ScriptedCall>])[] = [
  ['Queued', {}],
  ['Queued, a lock is held', { waits: [{ why: 'lock', at: 1 }] }],
  ['Running', { start: 2 }],
  ['Waits for an answer', { start: 2, ask: [3] }],
  ['Ok', { start: 2, end: 9, exit: { code: 0 } }],
  ['Error', { start: 2, end: 9, outcome: 'error', exit: { code: 1 } }],
  ['Cancelled while running', { start: 2, end: 9, outcome: 'cancelled' }],
  ['Cancelled before start', { end: 9, outcome: 'cancelled' }],
  ['Rejected', { start: 2, end: 9, outcome: 'rejected' }],
  ['Denied', { start: 2, end: 9, outcome: 'denied' }],
  ['Interrupted', { start: 2, end: 9, outcome: 'interrupted' }],
  ['Discarded', { start: 2, end: 9, outcome: 'discarded' }],
  ['Unknown', { start: 2, end: 9, outcome: 'unknown' }],
];

const pillOf = (facts: Partial<ScriptedCall>, short: boolean) => {
  const state = new SessionScript().call({ id: 'c', tool: 'Bash', queued: 1, ...facts }).state();
  const [only] = state.calls;
  return only === undefined ? null : <OutcomePill call={callById(state, only.callId) ?? only} short={short} />;
};

export const gallery: GalleryPage = STATES.map(([title, facts]) => ({
  title,
  show: () => (
    <>
      {pillOf(facts, false)} {pillOf(facts, true)}
    </>
  ),
}));
