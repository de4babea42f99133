import type { AnyTool } from '../ports/tool.ts';

/** The bar's line and what the scheduler asks about a call. A tool that is unknown or throws gets the careful answers. */
export function factsOf(tool: AnyTool | undefined, input: unknown) {
  const careful = { kind: tool?.name === 'Bash' ? 'bash-mutating' : 'other', onInterrupt: 'block' } as const;
  if (tool === undefined) return { summary: '', ...careful };
  const summary = attempt(() => String(tool.summarise(input))) ?? '';
  const facts = attempt(() => {
    const parsed = tool.inputSchema.safeParse(input);
    if (!parsed.success) return undefined;
    return { kind: tool.cascadeKind(parsed.data), onInterrupt: tool.interruptBehavior(parsed.data) };
  });
  return { summary, ...(facts ?? careful) };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Frozen to its last part. The input goes back to the model as it came: a tool that tries to change it fails by itself. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}
