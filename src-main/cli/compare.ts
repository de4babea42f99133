import { parseArgs } from 'node:util';
import { turnByNumber, turnsOf } from '../../src-shared/compare/calls.ts';
import { type Comparison, callOf, compare, type Difference } from '../../src-shared/compare/compare.ts';
import { changeWords, sameWords } from '../../src-shared/compare/words.ts';
import { foldSession, type SessionState, type Turn } from '../../src-shared/session/state.ts';
import { callName, formatCount, formatMillis } from '../../src-shared/timeline/words.ts';
import { openTranscript } from '../adapters/transcripts/open-transcript.ts';
import { firstSentence, type Io } from './io.ts';
import { overTranscripts } from './over-transcripts.ts';

export const COMPARE_USAGE = 'gantry compare FILE1 FILE2 [--turn N] [--turn2 M] [--json]';

type Words = {
  readonly paths: readonly [string, string];
  readonly turns: readonly [number | undefined, number | undefined];
  readonly json: boolean;
};

/** One side, as `--json` prints it. Lengths in milliseconds. */
export type ReportSide = {
  readonly file: string;
  readonly format: string;
  /** From 1; null: the whole session. */
  readonly turn: number | null;
  readonly turns: number;
  readonly wallMs: number;
  readonly calls: number;
};

/** One difference. Moments count from the start of each side; a call that one side lacks is null there. */
export type ReportDifference = {
  readonly kind: Difference['kind'];
  readonly tool: string;
  readonly summary: string;
  readonly call: { readonly a: string | null; readonly b: string | null };
  readonly atMs: { readonly a: number; readonly b: number };
  readonly outcomes: { readonly a: string; readonly b: string } | null;
  readonly ranMs: { readonly a: number; readonly b: number } | null;
};

export type CompareReport = {
  readonly a: ReportSide;
  readonly b: ReportSide;
  /** Calls that both have. */
  readonly common: number;
  /** Calls before the first difference. */
  readonly sameCalls: number;
  readonly firstDifference: ReportDifference | null;
  readonly differences: readonly ReportDifference[];
};

/**
 * `gantry compare`: the calls of two recorded sessions, or of a turn of each, side by side. Exit code 0, whether they
 * differ or not; 1 when a file cannot be read or has no such turn; 2 when the words do not fit. With `--turn` alone both
 * are that turn.
 */
export async function compareCommand(args: readonly string[], io: Io): Promise<number> {
  return overTranscripts({ name: 'compare', usage: COMPARE_USAGE }, parse(args), io, (words) =>
    compareFiles(words, io),
  );
}

type Read = {
  readonly path: string;
  readonly format: string;
  readonly state: SessionState;
  readonly number: number | undefined;
  readonly turn: Turn | undefined;
};

async function compareFiles({ paths, turns, json }: Words, io: Io): Promise<number> {
  const sides: Read[] = [];
  for (const [i, given] of paths.entries()) {
    const { events, path, format } = await openTranscript(given);
    const state = foldSession(events);
    const number = turns[i];
    const turn = number === undefined ? undefined : turnByNumber(state, number);
    if (number !== undefined && turn === undefined) {
      const count = turnsOf(state).length;
      io.stderr(
        `gantry compare: ${path}: There is no turn ${number}; it has ${count} ${count === 1 ? 'turn' : 'turns'}.\n`,
      );
      return 1;
    }
    sides.push({ path, format, state, number, turn });
  }
  const [a, b] = sides as [Read, Read];
  const found = compare(a, b);
  io.stdout(json ? `${JSON.stringify(reportOf(found, a, b), null, 2)}\n` : textOf(found, a, b));
  return 0;
}

function reportOf(found: Comparison, a: Read, b: Read): CompareReport {
  const side = ({ path, format, number, state }: Read, facts: Comparison['a']): ReportSide => ({
    file: path,
    format,
    turn: number ?? null,
    turns: turnsOf(state).length,
    wallMs: facts.wallMs,
    calls: facts.calls,
  });
  const told = (difference: Difference): ReportDifference => {
    const call = callOf(difference, a.state, b.state);
    return {
      kind: difference.kind,
      tool: call?.tool ?? '',
      summary: call?.summary ?? '',
      call: {
        a: difference.kind === 'only-b' ? null : difference.a,
        b: difference.kind === 'only-a' ? null : difference.b,
      },
      atMs: difference.at,
      outcomes: difference.kind === 'outcome' ? { a: difference.outcomes[0], b: difference.outcomes[1] } : null,
      ranMs: difference.kind === 'duration' ? { a: difference.ms[0], b: difference.ms[1] } : null,
    };
  };
  return {
    a: side(a, found.a),
    b: side(b, found.b),
    common: found.common,
    sameCalls: found.sameCalls,
    firstDifference: found.first === undefined ? null : told(found.first),
    differences: found.differences.map(told),
  };
}

function textOf(found: Comparison, a: Read, b: Read): string {
  const side = (name: string, { path, number, state }: Read, { calls, wallMs }: Comparison['a']): string => {
    const turns = turnsOf(state).length;
    const which = number === undefined ? `${turns} ${turns === 1 ? 'turn' : 'turns'}` : `turn ${number} of ${turns}`;
    return `${name}  ${path}, ${which}, ${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'}, ${formatMillis(wallMs)}`;
  };
  const rows = found.differences.map((difference) => [
    difference === found.first ? '>' : ' ',
    difference.kind === 'only-b' ? '' : formatMillis(difference.at.a),
    difference.kind === 'only-a' ? '' : formatMillis(difference.at.b),
    nameOf(difference, a, b),
    changeWords(difference),
  ]);
  const table = rows.length === 0 ? [] : ['', ...aligned([['', 'in A', 'in B', 'call', 'difference'], ...rows])];
  return `${[side('A', a, found.a), side('B', b, found.b), '', sameWords(found), ...table].join('\n')}\n`;
}

function nameOf(difference: Difference, a: Read, b: Read): string {
  const call = callOf(difference, a.state, b.state);
  return call === undefined ? '' : (callName(call).split('\n', 1)[0] ?? '');
}

/** Columns of equal width; moments to the right. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, i) => (i === 1 || i === 2 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

function parse(args: readonly string[]): Words | string {
  const text = { type: 'string' } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { turn: text, turn2: text, json: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [first, second, ...more] = positionals;
    if (first === undefined || second === undefined) return 'two files or folders are compared.';
    if (more.length > 0) return `two files or folders are compared, not ${positionals.length}.`;
    for (const [name, given] of [
      ['--turn', values.turn],
      ['--turn2', values.turn2],
    ] as const) {
      if (given !== undefined && !/^[1-9]\d{0,8}$/.test(given)) {
        return `${name} is the number of a turn, from 1, not ${given}.`;
      }
    }
    const turn = values.turn === undefined ? undefined : Number(values.turn);
    if (turn === undefined && values.turn2 !== undefined) return '--turn2 goes with --turn.';
    const turn2 = values.turn2 === undefined ? turn : Number(values.turn2);
    return { paths: [first, second], turns: [turn, turn2], json: values.json };
  } catch (error) {
    return firstSentence(error);
  }
}
