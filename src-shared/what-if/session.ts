import type { SessionState, Turn } from '../session/state.ts';
import { type CommandFacts, recordTurns } from './recorded.ts';
import type { Rules } from './rules.ts';
import { answer, ask, type Numbers, type Outcome, type Question, type Trust } from './what-if.ts';

/** One turn of a session and what it came to under some rules. */
export type TurnOutcome = { readonly turn: Turn; readonly question: Question; readonly outcome: Outcome };

/** Several turns together. What a person did between them is as it was and counts for nothing. */
export type Total = {
  readonly numbers: Numbers;
  readonly trust: Trust;
  /** The first turn that comes out otherwise, and where. */
  readonly first: TurnOutcome | undefined;
};

export const askTurns = (
  state: SessionState,
  turns: readonly Turn[],
  facts: CommandFacts,
): readonly { readonly turn: Turn; readonly question: Question }[] =>
  recordTurns(state, turns, facts).map((work, at) => ({
    turn: turns[at] as Turn,
    question: ask(work, state.cwd, facts),
  }));

/** Plays each turn under the same rules and adds up. */
export function answerTurns(
  asked: readonly { readonly turn: Turn; readonly question: Question }[],
  rules: Rules,
): Total {
  const outcomes = asked.map(({ turn, question }) => ({ turn, question, outcome: answer(question, rules) }));
  return {
    numbers: sumOf(outcomes.map(({ outcome }) => outcome.numbers)),
    trust: {
      atLeast: outcomes.flatMap(({ outcome }) => outcome.trust.atLeast),
      unknown: outcomes.flatMap(({ outcome }) => outcome.trust.unknown),
      isInferred: outcomes.some(({ outcome }) => outcome.trust.isInferred),
    },
    first: outcomes.find(({ outcome }) => outcome.differences.length > 0),
  };
}

export const sumOf = (all: readonly Numbers[]): Numbers => ({
  wallMs: all.reduce((sum, { wallMs }) => sum + wallMs, 0),
  cancelled: all.reduce((sum, { cancelled }) => sum + cancelled, 0),
  lostMs: all.reduce((sum, { lostMs }) => sum + lostMs, 0),
  races: {
    count: all.reduce((sum, { races }) => sum + races.count, 0),
    isMore: all.some(({ races }) => races.isMore),
    pairs: all.flatMap(({ races }) => races.pairs),
  },
});
