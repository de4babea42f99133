import { MAIN_AGENT } from '../../src-shared/ids.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { spentOf } from '../../src-shared/session/tokens.ts';
import type { Io } from './io.ts';

/** The main agent's: those of sub-agents are turns too. */
export const lastTurn = ({ turns }: SessionState) => turns.findLast(({ agentId }) => agentId === MAIN_AGENT);

/**
 * Says what came of a run: its calls, the last words of a model, and how the turn ended.
 * @param journal the file that is kept, where one was asked for.
 */
export function reportRun(state: SessionState, isJson: boolean, journal: string | undefined, io: Io): void {
  const turn = lastTurn(state)?.end;
  const answer = state.model === undefined ? undefined : lastWords(state);
  const calls = state.calls.map((call) => ({
    id: call.callId,
    tool: call.tool,
    summary: call.summary,
    outcome: 'end' in call ? call.end.outcome : 'unknown',
  }));
  if (isJson) {
    const { tokensIn, tokensOut, cost } = spentOf(state);
    const report = {
      turn: turn?.reason ?? 'unknown',
      ...(turn?.message === undefined ? {} : { message: turn.message }),
      wallMs: state.now,
      calls,
      ...(state.model === undefined
        ? {}
        : { answer: answer ?? '', usage: { tokensIn, tokensOut, costUsd: cost ?? null } }),
      ...(journal === undefined ? {} : { journal }),
    };
    io.stdout(`${JSON.stringify(report)}\n`);
    return;
  }
  for (const call of calls) io.stdout(`${call.outcome.padEnd(11)} ${call.tool} ${call.summary}\n`);
  if (answer !== undefined) io.stdout(`\n${answer.trim()}\n\n`);
  io.stdout(
    `${calls.length} calls in ${(state.now / 1000).toFixed(1)} s, the turn ended: ${turn?.reason ?? 'unknown'}\n`,
  );
  if (turn?.message !== undefined) io.stderr(`gantry: ${turn.message}\n`);
  if (journal !== undefined) io.stdout(`Journal: ${journal}\n`);
}

/** What the main agent's model said last; undefined where it said nothing. */
function lastWords({ entries }: SessionState): string | undefined {
  const said = entries.findLast(
    (entry) => entry.kind === 'assistant' && entry.agentId === MAIN_AGENT && !entry.discarded,
  );
  if (said?.kind !== 'assistant') return undefined;
  const words = said.blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
  return words.length === 0 ? undefined : words.join('\n\n');
}
