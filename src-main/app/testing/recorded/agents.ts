import { BUILT_IN_AGENTS } from '../../../core/agents/built-in.ts';
import type { AgentDefinition } from '../../../core/agents/definition.ts';
import type { AgentDefinitions } from '../../../ports/agent-definitions.ts';

/** The recorded program's own explorer has Bash, ours has not: here it gets what it had there. */
const explorer: AgentDefinition = {
  name: 'Explore',
  description: 'Looks around',
  prompt: '',
  tools: ['Read', 'Grep', 'Glob', 'Bash'],
  withoutTools: [],
  from: { kind: 'built-in' },
};

const catalog = { definitions: [explorer, ...BUILT_IN_AGENTS], findings: [] };

/** The kinds of agents that the recordings start. */
export const recordedAgents: AgentDefinitions = { current: catalog, look: () => catalog };
