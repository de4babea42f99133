import type { PermissionMode } from '../../../src-shared/permission/event.ts';
import { coverCommand, NO_COMMAND_RULES } from './bash-cover.ts';
import type { BashFacts, CallFacts } from './call-facts.ts';
import { criticalRemoval } from './critical-removal.ts';
import { isProtectedPlace } from './protected-paths.ts';
import { isEditor, isReader, toolName } from './rules.ts';
import type { Use } from './tool-rules.ts';

/** The tool's own word, step 3 of the normal flow (spec 2.5). */
export type ToolPermission = { readonly verdict: 'allow' | 'deny' | 'ask' | 'pass'; readonly because: string };

/**
 * What a call does to files, and where: `none` changes none; `inside` and `outside` are meant of the session's folders;
 * `protected` paths let something run or decide later and are opened by no rule and by no mode but bypass (spec 2.5).
 */
export type EditTarget = 'none' | 'inside' | 'outside' | 'protected';

/** They change nothing outside of the session (tools reference of Claude Code). */
const NEEDS_NO_PERMISSION: ReadonlySet<string> = new Set([
  ...'Agent TodoWrite TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate ToolSearch EnterPlanMode'.split(' '),
  ...'BashOutput ListMcpResources ListMcpResourcesTool CronList ListAgents'.split(' '),
]);
/** A person's answer is what they are for; nothing else may give it. */
const ASKS_A_PERSON: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

/** Is the call itself a question to a person? Then nothing but their answer lets it run. */
export const isQuestion = (tool: string): boolean => ASKS_A_PERSON.has(tool);

/** Hooks may answer in a person's place: by answers that the model's own input did not have, and never by a bare yes. */
const hooksAnswered = (use: Use, original: Use): boolean =>
  use.tool === 'AskUserQuestion' && hasAnswers(use.input) && !hasAnswers(original.input);

const hasAnswers = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && Object.hasOwn(input, 'answers');

/**
 * What follows from the call and the folders alone, whatever tool carries it out.
 * @param original the model's own call, where a hook or a person changed it.
 */
export function ownWord(facts: CallFacts, mode: PermissionMode, original: Use = facts.use): ToolPermission {
  const { use, bash, target, ground } = facts;
  if (bash !== undefined) return commandWord(bash);
  if (ASKS_A_PERSON.has(use.tool)) {
    if (hooksAnswered(use, original)) return { verdict: 'pass', because: 'Answers were given in your place' };
    return { verdict: 'ask', because: `${use.tool} is a question to you` };
  }
  if (isReader(use.tool)) {
    if (target === undefined) return { verdict: 'pass', because: `${use.tool} names no file` };
    return ground.isInside(target.place)
      ? { verdict: 'allow', because: `${use.tool} only reads, inside the working folders` }
      : { verdict: 'pass', because: 'The path lies outside of the working folders' };
  }
  const name = toolName(use.tool);
  // What an agent is sent out for is looked at in mode auto, as commands are.
  if (NEEDS_NO_PERMISSION.has(name) && !(name === 'Agent' && mode === 'auto')) {
    return { verdict: 'allow', because: `${use.tool} needs no permission` };
  }
  return { verdict: 'pass', because: isEditor(use.tool) ? `${use.tool} changes files` : `${use.tool} has no opinion` };
}

function commandWord(bash: BashFacts): ToolPermission {
  const removal = criticalRemoval(bash);
  if (removal !== undefined) return { verdict: 'ask', because: removal };
  const { analysis } = bash.script;
  if (!analysis.readOnly) return { verdict: 'pass', because: `Not read-only: ${analysis.reason}` };
  return coverCommand(bash, NO_COMMAND_RULES, false) !== undefined
    ? { verdict: 'allow', because: 'The command only reads' }
    : { verdict: 'pass', because: 'The command may read outside of the working folders' };
}

/** Where the edits of a call land. Of a command it says only whether something protected may be written. */
export function ownEditTarget({ use, bash, target, ground }: CallFacts): EditTarget {
  if (bash !== undefined) return writesProtected(bash) ? 'protected' : 'none';
  if (!isEditor(use.tool)) return 'none';
  if (target === undefined) return 'outside';
  if (isProtectedPlace(target.place)) return 'protected';
  return ground.isInside(target.place) ? 'inside' : 'outside';
}

const writesOf = (bash: BashFacts) =>
  bash.files.flatMap(({ uses, redirected }) => [...uses, ...redirected]).filter(({ access }) => access === 'write');

/** Also where it cannot be told: no rule opens what may be a protected path. */
const writesProtected = (bash: BashFacts): boolean =>
  writesOf(bash).some((use) => bash.places(use)?.some(isProtectedPlace) ?? true);

/** A redirection, or a program that is there to change files. */
export const writesFiles = (bash: BashFacts): boolean => writesOf(bash).length > 0;
