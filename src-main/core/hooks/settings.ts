import { z } from 'zod';
import { HookEventName } from '../../../src-shared/hook/event.ts';
import { conditionProblem } from './condition.ts';
import { matcherProblem } from './match.ts';

/** Whose settings file it is, weakest first: the order in which hooks are configured (spec 2.4). */
export const HOOK_SCOPES = ['user', 'project', 'local', 'managed'] as const;
export type HookScope = (typeof HOOK_SCOPES)[number];

/** One settings file as it was parsed. `settings` is the whole file's JSON, still unchecked. */
export type HookSettingsFile = { readonly scope: HookScope; readonly file: string; readonly settings: unknown };

/** A command hook as it may run. */
export type CommandHook = {
  readonly event: HookEventName;
  readonly matcher: string | undefined;
  /** For the shell; with `args`, the program to start without one. */
  readonly command: string;
  readonly args: readonly string[] | undefined;
  readonly shell: 'bash' | 'powershell';
  /** A permission rule; the hook runs only for uses it concerns. */
  readonly condition: string | undefined;
  /** As configured; `timeoutOf` knows the defaults. */
  readonly timeoutMs: number | undefined;
  /** `background`: nobody waits for it. `wake`: the same, and exit code 2 is told to the model at once. */
  readonly mode: 'wait' | 'background' | 'wake';
  readonly statusMessage: string | undefined;
  readonly scope: HookScope;
  readonly file: string;
  /** Where in the file: `hooks.PreToolUse[0].hooks[1]`. */
  readonly path: string;
};

/** Something in a settings file that does not do what its author meant. */
export type HookFinding = { readonly file: string; readonly path: string; readonly what: string };

export type LeftOutHook = {
  readonly hook: CommandHook;
  readonly why: 'folder-not-trusted' | 'hooks-disabled' | 'managed-hooks-only';
};

export type CollectedHooks = {
  /** In configuration order. */
  readonly hooks: readonly CommandHook[];
  readonly findings: readonly HookFinding[];
  /** Well-formed hooks that do not run, and why. */
  readonly leftOut: readonly LeftOutHook[];
  /** Why hooks of the user and the folder do not run at all, whoever trusts whom. */
  readonly forbidden: Exclude<LeftOutHook['why'], 'folder-not-trusted'> | undefined;
};

/** What a person trusts of the hooks that come with a folder: all, none, or just these. */
export type HookTrust =
  | boolean
  | {
      readonly hook: (hook: CommandHook) => boolean;
      /** May the file's `disableAllHooks` have a say? */
      readonly switches: (file: HookSettingsFile) => boolean;
    };

/**
 * The hooks of all settings files. A broken entry is skipped and reported; nothing else of its file is lost, and it never
 * runs more often than it says. What comes with a folder and is not trusted does not run and has no say in whether
 * others run.
 */
export function collectHooks(input: {
  readonly files: readonly HookSettingsFile[];
  readonly trusted: HookTrust;
}): CollectedHooks {
  const { trusted } = input;
  const findings: HookFinding[] = [];
  const files = [...input.files].sort((a, b) => HOOK_SCOPES.indexOf(a.scope) - HOOK_SCOPES.indexOf(b.scope));
  const isOwn = ({ scope }: { readonly scope: HookScope }): boolean => scope === 'user' || scope === 'managed';
  const mayRun = (hook: CommandHook): boolean =>
    isOwn(hook) || (typeof trusted === 'boolean' ? trusted : trusted.hook(hook));
  const maySwitch = (file: HookSettingsFile): boolean =>
    isOwn(file) || (typeof trusted === 'boolean' ? trusted : trusted.switches(file));
  const all = files.flatMap((file) => hooksOf(file, findings));
  const switches = readSwitches(files.filter(maySwitch), findings);

  const forbidden =
    switches.allOff || switches.off ? 'hooks-disabled' : switches.managedOnly ? 'managed-hooks-only' : undefined;
  const whyNot = (hook: CommandHook): LeftOutHook['why'] | undefined => {
    if (!mayRun(hook)) return 'folder-not-trusted';
    if (hook.scope === 'managed') return switches.allOff ? 'hooks-disabled' : undefined;
    return forbidden;
  };
  const leftOut = all.flatMap((hook) => {
    const why = whyNot(hook);
    return why === undefined ? [] : [{ hook, why }];
  });
  return { hooks: all.filter((hook) => whyNot(hook) === undefined), findings, leftOut, forbidden };
}

/** The same, with some of the hooks running that come with a folder that is not trusted as a whole. */
export function trustingHooks(collected: CollectedHooks, isTrusted: (hook: CommandHook) => boolean): CollectedHooks {
  if (collected.forbidden !== undefined) return collected;
  const isMeant = ({ hook, why }: LeftOutHook): boolean => why === 'folder-not-trusted' && isTrusted(hook);
  const hooks = [...collected.hooks, ...collected.leftOut.filter(isMeant).map(({ hook }) => hook)];
  return {
    ...collected,
    hooks: hooks.sort((a, b) => HOOK_SCOPES.indexOf(a.scope) - HOOK_SCOPES.indexOf(b.scope)),
    leftOut: collected.leftOut.filter((one) => !isMeant(one)),
  };
}

type Switches = { readonly off: boolean; readonly allOff: boolean; readonly managedOnly: boolean };

/** `disableAllHooks` of the strongest file that has it counts; managed hooks can only be switched off from there. */
function readSwitches(files: readonly HookSettingsFile[], findings: HookFinding[]): Switches {
  const flag = (file: HookSettingsFile, name: string): boolean | undefined => {
    const value = field(file.settings, name);
    if (value === undefined || typeof value === 'boolean') return value;
    findings.push({ file: file.file, path: name, what: `${name} has to be true or false. It is ignored.` });
    return undefined;
  };
  const managed = files.filter(({ scope }) => scope === 'managed');
  return {
    off: files.map((file) => flag(file, 'disableAllHooks')).findLast((value) => value !== undefined) ?? false,
    allOff: managed.some(({ settings }) => field(settings, 'disableAllHooks') === true),
    managedOnly: managed.some((file) => flag(file, 'allowManagedHooksOnly') === true),
  };
}

/** Events of the protocol that Gantry never has. */
const EVENTS_WITHOUT_OCCASION: ReadonlySet<string> = new Set([
  'Setup',
  'InstructionsLoaded',
  'UserPromptExpansion',
  'MessageDisplay',
  'PostToolBatch',
  'PermissionDenied',
  'SubagentStart',
  'TaskCreated',
  'TaskCompleted',
  'StopFailure',
  'TeammateIdle',
  'ConfigChange',
  'CwdChanged',
  'DirectoryAdded',
  'FileChanged',
  'WorktreeCreate',
  'WorktreeRemove',
  'PostCompact',
  'Elicitation',
  'ElicitationResult',
]);

const HOOK_TYPES_NOT_RUN: ReadonlySet<string> = new Set(['http', 'mcp_tool', 'prompt', 'agent']);

function hooksOf(source: HookSettingsFile, findings: HookFinding[]): CommandHook[] {
  const report = (path: string, what: string): void => {
    findings.push({ file: source.file, path, what });
  };
  const block = field(source.settings, 'hooks');
  if (block === undefined) return [];
  if (!isRecord(block)) {
    report('hooks', 'hooks has to be an object with a list for each event. No hook of this file runs.');
    return [];
  }
  return Object.entries(block).flatMap(([name, groups]) => {
    const path = `hooks.${name}`;
    const event = HookEventName.safeParse(name);
    if (!event.success) {
      report(path, eventProblem(name));
      return [];
    }
    if (!Array.isArray(groups)) {
      report(path, `${name} has to be a list. Its hooks do not run.`);
      return [];
    }
    return groups.flatMap((group, index) => hooksOfGroup(source, event.data, `${path}[${index}]`, group, report));
  });
}

const eventProblem = (name: string): string =>
  EVENTS_WITHOUT_OCCASION.has(name)
    ? `Gantry has no event ${name}. Its hooks do not run.`
    : `There is no hook event ${name}; names are case-sensitive. Its hooks do not run.`;

type Report = (path: string, what: string) => void;

function hooksOfGroup(
  source: HookSettingsFile,
  event: HookEventName,
  path: string,
  group: unknown,
  report: Report,
): CommandHook[] {
  const parsed = MatcherGroup.safeParse(group);
  if (!parsed.success) {
    report(path, `${explain(parsed.error)} The hooks of this entry do not run.`);
    return [];
  }
  const { matcher, hooks } = parsed.data;
  const problem = matcher === undefined ? undefined : matcherProblem(event, matcher);
  if (problem !== undefined) report(`${path}.matcher`, problem);
  return hooks.flatMap((entry, index) => {
    const place = `${path}.hooks[${index}]`;
    const hook = readHandler(entry);
    if (typeof hook === 'string') {
      report(place, hook);
      return [];
    }
    return [{ ...hook, event, matcher, scope: source.scope, file: source.file, path: place }];
  });
}

/** The entries of `hooks` are looked at one by one, so that a broken one does not take the others with it. */
const MatcherGroup = z.object({ matcher: z.string().optional(), hooks: z.array(z.unknown()) });

const CommandEntry = z.object({
  type: z.literal('command'),
  command: z.string().regex(/\S/, 'it is empty'),
  args: z.array(z.string()).optional(),
  shell: z.enum(['bash', 'powershell']).optional(),
  if: z.string().optional(),
  /** Seconds. */
  timeout: z.number().positive().optional(),
  async: z.boolean().optional(),
  asyncRewake: z.boolean().optional(),
  statusMessage: z.string().optional(),
});

type Handler = Omit<CommandHook, 'event' | 'matcher' | 'scope' | 'file' | 'path'>;

/** The hook, or what is wrong with it. */
function readHandler(entry: unknown): Handler | string {
  const type = field(entry, 'type');
  if (typeof type === 'string' && HOOK_TYPES_NOT_RUN.has(type)) {
    return `Hooks of type ${type} are not run by Gantry, only those of type command. This one does not run.`;
  }
  const parsed = CommandEntry.safeParse(entry);
  if (!parsed.success) return `${explain(parsed.error)} This hook does not run.`;
  const { command, args, shell, timeout, async, asyncRewake, statusMessage, if: condition } = parsed.data;
  const problem = condition === undefined ? undefined : conditionProblem(condition);
  if (problem !== undefined) return `${problem} This hook does not run.`;
  return {
    command,
    args,
    shell: shell ?? 'bash',
    condition,
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    mode: asyncRewake === true ? 'wake' : async === true ? 'background' : 'wait',
    statusMessage,
  };
}

/** `timeout: expected number, received string.`, for the first few things that are wrong. */
const explain = (error: z.ZodError): string =>
  `${error.issues
    .slice(0, 3)
    .map(
      ({ path, message }) =>
        `${path.length === 0 ? '' : `${path.join('.')}: `}${message.replace(/^Invalid input: /, '')}`,
    )
    .join('; ')}.`;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Own properties only: a settings file may name a thing `toString`. */
const field = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
