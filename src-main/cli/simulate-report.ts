import type { CascadePolicy } from '../../src-shared/session/settings.ts';
import type { SessionState, Turn } from '../../src-shared/session/state.ts';
import { formatCount, formatMillis } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import type { Race } from '../../src-shared/what-if/races.ts';
import { CASCADES, type PlayedStrategy, type RecordedRules } from '../../src-shared/what-if/rules.ts';
import { answerTurns, sumOf, type Total } from '../../src-shared/what-if/session.ts';
import { isRecordedRow, type Numbers, type Question, type Row, type Trust } from '../../src-shared/what-if/what-if.ts';
import {
  differencesText,
  isAtLeast,
  notesOf,
  racesText,
  raceText,
  strategyName,
  wallText,
} from '../../src-shared/what-if/words.ts';

/** The numbers of one set of rules, as `--json` prints them. Lengths in milliseconds. */
export type ReportRow = {
  readonly strategy: PlayedStrategy;
  readonly cascade: CascadePolicy;
  /** Policies that come to the same. */
  readonly alike: readonly CascadePolicy[];
  readonly cap: number;
  readonly safe: readonly string[];
  readonly unsafe: readonly string[];
  readonly wallMs: number;
  /** The wall time rests on calls whose length is not known: it may be longer. */
  readonly wallIsAtLeast: boolean;
  /** Calls ran whose times were not recorded but inferred. */
  readonly inferred: boolean;
  readonly cancelled: number;
  readonly lostMs: number;
  readonly races: number;
  readonly racesAreMore: boolean;
  /** The first of them, at most 200 a turn. */
  readonly racePairs: readonly {
    readonly calls: readonly [string, string];
    readonly path: string;
    readonly kind: Race['kind'];
  }[];
  /** Calls that ran on although they were stopped in the recording, and calls that never started there. */
  readonly lengthsAtLeast: readonly string[];
  readonly lengthsUnknown: readonly string[];
  /** Where the schedule parts from the recorded one. `atMs` counts from the session's start. */
  readonly firstDifference: {
    readonly turn: number;
    readonly call: string;
    readonly atMs: number;
    readonly change: string;
    readonly words: string;
  } | null;
};

export type Report = {
  readonly file: string;
  readonly format: string;
  /** Number of the turn, or null for all of them. */
  readonly turn: number | null;
  readonly turns: number;
  readonly recorded: {
    readonly strategy: string;
    readonly cascade: CascadePolicy;
    readonly cap: number;
    readonly wallMs: number;
    readonly cancelled: number;
    readonly lostMs: number;
    readonly races: number;
    readonly racesAreMore: boolean;
    readonly racePairs: ReportRow['racePairs'];
  };
  /** By how much the model misses the recorded wall time under the recorded rules. Taken off all rows. */
  readonly modelMissesByMs: number;
  readonly rows: readonly ReportRow[];
  readonly notes: readonly string[];
};

export type Asked = readonly { readonly turn: Turn; readonly question: Question }[];
/** A change that holds for all rows. */
export type Changes = {
  readonly cap: number | undefined;
  readonly safe: readonly string[];
  readonly unsafe: readonly string[];
};

type ReportInput = {
  readonly file: string;
  readonly format: string;
  readonly turn: number | undefined;
  readonly turns: readonly Turn[];
  readonly state: SessionState;
  readonly asked: Asked;
  readonly rows: readonly Row[];
  readonly changes: Changes;
};

const round = (ms: number): number => Math.round(ms * 1000) / 1000;

/** The rules of the last turn stand for those of all where they have changed in between. */
export const rulesOf = (asked: Asked): RecordedRules | undefined => asked.at(-1)?.question.rules;

export function reportOf({ file, format, turn, turns, state, asked, rows, changes }: ReportInput): Report {
  const rules = rulesOf(asked) ?? state.settings;
  const recorded = sumOf(asked.map(({ question }) => question.recorded));
  const missed = asked.reduce((sum, { question }) => sum + question.missesBy, 0);
  const tools = Object.fromEntries([
    ...changes.safe.map((tool) => [tool, true] as const),
    ...changes.unsafe.map((tool) => [tool, false] as const),
  ]);
  const reported = rows.map((row): ReportRow => {
    const { strategy, cascade, alike } = row;
    const { cap, safe, unsafe } = changes;
    const total = answerTurns(asked, {
      strategy,
      cascade,
      ...(cap === undefined ? {} : { cap }),
      safety: { calls: {}, tools },
    });
    const own = { strategy, cascade, alike, cap: cap ?? rules.cap, safe, unsafe };
    return {
      ...own,
      ...numbersOf(state, total.numbers),
      ...trustOf(state, total.trust),
      firstDifference: firstOf(state, turns, total),
    };
  });
  return {
    file,
    format,
    turn: turn ?? null,
    turns: turns.length,
    recorded: { strategy: rules.strategy, cascade: rules.cascade, cap: rules.cap, ...numbersOf(state, recorded) },
    modelMissesByMs: round(missed),
    rows: merged(reported),
    notes: [...new Set(asked.flatMap(({ question }) => notesOf(state, question)))],
  };
}

/** Policies whose culprits differ may still come to the same: one row then. */
function merged(rows: readonly ReportRow[]): readonly ReportRow[] {
  const kept = new Map<string, ReportRow>();
  for (const row of rows) {
    const key = JSON.stringify({ ...row, cascade: '', alike: [] });
    const same = kept.get(key);
    kept.set(key, same === undefined ? row : { ...same, alike: [...new Set([...same.alike, ...row.alike])] });
  }
  return [...kept.values()];
}

const idOf = (state: SessionState, item: number): string => (state.calls[item] as ToolCall).callId;

const numbersOf = (state: SessionState, { wallMs, cancelled, lostMs, races }: Numbers) => ({
  wallMs: round(wallMs),
  cancelled,
  lostMs: round(lostMs),
  races: races.count,
  racesAreMore: races.isMore,
  racePairs: races.pairs.map(({ items: [a, b], path, kind }) => ({
    calls: [idOf(state, a), idOf(state, b)] as const,
    path,
    kind,
  })),
});

const trustOf = (state: SessionState, trust: Trust) => ({
  wallIsAtLeast: isAtLeast(trust),
  inferred: trust.isInferred,
  lengthsAtLeast: trust.atLeast.map((item) => idOf(state, item)),
  lengthsUnknown: trust.unknown.map((item) => idOf(state, item)),
});

function firstOf(state: SessionState, turns: readonly Turn[], { first }: Total): ReportRow['firstDifference'] {
  const difference = first?.outcome.differences[0];
  if (first === undefined || difference === undefined) return null;
  return {
    turn: turns.indexOf(first.turn) + 1,
    call: idOf(state, difference.item),
    atMs: round(first.turn.from + difference.at),
    change: difference.change,
    words: differencesText(state, first.outcome.differences) ?? '',
  };
}

const HEADINGS = ['rules', 'wall time', 'cancelled', 'lost', 'races'] as const;

/** The same for people. */
export function reportText(report: Report, state: SessionState): string {
  const { recorded, rows, notes, turn, turns } = report;
  const lines = [
    [`recorded (${recorded.strategy}, ${recorded.cascade})`, formatMillis(recorded.wallMs), ...lossesOf(recorded)],
    ...rows.map((row) => [nameOf(row), wallOf(row), ...lossesOf(row)]),
  ];
  const widths = HEADINGS.map((heading, at) =>
    Math.max(heading.length, ...lines.map((cells) => cells[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  const scope = turn === null ? `${formatCount(turns)} ${turns === 1 ? 'turn' : 'turns'}` : `turn ${turn} of ${turns}`;
  const changed = changedOf(rows[0]);
  return [
    `${report.file}, ${scope}${changed}`,
    '',
    line(HEADINGS),
    ...lines.map(line),
    ...asideOf(report, state),
    ...notes.map((note) => note),
    '',
  ].join('\n');
}

const nameOf = ({ strategy, cascade, alike }: ReportRow): string => {
  if (strategy === 'all-at-once') return `${strategyName(strategy)} (never live)`;
  if (alike.length === CASCADES.length) return `${strategy}, any cascade`;
  return alike.length > 1
    ? `${strategy}, ${cascade} (as ${alike.filter((one) => one !== cascade).join(', ')})`
    : `${strategy}, ${cascade}`;
};

const wallOf = (row: ReportRow): string =>
  wallText({ wallMs: row.wallMs } as Numbers, {
    atLeast: row.wallIsAtLeast ? [0] : [],
    unknown: [],
    isInferred: row.inferred,
  });

const lossesOf = (row: Pick<ReportRow, 'cancelled' | 'lostMs' | 'races' | 'racesAreMore'>): readonly string[] => [
  String(row.cancelled),
  formatMillis(row.lostMs),
  racesText({ races: { count: row.races, isMore: row.racesAreMore, pairs: [] } } as unknown as Numbers),
];

function changedOf(row: ReportRow | undefined): string {
  if (row === undefined) return '';
  const safe = row.safe.length > 0 ? `; ${row.safe.join(', ')} taken as safe` : '';
  const unsafe = row.unsafe.length > 0 ? `; ${row.unsafe.join(', ')} taken as exclusive` : '';
  return `, ${row.cap} ${row.cap === 1 ? 'lane' : 'lanes'}${safe}${unsafe}`;
}

/** Behind the table: what tells the one row that was asked for from the recording, and how the signs are read. */
function asideOf({ rows }: Report, state: SessionState): readonly string[] {
  const aside: string[] = [''];
  const [only] = rows;
  if (rows.length === 1 && only !== undefined) {
    const { firstDifference: first, racePairs } = only;
    aside.push(
      first === null
        ? 'Nothing differs from the recorded rules.'
        : `Differs from ${formatMillis(first.atMs)} on, turn ${first.turn}: ${first.words}.`,
    );
    for (const { calls, path, kind } of racePairs.slice(0, 20)) {
      const items = calls.map((id) => state.callIndex[id] as number) as [number, number];
      aside.push(`race: ${raceText(state, { items, path, kind })}`);
    }
    if (racePairs.length > 20) aside.push(`and ${formatCount(racePairs.length - 20)} more`);
  }
  const ids = new Set(rows.flatMap(({ lengthsAtLeast, lengthsUnknown }) => [...lengthsAtLeast, ...lengthsUnknown]));
  if (ids.size > 0)
    aside.push(
      `≥: ${ids.size === 1 ? 'one call was' : `${ids.size} calls were`} stopped or never started; how long they take is not known.`,
    );
  if (rows.some(({ inferred }) => inferred)) aside.push('≈: times of the file are inferred.');
  return aside;
}

export const isRecorded = (row: Row, asked: Asked): boolean => {
  const rules = rulesOf(asked);
  return rules !== undefined && isRecordedRow(row, rules);
};
