import type { MessageId } from '../../../../src-shared/ids.ts';
import { fieldsOf, listAt, numberAt, textAt } from '../common/fields.ts';
import { MAIN_KEY, type TurnMark } from '../common/story.ts';
import type { Collector, Current } from './collect.ts';
import { noteMode, noteNotification } from './collect-user.ts';
import type { Line } from './lines.ts';
import { notificationIn } from './texts.ts';

/** Kinds that say nothing about the session's course. Known, so that a new kind stands out. */
const INERT_SYSTEM: ReadonlySet<string> = new Set([
  'microcompact_boundary',
  'session_start',
  'status',
  'thinking_tokens',
  'task_progress',
  'hook_started',
  'hook_response',
  'bridge_status',
  'files_persisted',
  'informational',
]);
const INERT_LINES: ReadonlySet<string> = new Set([
  'file-history-snapshot',
  'last-prompt',
  'mode',
  'pr-link',
  'frame-link',
  'agent-name',
  'agent-color',
  'agent-setting',
  'atis-latch',
  'cost-state',
  'bridge-session',
  'fork-context-ref',
  'worktree-state',
  'relocated',
  'started',
  'tag',
  'stream_event',
  'control_request',
  'control_response',
  'control_cancel_request',
  'keep_alive',
  'rate_limit_event',
  'tool_progress',
  'auth_status',
]);

export function handleSystem(c: Collector, current: Current): void {
  const { line, place } = current;
  const notice = (level: 'info' | 'warning' | 'error', text: string, detail?: string) =>
    c.addFact(place, { type: 'notice-given', level, text, ...(detail ? { detail } : {}) });
  switch (line.subtype) {
    case 'init':
      noteMode(c, current);
      c.turnMarks.push({ place, agentKey: MAIN_KEY, kind: 'begun', message: undefined });
      return;
    case 'compact_boundary':
      notice('info', 'The conversation was compacted', compactionDetail(line));
      return;
    case 'api_error':
      notice('warning', apiErrorText(line), errorDetail(line.error));
      return;
    case 'error':
    case 'api_refusal':
    case 'model_refusal_fallback':
      notice('warning', textAt(line, 'content') ?? `The model's service answered with ${line.subtype}`);
      noteRetractions(c, current);
      return;
    case 'local_command':
      notice('info', 'Output of a local command', plain(textAt(line, 'content') ?? ''));
      return;
    case 'agents_killed':
      notice('warning', 'Running agents were stopped');
      return;
    case 'turn_duration':
      c.turnMarks.push({ place, agentKey: current.agentKey, kind: 'ended', message: undefined });
      return;
    case 'stop_hook_summary':
      handleStopHooks(c, current);
      return;
    case 'task_started':
      noteTask(c, current);
      return;
    case 'task_notification':
      noteNotification(c, current, asNotification(line));
      return;
    case undefined:
      if (line.durationMs !== undefined) {
        c.turnMarks.push({ place, agentKey: current.agentKey, kind: 'ended', message: undefined });
      }
      return;
    default:
      if (!INERT_SYSTEM.has(line.subtype)) c.countUnknown('unknown-line', `system/${line.subtype}`, current.lineNo);
  }
}

const plain = (text: string): string => text.replaceAll(/<\/?[\w-]+>/g, '').trim();

function compactionDetail(line: Line): string {
  const facts = fieldsOf(line.compactMetadata);
  const before = numberAt(facts, 'preTokens');
  const trigger = textAt(facts, 'trigger') ?? 'unknown';
  return before === undefined ? `Trigger: ${trigger}` : `Trigger: ${trigger}. ${before} tokens before.`;
}

function apiErrorText(line: Line): string {
  const attempt = numberAt(line, 'retryAttempt');
  const max = numberAt(line, 'maxRetries');
  const wait = numberAt(line, 'retryInMs');
  const tries = attempt === undefined ? '' : `, attempt ${attempt}${max === undefined ? '' : ` of ${max}`}`;
  return `The model's service answered with an error${tries}${wait === undefined ? '' : `, next try after ${wait} ms`}`;
}

const errorDetail = (error: unknown): string => {
  if (typeof error === 'string') return error;
  const message = textAt(fieldsOf(error), 'message');
  return message ?? (error === undefined ? '' : JSON.stringify(error).slice(0, 2000));
};

function noteRetractions(c: Collector, current: Current): void {
  const uuids = listAt(current.line, 'retractedMessageUuids').filter((one): one is string => typeof one === 'string');
  if (uuids.length > 0) c.retractions.push({ uuids: new Set(uuids), place: current.place });
}

function handleStopHooks(c: Collector, current: Current): void {
  const { line, place, agentKey } = current;
  const errors = listAt(line, 'hookErrors');
  const prevented = line.preventedContinuation === true;
  for (const info of listAt(line, 'hookInfos')) {
    c.hooks.push({
      place,
      callId: undefined,
      event: agentKey === MAIN_KEY ? 'Stop' : 'SubagentStop',
      name: undefined,
      command: textAt(fieldsOf(info), 'command') ?? 'unknown',
      durationMs: numberAt(fieldsOf(info), 'durationMs'),
      startOnly: false,
      exitCode: undefined,
      outcome: prevented ? 'stopped' : errors.length > 0 ? 'error' : 'ok',
      stdout: '',
      stderr: errors.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'),
      effects: [],
    });
  }
  if (!prevented) return;
  const reason = textAt(line, 'stopReason') || 'A stop hook asked for it';
  c.addFact(place, { type: 'continuation-stopped', reason });
  c.turnMarks.push({ place, agentKey, kind: 'stopped-by-hook', message: reason });
}

/** A stream names the agent a call has started. */
function noteTask(c: Collector, current: Current): void {
  const callId = textAt(current.line, 'tool_use_id');
  const taskId = textAt(current.line, 'task_id');
  if (callId === undefined || taskId === undefined) return;
  const agent = c.agents.touch(`call:${callId}`, current.place);
  agent.agentId = taskId;
  agent.description ??= textAt(current.line, 'description');
}

const asNotification = (line: Line): string => {
  const part = (tag: string, key: string) => `<${tag}>${textAt(line, key) ?? ''}</${tag}>`;
  return `<task-notification>${part('task-id', 'task_id')}${part('status', 'status')}${part('summary', 'summary')}`;
};

/** Everything that is no part of the conversation. */
export function handleBookkeeping(c: Collector, current: Current): void {
  const { line } = current;
  switch (line.type) {
    case 'summary': {
      const text = textAt(line, 'summary');
      if (text !== undefined) c.titles.summaries.push({ leaf: textAt(line, 'leafUuid') ?? '', text });
      return;
    }
    case 'custom-title':
      noteTitle(c, current, 'custom', textAt(line, 'customTitle'));
      return;
    case 'ai-title':
      noteTitle(c, current, 'ai', textAt(line, 'aiTitle'));
      return;
    case 'permission-mode':
      noteMode(c, current);
      return;
    case 'queue-operation':
      handleQueue(c, current);
      return;
    case 'result':
      handleStreamEnd(c, current);
      return;
    default:
      if (line.type === undefined || !INERT_LINES.has(line.type)) {
        c.countUnknown('unknown-line', `line of type ${JSON.stringify(line.type ?? null)}`, current.lineNo);
      }
  }
}

function noteTitle(c: Collector, current: Current, kind: 'custom' | 'ai', title: string | undefined): void {
  if (!title || c.titles[kind] === title) return;
  const hidden = kind === 'ai' && c.titles.custom !== '';
  c.titles[kind] = title;
  if (!hidden) c.addFact(current.place, { type: 'title-changed', title });
}

/** Words typed while a turn runs. `dequeue` names none: first in, first out. */
function handleQueue(c: Collector, current: Current): void {
  const { line, place } = current;
  const text = textAt(line, 'content') ?? '';
  const unqueue = (at: number, why: 'sent' | 'removed' | 'edited') => {
    const [one] = c.queue.splice(Math.max(0, at), 1);
    if (one?.isWords) c.addFact(place, { type: 'user-message-unqueued', messageId: one.id as MessageId, why });
  };
  switch (line.operation) {
    case 'enqueue': {
      const isWords = notificationIn(text) === undefined && text !== '';
      const id = `queued-${place.ord}`;
      c.queue.push({ id, text, isWords });
      if (isWords) c.addFact(place, { type: 'user-message-queued', messageId: id as MessageId, text });
      else noteNotification(c, current, text);
      return;
    }
    case 'dequeue':
      unqueue(0, 'sent');
      return;
    case 'remove':
      unqueue(
        c.queue.findIndex((one) => one.text === text),
        line.reason === 'absorbed_mid_turn' ? 'sent' : 'removed',
      );
      return;
    case 'popAll':
      while (c.queue.length > 0) unqueue(0, 'edited');
      return;
    default:
      c.countUnknown('unknown-line', `queue-operation/${line.operation}`, current.lineNo);
  }
}

/** The last line of a turn in a stream. Transcripts on disk have other lines of this type, without a subtype. */
function handleStreamEnd(c: Collector, current: Current): void {
  const { line, place } = current;
  if (line.subtype === undefined) return;
  for (const denial of listAt(line, 'permission_denials')) {
    const id = textAt(fieldsOf(denial), 'tool_use_id');
    if (id !== undefined) c.deniedCalls.add(id);
  }
  const stopped = textAt(line, 'terminal_reason') === 'hook_stopped';
  if (stopped) c.addFact(place, { type: 'continuation-stopped', reason: 'A hook asked for it' });
  const message = listAt(line, 'errors').filter((one): one is string => typeof one === 'string');
  const kind: TurnMark['kind'] = stopped
    ? 'stopped-by-hook'
    : line.subtype === 'error_max_turns'
      ? 'limit'
      : line.is_error === true
        ? 'error'
        : 'ended';
  c.turnMarks.push({ place, agentKey: MAIN_KEY, kind, message: message.join('\n') || undefined });
}
