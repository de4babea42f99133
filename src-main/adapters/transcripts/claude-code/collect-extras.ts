import type { CallId } from '../../../../src-shared/ids.ts';
import { type Fields, fieldsOf, listAt, numberAt, textAt, timeOf } from '../common/fields.ts';
import { type HookStory, MAIN_KEY } from '../common/story.ts';
import type { Collector, Current } from './collect.ts';
import { noteNotification } from './collect-user.ts';
import { blocksOf } from './lines.ts';
import { notificationIn } from './texts.ts';

const INERT_ATTACHMENTS: ReadonlySet<string> = new Set([
  'deferred_tools_delta',
  'agent_listing_delta',
  'skill_listing',
  'dynamic_skill',
  'invoked_skills',
  'mcp_instructions_delta',
  'command_permissions',
  'task_reminder',
  'todo_reminder',
  'task_status',
  'nested_memory',
  'edited_text_file',
  'file',
  'compact_file_reference',
  'read_truncation_notice',
  'auto_mode',
  'plan_mode',
  'plan_mode_exit',
  'model',
  'date_change',
  'budget_usd',
  'ultra_effort_enter',
  'ultra_effort_exit',
  'total_tokens_reminder',
  'silent_turn_reminder',
  'batching_reminder_sent',
  'goal_status',
  'async_hook_response',
]);

/** Context the program put in, words absorbed in the middle of a turn, and what hooks did. */
export function handleAttachment(c: Collector, current: Current): void {
  const attachment = fieldsOf(current.line.attachment);
  const type = textAt(attachment, 'type');
  if (attachment === undefined || type === undefined) {
    c.countUnknown('unknown-line', 'attachments without a type', current.lineNo);
  } else if (type === 'queued_command') {
    handleQueuedCommand(c, current, attachment);
  } else if (type.startsWith('hook_')) {
    handleHook(c, current, type, attachment);
  } else if (!INERT_ATTACHMENTS.has(type)) {
    c.countUnknown('unknown-attachment', `attachment of type ${JSON.stringify(type)}`, current.lineNo);
  }
}

function handleQueuedCommand(c: Collector, current: Current, attachment: Fields): void {
  const { line, place, agentKey } = current;
  const text = blocksOf(attachment.prompt)
    .map((block) => block.text ?? `[${block.type}]`)
    .join('\n');
  if (notificationIn(text) !== undefined) {
    noteNotification(c, current, text);
    return;
  }
  const origin = textAt(fieldsOf(attachment.origin), 'kind');
  const typed = agentKey === MAIN_KEY && (origin === undefined || origin === 'human');
  c.agents.touch(agentKey, place);
  c.entries.push({
    place,
    agentKey,
    uuid: line.uuid,
    parentUuid: line.parentUuid ?? undefined,
    text,
    kind: 'said',
    from: typed ? 'person' : 'program',
  });
}

const OUTCOMES: Readonly<Record<string, HookStory['outcome']>> = {
  hook_success: 'ok',
  hook_non_blocking_error: 'error',
  hook_error_during_execution: 'error',
  hook_blocking_error: 'deny',
  hook_cancelled: 'cancelled',
  hook_stopped_continuation: 'stopped',
};

function handleHook(c: Collector, current: Current, type: string, attachment: Fields): void {
  const { place, agentKey } = current;
  const toolUseId = textAt(attachment, 'toolUseID');
  const event = textAt(attachment, 'hookEvent') ?? eventInName(textAt(attachment, 'hookName')) ?? 'unknown';
  const callId = /ToolUse|PermissionRequest/.test(event) ? toolUseId : undefined;
  if (type === 'hook_system_message') {
    c.addFact(place, { type: 'notice-given', level: 'info', text: `Hook ${event}`, detail: contentText(attachment) });
    return;
  }
  if (type === 'hook_additional_context' || type === 'hook_permission_decision') {
    const run = c.hooks.findLast((hook) => hook.callId === callId && hook.event === event);
    const effect = type === 'hook_additional_context' ? 'added context' : `decided: ${textAt(attachment, 'decision')}`;
    if (run !== undefined) run.effects.push(effect);
    else c.hooks.push(hookOf(current, { event, callId, attachment, outcome: 'ok', effects: [effect] }));
    return;
  }
  const known = OUTCOMES[type];
  if (known === undefined) {
    c.countUnknown('unknown-attachment', `attachment of type ${JSON.stringify(type)}`, current.lineNo);
    return;
  }
  const outcome = known === 'ok' ? decisionIn(textAt(attachment, 'stdout')) : known;
  c.hooks.push(hookOf(current, { event, callId, attachment, outcome, effects: [] }));
  if (event === 'PreToolUse' && callId !== undefined)
    c.noteHookEnd(callId, place, outcome === 'deny' ? textOfBlock(attachment) : undefined);
  if (outcome === 'stopped') {
    const reason = textAt(attachment, 'message') || 'A hook asked for it';
    c.addFact(place, {
      type: 'continuation-stopped',
      reason,
      ...(callId === undefined ? {} : { callId: callId as CallId }),
    });
    c.turnMarks.push({ place, agentKey, kind: 'stopped-by-hook', message: reason });
  }
}

const eventInName = (name: string | undefined): string | undefined => name?.split(':')[0];

const contentText = (attachment: Fields): string =>
  blocksOf(attachment.content)
    .map((block) => block.text ?? '')
    .join('\n');

const textOfBlock = (attachment: Fields): string =>
  textAt(fieldsOf(attachment.blockingError), 'blockingError') ?? textAt(attachment, 'stderr') ?? '';

/** What a hook's JSON on stdout decided, in the protocol of the hooks. */
function decisionIn(stdout: string | undefined): HookStory['outcome'] {
  if (!stdout?.trimStart().startsWith('{')) return 'ok';
  try {
    const answer = fieldsOf(JSON.parse(stdout));
    const decision = textAt(fieldsOf(answer?.hookSpecificOutput), 'permissionDecision') ?? textAt(answer, 'decision');
    if (decision === 'allow' || decision === 'approve') return 'allow';
    if (decision === 'deny' || decision === 'block') return 'deny';
    if (decision === 'ask') return 'ask';
    return answer?.continue === false ? 'stopped' : 'ok';
  } catch {
    return 'ok';
  }
}

type HookParts = Pick<HookStory, 'event' | 'callId' | 'outcome' | 'effects'> & { readonly attachment: Fields };

function hookOf(current: Current, parts: HookParts): HookStory {
  const { attachment } = parts;
  return {
    place: current.place,
    callId: parts.callId,
    event: parts.event,
    name: textAt(attachment, 'hookName'),
    command: textAt(attachment, 'command') ?? textAt(fieldsOf(attachment.blockingError), 'command') ?? 'unknown',
    durationMs: numberAt(attachment, 'durationMs'),
    startOnly: false,
    exitCode: numberAt(attachment, 'exitCode'),
    outcome: parts.outcome,
    stdout: textAt(attachment, 'stdout') ?? '',
    stderr: textAt(attachment, 'stderr') ?? textOfBlock(attachment),
    effects: parts.effects,
  };
}

/** Live progress, which versions 2.1.12 to 2.1.67 wrote down. */
export function handleProgress(c: Collector, current: Current): void {
  const { line, place } = current;
  const data = fieldsOf(line.data);
  const callId = line.parentToolUseID ?? line.toolUseID;
  switch (textAt(data, 'type')) {
    case 'hook_progress':
      handleHookProgress(c, current, data as Fields);
      return;
    case 'bash_progress':
    case 'powershell_progress':
      if (callId !== undefined) handleShellProgress(c, current, data as Fields, callId);
      return;
    case 'mcp_progress':
      if (callId !== undefined && textAt(data, 'status') === 'started' && place.timed) {
        c.noteEvidence(callId, { mcpStart: place.at });
      }
      return;
    case 'agent_progress':
      handleAgentProgress(c, current, data as Fields);
      return;
    case 'waiting_for_task':
    case 'query_update':
    case 'search_results_received':
      return;
    default:
      c.countUnknown('unknown-line', `progress/${textAt(data, 'type')}`, current.lineNo);
  }
}

function handleHookProgress(c: Collector, current: Current, data: Fields): void {
  const event = textAt(data, 'hookEvent') ?? 'unknown';
  c.hooks.push({
    place: current.place,
    callId: /ToolUse/.test(event) ? (current.line.parentToolUseID ?? current.line.toolUseID) : undefined,
    event,
    name: textAt(data, 'hookName'),
    command: textAt(data, 'command') ?? 'unknown',
    durationMs: undefined,
    startOnly: true,
    exitCode: undefined,
    outcome: 'ok',
    stdout: '',
    stderr: '',
    effects: ['its end was not recorded'],
  });
}

const TAIL_CHARS = 2000;

function handleShellProgress(c: Collector, current: Current, data: Fields, callId: string): void {
  const elapsed = numberAt(data, 'elapsedTimeSeconds');
  if (elapsed !== undefined && current.place.timed) {
    c.noteEvidence(callId, { bashStart: current.place.at - elapsed * 1000 });
  }
  const output = textAt(data, 'fullOutput') ?? textAt(data, 'output') ?? '';
  c.addFact(current.place, {
    type: 'call-progressed',
    callId: callId as CallId,
    bytes: numberAt(data, 'totalBytes') ?? output.length,
    lines: numberAt(data, 'totalLines') ?? output.split('\n').length,
    tail: (textAt(data, 'output') ?? output).slice(-TAIL_CHARS),
  });
}

/** A sub-agent's line, copied into the session's file. The agent's own file, where there is one, is the better source. */
function handleAgentProgress(c: Collector, current: Current, data: Fields): void {
  const { line, place } = current;
  const callId = line.parentToolUseID ?? line.toolUseID;
  const agentId = textAt(data, 'agentId');
  if (callId !== undefined && place.timed) c.noteEvidence(callId, { agentStart: place.at });
  const key = agentId ?? (callId === undefined ? 'agent-unknown' : `call:${callId}`);
  if (c.ownFiles.has(key)) return;
  const agent = c.agents.touch(key, place);
  if (callId !== undefined) agent.parentCallId ??= callId;
  agent.prompt ??= textAt(data, 'prompt');
  const inner = fieldsOf(data.message);
  if (inner === undefined) return;
  // Some versions wrap the line once more, some give the message itself.
  const wrapped = fieldsOf(inner.message) !== undefined;
  const message = wrapped ? inner.message : inner;
  const type = textAt(inner, 'type') ?? (looksLikeUser(message) ? 'user' : 'assistant');
  if (listAt(fieldsOf(message), 'content').length === 0 && typeof fieldsOf(message)?.content !== 'string') return;
  const at = timeOf(textAt(inner, 'timestamp')) ?? (place.timed ? place.at : undefined);
  c.addNested(key, { type, message, uuid: textAt(inner, 'uuid'), requestId: textAt(inner, 'requestId') }, current, at);
}

const looksLikeUser = (message: unknown): boolean =>
  textAt(fieldsOf(message), 'role') === 'user' ||
  listAt(fieldsOf(message), 'content').some((block) => textAt(fieldsOf(block), 'type') === 'tool_result');
