import type { AgentId } from '../ids.ts';
import type { AgentTrack, TimelineModel } from '../timeline/tracks.ts';
import type { Row, RowLayout } from './rows.ts';

/**
 * The rows of a whole session, filled with what a model of its past knows. Rows stay where they are while the playhead
 * moves; those of agents that were not there yet are empty.
 */
export function rowsAt(whole: RowLayout, past: TimelineModel): RowLayout {
  const tracks = new Map<AgentId, AgentTrack>(past.agents.map((agent) => [agent.agentId, agent]));
  const rows = whole.rows.map(
    (row): Row => (row.agent === undefined ? row : { ...row, agent: tracks.get(row.agent.agentId) }),
  );
  return { ...whole, rows, byKey: new Map(rows.map((row) => [row.key, row])) };
}
