import { createStore } from 'zustand/vanilla';

/** Counts the frames the chart has asked for and has drawn, for `idle.ts`: what is known is on screen only after the last one. */
export const chartFrames = createStore<{ readonly asked: number; readonly drawn: number }>(() => ({
  asked: 0,
  drawn: 0,
}));

export const frameAsked = (): void => chartFrames.setState(({ asked }) => ({ asked: asked + 1 }));
export const frameDrawn = (): void => chartFrames.setState(({ drawn }) => ({ drawn: drawn + 1 }));
