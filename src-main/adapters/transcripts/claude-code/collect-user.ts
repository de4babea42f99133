import { PermissionMode } from '../../../../src-shared/permission/event.ts';
import { fieldsOf } from '../common/fields.ts';
import { MAIN_KEY } from '../common/story.ts';
import type { Collector, Current } from './collect.ts';
import { type Block, blocksOf } from './lines.ts';
import { isInterruptMark, notificationIn } from './texts.ts';

/** A user line: words of a person, words the program put there, or the results of calls. */
export function handleUser(c: Collector, current: Current): void {
  const { line } = current;
  noteMode(c, current);
  const content = typeof line.message === 'string' ? line.message : fieldsOf(line.message)?.content;
  if (content === undefined || content === null) {
    c.countUnknown('odd-message', 'user lines without a message', current.lineNo);
    return;
  }
  const blocks = blocksOf(content);
  const hasResult = blocks.some((block) => block.type === 'tool_result');
  for (const block of blocks) if (block.type === 'tool_result') c.results.add(current, block);
  const words = blocks.filter((block) => block.type !== 'tool_result').map(wordsOf);
  const text = words.join('\n');
  if (words.length > 0 && (text !== '' || !hasResult)) addWords(c, current, text, hasResult);
}

const wordsOf = (block: Block): string => block.text ?? (block.type === 'image' ? '[image]' : `[${block.type}]`);

/** The permission mode stands on prompts and on lines of its own; only known modes count. */
export function noteMode(c: Collector, current: Current): void {
  const mode = PermissionMode.safeParse(current.line.permissionMode);
  if (!mode.success || c.isAgentFile) return;
  if (c.firstMode === undefined) c.firstMode = mode.data;
  else if (mode.data !== c.mode) c.addFact(current.place, { type: 'mode-changed', mode: mode.data });
  c.mode = mode.data;
  c.modes.push({ place: current.place, mode: mode.data });
}

const COMMAND = /^\s*<command-name>\s*(\/?\S+?)\s*<\/command-name>/;
const COMMAND_ARGS = /<command-args>([\s\S]*?)<\/command-args>/;
const SHELL_INPUT = /^\s*<bash-input>([\s\S]*?)<\/bash-input>/;
const LOCAL_OUTPUT = /^\s*<(local-command-(?:stdout|stderr|caveat)|bash-(?:stdout|stderr))>([\s\S]*)$/;

function addWords(c: Collector, current: Current, text: string, withResult: boolean): void {
  const { line, place, agentKey } = current;
  const base = { place, agentKey, uuid: line.uuid, parentUuid: line.parentUuid ?? undefined };
  if (isInterruptMark(text)) {
    c.entries.push({ ...base, text: text.trim(), kind: 'interrupt', from: 'program' });
    return;
  }
  const output = LOCAL_OUTPUT.exec(text);
  if (output !== null) {
    const detail = (output[2] ?? '').replaceAll(/<\/?[\w-]+>/g, '').trim();
    c.addFact(place, { type: 'notice-given', level: 'info', text: 'Output of a local command', detail });
    return;
  }
  if (notificationIn(text) !== undefined) noteNotification(c, current, text);
  const injected =
    withResult || line.isMeta === true || line.isCompactSummary === true || line.sourceToolUseID !== undefined;
  const ofProgram = line.origin?.kind !== undefined && line.origin.kind !== 'human';
  const isMain = agentKey === MAIN_KEY;
  if (injected) {
    c.entries.push({ ...base, text, kind: 'said', from: 'program' });
    return;
  }
  const agent = c.agents.get(agentKey);
  if (agent !== undefined) agent.prompt ??= text;
  const said = COMMAND.test(text) || SHELL_INPUT.test(text) ? commandIn(text) : text;
  if (isMain && !ofProgram) c.titles.prompt ||= titleOf(said);
  c.assistant.close(agentKey);
  c.entries.push({ ...base, text: said, kind: 'prompt', from: isMain && !ofProgram ? 'person' : 'program' });
}

function commandIn(text: string): string {
  const shell = SHELL_INPUT.exec(text)?.[1];
  if (shell !== undefined) return `! ${shell.trim()}`;
  const name = COMMAND.exec(text)?.[1] ?? '';
  const args = COMMAND_ARGS.exec(text)?.[1]?.trim() ?? '';
  const rest = text.replace(/<(command-[a-z]+)>[\s\S]*?<\/\1>/g, '').trim();
  return [`${name} ${args}`.trim(), rest].filter((part) => part !== '').join('\n');
}

/** The first line of a prompt, short enough for a list. */
const titleOf = (text: string): string => {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
};

/** The end of background work. The same notification is written up to three times. */
export function noteNotification(c: Collector, current: Current, text: string): void {
  const note = notificationIn(text);
  if (note === undefined) return;
  const key = `${note.taskId} ${note.status} ${note.summary}`;
  const before = c.notified.get(key);
  if (before !== undefined) {
    if (current.place.ord < before) c.isDisordered = true;
    return;
  }
  c.notified.set(key, current.place.ord);
  c.addFact(current.place, {
    type: 'notice-given',
    level: note.status === 'failed' ? 'warning' : 'info',
    text: `Background task ${note.taskId ?? ''} ${note.status}`.replace('  ', ' '),
    detail: note.summary,
  });
  const code = /\((?:with )?exit code (-?\d+)\)|with exit code (-?\d+)/.exec(note.summary ?? '');
  const exitCode = code === null ? undefined : Number(code[1] ?? code[2]);
  const { callId, taskId, status } = note;
  c.addBackgroundEnd({ callId, taskId, status, exitCode, place: current.place });
}
