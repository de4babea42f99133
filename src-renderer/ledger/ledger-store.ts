import { createStore } from 'zustand/vanilla';
import type { CallId, SessionId } from '../../src-shared/ids.ts';
import type { DecisionKind } from '../../src-shared/ledger/decision.ts';
import {
  DECISIONS_PER_PAGE,
  type DryRun,
  type LedgerDecision,
  type LedgerNews,
  type LedgerOverview,
} from '../../src-shared/ledger/view.ts';
import { onPush, request } from '../bridge.ts';
import { failureWords, type Problem } from '../state/problem.ts';
import { openSession } from '../state/session-store.ts';
import { announce, viewStore } from '../state/view-store.ts';
import { type Change, editsOf, withChange } from './draft.ts';
import type { RuleFilter } from './selectors.ts';

export type DecisionsView = {
  readonly rows: readonly LedgerDecision[];
  readonly total: number;
  readonly loading: boolean;
};

export type LedgerView = {
  /** Counts as main tells them; before the page was opened these are all that is known. */
  readonly news: LedgerNews | undefined;
  readonly overview: LedgerOverview | undefined;
  readonly problem: Problem | undefined;
  readonly tab: 'rules' | 'decisions';
  readonly text: string;
  readonly filter: RuleFilter;
  readonly kind: DecisionKind | 'all';
  /** Only decisions of this rule. */
  readonly ofRule: { readonly key: string; readonly text: string } | undefined;
  readonly decisions: DecisionsView;
  /** The rule that is looked at, or a new one. */
  readonly selected: string | 'new' | undefined;
  readonly draft: readonly Change[];
  readonly dryRun: DryRun | undefined;
  readonly dryRunning: boolean;
  readonly dryProblem: Problem | undefined;
  readonly saving: boolean;
};

const NO_DECISIONS: DecisionsView = { rows: [], total: 0, loading: false };

export const emptyLedger: LedgerView = {
  news: undefined,
  overview: undefined,
  problem: undefined,
  tab: 'rules',
  text: '',
  filter: 'all',
  kind: 'all',
  ofRule: undefined,
  decisions: NO_DECISIONS,
  selected: undefined,
  draft: [],
  dryRun: undefined,
  dryRunning: false,
  dryProblem: undefined,
  saving: false,
};

export const ledgerStore = createStore<LedgerView>(() => emptyLedger);

const isShown = (): boolean => viewStore.getState().page === 'ledger';

/** Shows the page. What was typed and drafted there before is still there. */
export function showLedger(): void {
  viewStore.setState({ page: 'ledger', paletteOpen: false, legendOpen: false, region: 'timeline' });
  void loadOverview();
}

export const leaveLedger = (): void => viewStore.setState({ page: 'session' });

let loading = false;
let again = false;

async function loadOverview(): Promise<void> {
  if (loading) {
    again = true;
    return;
  }
  loading = true;
  try {
    const overview = await request('ledger.overview', undefined);
    ledgerStore.setState({ overview, problem: undefined });
  } catch (error) {
    ledgerStore.setState({ problem: failureWords(error) });
  } finally {
    loading = false;
  }
  if (ledgerStore.getState().tab === 'decisions') await loadDecisions();
  if (!again) return;
  again = false;
  await loadOverview();
}

/** Tells answers to older questions from the newest. */
let asked = 0;

/** Decisions as they are looked for, from the beginning, or the next page of them. */
export async function loadDecisions(more = false): Promise<void> {
  const { text, kind, ofRule, decisions } = ledgerStore.getState();
  const mine = ++asked;
  const offset = more ? decisions.rows.length : 0;
  const query = {
    ...(text.trim() === '' ? {} : { text }),
    ...(kind === 'all' ? {} : { kind }),
    ...(ofRule === undefined ? {} : { rule: ofRule.key }),
  };
  ledgerStore.setState({ decisions: { ...decisions, loading: true } });
  try {
    const { total, rows } = await request('ledger.decisions', { query, offset, limit: DECISIONS_PER_PAGE });
    if (mine !== asked) return;
    const all = more ? [...decisions.rows, ...rows] : rows;
    ledgerStore.setState({ decisions: { rows: all, total, loading: false } });
  } catch (error) {
    if (mine === asked) ledgerStore.setState({ problem: failureWords(error), decisions: NO_DECISIONS });
  }
}

type Look = Partial<Pick<LedgerView, 'tab' | 'text' | 'filter' | 'kind' | 'ofRule'>>;

/** Looks at something else in the tables. */
export function look(at: Look): void {
  ledgerStore.setState(at);
  if (ledgerStore.getState().tab === 'decisions') void loadDecisions();
}

export const select = (selected: LedgerView['selected']): void => ledgerStore.setState({ selected });

/** Takes a change into the draft, and tries what would come of it. */
export function makeChange(change: Change): void {
  setDraft(withChange(ledgerStore.getState().draft, change));
}

export const undo = (): void => setDraft(ledgerStore.getState().draft.slice(0, -1));
export const discard = (): void => setDraft([]);

function setDraft(draft: readonly Change[]): void {
  ledgerStore.setState({ draft });
  void tryDraft();
}

let tried = 0;

/** Asks which past calls would be decided differently. */
async function tryDraft(): Promise<void> {
  const mine = ++tried;
  const { draft } = ledgerStore.getState();
  if (draft.length === 0) {
    ledgerStore.setState({ dryRun: undefined, dryRunning: false, dryProblem: undefined });
    return;
  }
  ledgerStore.setState({ dryRunning: true, dryProblem: undefined });
  try {
    const dryRun = await request('ledger.dry-run', { edits: [...editsOf(draft)] });
    if (mine === tried) ledgerStore.setState({ dryRun, dryRunning: false });
  } catch (error) {
    if (mine === tried) ledgerStore.setState({ dryRun: undefined, dryRunning: false, dryProblem: failureWords(error) });
  }
}

/** Writes what the dry run shows. */
export async function save(): Promise<void> {
  const { draft, dryRun, saving } = ledgerStore.getState();
  if (dryRun === undefined || saving) return;
  ledgerStore.setState({ saving: true, dryProblem: undefined });
  try {
    const expected = dryRun.files.map(({ file, after }) => ({ file, after }));
    const { files } = await request('ledger.save', { edits: [...editsOf(draft)], expected });
    ledgerStore.setState({ draft: [], dryRun: undefined, selected: undefined });
    announce(`Saved in ${files.join(', ')}. It holds from the next decision on.`);
    await loadOverview();
  } catch (error) {
    ledgerStore.setState({ dryProblem: failureWords(error) });
  } finally {
    ledgerStore.setState({ saving: false });
  }
}

/** Shows a decision where it was made. */
export async function openDecision(sessionId: SessionId, callId: CallId): Promise<void> {
  await openSession(sessionId);
  viewStore.setState({ selectedCall: callId, inspectorOpen: true, inspectorTab: 'permission' });
}

/** Follows main's counts, and looks again while the page is on screen. */
export function startLedgerStore(): () => void {
  return onPush('ledger.changed', (news) => {
    ledgerStore.setState({ news });
    if (isShown()) void loadOverview();
  });
}
