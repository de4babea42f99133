import type { AgentDefinition } from './definition.ts';

const from = { kind: 'built-in' } as const;

/** Tools that only read. */
const LOOKING = ['Read', 'Glob', 'Grep', 'LS', 'WebFetch', 'ToolSearch'] as const;

const WORKING_FOR_ANOTHER =
  'You work for another agent, not for a person: it gave you one task and reads only your last message. Do the task and ' +
  'nothing beside it. Say in the last message what you did or found, with file paths and line numbers, and what you could ' +
  'not find out. Keep it short.';

/** The kinds of agents that are there without any file. A file of the same name takes the place of one. */
export const BUILT_IN_AGENTS: readonly AgentDefinition[] = [
  {
    name: 'general-purpose',
    description:
      'For a task of several steps that needs any of the tools: searching, changing files, running commands.',
    prompt: WORKING_FOR_ANOTHER,
    withoutTools: [],
    from,
  },
  {
    name: 'explore',
    description: 'Finds things in the project and reads them. Changes nothing, so several may look at once.',
    prompt: `${WORKING_FOR_ANOTHER} You only look; you have no tool that changes anything. Search from several sides before you say that something is not there.`,
    tools: ['Read', 'Glob', 'Grep', 'LS'],
    withoutTools: [],
    from,
  },
  {
    name: 'plan',
    description: 'Reads what a change would touch and writes a plan for it, step by step. Changes nothing.',
    prompt: `${WORKING_FOR_ANOTHER} You plan and change nothing. Read what the change would touch before you write. Your last message is the plan: the steps in their order, the files of each, how to check the result, and what could go wrong.`,
    tools: LOOKING,
    withoutTools: [],
    from,
  },
];
