import { expect, test } from 'vitest';
import type { AgentId, CallId, SessionId } from '../../../src-shared/ids.ts';
import type { HookInput } from './hook-input.ts';
import { payloadLine } from './payload.ts';

const session = {
  sessionId: 'abc123' as SessionId,
  transcriptPath: '/home/me/abc123.jsonl',
  cwd: '/work',
  permissionMode: 'acceptEdits',
} as const;
const use = { session, callId: 'toolu_1' as CallId, toolName: 'Bash', toolInput: { command: 'npm test' } } as const;
const common = { session_id: 'abc123', transcript_path: '/home/me/abc123.jsonl', cwd: '/work' };
const mode = { permission_mode: 'acceptEdits' };
const tool = { tool_name: 'Bash', tool_input: { command: 'npm test' } };
const stop = { event: 'Stop', session, stopHookActive: true, lastAssistantMessage: 'Done.' } as const;
const stopped = { stop_hook_active: true, last_assistant_message: 'Done.', background_tasks: [], session_crons: [] };

test.each<[HookInput, Record<string, unknown>]>([
  [
    { ...use, event: 'PreToolUse' },
    { ...mode, ...tool, tool_use_id: 'toolu_1' },
  ],
  [
    { ...use, event: 'PostToolUse', toolResponse: { stdout: 'ok' }, durationMs: 12 },
    { ...mode, ...tool, tool_use_id: 'toolu_1', tool_response: { stdout: 'ok' }, duration_ms: 12 },
  ],
  [
    { ...use, event: 'PostToolUseFailure', error: 'Exit code 1', isInterrupt: false, durationMs: 3 },
    { ...mode, ...tool, tool_use_id: 'toolu_1', error: 'Exit code 1', is_interrupt: false, duration_ms: 3 },
  ],
  [
    { ...use, event: 'PermissionRequest' },
    { ...mode, ...tool },
  ],
  [
    { ...use, event: 'PermissionRequest', suggestions: [{ type: 'addRules' }] },
    { ...mode, ...tool, permission_suggestions: [{ type: 'addRules' }] },
  ],
  [
    { event: 'UserPromptSubmit', session, prompt: 'Tidy up' },
    { ...mode, prompt: 'Tidy up' },
  ],
  [stop, { ...mode, ...stopped }],
  [
    {
      ...stop,
      event: 'SubagentStop',
      agentId: 'def456' as AgentId,
      agentType: 'Explore',
      agentTranscriptPath: '/home/me/agent.jsonl',
    },
    { ...mode, ...stopped, agent_id: 'def456', agent_type: 'Explore', agent_transcript_path: '/home/me/agent.jsonl' },
  ],
  [{ event: 'SessionStart', session, source: 'startup' }, { source: 'startup' }],
  [
    { event: 'SessionStart', session, source: 'resume', model: 'm', sessionTitle: 'Tidy' },
    { source: 'resume', model: 'm', session_title: 'Tidy' },
  ],
  [{ event: 'SessionEnd', session, reason: 'other' }, { reason: 'other' }],
  [
    { event: 'Notification', session, message: 'Waiting', title: 'Gantry', notificationType: 'idle_prompt' },
    { message: 'Waiting', title: 'Gantry', notification_type: 'idle_prompt' },
  ],
  [
    { event: 'PreCompact', session, trigger: 'auto', customInstructions: '' },
    { trigger: 'auto', custom_instructions: '' },
  ],
])('$event is told exactly the fields of the protocol', (input, own) => {
  const line = payloadLine(input, '/home/me');
  expect(JSON.parse(line)).toEqual({ ...common, hook_event_name: input.event, ...own });
  expect(line).toMatch(/^\{[^\n]*\}\n$/);
});

test('what is known of the prompt, the effort and the agent is told where the protocol has it', () => {
  const agent = { agentId: 'def456' as AgentId, agentType: 'Explore' };
  const full = { ...session, promptId: 'p1', effort: 'high', agent } as const;
  expect(JSON.parse(payloadLine({ ...use, event: 'PreToolUse', session: full }, '/home/me'))).toMatchObject({
    prompt_id: 'p1',
    effort: { level: 'high' },
    agent_id: 'def456',
    agent_type: 'Explore',
  });
  const end = JSON.parse(payloadLine({ event: 'SessionEnd', session: full, reason: 'other' }, '/home/me'));
  expect(end).not.toHaveProperty('effort');
});

test.each([
  [{ file_path: '~' }, { file_path: '/home/me' }],
  [{ file_path: '~other/x' }, { file_path: '/work/~other/x' }],
  [{ file_path: '' }, { file_path: '' }],
  [{ file_path: 7 }, { file_path: 7 }],
  ['no object', 'no object'],
])('a path that is none is left as it is: %j', (toolInput, expected) => {
  const line = payloadLine({ ...use, event: 'PreToolUse', toolName: 'Read', toolInput }, '/home/me');
  expect(JSON.parse(line).tool_input).toEqual(expected);
});
