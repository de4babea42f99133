import type { CallId } from '../../src-shared/ids.ts';
import type { EventOf } from '../../src-shared/session/event.ts';
import type { ToolContext } from '../ports/tool.ts';
import type { Ending, Job } from './call-run.ts';
import type { ContextHolder } from './context-holder.ts';
import type { SessionLog } from './session-log.ts';

/** Changes an agent's context as an ended call wants it, and records what changed (spec 1.6). A modifier that throws changes nothing. */
export function applyModifier(
  { log, context }: { readonly log: SessionLog; readonly context: ContextHolder },
  { callId, agentId, toolName }: Job,
  { modifier, changes = [] }: Ending,
): void {
  if (modifier === undefined) return;
  const before = context.current;
  try {
    context.modify(modifier);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    log.append({ type: 'notice-given', level: 'warning', text: `What ${toolName} changed was lost.`, detail });
    return;
  }
  if (context.current.todos !== before.todos) {
    log.append({ type: 'todos-changed', agentId, todos: [...context.current.todos] });
  }
  const learned = learnedFacts(before, context.current, callId);
  if (changes.length > 0 || learned !== undefined) {
    log.append({ type: 'context-modified', callId, changes: [...changes], ...learned });
  }
}

/** What a session that is opened again has to know of a change; undefined when there is nothing of the kind. */
function learnedFacts(
  before: ToolContext,
  now: ToolContext,
  callId: CallId,
): Pick<EventOf<'context-modified'>, 'cwd' | 'files'> | undefined {
  const files =
    now.readFiles === before.readFiles
      ? []
      : [...now.readFiles].flatMap(([path, { callId: by, ...file }]) =>
          before.readFiles.get(path) === now.readFiles.get(path)
            ? []
            : [{ path, ...file, ...(by === callId ? {} : { callId: by }) }],
        );
  if (files.length === 0 && now.cwd === before.cwd) return undefined;
  return { ...(now.cwd === before.cwd ? {} : { cwd: now.cwd }), ...(files.length === 0 ? {} : { files }) };
}
