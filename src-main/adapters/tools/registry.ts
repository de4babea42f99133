import { builtInAgents } from '../../ports/agent-definitions.ts';
import { noMcpServers } from '../../ports/mcp-servers.ts';
import { noSkills } from '../../ports/skills.ts';
import type { AnyTool, ToolRegistry } from '../../ports/tool.ts';
import { documentsHere } from '../documents/jobs.ts';
import { advisorTool } from './advisor.ts';
import { agentTool } from './agent.ts';
import { aliased } from './aliases.ts';
import { askUserQuestionTool } from './ask-user-question.ts';
import { bashTool } from './bash.ts';
import { bashOutputTool } from './bash-output.ts';
import { editTool } from './edit.ts';
import { exitPlanModeTool } from './exit-plan-mode.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { joinedRegistry } from './joined-registry.ts';
import { killShellTool } from './kill-shell.ts';
import { lsTool } from './ls.ts';
import { multiEditTool } from './multi-edit.ts';
import { notebookEditTool } from './notebook-edit.ts';
import { createReadTool } from './read.ts';
import type { ToolServices } from './services.ts';
import { skillTool } from './skill.ts';
import { todoWriteTool } from './todo-write.ts';
import { webFetchTool } from './web-fetch.ts';
import { writeTool } from './write.ts';

/** All tools of an agent. A new tool is its own file and one line here. */
export function createRegistry(services: ToolServices): ToolRegistry {
  const { documents = documentsHere } = services;
  const all: readonly AnyTool[] = [
    bashTool(services),
    bashOutputTool(services),
    killShellTool,
    createReadTool(documents),
    writeTool,
    editTool,
    multiEditTool,
    notebookEditTool(documents),
    globTool(services),
    grepTool(services),
    lsTool,
    webFetchTool({ documents, clock: services.clock, allowPrivate: services.allowPrivate ?? (() => []) }),
    todoWriteTool,
    askUserQuestionTool,
    exitPlanModeTool,
    ...offered(advisorTool({ model: services.advisor ?? (() => undefined), clock: services.clock })),
    ...offered(skillTool(services.skills ?? noSkills)),
    agentTool({ definitions: services.agents ?? builtInAgents, tools: () => registry.all }),
  ];
  const byName = new Map<string, AnyTool>();
  // Names win over aliases, whatever the order.
  for (const tool of all) for (const alias of tool.aliases) byName.set(alias, tool);
  for (const tool of all) byName.set(tool.name, tool);
  const old = aliased((name) => byName.get(name));
  const base = { all, find: (name: string) => byName.get(name) ?? old.get(name) };
  const registry: ToolRegistry = joinedRegistry(base, services.mcp ?? noMcpServers);
  return registry;
}

/** Some tools are there only where there is something for them to work on. */
const offered = (tool: AnyTool | undefined): readonly AnyTool[] => (tool === undefined ? [] : [tool]);
