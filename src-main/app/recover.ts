import { textResult } from '../../src-shared/tool-call/content.ts';
import { MEASURED } from '../../src-shared/tool-call/timing.ts';
import { UNKNOWN_END } from '../core/results/texts.ts';
import type { SessionLog } from './session-log.ts';

/**
 * Makes a session that ended in the middle usable again: every call without an end gets an honest one, so that no
 * `tool_use` is left without its result, and the turn is closed (spec 4.1). Does nothing to a session that ended well.
 */
export function recover(log: SessionLog, app: string): void {
  const { state } = log;
  const cleanEnd = state.ended !== undefined || state.nextSeq === 0;
  log.append({ type: 'session-resumed', app, after: cleanEnd ? 'clean' : 'crash' });
  for (const call of [...state.calls]) {
    const { callId } = call;
    if (call.phase === 'completed') log.append({ type: 'call-yielded', callId });
    if (call.phase !== 'queued' && call.phase !== 'executing') continue;
    if (call.asks.some((ask) => ask.until === undefined)) {
      const trace = [...(call.asks.at(-1)?.trace ?? [])];
      log.append({ type: 'permission-settled', callId, verdict: 'deny', by: 'closed', trace });
    }
    log.append({
      type: 'call-completed',
      callId,
      outcome: 'unknown',
      result: textResult(UNKNOWN_END, true),
      timing: MEASURED,
    });
    log.append({ type: 'call-yielded', callId });
  }
  for (const request of [...state.requests]) {
    if (request.end !== undefined) continue;
    log.append({
      type: 'request-failed',
      requestId: request.requestId,
      message: 'Gantry ended before the answer did.',
    });
  }
  for (const batch of [...state.batches]) {
    if (batch.from !== undefined && batch.until === undefined)
      log.append({ type: 'batch-ended', batchId: batch.batchId });
  }
  for (const turn of [...state.turns]) {
    if (turn.end !== undefined) continue;
    log.append({ type: 'turn-ended', turnId: turn.turnId, agentId: turn.agentId, reason: 'unknown' });
  }
  log.sync();
}
