import type { Disposable } from '../../src-shared/disposable.ts';
import { FailureError } from '../../src-shared/failure.ts';
import type { SessionId } from '../../src-shared/ids.ts';
import type { Decision } from '../../src-shared/ledger/decision.ts';
import type { RuleEdit } from '../../src-shared/ledger/edit.ts';
import type {
  DecisionQuery,
  DryRun,
  LedgerDecision,
  LedgerNews,
  LedgerOverview,
  LedgerRule,
  RuleNote,
} from '../../src-shared/ledger/view.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { millis } from '../../src-shared/units.ts';
import { type Draft, draftOf, draftOfText, rulesUnder } from '../core/ledger/draft.ts';
import { DryRunner } from '../core/ledger/dry-run.ts';
import { countDecisions, ledgerRules } from '../core/ledger/overview.ts';
import type { Machine } from '../core/ledger/redecide.ts';
import { type FolderRules, listRules, ruleKey } from '../core/ledger/rule-book.ts';
import { UnusedRules } from '../core/ledger/unused-rules.ts';
import type { Clock } from '../ports/clock.ts';
import type { DecisionStore } from '../ports/decision-store.ts';
import type { RuleFiles } from '../ports/rule-files.ts';

export type LedgerDeps = {
  readonly store: DecisionStore;
  readonly files: RuleFiles;
  readonly machine: Machine;
  readonly clock: Clock;
  /** Titles of sessions, as the list has them. */
  readonly titleOf: (sessionId: SessionId) => string;
};

/** Decisions of a running session are read a little later, so that a storm of them costs one look. */
const LIVE_WAIT_MS = 300;
/** Work is done in slices of this length, ms; in between others get their turn. */
const SLICE_MS = 12;
/** The newest folders whose settings are looked at. */
const MOST_FOLDERS = 200;
/** The newest decisions that are looked at for rules without hits. */
const MOST_LOOKED_AT = 5_000;

/** All permission decisions of all sessions, and the rules that made them (spec 5.6). Reads only when it is asked to. */
export class Ledger {
  readonly #deps: LedgerDeps;
  readonly #bySession = new Map<SessionId, readonly Decision[]>();
  readonly #listeners = new Set<(news: LedgerNews) => void>();
  #all: readonly Decision[] | undefined;
  #unread = 0;
  #reading: Promise<void> | undefined;
  #again = false;
  #waiting: Disposable | undefined;
  #told = '';
  #started = false;
  /** What was found about rules without hits, and of which rules and decisions. */
  #unused: { readonly key: string; readonly notes: ReadonlyMap<string, RuleNote> } | undefined;
  #looking: string | undefined;
  #look: Promise<void> = Promise.resolve();

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
  }

  /** Told when there are other decisions, other notes, or less to read. */
  onChanged(listener: (news: LedgerNews) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** News of a running session. Nothing is read as long as nobody has looked at the ledger. */
  heed(_sessionId: SessionId, events: readonly SessionEvent[]): void {
    if (!this.#started || this.#waiting !== undefined) return;
    if (!events.some(({ type }) => type === 'permission-settled')) return;
    this.#waiting = this.#deps.clock.schedule(millis(LIVE_WAIT_MS), () => {
      this.#waiting = undefined;
      void this.read();
    });
  }

  /** Reads what is new in all journals. Settles when all is read; asked for meanwhile, it looks once more. */
  read(): Promise<void> {
    this.#started = true;
    if (this.#reading !== undefined) {
      this.#again = true;
      return this.#reading;
    }
    this.#reading = this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    const { store } = this.#deps;
    do {
      this.#again = false;
      const ids = await store.sessions();
      this.#forgetOthers(ids);
      this.#unread = ids.filter((id) => !this.#bySession.has(id)).length;
      const pause = slices(this.#deps.clock, () => this.#tell());
      for (const id of ids) {
        const isNew = !this.#bySession.has(id);
        const { decisions } = await store.read(id);
        if (this.#bySession.get(id) !== decisions) {
          this.#bySession.set(id, decisions);
          this.#all = undefined;
        }
        if (isNew) this.#unread = Math.max(0, this.#unread - 1);
        await pause();
      }
      this.#unread = 0;
    } while (this.#again);
    this.#tell();
  }

  #forgetOthers(ids: readonly SessionId[]): void {
    const present = new Set(ids);
    for (const id of this.#bySession.keys()) {
      if (present.has(id)) continue;
      this.#bySession.delete(id);
      this.#all = undefined;
    }
  }

  /** @param always also when the numbers are the same: other notes, other files. */
  #tell(always = false): void {
    const news = { decisions: this.#decisions().length, sessions: this.#sessionCount(), unread: this.#unread };
    const words = JSON.stringify([news, this.#decisions()[0]?.callId]);
    if (words === this.#told && !always) return;
    this.#told = words;
    for (const listener of this.#listeners) listener(news);
  }

  #sessionCount(): number {
    let count = 0;
    for (const decisions of this.#bySession.values()) if (decisions.length > 0) count++;
    return count;
  }

  /** Newest first. */
  #decisions(): readonly Decision[] {
    this.#all ??= [...this.#bySession.values()].flat().sort((a, b) => b.at - a.at);
    return this.#all;
  }

  #folders(): readonly string[] {
    const folders = new Set<string>();
    for (const { folder } of this.#decisions()) {
      if (folder !== '') folders.add(folder);
      if (folders.size === MOST_FOLDERS) break;
    }
    return [...folders];
  }

  /** The rules of settings files and sessions with what is known of them so far; more may come with `onChanged`. */
  async overview(): Promise<LedgerOverview> {
    const { rules, folders, files } = await this.#rules();
    const decisions = this.#decisions();
    return { unread: this.#unread, ...countDecisions(decisions), rules: [...rules], files, folders: [...folders] };
  }

  async #rules(): Promise<{
    readonly rules: readonly LedgerRule[];
    readonly folders: readonly string[];
    readonly files: number;
  }> {
    const { machine } = this.#deps;
    const folders = this.#folders();
    const book = await this.#book(folders.length === 0 ? [machine.home] : folders);
    const decisions = this.#decisions();
    const rows = ledgerRules(listRules(book), decisions, machine.home);
    const files = new Set(
      book.flatMap((folder) => folder.files.flatMap(({ file, text }) => (text === undefined ? [] : [file]))),
    );
    const notes = this.#notesOf(rows, decisions);
    const rules = rows.map((row) => {
      const note = row.note ?? notes.get(row.key);
      return note === undefined ? row : { ...row, note };
    });
    return { rules, folders, files: files.size };
  }

  async #book(folders: readonly string[]): Promise<readonly FolderRules[]> {
    const pause = slices(this.#deps.clock);
    const book: FolderRules[] = [];
    for (const folder of folders) {
      book.push(this.#deps.files.of(folder));
      await pause();
    }
    return book;
  }

  /** What is known of rules without hits; where it is not of these, it is worked out and told later. */
  #notesOf(rows: readonly LedgerRule[], decisions: readonly Decision[]): ReadonlyMap<string, RuleNote> {
    const unused = new UnusedRules(rows, this.#deps.machine);
    const none = new Map<string, RuleNote>();
    if (unused.isEmpty) return none;
    const key = JSON.stringify([decisions.length, decisions[0]?.at, rows.map((row) => [row.key, row.hits === 0])]);
    if (this.#unused?.key === key) return this.#unused.notes;
    if (this.#looking !== key) {
      this.#looking = key;
      this.#look = this.#lookFor(key, unused, decisions);
    }
    return none;
  }

  async #lookFor(key: string, unused: UnusedRules, decisions: readonly Decision[]): Promise<void> {
    const pause = slices(this.#deps.clock);
    for (const decision of decisions.slice(0, MOST_LOOKED_AT)) {
      unused.take(decision);
      await pause();
      if (this.#looking !== key) return;
    }
    this.#looking = undefined;
    this.#unused = { key, notes: unused.notes };
    if (unused.notes.size > 0) this.#tell(true);
  }

  /** Settles when nothing is worked out in the background any more. */
  async settled(): Promise<LedgerOverview> {
    await this.read();
    for (;;) {
      const overview = await this.overview();
      if (this.#looking === undefined && this.#reading === undefined) return overview;
      await Promise.all([this.#look, this.#reading]);
    }
  }

  /** Decisions, newest first. */
  decisions(
    query: DecisionQuery,
    page: { readonly offset: number; readonly limit: number },
  ): { readonly total: number; readonly rows: readonly LedgerDecision[] } {
    const titles = new Map<SessionId, string>();
    const titleOf = (sessionId: SessionId): string => {
      const title = titles.get(sessionId) ?? this.#deps.titleOf(sessionId);
      titles.set(sessionId, title);
      return title;
    };
    const found = this.#decisions().filter((decision) => matches(decision, query, titleOf));
    const rows = found.slice(page.offset, page.offset + page.limit).map((decision) => rowOf(decision, titleOf));
    return { total: found.length, rows };
  }

  /** What past calls would have come to under changed rules. Nothing is written. */
  dryRun(edits: readonly RuleEdit[]): Promise<DryRun> {
    const rulesOf = this.#remembered();
    return this.#try(() => this.#draft(edits, rulesOf), rulesOf);
  }

  /** The same for a whole file in the place of the one that is there. */
  dryRunFile(file: Parameters<typeof draftOfText>[0]): Promise<DryRun> {
    const rulesOf = this.#remembered();
    return this.#try(() => draftOfText(file, rulesOf), rulesOf);
  }

  async #try(make: () => Draft, rulesOf: (folder: string) => FolderRules): Promise<DryRun> {
    const { clock, machine } = this.#deps;
    const from = clock.monotonic();
    const draft = make();
    const runner = new DryRunner(rulesUnder(draft, rulesOf), machine);
    const pause = slices(clock);
    for (const decision of this.#decisions()) {
      runner.take(decision);
      await pause();
    }
    return {
      ...runner.result,
      ms: clock.monotonic() - from,
      files: draft.files.map(({ file, scope, before, after }) => ({ file, scope, before, after })),
      problems: [...draft.problems],
    };
  }

  /**
   * Writes the edits into their files, and nothing else.
   * @param expected the texts that the dry run showed; a file that is another by now is not touched.
   * @throws FailureError when an edit cannot be made or a file cannot be written; those before it are.
   */
  save(
    edits: readonly RuleEdit[],
    expected: readonly { readonly file: string; readonly after: string }[],
  ): readonly string[] {
    const draft = this.#draft(edits, this.#remembered());
    const [problem] = draft.problems;
    if (problem !== undefined) throw new FailureError({ kind: 'bad-input', message: problem.message });
    for (const { file, after } of draft.files) {
      if (expected.some((shown) => shown.file === file && shown.after === after)) continue;
      throw new FailureError({
        kind: 'bad-input',
        message: `${file} was changed meanwhile. Nothing was saved.`,
        hint: 'Look at the dry run again, then save.',
      });
    }
    for (const { scope, folder, before, after, allowed } of draft.files) {
      this.#deps.files.write({ scope, folder, before, after, allowed });
    }
    this.#tell(true);
    return draft.files.map(({ file }) => file);
  }

  #draft(edits: readonly RuleEdit[], rulesOf: (folder: string) => FolderRules): Draft {
    // Folders cross IPC: only those of sessions have settings that can be changed here.
    const known = new Set(this.#folders());
    const stray = edits.find(({ scope, folder }) => scope !== 'user' && !known.has(folder));
    if (stray !== undefined) {
      throw new FailureError({ kind: 'bad-input', message: `${stray.folder} is the folder of no session.` });
    }
    return draftOf(edits, rulesOf);
  }

  /** Files as they are at this moment, each folder read once. */
  #remembered(): (folder: string) => FolderRules {
    const known = new Map<string, FolderRules>();
    return (folder) => {
      const found = known.get(folder) ?? this.#deps.files.of(folder);
      known.set(folder, found);
      return found;
    };
  }
}

/** Waits for others once a slice of time has been used up. */
function slices(clock: Clock, onSlice: () => void = () => undefined): () => Promise<void> {
  let from = clock.monotonic();
  return async () => {
    if (clock.monotonic() - from < SLICE_MS) return;
    onSlice();
    await new Promise((resolve) => setImmediate(resolve));
    from = clock.monotonic();
  };
}

type TitleOf = LedgerDeps['titleOf'];

function rowOf({ rules, ...decision }: Decision, titleOf: TitleOf): LedgerDecision {
  const { sessionId, callId, at, tool, summary, kind, verdict, by, folder } = decision;
  const texts = rules.map(({ text }) => text);
  return { sessionId, callId, at, tool, summary, kind, verdict, by, folder, rules: texts, title: titleOf(sessionId) };
}

function matches(decision: Decision, { text, kind, rule }: DecisionQuery, titleOf: TitleOf): boolean {
  if (kind !== undefined && decision.kind !== kind) return false;
  if (rule !== undefined && !decision.rules.some((each) => ruleKey(each.list, each, each.text) === rule)) return false;
  const words = text?.trim().toLowerCase() ?? '';
  if (words === '') return true;
  const { tool, summary, folder, rules, sessionId } = decision;
  const texts = [`${tool} ${summary}`, folder, titleOf(sessionId), ...rules.map((each) => each.text)];
  return texts.some((one) => one.toLowerCase().includes(words));
}
