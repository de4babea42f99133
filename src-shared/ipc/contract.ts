import { z } from 'zod';
import { Breakpoint, Fault } from '../debugger/event.ts';
import { exportPushes, exportRequests } from '../export/contract.ts';
import { AskId, CallId, MessageId, SessionId, ShellId } from '../ids.ts';
import { ledgerPushes, ledgerRequests } from '../ledger/contract.ts';
import { libraryPushes, libraryRequests } from '../library/contract.ts';
import { BaseUrl, ModelChoice, ProviderName } from '../model/choice.ts';
import { MessageImages } from '../model/image.ts';
import { KeyState } from '../model/key-state.ts';
import { Answer, PermissionMode } from '../permission/event.ts';
import { SessionEvent } from '../session/event.ts';
import { SessionSettings } from '../session/settings.ts';
import { Finding, ScenarioSummary, SessionSummary } from '../session/summary.ts';
import { vaultPushes, vaultRequests } from '../vault/contract.ts';
import { TouchedFiles } from '../what-if/touched.ts';

const none = z.undefined();
const nothing = z.void();
const sessionId = SessionId;

/** Whom a key is for: it is never sent to another address. */
const keyPlace = z.object({ provider: ProviderName, baseUrl: BaseUrl.optional() });

/** A model that a server has. */
export const ListedModel = z.object({
  /** As requests name it. */
  id: z.string(),
  name: z.string().optional(),
  contextWindow: z.number().int().positive().optional(),
});
export type ListedModel = z.output<typeof ListedModel>;

const ProcessName = z.object({ pid: z.number().int(), command: z.string() });

/** Where the whole output of a call is read from, page by page. */
export const OutputPage = z.object({
  /** Bytes of the page; may begin and end inside a line, never inside a character. */
  bytes: z.instanceof(Uint8Array),
  offset: z.number().int(),
  total: z.number().int(),
  path: z.string(),
});
export type OutputPage = z.output<typeof OutputPage>;

/** The most bytes one `output.read` answers. */
export const OUTPUT_PAGE_BYTES = 65_536;

/** The most events one `session.attach` answers; the rest is fetched by asking again. */
export const EVENTS_PER_PAGE = 2_000;

/** May a window work in a session? `why` is for the person; `takeOver`: it may have the session if it asks. */
export const SessionAccess = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('owner') }),
  z.object({ kind: z.literal('reader'), why: z.string(), takeOver: z.boolean() }),
]);
export type SessionAccess = z.output<typeof SessionAccess>;

/** Something that comes with a folder and grants something: a rule, a hook, a program. */
export const TrustEntry = z.object({
  kind: z.string(),
  /** Everything of it that has an effect, in one line. */
  full: z.string(),
  file: z.string(),
  line: z.number().int(),
  /** Names its content; `trust.set` confirms by it. */
  key: z.string(),
});
export type TrustEntry = z.output<typeof TrustEntry>;

export const TrustState = z.object({
  folder: z.string(),
  /** `never`: the person does not want to be asked. */
  answer: z.enum(['trusted', 'never', 'none']),
  waiting: z.array(TrustEntry),
  granted: z.array(TrustEntry),
});
export type TrustState = z.output<typeof TrustState>;

/** A folder, as a session sees it where one is named: the hooks that a scenario itself has laid there need no trust. */
const trustPlace = z.object({ cwd: z.string().min(1).max(4_000), sessionId: SessionId.optional() });

/** Everything that crosses between main and renderer, declared once, checked in main on arrival (spec 4.5). */
export const contract = {
  requests: {
    'app.info': {
      input: none,
      output: z.object({
        version: z.string(),
        electron: z.string(),
        platform: z.string(),
        home: z.string(),
        /** What the app was started for: a session to show at once, or the component gallery. */
        open: SessionId.optional(),
        gallery: z.boolean(),
      }),
    },
    'sessions.list': { input: none, output: z.array(SessionSummary) },
    'scenarios.list': { input: none, output: z.array(ScenarioSummary) },
    /** What a new session is proposed to start with. */
    'start.options': {
      input: none,
      output: z.object({
        /** Used lately, newest first. Absolute. */
        folders: z.array(z.string()),
        /** The last choice, or what the settings say. */
        model: ModelChoice.optional(),
      }),
    },
    /** Shows the system's dialog for a folder; no path when it was closed without a choice. */
    'folder.choose': {
      input: z.object({ from: z.string().optional() }),
      output: z.object({ path: z.string().optional() }),
    },
    /** Starts a session with a model in a folder; with a prompt its first turn starts too. */
    'session.start': {
      input: z.object({
        cwd: z.string().min(1).max(4_000),
        model: ModelChoice,
        prompt: z.string().min(1).max(1_000_000).optional(),
        images: MessageImages.optional(),
        mode: PermissionMode.optional(),
      }),
      output: z.object({ sessionId }),
    },
    /** Starts a session that goes on from another one: its history is copied, whole or up to a message. */
    'session.fork': {
      input: z.object({
        sessionId,
        upToMessageId: MessageId.optional(),
        seq: z.number().int().nonnegative().optional(),
        cwd: z.string().min(1).max(4_000),
        model: ModelChoice,
        prompt: z.string().min(1).max(1_000_000).optional(),
        images: MessageImages.optional(),
        mode: PermissionMode.optional(),
      }),
      output: z.object({ sessionId }),
    },
    /** What a fork is proposed to start with: the recorded folder, where it is there, and the session's model. */
    'fork.options': {
      input: z.object({ sessionId }),
      output: z.object({ cwd: z.string().optional(), model: ModelChoice.optional() }),
    },
    /** Asks the server what models it has. */
    'models.list': {
      input: z.object({ provider: ProviderName, baseUrl: BaseUrl.optional() }),
      output: z.object({ models: z.array(ListedModel) }),
    },
    /** Whether there is a key for a server, and where from. A key itself never comes back. */
    'keys.state': { input: keyPlace, output: KeyState },
    'keys.set': {
      input: keyPlace.extend({ key: z.string().trim().min(1).max(4_000), keep: z.enum(['stored', 'this-run']) }),
      output: KeyState,
    },
    'keys.remove': { input: keyPlace, output: KeyState },
    'scenario.start': { input: z.object({ name: z.string() }), output: z.object({ sessionId }) },
    /** Opens a transcript, a folder of one, or one of our journals. */
    'transcript.open': {
      input: z.object({ path: z.string().min(1) }),
      output: z.object({ sessionId, findings: z.array(Finding) }),
    },
    /** Shows the system's open dialog; no session when it was closed without a choice. */
    'transcript.choose': { input: none, output: z.object({ sessionId: SessionId.optional() }) },
    /** Events from `fromSeq` on. From then on `session.events` pushes what follows, until `session.detach`. */
    'session.attach': {
      input: z.object({ sessionId, fromSeq: z.number().int().nonnegative() }),
      output: z.object({
        events: z.array(SessionEvent),
        more: z.boolean(),
        total: z.number().int(),
        /** Which telling of the session the events are of; see `session.revised`. */
        revision: z.number().int().optional(),
      }),
    },
    /** From now on this window's commands count in the session, and the one that had it before only reads. */
    'session.take-over': { input: z.object({ sessionId }), output: nothing },
    /** Opens one more window. */
    'window.new': { input: none, output: nothing },
    /** What comes with a folder: what waits for a word of the person, and what they have confirmed. */
    'trust.state': { input: trustPlace, output: TrustState },
    /**
     * The person's word on a folder. `trust` confirms the entries of these keys and nothing beside them, so that what has
     * changed since they were read stays without effect. `never` and `forget` leave nothing confirmed.
     */
    'trust.set': {
      input: trustPlace.extend({
        answer: z.enum(['trust', 'never', 'forget']),
        keys: z.array(z.string().max(200)).max(10_000),
      }),
      output: TrustState,
    },
    'session.detach': { input: z.object({ sessionId }), output: nothing },
    /** Ends the reading of a transcript that is shown while it is read. What was read stays. */
    'session.stop-reading': { input: z.object({ sessionId }), output: nothing },
    /** Starts a turn, or queues the message when one is running (`queued` says so). */
    'session.send': {
      input: z.object({ sessionId, text: z.string().min(1).max(1_000_000), images: MessageImages.optional() }),
      output: z.object({ queued: z.boolean() }),
    },
    /** Takes a message that waits out of the queue; `edited` when its words go back into the box. */
    'session.unqueue': {
      input: z.object({ sessionId, messageId: MessageId, why: z.enum(['removed', 'edited']) }),
      /** False: it did not wait any more. */
      output: z.object({ taken: z.boolean() }),
    },
    /** Puts a summary in the place of the conversation so far; `waits` for the next request of a turn that runs. */
    'session.compact': {
      input: z.object({ sessionId, instructions: z.string().max(10_000) }),
      output: z.object({ waits: z.boolean() }),
    },
    /** Another model from the next turn on. */
    'session.set-model': { input: z.object({ sessionId, model: ModelChoice }), output: nothing },
    'session.rename': { input: z.object({ sessionId, title: z.string().trim().min(1).max(200) }), output: nothing },
    /** `escape`: stop every call and the turn. `interrupt`: send the queued message at once. */
    'session.interrupt': {
      input: z.object({ sessionId, reason: z.enum(['escape', 'interrupt']) }),
      output: z.object({ interrupted: z.boolean() }),
    },
    'session.set-mode': { input: z.object({ sessionId, mode: PermissionMode }), output: nothing },
    'session.set-settings': { input: z.object({ sessionId, settings: SessionSettings }), output: nothing },
    /** Debugger (spec 4.4). While the queue is held no call starts; a step lets one go. */
    'debug.hold': { input: z.object({ sessionId, on: z.boolean() }), output: nothing },
    'debug.step': { input: z.object({ sessionId }), output: nothing },
    'debug.set-breakpoints': {
      input: z.object({ sessionId, breakpoints: z.array(Breakpoint).max(1_000) }),
      output: nothing,
    },
    'debug.set-faults': { input: z.object({ sessionId, faults: z.array(Fault).max(1_000) }), output: nothing },
    /** Lets a call that waits at a breakpoint go on, with another input where one is given; `keepHeld` to step. */
    'debug.resume': {
      input: z.object({
        sessionId,
        callId: CallId,
        edited: z.object({ input: z.unknown() }).optional(),
        keepHeld: z.boolean(),
      }),
      output: z.object({ resumed: z.boolean() }),
    },
    /** Starts an MCP server of the session anew, whatever became of it. */
    'mcp.reconnect': { input: z.object({ sessionId, server: z.string().min(1).max(200) }), output: nothing },
    'session.findings': { input: z.object({ sessionId }), output: z.array(Finding) },
    'session.remove': { input: z.object({ sessionId }), output: nothing },
    /** Ends a background shell with all it started. `survivors` are what could not be ended. */
    'shell.kill': {
      input: z.object({ sessionId, shellId: ShellId }),
      output: z.object({ survivors: z.array(ProcessName) }),
    },
    /** What earlier runs have left running and nobody looks after any more. */
    'leftovers.list': {
      input: none,
      output: z.array(ProcessName.extend({ since: z.number().optional(), title: z.string() })),
    },
    'leftovers.end': { input: none, output: z.object({ ended: z.number().int(), survivors: z.array(ProcessName) }) },
    'permission.answer': {
      input: z.object({ sessionId, callId: CallId, askId: AskId, answer: Answer }),
      output: z.object({ accepted: z.boolean() }),
    },
    /** The same answer to several questions in one step. `refused`: so many were no longer open. */
    'permission.answer-all': {
      input: z.object({
        sessionId,
        asks: z
          .array(z.object({ callId: CallId, askId: AskId }))
          .min(1)
          .max(10_000),
        answer: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('allow-once') }),
          z.object({ kind: z.literal('deny') }),
        ]),
      }),
      output: z.object({ refused: z.number().int() }),
    },
    'output.read': {
      input: z.object({
        sessionId,
        callId: CallId,
        offset: z.number().int().nonnegative(),
        length: z.number().int().positive().max(OUTPUT_PAGE_BYTES),
      }),
      output: OutputPage,
    },
    /**
     * A text of a transcript that was left in its file, by its number: so many characters from `from` on. `length` may
     * ask for more than there is.
     */
    'kept-text.read': {
      input: z.object({
        sessionId,
        id: z.number().int().nonnegative(),
        from: z.number().int().nonnegative(),
        length: z.number().int().positive(),
      }),
      output: z.object({ text: z.string(), characters: z.number().int() }),
    },
    /** The calls with a text in what was left in the file, in any case. A new one ends the one before of the session. */
    'kept-text.find': {
      input: z.object({ sessionId, text: z.string().max(10_000) }),
      output: z.object({ callIds: z.array(CallId) }),
    },
    /** Byte offsets of a text in the whole output, from `fromOffset` on, at most `limit` of them. */
    'output.search': {
      input: z.object({
        sessionId,
        callId: CallId,
        text: z.string().min(1).max(1_000),
        fromOffset: z.number().int().nonnegative(),
        limit: z.number().int().positive().max(1_000),
      }),
      output: z.object({ offsets: z.array(z.number().int()), more: z.boolean() }),
    },
    /** Shows the output's file in the system's file manager. */
    'output.reveal': { input: z.object({ sessionId, callId: CallId }), output: nothing },
    /** What Bash commands say of the files they work on, in the order asked. Nothing is looked up on disk. */
    'what-if.commands': {
      input: z.object({ cwd: z.string(), commands: z.array(z.string()).max(100) }),
      output: z.array(TouchedFiles),
    },
    ...ledgerRequests,
    ...exportRequests,
    ...libraryRequests,
    ...vaultRequests,
    'clipboard.write': { input: z.object({ text: z.string().max(10_000_000) }), output: nothing },
    'link.open': { input: z.object({ url: z.string().max(2_000) }), output: z.object({ opened: z.boolean() }) },
  },
  pushes: {
    /** At most one message per frame and session; `seq` of the first event tells a gap. */
    'session.events': z.object({ sessionId, events: z.array(SessionEvent) }),
    /**
     * A transcript that is being written is not what was told before: its first `keep` events stand, but for those that are
     * told better now. What comes behind them follows, or is fetched.
     */
    'session.revised': z.object({
      sessionId,
      revision: z.number().int(),
      keep: z.number().int().nonnegative(),
      amended: z.array(SessionEvent),
      /** Number of its events now. */
      total: z.number().int(),
    }),
    /** Another program writes the session: ms since its last line came. Without them: nobody does, as far as is known. */
    'session.following': z.object({ sessionId, quietMs: z.number().nonnegative().optional() }),
    /** How far a transcript has been read that is shown meanwhile. `message`: why it was not read to its end. */
    'session.reading': z.object({
      sessionId,
      phase: z.enum(['reading', 'read', 'stopped', 'failed']),
      bytes: z.number().nonnegative(),
      totalBytes: z.number().nonnegative(),
      message: z.string().optional(),
    }),
    'sessions.changed': z.array(SessionSummary),
    /** The app was asked to show a session: command line, file association, drop. */
    'session.show': z.object({ sessionId, askId: AskId.optional() }),
    /** Whether this window may work in a session it shows, or only reads it. Sent when it attaches and at each change. */
    'session.access': z.object({ sessionId, access: SessionAccess }),
    /** Somebody has said a word on this folder. */
    'trust.changed': z.object({ folder: z.string() }),
    ...ledgerPushes,
    ...libraryPushes,
    ...vaultPushes,
    ...exportPushes,
    'app.problem': z.object({ message: z.string(), hint: z.string().optional() }),
  },
} as const;

export type Requests = typeof contract.requests;
export type RequestName = keyof Requests;
export type RequestInput<K extends RequestName> = z.output<Requests[K]['input']>;
export type RequestOutput<K extends RequestName> = z.output<Requests[K]['output']>;
export type Handlers = { readonly [K in RequestName]: (input: RequestInput<K>) => Promise<RequestOutput<K>> };

export type Pushes = typeof contract.pushes;
export type PushName = keyof Pushes;
export type PushPayload<K extends PushName> = z.output<Pushes[K]>;

/**
 * Answers of many small objects cross as one text: the page's isolated world copies objects one by one, which costs more
 * than all else that is done with them. They hold nothing that JSON does not.
 */
export const SENT_AS_TEXT: ReadonlySet<RequestName> = new Set<RequestName>(['session.attach']);

/** What the preload script puts on `window.gantry`. Answers travel as `Result` values (see `bridge.ts`). */
export type PreloadBridge = {
  invoke(name: string, input: unknown): Promise<unknown>;
  on(name: string, listener: (payload: unknown) => void): () => void;
  /** The path of a file dropped on the window; empty when it has none. */
  pathOf(file: File): string;
};
