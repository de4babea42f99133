import { BUILT_IN_AGENTS } from '../core/agents/built-in.ts';
import type { AgentCatalog } from '../core/agents/definition.ts';

/** The kinds of agents a session may start. */
export interface AgentDefinitions {
  /** As they were at the last look: the model is told the same all through a turn. */
  readonly current: AgentCatalog;
  /** Reads anew what has changed on disk, when a turn starts. Never throws: trouble is a finding. */
  look(): AgentCatalog;
}

const BUILT_IN: AgentCatalog = { definitions: BUILT_IN_AGENTS, findings: [] };

/** For sessions without files of definitions. */
export const builtInAgents: AgentDefinitions = { current: BUILT_IN, look: () => BUILT_IN };
