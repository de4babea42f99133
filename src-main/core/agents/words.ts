import type { TurnEnd } from '../../../src-shared/session/event.ts';
import type { AgentCatalog } from './definition.ts';

/** Longer descriptions are cut where the kinds of agents are listed for the model. */
const MOST_DESCRIPTION = 2_000;

/** What the model is told of the kinds of agents, a line each. */
export const listedAgents = ({ definitions }: AgentCatalog): string =>
  definitions
    .map(({ name, description, tools }) => {
      const words = description.replace(/\s*\n\s*/g, ' ').slice(0, MOST_DESCRIPTION);
      return `- ${name}: ${words}${tools === undefined ? '' : ` (Tools: ${tools.join(', ')})`}`;
    })
    .join('\n');

export const unknownAgent = (name: string, { definitions }: AgentCatalog): string =>
  `There is no agent of the type ${name}. There are: ${definitions.map((one) => one.name).join(', ')}.`;

/** How an agent's turn came to its end. */
export type AgentEnd = {
  readonly reason: TurnEnd;
  readonly message: string | undefined;
  /** The call that a person refused, in words: `Bash(touch x)`. */
  readonly refused: string | undefined;
};

/** Why an agent did not finish, for the agent above it; undefined when it did. */
function whyNotFinished({ reason, message, refused }: AgentEnd): string | undefined {
  const why = message === undefined ? '' : ` ${message}`;
  switch (reason) {
    case 'completed':
      return undefined;
    case 'rejected':
      return (
        `The user refused a call of the agent${refused === undefined ? '' : `, ${refused}`}. The agent has stopped. ` +
        'Do not get the same done in another way; ask the user where it is needed.'
      );
    case 'limit':
      return `The agent was stopped at its limit and may not be done.${why}`;
    case 'stopped-by-hook':
      return `A hook stopped the agent.${why}`;
    case 'error':
      return `The agent did not finish.${why}`;
    case 'interrupted':
    case 'unknown':
      return 'The agent was interrupted before it was done.';
  }
}

/** What the agent above gets: the last words, and in front of them why there will be no more. */
export function reportText(end: AgentEnd, lastWords: string): string {
  const why = whyNotFinished(end);
  const words = lastWords.trim();
  if (why === undefined) return words === '' ? '(The agent ended without a word)' : words;
  return words === '' ? why : `${why}\nIts last words:\n${words}`;
}
