import { agentOrder, titleOf } from '../../../src-shared/timeline/agent-tree.ts';
import { callName } from '../../../src-shared/timeline/words.ts';
import type { Track } from './perfetto.ts';
import { callsIn, type ExportInput, inferredFacts, isWithin } from './session.ts';
import { micros, type Slice } from './slices.ts';

/** What is no call: the model before the lanes; permission, hooks and background behind them, as on the chart. */
export function otherTracks(input: ExportInput, where: 'before' | 'after'): readonly Track[] {
  const tracks =
    where === 'before'
      ? modelTracks(input)
      : [
          { name: 'Permission', slices: permissionSlices(input) },
          { name: 'Hooks', slices: hookSlices(input) },
          { name: 'Background', slices: shellSlices(input) },
        ];
  return tracks.filter(({ slices }) => slices.length > 0);
}

function modelTracks({ state, stretch }: ExportInput): readonly Track[] {
  const requests = state.requests.filter(({ from, end }) => isWithin(stretch, from, end?.at));
  const agents = new Set(requests.map(({ agentId }) => agentId));
  return agentOrder(state, [...agents])
    .filter(({ agentId }) => agents.has(agentId))
    .map(({ agentId, path }) => ({
      name: `${titleOf(path)} · model`,
      slices: requests
        .filter((request) => request.agentId === agentId)
        .map((request): Slice => {
          const { from, end, firstBlockAt } = request;
          const until = micros(end?.at ?? state.now);
          const first = firstBlockAt === undefined ? until : micros(firstBlockAt);
          return {
            name: request.model ?? (request.purpose === 'compact' ? 'summary' : 'request'),
            category: request.timing.certainty === 'inferred' ? 'model,inferred' : 'model',
            from: micros(from),
            until,
            args: () => ({
              request: request.requestId,
              message: request.messageId,
              attempt: request.attempt,
              ...(end?.kind === 'completed' ? { stop: end.stopReason, ...end.usage } : {}),
              ...(end?.kind === 'failed' ? { error: end.message, retryInMs: end.retryInMs } : {}),
              startInferred: inferredFacts(request.timing),
            }),
            parts: [
              {
                name: 'waits for the first block',
                category: 'wait',
                from: micros(from),
                until: first,
                args: () => ({}),
              },
              { name: 'streams', category: 'work', from: first, until, args: () => ({}) },
            ],
          };
        }),
    }));
}

const permissionSlices = (input: ExportInput): readonly Slice[] =>
  callsIn(input).flatMap((call) =>
    call.asks.map(
      (ask): Slice => ({
        name: callName(call),
        category: 'permission',
        from: micros(ask.from),
        until: micros(ask.until ?? input.state.now),
        args: () => ({
          call: call.callId,
          verdict: call.permission?.verdict,
          by: call.permission?.by,
          feedback: call.permission?.feedback,
        }),
        parts: [],
      }),
    ),
  );

const hookSlices = ({ state, stretch }: ExportInput): readonly Slice[] =>
  state.hookRuns
    .filter(({ from, end }) => isWithin(stretch, from, end?.at))
    .map(
      (run): Slice => ({
        name: run.hookEvent,
        category: run.timing.certainty === 'inferred' ? 'hook,inferred' : 'hook',
        from: micros(run.from),
        until: micros(run.end?.at ?? state.now),
        args: () => ({
          command: run.command,
          matcher: run.matcher,
          call: run.callId,
          outcome: run.end?.outcome,
          exitCode: run.end?.exitCode,
          effects: run.end?.effects,
          startInferred: inferredFacts(run.timing),
        }),
        parts: [],
      }),
    );

const shellSlices = ({ state, stretch }: ExportInput): readonly Slice[] =>
  state.shells
    .filter(({ from, end }) => isWithin(stretch, from, end?.at))
    .map(
      (shell): Slice => ({
        name: shell.command,
        category: 'background',
        from: micros(shell.from),
        until: micros(shell.end?.at ?? state.now),
        args: () => ({ shell: shell.shellId, call: shell.callId, how: shell.end?.how }),
        parts: [],
      }),
    );
