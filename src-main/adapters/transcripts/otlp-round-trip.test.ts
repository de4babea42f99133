import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldSession } from '../../../src-shared/session/state.ts';
import type { ToolCall } from '../../../src-shared/tool-call/state.ts';
import { exportOtlp } from '../../core/export/otlp.ts';
import { faultsOf } from './invariants.ts';
import { openTranscript } from './open-transcript.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
let scratch = '';
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'gantry-otlp-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** What must be the same after the way out and back. Session times of a trace count from its first span. */
function factsOf(call: ToolCall, zero: number) {
  const end = 'end' in call ? call.end : undefined;
  const run = call.phase === 'queued' ? undefined : call.run;
  return {
    id: call.callId,
    agent: call.agentId,
    tool: call.tool,
    input: call.input,
    outcome: end?.outcome,
    exit: end?.exit?.code,
    start: run && [round(run.at - zero), run.timing.certainty === 'measured' ? 'measured' : run.timing.source],
    end: end && round(end.at - zero),
  };
}

/** A trace has whole microseconds. */
const round = (ms: number): number => Math.round(ms * 1000) / 1000;

test.each([
  'claude-code-2.1.92/mixed-stream',
  'claude-code-2.1.92/agents-batch',
  'claude-code-2.1.92/cascade-stream',
  'claude-code-2.1.92/hooks-batch',
  'claude-code-2.1.92/interactive',
  'opencode/storage/session/prj_harbour/ses_7c01.json',
  'otel-genai/gen-ai.json',
])('%s as OTLP spans reads back with the same calls, starts, ends and endings', async (name) => {
  const { events } = await openTranscript(join(fixtures, name));
  const state = foldSession(events);
  const file = join(scratch, `${name.replaceAll('/', '-')}.json`);
  await writeFile(file, [...exportOtlp({ state, events, stretch: undefined, generator: 'Gantry 0.1.0' })].join(''));
  const back = await openTranscript(file);
  expect(back.format).toBe('otel-genai');
  expect(faultsOf(back.events)).toEqual([]);
  const again = foldSession(back.events);
  const byId = (one: { readonly id: string }, two: { readonly id: string }) => (one.id < two.id ? -1 : 1);
  const before = state.calls.map((call) => factsOf(call, 0)).sort(byId);
  expect(before.length).toBeGreaterThan(0);
  expect(
    again.calls
      .map((call) => factsOf(call, again.startedAt === state.startedAt ? 0 : state.startedAt - again.startedAt))
      .sort(byId),
  ).toEqual(before);
  expect(again.agents.map((agent) => [agent.agentId, agent.parentCallId, agent.depth])).toEqual(
    state.agents.map((agent) => [agent.agentId, agent.parentCallId, agent.depth]),
  );
  expect(again.turns.filter((turn) => turn.agentId === 'main').map((turn) => turn.end?.reason)).toEqual(
    state.turns.filter((turn) => turn.agentId === 'main').map((turn) => turn.end?.reason),
  );
});
