import { isAbsolute, join, resolve } from 'node:path';
import type { HookInput, HookSession } from './hook-input.ts';

/**
 * The one line of JSON that a hook reads, with the line break at its end. Unpaired halves of UTF-16 pairs become U+FFFD:
 * as escapes they are legal JSON, and most other languages fail on them when they print.
 * @param home expands `~` in file paths.
 */
export const payloadLine = (input: HookInput, home: string): string =>
  `${JSON.stringify(hookPayload(input, home), (_key, value: unknown) =>
    typeof value === 'string' ? value.replace(/\p{Cs}/gu, '\uFFFD') : value,
  )}\n`;

/** Field names and their order are the protocol's (code.claude.com/docs/en/hooks#common-input-fields and each event). */
export function hookPayload(input: HookInput, home: string): Readonly<Record<string, unknown>> {
  const { session } = input;
  return { ...commonFields(input, session), hook_event_name: input.event, ...ownFields(input, home) };
}

/** Events about the session and not about work in it are not told a permission mode. */
const WITHOUT_MODE: ReadonlySet<string> = new Set(['SessionStart', 'SessionEnd', 'Notification', 'PreCompact']);
const WITH_EFFORT: ReadonlySet<string> = new Set([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'Stop',
  'SubagentStop',
]);

const commonFields = ({ event }: HookInput, session: HookSession) => ({
  session_id: session.sessionId,
  ...(session.promptId === undefined ? {} : { prompt_id: session.promptId }),
  transcript_path: session.transcriptPath,
  cwd: session.cwd,
  ...(WITHOUT_MODE.has(event) ? {} : { permission_mode: session.permissionMode }),
  ...(session.effort === undefined || !WITH_EFFORT.has(event) ? {} : { effort: { level: session.effort } }),
  ...(session.agent === undefined ? {} : { agent_id: session.agent.agentId, agent_type: session.agent.agentType }),
});

/** Fields that are undefined vanish with `JSON.stringify`, which is how the optional ones are left out. */
function ownFields(input: HookInput, home: string): Readonly<Record<string, unknown>> {
  switch (input.event) {
    case 'PreToolUse':
      return { ...toolFields(input, home), tool_use_id: input.callId };
    case 'PostToolUse':
      return {
        ...toolFields(input, home),
        tool_response: input.toolResponse,
        tool_use_id: input.callId,
        duration_ms: input.durationMs,
      };
    case 'PostToolUseFailure':
      return {
        ...toolFields(input, home),
        tool_use_id: input.callId,
        error: input.error,
        is_interrupt: input.isInterrupt,
        duration_ms: input.durationMs,
      };
    case 'PermissionRequest':
      return { ...toolFields(input, home), permission_suggestions: input.suggestions };
    case 'UserPromptSubmit':
      return { prompt: input.prompt };
    case 'Stop':
      return stopFields(input);
    case 'SubagentStop': {
      const { stop_hook_active, ...rest } = stopFields(input);
      return {
        stop_hook_active,
        agent_id: input.agentId,
        agent_type: input.agentType,
        agent_transcript_path: input.agentTranscriptPath,
        ...rest,
      };
    }
    case 'SessionStart':
      return { source: input.source, model: input.model, session_title: input.sessionTitle };
    case 'SessionEnd':
      return { reason: input.reason };
    case 'Notification':
      return { message: input.message, title: input.title, notification_type: input.notificationType };
    case 'PreCompact':
      return { trigger: input.trigger, custom_instructions: input.customInstructions };
  }
}

type StopInput = Extract<HookInput, { event: 'Stop' | 'SubagentStop' }>;
const stopFields = (input: StopInput) => ({
  stop_hook_active: input.stopHookActive,
  last_assistant_message: input.lastAssistantMessage,
  background_tasks: input.backgroundTasks ?? [],
  session_crons: input.sessionCrons ?? [],
});

type ToolInput = Extract<HookInput, { toolName: string }>;
const toolFields = (input: ToolInput, home: string) => ({
  tool_name: input.toolName,
  tool_input: withAbsolutePath(input, home),
});

const FILE_TOOLS: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit']);

/** A hook that guards a path must see the path: `~` and relative spellings of it would slip past. */
function withAbsolutePath({ toolName, toolInput, session }: ToolInput, home: string): unknown {
  if (!FILE_TOOLS.has(toolName) || typeof toolInput !== 'object' || toolInput === null) return toolInput;
  const { file_path: path } = toolInput as { readonly file_path?: unknown };
  if (typeof path !== 'string' || path === '') return toolInput;
  return { ...toolInput, file_path: absolutePath(path, session.cwd, home) };
}

/** `~` expanded, relative paths resolved against `cwd`, `..` and `.` taken out, the platform's separators. */
export function absolutePath(path: string, cwd: string, home: string): string {
  const expanded = path === '~' || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : path;
  return isAbsolute(expanded) ? resolve(expanded) : resolve(cwd, expanded);
}
