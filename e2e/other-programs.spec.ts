import { join, resolve } from 'node:path';
import { expect, test } from './app.fixture.ts';

const fixtures = resolve(import.meta.dirname, '../src-main/adapters/transcripts/fixtures');

/** A session of each format, the name the window gives it, and the ends of its calls in the order of the list. */
const sessions = [
  ['codex/agents-0.155', 'Codex 0.155.0', ['call_script', 'exec-a', 'exec-b', 'call_spawn', 'call_wait', 'call_child']],
  [
    'copilot-cli/parallel-1.0',
    'Copilot CLI 1.0.71',
    ['c_view', 'c_grep', 'c_bash', 'c_task', 'c_bg', 'c_no', 'c_never', 'c_sub'],
  ],
  ['pi/tree-v3', 'Pi', ['w1', 'w2', 'w3', 'w4', 'w5']],
  [
    'opencode/storage',
    'OpenCode 1.1.4',
    ['call_a', 'call_b', 'call_c', 'call_d', 'call_e', 'call_f', 'call_g', 'call_a#2'],
  ],
  ['otel-genai/gen-ai.json', 'OpenTelemetry 0.4.0', ['k1', 'k2', 'k3', 'k4', 'k9']],
  ['cline/task-native', 'Cline, order of events, no times', ['tu_1', 'tu_2', 'tu_3', 'tu_4']],
] as const;

test('sessions of other programs open with every call, under the name of their program', async ({
  started: { gantry, page },
}) => {
  for (const [folder, name, ids] of sessions) {
    await gantry.openTranscript(join(fixtures, folder));
    await expect(page.getByText(name, { exact: true })).toBeVisible();
    await gantry.idle();
    const calls = await gantry.timeline.calls();
    expect(calls.map((call) => call.callId).sort()).toEqual([...ids].sort());
    await expect(page.getByText('Replay, read-only')).toBeVisible();
  }
});
