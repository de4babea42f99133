import { expect, test } from 'vitest';
import { filesOfSession, filesWith, sessionIn } from './session-files.ts';

const ID = '1b2c3d4e-1111-4222-8333-123456789abc';
const P = 'claude-code/projects/-work-shop';
const CLAUDE = [
  `${P}/${ID}.jsonl`,
  `${P}/${ID}/subagents/agent-1.jsonl`,
  `${P}/${ID}/tool-results/x.txt`,
  `${P}/agent-2.jsonl`,
];
const OPENCODE = [
  'opencode/storage/session/p/ses_1.json',
  'opencode/storage/message/ses_1/msg_1.json',
  'opencode/storage/part/msg_1/prt_1.json',
];
const OTHERS = [
  `${P}/other.jsonl`,
  'claude-code/projects/-work-cart/agent-3.jsonl',
  'opencode/storage/session/p/ses_2.json',
  'opencode/storage/message/ses_2/msg_2.json',
  'opencode/storage/part/msg_2/prt_2.json',
  'cline/tasks/17/api_conversation_history.json',
];

test.each([
  [`${P}/${ID}.jsonl`, ID],
  [`codex/sessions/2026/11/02/rollout-2026-11-02T10-00-00-${ID}.jsonl`, ID],
  [`copilot-cli/session-state/${ID}/events.jsonl`, ID],
  [`copilot-cli/session-state/${ID}.jsonl`, ID],
  ['gemini-cli/tmp/abc/chats/session-2026-05-01T10-00-1b2c3d4e.json', '1b2c3d4e'],
  ['opencode/storage/session/p/ses_1.json', 'ses_1'],
  ['cline/tasks/17/api_conversation_history.json', '17'],
  [`pi/sessions/--work--/2026-01-01_${ID}.jsonl`, ID],
  ['gantry/sessions/session_1/journal.jsonl', 'session_1'],
  ['goose/sessions/20260101_1.jsonl', '20260101_1'],
  [`folders/export/deep/${ID}.jsonl`, ID],
])('%s stands for a session', (path, id) => {
  expect(sessionIn(path)).toBe(id);
});

test.each([
  `${P}/${ID}/subagents/agent-1.jsonl`,
  `${P}/agent-2.jsonl`,
  'opencode/storage/message/ses_1/msg_1.json',
  'cline/tasks/17/ui_messages.json',
  'gantry/sessions/session_1/summary.json',
  `folders/export/${ID}/subagents/agent-1.jsonl`,
  'gemini-cli/tmp/abc/logs.json',
])('%s stands for none', (path) => {
  expect(sessionIn(path)).toBeUndefined();
});

test('a session’s files are its own, its sub-agents’, its results, and what is kept by the id of a message', () => {
  const all = [...CLAUDE, ...OPENCODE, ...OTHERS];
  expect([...filesOfSession(all, ID)].sort()).toEqual([...CLAUDE].sort());
  expect([...filesOfSession(all, ID.slice(0, 8))].sort()).toEqual([...CLAUDE].sort());
  expect(filesOfSession(all, 'ses_1')).toEqual(OPENCODE);
  expect(filesOfSession(all, 'nobody')).toEqual([]);
  expect([...filesWith(all, CLAUDE[0] as string)].sort()).toEqual([...CLAUDE].sort());
  expect(filesWith(all, OPENCODE[0] as string)).toEqual(OPENCODE);
});
