import type { AgentId } from '../../src-shared/ids.ts';
import { MAIN_AGENT } from '../../src-shared/ids.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { callsInConversation } from '../core/conversation/in-conversation.ts';
import { discoveredBy } from '../core/mcp/discovered.ts';
import type { ReadFile, ToolContext } from '../ports/tool.ts';

type Files = ToolContext['readFiles'];

/** What the main agent had when its session was opened, as the journal tells it: where it worked, what it knew. */
export function resumedContext(state: SessionState, directories: readonly string[]): ToolContext {
  return {
    cwd: state.folders.find(({ agentId }) => agentId === MAIN_AGENT)?.cwd ?? state.cwd,
    directories: [state.cwd, ...directories],
    todos: state.todoLists.find(({ agentId }) => agentId === MAIN_AGENT)?.todos ?? [],
    discovered: discoveredBy(state, MAIN_AGENT),
    readFiles: knownFiles(state, MAIN_AGENT),
  };
}

function knownFiles(state: SessionState, agentId: AgentId): Files {
  const own = state.seenFiles.filter((file) => file.agentId === agentId);
  return onlyReadable(state, agentId, new Map(own.map(({ path, agentId: _, ...file }) => [path, readFile(file)])));
}

const readFile = ({ toldStaleAt, ...file }: Omit<SessionState['seenFiles'][number], 'path' | 'agentId'>): ReadFile => ({
  ...file,
  ...(toldStaleAt === undefined ? {} : { toldStaleAt }),
});

/**
 * The same files, but none counts as read whose text has gone from the conversation: nobody is to be told that it stands
 * there. They may be edited all the same, as those that the agent itself has written.
 */
export function onlyReadable(state: SessionState, agentId: AgentId, files: Files): Files {
  if (files.size === 0) return files;
  const calls = callsInConversation(state, agentId);
  return new Map(
    [...files].map(([path, file]) => [path, calls.has(file.callId) ? file : { ...file, by: 'write' as const }]),
  );
}
