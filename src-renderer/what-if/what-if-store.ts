import { createStore } from 'zustand/vanilla';
import type { CallId, SessionId } from '../../src-shared/ids.ts';
import type { CascadePolicy } from '../../src-shared/session/settings.ts';
import type { SessionState, Turn } from '../../src-shared/session/state.ts';
import { AS_RECORDED, type ChangedSafety, type PlayedStrategy } from '../../src-shared/what-if/rules.ts';
import type { Outcome, Question, Row } from '../../src-shared/what-if/what-if.ts';
import { type SessionView, sessionStore } from '../state/session-store.ts';

/** The rules a person looks at. */
export type Variant = { readonly strategy: PlayedStrategy; readonly cascade: CascadePolicy; readonly cap: number };

/** The turn that is compared, made ready. The state is that of the session as a whole. */
export type Subject = {
  readonly sessionId: SessionId;
  readonly state: SessionState;
  readonly turn: Turn;
  /** From 1; among the turns of its agent. */
  readonly number: number;
  readonly question: Question;
};

export type TableRow = { readonly row: Row; readonly outcome: Outcome };

export type WhatIf = {
  /** The ghost row is shown. */
  readonly isOpen: boolean;
  /** Undefined until a person chooses: then it is the recorded strategy without cascades. */
  readonly variant: Variant | undefined;
  readonly safety: ChangedSafety;
  /** `none`: there is nothing to compare, and `why` says why. */
  readonly phase: 'idle' | 'computing' | 'ready' | 'none';
  readonly why: string | undefined;
  readonly subject: Subject | undefined;
  /** Rows as far as they are computed. */
  readonly rows: readonly TableRow[];
  /** Under the chosen rules. Undefined while it is computed. */
  readonly outcome: Outcome | undefined;
};

export const NOTHING: Pick<WhatIf, 'phase' | 'why' | 'subject' | 'rows' | 'outcome'> = {
  phase: 'idle',
  why: undefined,
  subject: undefined,
  rows: [],
  outcome: undefined,
};

export const whatIfStore = createStore<WhatIf>(() => ({
  isOpen: false,
  variant: undefined,
  safety: AS_RECORDED,
  ...NOTHING,
}));

const idOf = (view: SessionView): string | undefined => (view.phase === 'none' ? undefined : view.sessionId);

/** What was chosen for one session says nothing of another. */
sessionStore.subscribe((now, before) => {
  if (idOf(now) !== idOf(before)) whatIfStore.setState({ variant: undefined, safety: AS_RECORDED });
});

/** The rules that are shown: what a person chose, else the recorded ones without cascades. */
export function variantOf({ variant, subject }: Pick<WhatIf, 'variant' | 'subject'>): Variant | undefined {
  if (variant !== undefined || subject === undefined) return variant;
  const { strategy, cap, cascade } = subject.question.rules;
  // Where the recording has none already, the other way to run calls is the question.
  if (cascade === 'none') return { strategy: strategy === 'serial' ? 'streaming' : 'serial', cascade: 'none', cap };
  return { strategy, cascade: 'none', cap };
}

export const toggleWhatIf = (): void => whatIfStore.setState(({ isOpen }) => ({ isOpen: !isOpen }));
/** The turn of the selected call without its cascades. */
export const askWithoutCascades = (): void => {
  const { variant } = whatIfStore.getState();
  whatIfStore.setState({
    isOpen: true,
    ...(variant === undefined ? {} : { variant: { ...variant, cascade: 'none' as const }, outcome: undefined }),
  });
};
export const closeWhatIf = (): void => whatIfStore.setState({ isOpen: false });

/** Changes some of the rules, and shows what comes of it. */
export function chooseRules(change: Partial<Variant>): void {
  const now = variantOf(whatIfStore.getState());
  if (now !== undefined) whatIfStore.setState({ variant: { ...now, ...change }, isOpen: true, outcome: undefined });
}

/** "What if this were safe": one call counts as something else. Undefined: as it was. */
export function changeSafety(callId: CallId, safe: boolean | undefined): void {
  whatIfStore.setState(({ safety }) => {
    const { [callId]: _, ...others } = safety.calls;
    const calls = safe === undefined ? others : { ...others, [callId]: safe };
    return { safety: { ...safety, calls }, isOpen: true, outcome: undefined };
  });
}
