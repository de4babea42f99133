import type { ModelChoice } from '../../../src-shared/model/choice.ts';
import type { PermissionMode } from '../../../src-shared/permission/event.ts';
import type { SessionSettings } from '../../../src-shared/session/settings.ts';
import type { Finding } from '../../../src-shared/session/summary.ts';
import type { CollectedHooks, HookScope } from '../hooks/settings.ts';
import type { Defer, McpSettings } from '../mcp/choose.ts';
import type { McpServerDefinition } from '../mcp/definitions.ts';
import type { RuleSet, SourcedRule } from '../permission/rules.ts';
import type { OwnPattern } from '../redact/own-patterns.ts';

/** Whose settings file it is, weakest first (reference, section 7). */
export const SETTINGS_SCOPES = ['user', 'project', 'local', 'managed'] as const satisfies readonly HookScope[];
export type SettingsScope = (typeof SETTINGS_SCOPES)[number];

/** What comes with a folder, so that whoever made the folder may have written it. */
export const comesWithFolder = (scope: SettingsScope): boolean => scope === 'project' || scope === 'local';

/** A value and the line it stands in, from 1. */
export type Placed<T> = { readonly value: T; readonly line: number };

/** One settings file in the format of Claude Code, checked entry by entry. */
export type ClaudeSettings = {
  readonly scope: SettingsScope;
  /** Absolute. */
  readonly file: string;
  /** A broken file keeps the deny and ask rules that can be read, and nothing else. */
  readonly broken: boolean;
  readonly allow: readonly SourcedRule[];
  readonly ask: readonly SourcedRule[];
  readonly deny: readonly SourcedRule[];
  /** As written. */
  readonly directories: readonly Placed<string>[];
  readonly defaultMode: Placed<PermissionMode> | undefined;
  /** `permissions.disableBypassPermissionsMode` is `disable`. */
  readonly forbidsBypass: boolean;
  /** `allowManagedPermissionRulesOnly`; counts in managed files. */
  readonly managedRulesOnly: boolean;
  readonly variables: readonly Placed<{ readonly name: string; readonly value: string }>[];
  /** The whole file, unchecked, for `core/hooks`. Undefined when the file is broken. */
  readonly json: unknown;
  /** The line of a place like `hooks.PreToolUse[0]`, or of the nearest thing around it. */
  readonly lineOf: (path: string) => number;
  readonly findings: readonly Finding[];
};

/** What Gantry's own settings may set of a session. */
export type SessionDefaults = Partial<Omit<SessionSettings, 'mode' | 'treatAsSafe'>>;

/** Who makes titles: the first message, or the model with a small request of its own. */
export type TitleMaker = 'prompt' | 'model';

/** What a person wants the system to tell them while they look elsewhere. */
export type NotificationChoice = 'all' | 'questions' | 'off';

/** The model of the Advisor tool. Not offered where it is not whole (provider and model), or `enabled` is false. */
export type AdvisorChoice = Partial<ModelChoice> & { readonly enabled?: boolean };

/** Patterns that exports leave out beside what is known; `broken`: so many cannot be used. */
export type RedactChoice = { readonly patterns: readonly OwnPattern[]; readonly broken: number };

/** Where the library looks beside, and which programs it leaves out (by the names of their formats). */
export type LibraryChoice = { readonly folders?: readonly string[]; readonly leaveOut?: readonly string[] };

/** Where transcripts are copied to, and whether that goes on by itself. */
export type VaultChoice = { readonly folder?: string; readonly whileRunning?: boolean };

/** What a person's own file says of models and of the network. A folder's file has no say: it could name a server of its own. */
export type ModelDefaults = {
  readonly model: Partial<ModelChoice>;
  readonly titles: TitleMaker | undefined;
  /** The model that looks at calls in mode auto; the built-in rules do where it is not whole (provider and model). */
  readonly classifier: Partial<ModelChoice>;
  /** `all` where it is not set. */
  readonly notifications: NotificationChoice | undefined;
  readonly advisor: AdvisorChoice;
  /** Hosts and addresses of the own network that WebFetch may ask. */
  readonly allowPrivate: readonly string[];
  readonly redact: RedactChoice;
  /** Whether the library looks into folders of other programs; it does where it is not set. */
  readonly otherPrograms: boolean | undefined;
  readonly library: LibraryChoice;
  readonly vault: VaultChoice;
};

/** One file of Gantry's own settings. */
export type GantrySettings = ModelDefaults & {
  readonly scope: 'user' | 'project';
  readonly file: string;
  readonly values: SessionDefaults;
  readonly treatAsSafe: readonly Placed<string>[];
  readonly mcpServers: readonly McpServerDefinition[];
  readonly mcpDefer: Defer | undefined;
  readonly findings: readonly Finding[];
};

/** Something that settings grant: a line of the list that a person reads before they trust a folder. */
export type FolderEntry = {
  readonly kind:
    | 'allow rule'
    | 'folder'
    | 'mode'
    | 'variable'
    | 'hook'
    | 'hook switch'
    | 'scheduling rule'
    | 'MCP server';
  /** Short, and without values that may be secrets: for notices and the journal. */
  readonly text: string;
  /** Everything of it that has an effect, a hook's command whole. */
  readonly full: string;
  readonly file: string;
  readonly line: number;
  /** Names its content (`grantKey`): confirmed is what has the same key. */
  readonly key: string;
};

/** Something well-formed that has no effect. */
export type InertEntry = FolderEntry & {
  readonly why: 'folder-not-trusted' | 'managed-rules-only' | 'bypass-from-folder';
};

/** The settings of one folder as they are now, all files together. Plain data. */
export type LoadedSettings = ModelDefaults & {
  /** The session's folder, absolute. */
  readonly folder: string;
  /**
   * The person has trusted the folder. What came with it then is in effect; what has come since waits in `inert` for a
   * word of its own.
   */
  readonly trusted: boolean;
  /** What comes with the folder and is in effect, because a person has confirmed just this. */
  readonly granted: readonly FolderEntry[];
  /** Only rules that are in effect. */
  readonly rules: RuleSet;
  /** Added to the session's folder when it starts. Absolute. */
  readonly directories: readonly string[];
  readonly mode:
    | { readonly mode: PermissionMode; readonly scope: SettingsScope; readonly file: string; readonly line: number }
    | undefined;
  /** Mode bypassPermissions is forbidden. */
  readonly forbidsBypass: boolean;
  /** Only an administrator's allow rules count, and none may be added. */
  readonly managedRulesOnly: boolean;
  /** Environment of everything the session starts. */
  readonly env: Readonly<Record<string, string>>;
  readonly hooks: CollectedHooks;
  readonly mcp: McpSettings;
  readonly defaults: SessionDefaults;
  readonly treatAsSafe: readonly string[];
  readonly inert: readonly InertEntry[];
  readonly findings: readonly Finding[];
};
