import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import type { CallId } from '../../../../src-shared/ids.ts';
import type { EventOf } from '../../../../src-shared/session/event.ts';
import { callById, type SessionState } from '../../../../src-shared/session/state.ts';
import type { ProcessRunner } from '../../../ports/process-runner.ts';
import type { LiveSession } from '../../live-session.ts';
import { journalIn, openRealSession } from '../real-session.ts';
import { recordedAgents } from './agents.ts';
import { type Ends, endsOf } from './ends.ts';
import { guardsOfRecording } from './guards.ts';
import { HeldRunner } from './held-runner.ts';
import { type Recording, scenarioOf } from './recording.ts';
import { layShop } from './shop.ts';

/**
 * Plays a recording with our executor, real tools, real processes and a real journal: the model says what it said then,
 * with the same delays, and the person does what they did then.
 * @param folder is made; the caller's to remove.
 */
export async function play(recording: Recording, processes: ProcessRunner, folder: string): Promise<Ends> {
  const cwd = join(folder, 'shop');
  await mkdir(cwd, { recursive: true });
  await layShop(cwd);
  const runner = new HeldRunner(processes, (callId) => mayEnd(recording, session.log.state, callId));
  const { strategy, cascade, mode } = recording;
  const guards = recording.name.startsWith('hooks-') ? guardsOfRecording(journalIn(folder)) : undefined;
  const session = openRealSession({
    folder,
    cwd,
    processes: runner,
    scenario: scenarioOf(recording, cwd),
    // There every agent may run beside others; here it is for the settings to say.
    settings: { strategy, cascade, mode, agentConcurrency: 'always' },
    agents: recordedAgents,
    ripgrep: rgPath,
    ...(guards === undefined ? {} : { hooks: guards.hooks, rules: guards.rules }),
  });
  const { log } = session;
  log.onEvents((events) => {
    for (const event of events) if (event.type === 'permission-asked') answer(session, recording, event);
    interruptWhereRecorded(session, recording);
    runner.lookAgain();
  });
  for (const prompt of recording.prompts) {
    session.send(prompt);
    await session.idle;
  }
  await session.close('closed');
  await guards?.bench.close();
  return endsOf(log.events, cwd);
}

const isOver = (state: SessionState, callId: CallId): boolean => 'end' in (callById(state, callId) ?? {});
const hasStarted = (state: SessionState, callId: CallId): boolean =>
  state.callIndex[callId] !== undefined && callById(state, callId)?.phase !== 'queued';

/** A command that was stopped then runs until it is stopped; the others end in the order in which they ended then. */
function mayEnd(recording: Recording, state: SessionState, callId: CallId): boolean {
  const outcome = recording.ends.calls.get(callId)?.outcome;
  if (outcome === 'interrupted' || outcome === 'cancelled') return false;
  return recording.endedBefore(callId).every((other) => isOver(state, other));
}

/** The person answers as they did then: what was rejected is rejected without a word. */
function answer(session: LiveSession, recording: Recording, asked: EventOf<'permission-asked'>): void {
  const isRejected = recording.ends.calls.get(asked.callId)?.outcome === 'rejected';
  session.answer(asked.callId, asked.askId, { kind: isRejected ? 'deny' : 'allow-once' });
}

function interruptWhereRecorded(session: LiveSession, { interruption }: Recording): void {
  const { state } = session.log;
  if (interruption === undefined || state.interrupts.length > 0) return;
  const { arrived, started, over } = interruption;
  const isThere =
    arrived.every((callId) => state.callIndex[callId] !== undefined) &&
    started.every((callId) => hasStarted(state, callId)) &&
    over.every((callId) => isOver(state, callId)) &&
    state.requests.at(-1)?.end !== undefined;
  if (isThere) session.interrupt('escape');
}
