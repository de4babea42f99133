import type { CallId } from '../../../src-shared/ids.ts';
import type { AgentDefinitions } from '../../ports/agent-definitions.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DocumentReader } from '../../ports/document-reader.ts';
import type { McpServers } from '../../ports/mcp-servers.ts';
import type { ModelProvider } from '../../ports/model-provider.ts';
import type { ProcessRunner } from '../../ports/process-runner.ts';
import type { SkillSource } from '../../ports/skills.ts';

/** What tools that start programs need. */
export type ToolServices = {
  readonly processes: ProcessRunner;
  readonly clock: Clock;
  /** A marker for everything a call starts, unique among all calls of all runs of the app. */
  readonly markerFor: (callId: CallId) => string;
  /** Path of the ripgrep program. */
  readonly ripgrep: string;
  /** Reads PDFs and pages of the web; this process does when left out. */
  readonly documents?: DocumentReader;
  /** Hosts and addresses of the own network that WebFetch may ask, as the settings are now; none when left out. */
  readonly allowPrivate?: () => readonly string[];
  /** Skills and commands; none when left out. */
  readonly skills?: SkillSource;
  /** The model of the advisor, as the settings are now; none when left out. */
  readonly advisor?: () => ModelProvider | undefined;
  /** The kinds of sub-agents; those that are built in when left out. */
  readonly agents?: AgentDefinitions;
  /** The session's MCP servers; none when left out. */
  readonly mcp?: McpServers;
};
