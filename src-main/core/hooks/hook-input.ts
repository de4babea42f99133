import type { HookEventName } from '../../../src-shared/hook/event.ts';
import type { AgentId, CallId, SessionId } from '../../../src-shared/ids.ts';
import type { PermissionMode } from '../../../src-shared/permission/event.ts';

/** What every hook is told of the session it runs in. */
export type HookSession = {
  readonly sessionId: SessionId;
  /** Absolute path of the file that holds the conversation. */
  readonly transcriptPath: string;
  /** Where the agent works now, absolute; follows `cd`. */
  readonly cwd: string;
  readonly permissionMode: PermissionMode;
  /** The user's message that is being worked on; absent before the first one. */
  readonly promptId?: string | undefined;
  readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined;
  /** Only inside a sub-agent. */
  readonly agent?: { readonly agentId: AgentId; readonly agentType: string } | undefined;
};

type ToolUse = { readonly toolName: string; readonly toolInput: unknown };
type StopFacts = {
  /** The turn goes on already because a hook wanted so. */
  readonly stopHookActive: boolean;
  /** Text of the model's last message. */
  readonly lastAssistantMessage: string;
  readonly backgroundTasks?: readonly unknown[] | undefined;
  readonly sessionCrons?: readonly unknown[] | undefined;
};

/** What happened, event by event, in Gantry's words; `hookPayload` says it in the protocol's. */
export type HookFacts =
  | ({ readonly event: 'PreToolUse'; readonly callId: CallId } & ToolUse)
  | ({
      readonly event: 'PostToolUse';
      readonly callId: CallId;
      readonly toolResponse: unknown;
      readonly durationMs?: number | undefined;
    } & ToolUse)
  | ({
      readonly event: 'PostToolUseFailure';
      readonly callId: CallId;
      readonly error: string;
      readonly isInterrupt?: boolean | undefined;
      readonly durationMs?: number | undefined;
    } & ToolUse)
  | ({
      readonly event: 'PermissionRequest';
      /** For the record only: the protocol does not tell the hook. */
      readonly callId: CallId;
      /** The `always allow` answers the dialog offers, as permission update entries. */
      readonly suggestions?: readonly unknown[] | undefined;
    } & ToolUse)
  | { readonly event: 'UserPromptSubmit'; readonly prompt: string }
  | ({ readonly event: 'Stop' } & StopFacts)
  | ({
      readonly event: 'SubagentStop';
      readonly agentId: AgentId;
      readonly agentType: string;
      readonly agentTranscriptPath: string;
    } & StopFacts)
  | {
      readonly event: 'SessionStart';
      readonly source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork';
      readonly model?: string | undefined;
      readonly sessionTitle?: string | undefined;
    }
  | {
      readonly event: 'SessionEnd';
      readonly reason: 'clear' | 'resume' | 'logout' | 'prompt_input_exit' | 'other';
    }
  | {
      readonly event: 'Notification';
      readonly message: string;
      readonly title?: string | undefined;
      /** `permission_prompt`, `idle_prompt`, … */
      readonly notificationType: string;
    }
  | { readonly event: 'PreCompact'; readonly trigger: 'manual' | 'auto'; readonly customInstructions: string };

/** One happening that hooks may have a say in. */
export type HookInput = { readonly session: HookSession } & HookFacts;
export type HookInputOf<E extends HookEventName> = Extract<HookInput, { event: E }>;
export type ToolHookInput = Extract<HookInput, ToolUse>;

export const isToolInput = (input: HookInput): input is ToolHookInput => 'toolName' in input;

/**
 * What the matcher of this event filters, or undefined where the protocol knows no matcher and one is ignored
 * (code.claude.com/docs/en/hooks#matcher-patterns).
 */
export function subjectOf(input: HookInput): string | undefined {
  switch (input.event) {
    case 'PreToolUse':
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'PermissionRequest':
      return input.toolName;
    case 'SubagentStop':
      return input.agentType;
    case 'SessionStart':
      return input.source;
    case 'SessionEnd':
      return input.reason;
    case 'Notification':
      return input.notificationType;
    case 'PreCompact':
      return input.trigger;
    case 'UserPromptSubmit':
    case 'Stop':
      return undefined;
  }
}

/** `PreToolUse:Bash`, `Stop`: how a hook is called where people and the model read of it. */
export function hookName(input: HookInput): string {
  const subject = subjectOf(input);
  return subject === undefined ? input.event : `${input.event}:${subject}`;
}
