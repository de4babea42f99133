import type { CallId, SessionId } from '../../../src-shared/ids.ts';
import type { Decision, DecisionKind } from '../../../src-shared/ledger/decision.ts';
import type { PermissionMode, Situation } from '../../../src-shared/permission/event.ts';
import type { EventOf, SessionEvent, SessionEventType } from '../../../src-shared/session/event.ts';
import type { SessionTime } from '../../../src-shared/units.ts';

/** The events that a collector looks at; the others need not even be parsed. */
export const DECISIVE_EVENTS = [
  'session-started',
  'history-copied',
  'mode-changed',
  'settings-changed',
  'call-queued',
  'call-input-changed',
  'permission-asked',
  'permission-settled',
  'call-completed',
] as const satisfies readonly SessionEventType[];

type Call = {
  readonly queued: EventOf<'call-queued'>;
  changed: { readonly input: unknown } | undefined;
  asked: { readonly at: SessionTime } | undefined;
};

/** Reads the decisions out of one session's events, in their order. */
export class DecisionCollector {
  #sessionId: SessionId | undefined;
  #folder = '';
  #mode: PermissionMode = 'default';
  #headless = false;
  /** What a session was continued from was decided in another one, and is counted there. */
  #isCopying = false;
  readonly #calls = new Map<CallId, Call>();
  #sessionRules: readonly string[] = [];

  /** The decision that this event is the last word of, if it is one. */
  take(event: SessionEvent): Decision | undefined {
    switch (event.type) {
      case 'session-started':
        this.#sessionId = event.sessionId;
        this.#folder = event.cwd;
        this.#mode = event.settings.mode;
        this.#isCopying = event.forkedFrom !== undefined;
        return undefined;
      case 'history-copied':
        this.#isCopying = false;
        return undefined;
      case 'mode-changed':
        this.#mode = event.mode;
        return undefined;
      case 'settings-changed':
        this.#mode = event.settings.mode;
        return undefined;
      case 'call-queued':
        this.#calls.set(event.callId, { queued: event, changed: undefined, asked: undefined });
        return undefined;
      case 'call-input-changed': {
        const call = this.#calls.get(event.callId);
        // What a person changes is allowed by them, whatever the chain made of what was there before.
        if (call !== undefined && event.by === 'hook') call.changed = { input: event.input };
        return undefined;
      }
      case 'permission-asked': {
        const call = this.#calls.get(event.callId);
        if (call !== undefined) call.asked = { at: event.t };
        return undefined;
      }
      case 'permission-settled':
        return this.#settled(event);
      case 'call-completed':
        this.#calls.delete(event.callId);
        return undefined;
      default:
        return undefined;
    }
  }

  #settled(event: EventOf<'permission-settled'>): Decision | undefined {
    const call = this.#calls.get(event.callId);
    if (this.#sessionId === undefined || call === undefined || event.by === 'recorded') return undefined;
    const { queued, changed, asked } = call;
    if (event.by === 'no-user') this.#headless = true;
    const rules = this.#sessionRules;
    if (event.rule?.scope === 'session') this.#sessionRules = [...rules, event.rule.text];
    if (this.#isCopying) return undefined;
    const original = cutInput(queued.input);
    return {
      sessionId: this.#sessionId,
      callId: event.callId,
      at: event.at,
      tool: queued.tool,
      input: changed === undefined ? original : cutInput(changed.input),
      ...(changed === undefined ? {} : { original }),
      summary: cutText(queued.summary, MOST_SUMMARY),
      kind: kindOf(event),
      verdict: event.verdict,
      by: event.by,
      rules: event.trace.flatMap((step) => step.rules ?? []),
      ...(asked !== undefined && BY_PERSON.has(event.by) ? { waitedMs: Math.max(0, event.t - asked.at) } : {}),
      folder: this.#folder,
      situation: event.situation ?? this.#situation(event),
      ...(rules.length === 0 ? {} : { sessionRules: [...rules] }),
    };
  }

  /** Of a journal that does not say it. */
  #situation(event: EventOf<'permission-settled'>): Situation {
    const hook = event.trace.find(({ step, verdict }) => step === 'hook' && verdict !== 'pass');
    return {
      mode: this.#mode,
      cwd: this.#folder,
      directories: [this.#folder],
      headless: this.#headless,
      ...(hook === undefined || hook.verdict === 'pass'
        ? {}
        : { hook: { verdict: hook.verdict, reason: hook.detail ?? '' } }),
    };
  }
}

const BY_PERSON: ReadonlySet<string> = new Set(['user', 'new-rule']);
/** Settled without a word of the chain, after it had asked. */
const AFTER_ASKING: ReadonlySet<string> = new Set(['user', 'new-rule', 'no-user', 'closed', 'cancelled']);

function kindOf({ by, verdict, askId, trace }: EventOf<'permission-settled'>): DecisionKind {
  const isAsked = askId !== undefined || AFTER_ASKING.has(by) || trace.some((step) => step.verdict === 'ask');
  // A mode that asks nobody has the last word on what would have been asked.
  return isAsked && by !== 'mode' ? 'ask' : verdict;
}

const MOST_SUMMARY = 300;
/** Longer commands are asked about whatever rules there are. */
const MOST_TEXT = 12_000;
/** Fields that rules compare as a whole, so that their ends matter. */
const WHOLE: ReadonlySet<string> = new Set(
  'command file_path path notebook_path filePath url pattern subagent_type skill args'.split(' '),
);
const MOST_OTHER = 200;

const cutText = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** Only what rules can look at: scalars of the first level, and of the long ones no more than it takes. */
function cutInput(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const kept = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value === 'string') return [[name, cutText(value, WHOLE.has(name) ? MOST_TEXT : MOST_OTHER)]];
    return typeof value === 'number' || typeof value === 'boolean' ? [[name, value]] : [];
  });
  return Object.fromEntries(kept);
}
