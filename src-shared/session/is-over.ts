import type { SessionState } from './state.ts';

type Known = Pick<SessionState, 'ended' | 'origin'> & Partial<Pick<SessionState, 'followed'>>;

/**
 * Nothing goes on in it any more. A recording that is read from a file is over wherever it ends, unless its writer is
 * followed while it writes.
 */
export const isOver = ({ ended, origin, followed }: Known): boolean =>
  ended !== undefined || (origin?.kind === 'imported' && followed !== true);
