import type { PermissionMode } from '../../../src-shared/permission/event.ts';

/** A kind of sub-agent. It steers a model; it never gives more than the session has. */
export type AgentDefinition = {
  readonly name: string;
  /** When to use it, for the model. */
  readonly description: string;
  /** What the agent is told of itself. */
  readonly prompt: string;
  /** Names of the tools it may use; all that its parent has where it is left out. */
  readonly tools?: readonly string[];
  /** Names of tools it may not use. */
  readonly withoutTools: readonly string[];
  readonly model?: string;
  /** Counts where it is stricter than the session's own. */
  readonly mode?: PermissionMode;
  /** After so many requests to the model its turn ends. */
  readonly mostRequests?: number;
  readonly from: { readonly kind: 'built-in' } | { readonly kind: 'user' | 'project'; readonly file: string };
};

/** What is wrong with a file of a definition. `line` counts from 1. */
export type AgentFinding = { readonly file: string; readonly line: number; readonly message: string };

/** Everything that is defined now, each name once. */
export type AgentCatalog = {
  readonly definitions: readonly AgentDefinition[];
  readonly findings: readonly AgentFinding[];
};

export const definitionOf = ({ definitions }: AgentCatalog, name: string): AgentDefinition | undefined =>
  definitions.find((definition) => definition.name === name) ??
  // Other programs write them with a capital letter: `Explore`.
  definitions.find((definition) => definition.name.toLowerCase() === name.toLowerCase());

/** The type of an agent that is started without naming one. */
export const DEFAULT_AGENT_TYPE = 'general-purpose';

/** A plan that is presented changes the mode of the whole session: that is the main agent's own. */
const MAIN_ONLY: ReadonlySet<string> = new Set(['ExitPlanMode', 'EnterPlanMode']);
/** Names by which other programs call a tool of ours. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([['Task', 'Agent']]);

type Named = { readonly name: string };

/**
 * May an agent of this definition use the tool? A name stands for itself, `mcp__server` for all tools of that server and
 * `*` for every tool. What the session does not have no definition can give.
 */
export function mayUse(definition: Pick<AgentDefinition, 'tools' | 'withoutTools'>, { name }: Named): boolean {
  if (MAIN_ONLY.has(name)) return false;
  if (definition.withoutTools.some((listed) => means(listed, name))) return false;
  return definition.tools?.some((listed) => means(listed, name)) ?? true;
}

/**
 * Can an agent of this definition do nothing but what may run beside others? (spec 1.2) Not where tools may come that
 * nobody has seen yet: those of a whole server, or of one that is not there at the moment.
 */
export function usesOnlySafe(
  definition: Pick<AgentDefinition, 'tools' | 'withoutTools'>,
  tools: readonly (Named & { readonly isAlwaysSafe: boolean })[],
): boolean {
  const { tools: listed = ['*'] } = definition;
  const known = new Set(tools.map(({ name }) => name));
  const mayGrow = listed.some((name) => name === '*' || (name.startsWith('mcp__') && !known.has(name)));
  return !mayGrow && tools.every((tool) => tool.isAlwaysSafe || !mayUse(definition, tool));
}

const means = (listed: string, name: string): boolean =>
  listed === '*' || (OTHER_NAMES.get(listed) ?? listed) === name || isServerOf(listed, name);

const isServerOf = (listed: string, name: string): boolean =>
  /^mcp__[^_]/.test(listed) && name.startsWith(`${listed.replace(/__\*?$/, '')}__`);

/** How much a mode lets happen without a question. Of two that stand level neither is stricter. */
const LENIENCY: Readonly<Record<PermissionMode, number>> = {
  plan: 0,
  dontAsk: 0,
  default: 1,
  acceptEdits: 2,
  auto: 2,
  bypassPermissions: 3,
};

/** The session's mode, unless the definition's is stricter. */
export const stricterMode = (session: PermissionMode, own: PermissionMode | undefined): PermissionMode =>
  own !== undefined && LENIENCY[own] < LENIENCY[session] ? own : session;

/** Names of families and the word for "like its parent": which model they are is another's to know, so the session's is used. */
const NO_MODEL: ReadonlySet<string> = new Set(['inherit', 'default', 'sonnet', 'opus', 'haiku', '']);

/** The model that is asked instead of the parent's; undefined for the same one. */
export const modelNamed = (...wishes: readonly (string | undefined)[]): string | undefined => {
  const wish = wishes.find((one) => one !== undefined)?.trim();
  return wish === undefined || NO_MODEL.has(wish.toLowerCase()) ? undefined : wish;
};
