import { z } from 'zod';
import { CallId, SessionId } from '../ids.ts';
import { SettledBy } from '../permission/event.ts';
import { Instant } from '../units.ts';
import { DecisionKind } from './decision.ts';
import { EditableScope, RuleList } from './edit.ts';

/** Why a rule does less than its author means, and in a sentence. */
export const RuleNote = z.object({
  kind: z.enum([
    /** It has no effect: it is no rule, or not one for this list. */
    'broken',
    /** Another rule, or several, always decide before it. */
    'shadowed',
    /** It has no effect as long as the folder is not trusted, or an administrator's rules are the only ones. */
    'inert',
    /** It has an effect, but most likely not the one that is meant. */
    'odd',
  ]),
  /** A few words for the table: `shadowed by line 5`. */
  short: z.string(),
  text: z.string(),
});
export type RuleNote = z.output<typeof RuleNote>;

/** One rule of a settings file, or one that was added for sessions. */
export const LedgerRule = z.object({
  /** Tells it from all others. */
  key: z.string(),
  list: RuleList,
  text: z.string(),
  scope: z.enum(['session', 'local', 'project', 'user', 'managed', 'cli']),
  file: z.string().optional(),
  line: z.number().int().optional(),
  /** Whose project or local settings; absent for those that hold everywhere. */
  folder: z.string().optional(),
  /** Decisions it made, alone or with others. */
  hits: z.number().int(),
  /** Sessions in which it did. */
  sessions: z.number().int(),
  lastUsed: Instant.optional(),
  note: RuleNote.optional(),
  /** The scope under which it can be changed. */
  editable: EditableScope.optional(),
});
export type LedgerRule = z.output<typeof LedgerRule>;

export const LedgerOverview = z.object({
  /** Sessions whose journals are still to be read. */
  unread: z.number().int(),
  sessions: z.number().int(),
  decisions: z.number().int(),
  /** Without a question: by a rule, a mode, a hook, a classifier, or since it only reads. */
  unasked: z.number().int(),
  byPerson: z.number().int(),
  /** How long a person was waited for on average, in ms; absent where nobody was. */
  waitedMs: z.number().optional(),
  denied: z.number().int(),
  rules: z.array(LedgerRule),
  /** Settings files that are there. */
  files: z.number().int(),
  /** Folders of sessions, the newest first: those whose settings can be changed. */
  folders: z.array(z.string()),
});
export type LedgerOverview = z.output<typeof LedgerOverview>;

/** How much there is, while it is being read. */
export const LedgerNews = LedgerOverview.pick({ decisions: true, sessions: true, unread: true });
export type LedgerNews = z.output<typeof LedgerNews>;

/** One decision as the table shows it. */
export const LedgerDecision = z.object({
  sessionId: SessionId,
  callId: CallId,
  at: Instant,
  tool: z.string(),
  summary: z.string(),
  kind: DecisionKind,
  verdict: z.enum(['allow', 'deny']),
  by: SettledBy,
  /** Texts of the rules that decided. */
  rules: z.array(z.string()),
  folder: z.string(),
  /** The session's title. */
  title: z.string(),
});
export type LedgerDecision = z.output<typeof LedgerDecision>;

export const DecisionQuery = z.object({
  /** In tool, command, rule, folder or title. */
  text: z.string().max(1_000).optional(),
  kind: DecisionKind.optional(),
  /** Only those of this rule. */
  rule: z.string().max(30_000).optional(),
});
export type DecisionQuery = z.output<typeof DecisionQuery>;

/** The most decisions that one request answers. */
export const DECISIONS_PER_PAGE = 500;

/** Calls of the past that would be decided in the same other way. */
export const DryRunRow = z.object({
  tool: z.string(),
  summary: z.string(),
  from: DecisionKind,
  to: DecisionKind,
  /** It would be asked, in sessions without anybody to ask: which is a deny. */
  headless: z.boolean(),
  times: z.number().int(),
  /** Some of the calls, the newest first. */
  calls: z.array(z.object({ sessionId: SessionId, callId: CallId, at: Instant })),
});
export type DryRunRow = z.output<typeof DryRunRow>;

/** A settings file as it is and as it would be. */
export const FilePreview = z.object({
  file: z.string(),
  scope: EditableScope,
  before: z.string(),
  after: z.string(),
});
export type FilePreview = z.output<typeof FilePreview>;

export const DryRun = z.object({
  checked: z.number().int(),
  ms: z.number(),
  changed: z.number().int(),
  counts: z.object({
    /** Would run without a question now. */
    newlyAllowed: z.number().int(),
    wouldAsk: z.number().int(),
    denied: z.number().int(),
    /** Of these those that nobody would be asked about, since nobody was there. */
    deniedHeadless: z.number().int(),
  }),
  /** Those first that allow more, then by how often. At most `DRY_RUN_ROWS`. */
  rows: z.array(DryRunRow),
  moreRows: z.number().int(),
  files: z.array(FilePreview),
  /** Rules whose hits would be others: `npm run lint:*` and how many. */
  gains: z.array(z.object({ text: z.string(), hits: z.number().int() })),
  /** Why some of the edits cannot be made. */
  problems: z.array(z.object({ edit: z.number().int(), message: z.string() })),
});
export type DryRun = z.output<typeof DryRun>;
export const DRY_RUN_ROWS = 200;
