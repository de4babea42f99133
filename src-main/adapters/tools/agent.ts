import { z } from 'zod';
import { DEFAULT_AGENT_TYPE, definitionOf, usesOnlySafe } from '../../core/agents/definition.ts';
import { listedAgents, unknownAgent } from '../../core/agents/words.ts';
import type { AgentDefinitions } from '../../ports/agent-definitions.ts';
import { type AgentReport, type AnyTool, defineTool } from '../../ports/tool.ts';
import { rawField } from './paths.ts';

/**
 * The calls of the agent have their own grace each, and those of the agents below it too; this one is for an agent that
 * does not end although all its calls have.
 */
const STOP_GRACE_MS = 30_000;

const Input = z.strictObject({
  description: z.string().min(1).max(200).describe('The task in three to five words'),
  prompt: z.string().min(1).describe('The whole task; the agent knows nothing of this conversation'),
  subagent_type: z.string().min(1).optional().describe('The kind of agent; general-purpose when left out'),
  model: z.string().min(1).optional().describe('Another model than this one'),
});
type Input = z.output<typeof Input>;
type Output = { readonly report: AgentReport; readonly agentType: string };

const DESCRIPTION =
  'Starts an agent of its own for one task and gives its last message. It works with its own context and its own tools, ' +
  'asks for its own permissions, and cannot ask you anything. Several calls in one message may work at the same time. ' +
  'Kinds of agents:';

const typeOf = ({ subagent_type }: Input): string => subagent_type ?? DEFAULT_AGENT_TYPE;

/** What agents need: which kinds there are, and what tools there are to choose from. */
export type AgentToolDeps = { readonly definitions: AgentDefinitions; readonly tools: () => readonly AnyTool[] };

/** Agent runs another agent below the call, with a conversation of its own. */
export function agentTool({ definitions, tools }: AgentToolDeps): AnyTool {
  const tool = defineTool<Input, Output>({
    name: 'Agent',
    aliases: ['Task'],
    description: DESCRIPTION,
    inputSchema: Input,
    isConcurrencySafe: (input) => {
      const definition = definitionOf(definitions.current, typeOf(input));
      return definition !== undefined && usesOnlySafe(definition, tools());
    },
    // A message that interrupts stops its calls; those that must not be cut off run to their end.
    interruptBehavior: () => 'cancel',
    stopGraceMs: STOP_GRACE_MS,
    async validateInput(input) {
      const type = typeOf(input);
      if (definitionOf(definitions.current, type) !== undefined) return { ok: true };
      return { ok: false, message: unknownAgent(type, definitions.current) };
    },
    checkPermissions: async () => ({ verdict: 'allow', because: 'An agent asks for each of its own calls' }),
    async call(input, _context, run) {
      const { description, prompt, model } = input;
      const agentType = typeOf(input);
      const order = { agentType, description, prompt, ...(model === undefined ? {} : { model }) };
      const report = await run.host.runAgent({ callId: run.callId, signal: run.signal }, order);
      const { isError, wasRefused } = report;
      return { output: { report, agentType }, isError, ...(wasRefused ? { failed: false } : {}) };
    },
    mapResult: ({ report: { agentId, text, isError, calls, tokens, durationMs }, agentType }) => ({
      content: [{ type: 'text', text }],
      isError,
      display: {
        agentId,
        agentType,
        totalToolUseCount: calls,
        totalTokens: tokens,
        totalDurationMs: durationMs,
        totals: totalsLine(calls, tokens, durationMs),
      },
    }),
    summarise: (input) => rawField(input, 'description'),
    suggestRule: (input) => `Agent(${typeOf(input)})`,
    async describeQuestion(input) {
      return {
        title: `Start an agent of the kind ${typeOf(input)}?`,
        reason: 'An agent goes on by itself. It asks for its own permissions.',
        risk: 'works by itself',
        dangerous: false,
      };
    },
  });
  // The kinds of agents may change from turn to turn.
  return Object.defineProperty(tool, 'description', {
    get: () => `${DESCRIPTION}\n${listedAgents(definitions.current)}`,
    enumerable: true,
  });
}

const totalsLine = (calls: number, tokens: number, durationMs: number): string =>
  `${calls} ${calls === 1 ? 'call' : 'calls'}, ${tokens.toLocaleString('en')} tokens, ${(durationMs / 1000).toFixed(1)} s`;
