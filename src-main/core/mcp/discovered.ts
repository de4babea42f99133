import type { AgentId } from '../../../src-shared/ids.ts';
import type { SessionState } from '../../../src-shared/session/state.ts';

export const TOOL_SEARCH = 'ToolSearch';
/** Where a result of ToolSearch tells the journal what it has loaded. */
export const LOADED_FIELD = 'loaded';

/** The tools whose schemas an agent has loaded so far, as the journal tells it. They stay loaded when it is resumed. */
export function discoveredBy(state: SessionState, agentId: AgentId): ReadonlySet<string> {
  const names = state.calls.flatMap((call) => {
    if (call.tool !== TOOL_SEARCH || call.agentId !== agentId || !('end' in call) || call.end.outcome !== 'ok')
      return [];
    const loaded = call.end.result.display?.[LOADED_FIELD];
    return Array.isArray(loaded) ? loaded.filter((name) => typeof name === 'string') : [];
  });
  return new Set(names);
}
