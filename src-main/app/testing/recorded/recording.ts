import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentId, type CallId, MAIN_AGENT, type MessageId } from '../../../../src-shared/ids.ts';
import type { PermissionMode } from '../../../../src-shared/permission/event.ts';
import type { Scenario, ScenarioBlock } from '../../../../src-shared/scenario/scenario.ts';
import type { SessionEvent } from '../../../../src-shared/session/event.ts';
import type { CascadePolicy, Strategy } from '../../../../src-shared/session/settings.ts';
import { callById, foldSession, type SessionState } from '../../../../src-shared/session/state.ts';
import { openTranscript } from '../../../adapters/transcripts/open-transcript.ts';
import { type Ends, endsOf } from './ends.ts';
import { RECORDED_FOLDER } from './shop.ts';

const FOLDER = join(import.meta.dirname, '../../../adapters/transcripts/fixtures/claude-code-2.1.92');

/** All recordings of the program whose behaviour is followed. */
export const recordingNames: readonly string[] = readdirSync(FOLDER).sort();

/** A recorded session: what the model said and when, what the person did, and how each call ended. */
export type Recording = {
  readonly name: string;
  readonly strategy: Strategy;
  readonly cascade: CascadePolicy;
  readonly mode: PermissionMode;
  /** What the person wrote, one for each turn. */
  readonly prompts: readonly string[];
  /** The model's messages, with paths in `RECORDED_FOLDER`: as the main agent, and as sub-agents by what they are called. */
  readonly says: Pick<Scenario, 'turns' | 'agents'>;
  readonly ends: Ends;
  /** The other calls of its message whose results were there before this one's. */
  readonly endedBefore: (callId: CallId) => readonly CallId[];
  /** Where the person pressed Esc, told by what had happened by then. */
  readonly interruption: Interruption | undefined;
};

export type Interruption = {
  readonly arrived: readonly CallId[];
  readonly started: readonly CallId[];
  readonly over: readonly CallId[];
};

/** Reads a recording with the importer that the app uses. */
export async function openRecording(name: string): Promise<Recording> {
  const { events } = await openTranscript(join(FOLDER, name));
  const state = foldSession(events);
  // Nine equal commands that all end well leave no trace of their strategy; the name tells it.
  const strategy = name.endsWith('-batch') ? 'batch' : 'streaming';
  return {
    name,
    strategy,
    cascade: strategy === 'batch' ? 'none' : 'bash',
    mode: state.settings.mode,
    prompts: state.entries.flatMap((entry) => (entry.kind === 'user' && entry.from === 'person' ? [entry.text] : [])),
    says: {
      turns: turnsOf(events, state, MAIN_AGENT),
      agents: Object.fromEntries(
        state.agents.map(({ agentId, name: called }) => [called, turnsOf(events, state, agentId)]),
      ),
    },
    ends: endsOf(events, RECORDED_FOLDER),
    endedBefore: (callId) => endedBefore(state, callId),
    interruption: interruptionOf(events),
  };
}

/** One list of blocks per message; each block's delay is the time since the one before it. */
function turnsOf(events: readonly SessionEvent[], state: SessionState, agentId: AgentId): ScenarioBlock[][] {
  const turns = new Map<MessageId, { readonly blocks: ScenarioBlock[]; last: number }>();
  for (const event of events) {
    if (event.type !== 'block-arrived' || event.agentId !== agentId) continue;
    const turn = turns.get(event.messageId) ?? { blocks: [], last: event.t };
    turns.set(event.messageId, turn);
    const delay = event.t - turn.last;
    turn.last = event.t;
    const { block } = event;
    if (block.kind === 'text') turn.blocks.push({ text: block.text, delay });
    if (block.kind === 'tool-use') {
      const input = callById(state, block.callId)?.input;
      turn.blocks.push({ tool: block.tool, input, id: block.callId, delay });
    }
  }
  return [...turns.values()].map(({ blocks }) => blocks);
}

function endedBefore(state: SessionState, callId: CallId): readonly CallId[] {
  const self = callById(state, callId);
  if (self === undefined || !('end' in self)) return [];
  const { at } = self.end;
  return state.calls.flatMap((call) =>
    call.messageId === self.messageId && 'end' in call && call.end.at < at ? [call.callId] : [],
  );
}

function interruptionOf(events: readonly SessionEvent[]): Interruption | undefined {
  const at = events.findIndex((event) => event.type === 'interrupt-requested');
  if (at === -1) return undefined;
  const idsOf = (type: 'call-queued' | 'call-started' | 'call-completed'): readonly CallId[] =>
    events.slice(0, at).flatMap((event) => (event.type === type ? [event.callId] : []));
  return { arrived: idsOf('call-queued'), started: idsOf('call-started'), over: idsOf('call-completed') };
}

/** The model's messages as a scenario, with its paths in another folder. */
export function scenarioOf(recording: Recording, folder: string): Scenario {
  const says = JSON.parse(JSON.stringify(recording.says).replaceAll(RECORDED_FOLDER, folder)) as Recording['says'];
  return { name: recording.name, ...says };
}
