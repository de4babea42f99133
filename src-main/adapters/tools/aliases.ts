import { z } from 'zod';
import type { AnyTool } from '../../ports/tool.ts';

/** An old name of a tool (spec 2.1). Models use them when a conversation holds calls by them. */
type Alias = {
  readonly tool: string;
  /** Puts the old tool's input into the form of the new one. What does not fit is left as it is, for the schema to say. */
  readonly adapt?: (input: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
};

/** Gives a field its new name, where the new one is not there already. */
const renamed =
  (old: string, now: string): NonNullable<Alias['adapt']> =>
  (input) => {
    if (!Object.hasOwn(input, old) || Object.hasOwn(input, now)) return input;
    const { [old]: value, ...rest } = input;
    return { [now]: value, ...rest };
  };

/** `{command: '/review 12'}` is the skill `review` with `12`. */
const slashCommand: NonNullable<Alias['adapt']> = (input) => {
  const [, skill, args] = /^\s*\/?(\S+)\s*([\s\S]*)$/.exec(String(input.command ?? '')) ?? [];
  return skill === undefined ? input : { skill, ...(args === undefined || args.trim() === '' ? {} : { args }) };
};

/** Every old name that still means something. A tool's own name always wins over one of these. */
const ALIASES: Readonly<Record<string, Alias>> = {
  Task: { tool: 'Agent' },
  BashOutputTool: { tool: 'BashOutput' },
  TaskOutput: { tool: 'BashOutput', adapt: renamed('task_id', 'bash_id') },
  KillBash: { tool: 'KillShell' },
  TaskStop: { tool: 'KillShell', adapt: renamed('task_id', 'shell_id') },
  View: { tool: 'Read' },
  NotebookRead: { tool: 'Read', adapt: renamed('notebook_path', 'file_path') },
  Replace: { tool: 'Write' },
  GlobTool: { tool: 'Glob' },
  GrepTool: { tool: 'Grep' },
  LSTool: { tool: 'LS' },
  SlashCommand: { tool: 'Skill', adapt: slashCommand },
};

/** The old names with the tools they mean, as far as those are there. */
export function aliased(find: (name: string) => AnyTool | undefined): ReadonlyMap<string, AnyTool> {
  const found = new Map<string, AnyTool>();
  for (const [name, { tool: now, adapt }] of Object.entries(ALIASES)) {
    const tool = find(now);
    if (tool !== undefined) found.set(name, adapt === undefined ? tool : takingOldInput(tool, adapt));
  }
  return found;
}

/** The same tool, under its own name, for the input of its forerunner. */
function takingOldInput(tool: AnyTool, adapt: NonNullable<Alias['adapt']>): AnyTool {
  const toNew = (input: unknown): unknown =>
    typeof input === 'object' && input !== null && !Array.isArray(input) ? adapt({ ...input }) : input;
  return {
    ...tool,
    inputSchema: z.preprocess(toNew, tool.inputSchema),
    summarise: (input) => tool.summarise(toNew(input)),
  };
}
