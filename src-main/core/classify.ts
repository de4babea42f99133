import type { z } from 'zod';
import type { AgentConcurrency } from '../../src-shared/session/settings.ts';
import type { Safety } from '../../src-shared/tool-call/event.ts';
import { allowCovers } from './permission/matching.ts';

/** The part of a tool that the three guards look at. */
export type Classifiable = {
  readonly name: string;
  readonly inputSchema: z.ZodType;
  /** What an input may hold that was changed on its way. */
  readonly changedSchema?: z.ZodType | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the schema above has checked the input.
  isConcurrencySafe(input: any): boolean;
};

/**
 * May this call run beside others? Three guards, fail closed (spec 1.2): the input passes the schema, the tool's own
 * answer comes without throwing, and it is true. A `treatAsSafe` rule may then still declare it safe; it touches
 * scheduling only, never permission.
 */
export function classify(call: {
  readonly tool: Classifiable | undefined;
  readonly input: unknown;
  readonly treatAsSafe: readonly string[];
  /** What the settings say of sub-agents, whatever their tools are; `read-only` when left out (spec 1.2). */
  readonly agentConcurrency?: AgentConcurrency | undefined;
}): Safety {
  const { tool } = call;
  if (tool === undefined) return { safe: false, because: 'unknown-tool' };
  try {
    let parsed = tool.inputSchema.safeParse(call.input);
    if (!parsed.success && tool.changedSchema !== undefined) parsed = tool.changedSchema.safeParse(call.input);
    if (!parsed.success) return { safe: false, because: 'invalid-input' };
    const input: unknown = parsed.data;
    const forAgents = tool.name === 'Agent' ? agentSafety(call.agentConcurrency) : undefined;
    if (forAgents !== undefined) return forAgents;
    if (tool.isConcurrencySafe(input)) return { safe: true, because: 'declared-safe' };
    const rule = call.treatAsSafe.find((text) => allowCovers(text, { tool: tool.name, input }));
    if (rule !== undefined) return { safe: true, because: 'treat-as-safe-rule', detail: rule };
    return { safe: false, because: 'declared-unsafe' };
  } catch (error) {
    return { safe: false, because: 'threw', detail: messageOf(error) };
  }
}

function agentSafety(setting: AgentConcurrency | undefined): Safety | undefined {
  if (setting === undefined || setting === 'read-only') return undefined;
  const isSafe = setting === 'always';
  return {
    safe: isSafe,
    because: isSafe ? 'declared-safe' : 'declared-unsafe',
    detail: `agents.concurrency is ${setting}`,
  };
}

/** Anything can be thrown, even what has no text. */
function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : `a value of type ${typeof error}`;
}
