import { type Fields, numberAt, textAt } from '../common/fields.ts';

/** Events that say nothing that is shown, or say again what others say. */
export const INERT: ReadonlySet<string> = new Set([
  'assistant.turn_end',
  'assistant.usage',
  'assistant.intent',
  'assistant.message_delta',
  'assistant.reasoning_delta',
  'assistant.streaming_delta',
  'session.idle',
  'session.task_complete',
  'session.usage_info',
  'session.usage_checkpoint',
  'session.auto_mode_resolved',
  'session.context_changed',
  'session.mode_changed',
  'session.plan_changed',
  'session.workspace_file_changed',
  'session.tools_updated',
  'session.background_tasks_changed',
  'session.skills_loaded',
  'session.mcp_servers_loaded',
  'session.compaction_start',
  'tool.execution_progress',
  'tool.execution_partial_result',
  'tool.user_requested',
  'skill.invoked',
  'pending_messages.modified',
]);

/** Our names of hook events. */
export const HOOK_EVENTS: Readonly<Record<string, string>> = {
  preToolUse: 'PreToolUse',
  postToolUse: 'PostToolUse',
  postToolUseFailure: 'PostToolUseFailure',
  permissionRequest: 'PermissionRequest',
  userPromptSubmitted: 'UserPromptSubmit',
  sessionStart: 'SessionStart',
  sessionEnd: 'SessionEnd',
  agentStop: 'Stop',
  subagentStop: 'SubagentStop',
  preCompact: 'PreCompact',
  notification: 'Notification',
};

type Notice = { readonly level: 'info' | 'warning'; readonly text: string; readonly detail?: string };

/** Events that are told as a notice. */
export function noticeOf(type: string, data: Fields): Notice | undefined {
  switch (type) {
    case 'session.info':
      return { level: 'info', text: textAt(data, 'message') ?? 'The program noted something' };
    case 'session.warning':
      return { level: 'warning', text: textAt(data, 'message') ?? 'The program warned' };
    case 'session.truncation': {
      const tokens = numberAt(data, 'tokensRemovedDuringTruncation') ?? numberAt(data, 'droppedTokens');
      const text = 'Older parts of the conversation were left out of the context';
      return { level: 'info', text, ...(tokens === undefined ? {} : { detail: `${tokens} tokens` }) };
    }
    case 'session.compaction_complete': {
      const detail = textAt(data, 'summaryContent') ?? textAt(data, 'summary');
      return { level: 'info', text: 'The conversation was compacted', ...(detail ? { detail } : {}) };
    }
    case 'session.shutdown': {
      const metrics = data.modelMetrics;
      return {
        level: 'info',
        text: 'The program ended the session',
        ...(metrics === undefined ? {} : { detail: `Tokens by model: ${JSON.stringify(metrics)}` }),
      };
    }
    case 'session.handoff':
    case 'session.snapshot_rewind':
      return { level: 'info', text: `The session went on elsewhere (${type})` };
    default:
      return undefined;
  }
}
