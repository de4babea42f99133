export type McpLimits = {
  /** From the start of a server to its list of tools, in ms. */
  readonly connectMs: number;
  /** How long a call may be silent, in ms: progress starts the time anew. */
  readonly callMs: number;
  /** Characters of a result; longer ones go to disk. */
  readonly resultCharacters: number;
};

const CHARACTERS_PER_TOKEN = 4;

/** The limits, by the variables of Claude Code. A value that is no positive number is as good as none. */
export function mcpLimits(env: Readonly<Record<string, string | undefined>>): McpLimits {
  const number = (name: string): number | undefined => {
    const value = Number(Object.hasOwn(env, name) ? env[name] : undefined);
    return Number.isFinite(value) && value > 0 ? value : undefined;
  };
  return {
    connectMs: number('MCP_TIMEOUT') ?? 30_000,
    callMs: number('MCP_TOOL_TIMEOUT') ?? 600_000,
    resultCharacters: Math.floor((number('MAX_MCP_OUTPUT_TOKENS') ?? 25_000) * CHARACTERS_PER_TOKEN),
  };
}
