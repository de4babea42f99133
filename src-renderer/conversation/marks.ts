import { assertNever } from '../../src-shared/assert-never.ts';
import { type AgentId, MAIN_AGENT } from '../../src-shared/ids.ts';
import type { ModelRequest, SessionState, Turn } from '../../src-shared/session/state.ts';
import { formatMillis } from '../../src-shared/timeline/words.ts';

/** What happened to a conversation from outside: it was stopped, a request failed, a turn did not end by itself. */
export type Mark = {
  readonly key: string;
  readonly at: number;
  readonly tone: 'human' | 'error' | 'hook' | 'neutral';
  readonly text: string;
};

/** The marks of one agent's conversation, in the order of time. */
export function marksOf(state: SessionState, agentId: AgentId): readonly Mark[] {
  const marks: Mark[] = [];
  for (const request of state.requests) {
    if (request.agentId === agentId && request.end?.kind === 'failed') marks.push(failedRequest(request, request.end));
  }
  for (const turn of state.turns) if (turn.agentId === agentId) marks.push(...turnMarks(state, turn));
  if (agentId === MAIN_AGENT) {
    state.interrupts.forEach(({ reason, at }, index) => {
      if (reason === 'escape')
        marks.push({ key: `interrupt ${index}`, at, tone: 'human', text: 'You stopped the turn.' });
      else if (reason === 'interrupt')
        marks.push({ key: `interrupt ${index}`, at, tone: 'human', text: 'You sent the next message at once.' });
    });
    state.stops.forEach(({ reason, at }, index) => {
      marks.push({ key: `stop ${index}`, at, tone: 'hook', text: `A hook ended the turn: ${reason}` });
    });
  }
  return marks.sort((a, b) => a.at - b.at);
}

function failedRequest(request: ModelRequest, end: Extract<ModelRequest['end'], { kind: 'failed' }>): Mark {
  const again = end.retryInMs === undefined ? '' : ` It is tried again after ${formatMillis(end.retryInMs)}.`;
  return {
    key: `failed ${request.requestId}`,
    at: end.at,
    tone: 'error',
    text: `${request.purpose === 'compact' ? 'The request for a summary' : 'The request'} failed: ${sentence(end.message)}${again}`,
  };
}

function isToldByRequest({ requests }: SessionState, { turnId, end }: Turn): boolean {
  const last = requests.findLast((request) => request.turnId === turnId);
  return last?.end?.kind === 'failed' && last.end.message === end?.message;
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function turnMarks(state: SessionState, turn: Turn): readonly Mark[] {
  if (turn.end === undefined) return [];
  const { at, reason, message } = turn.end;
  const mark = (tone: Mark['tone'], text: string): readonly Mark[] => [
    { key: `turn ${turn.turnId}`, at, tone, text: message === undefined ? text : `${text} ${sentence(message)}` },
  ];
  switch (reason) {
    case 'completed':
    case 'unknown':
      return [];
    case 'interrupted': {
      const told = state.interrupts.some((one) => one.at >= turn.from && one.at <= at);
      return told ? [] : mark('human', 'The turn was interrupted.');
    }
    case 'rejected':
      return mark('human', 'The turn ended: a call was rejected.');
    case 'stopped-by-hook': {
      const told = state.stops.some((one) => one.at >= turn.from && one.at <= at);
      return told ? [] : mark('hook', 'A hook ended the turn.');
    }
    case 'error':
      // The request that failed has said why just before.
      return isToldByRequest(state, turn)
        ? [{ key: `turn ${turn.turnId}`, at, tone: 'error', text: 'The turn ended with an error.' }]
        : mark('error', 'The turn ended with an error.');
    case 'limit':
      return mark('neutral', 'The turn ended at its limit.');
    default:
      return assertNever(reason, 'end of a turn');
  }
}
