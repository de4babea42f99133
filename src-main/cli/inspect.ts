import { parseArgs } from 'node:util';
import { openTranscript } from '../adapters/transcripts/open-transcript.ts';
import { inspect } from '../core/inspect/inspect.ts';
import type { InspectedCall, Inspection } from '../core/inspect/inspection.ts';
import { firstSentence, type Io } from './io.ts';
import { overTranscripts } from './over-transcripts.ts';

export const INSPECT_USAGE = 'gantry inspect FILE|DIR [--calls] [--turns] [--json]';

type InspectArgs = { readonly path: string; readonly calls: boolean; readonly turns: boolean; readonly json: boolean };

/**
 * `gantry inspect`: what a transcript or journal holds, as a table or (`--json`) as one JSON object of the shape
 * `Inspection`. Exit code 0; 1 when nothing can be read, 2 when the words do not fit.
 */
export async function inspectCommand(args: readonly string[], io: Io): Promise<number> {
  return overTranscripts({ name: 'inspect', usage: INSPECT_USAGE }, parse(args), io, async (words) => {
    const { events, findings, title, path } = await openTranscript(words.path);
    const inspection = inspect(events, findings, { calls: words.calls, turns: words.turns });
    io.stdout(words.json ? `${JSON.stringify(inspection, null, 2)}\n` : asText(inspection, title, path));
    return 0;
  });
}

function parse(args: readonly string[]): InspectArgs | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        calls: { type: 'boolean', default: false },
        turns: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    const [path, ...more] = positionals;
    if (path === undefined) return 'a file or folder is missing.';
    if (more.length > 0) return `one file or folder at a time, not ${positionals.length}.`;
    return { path, ...values };
  } catch (error) {
    return firstSentence(error);
  }
}

const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

const ms = (value: number | null): string => {
  if (value === null) return 'not recorded';
  return value < 10_000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
};

function asText(inspection: Inspection, title: string, path: string): string {
  const { concurrency, persisted } = inspection;
  const lost = persisted.filter((one) => !one.found).length;
  const mean = concurrency.mean === null ? '' : `, ${concurrency.mean.toFixed(2)} on average`;
  const rows: readonly (readonly [string, string])[] = [
    ['file', path],
    ['title', title],
    ['format', [inspection.format, inspection.version].filter((one) => one !== null).join(' ')],
    ['strategy', `${inspection.strategy}, cascade policy ${inspection.cascade}`],
    ['messages', String(inspection.messages)],
    ['calls', `${inspection.calls} (${outcomesOf(inspection)})`],
    ['without result', list(inspection.callsWithoutResult)],
    ['sub-agents', String(inspection.subagents)],
    ['saved outputs', persisted.length === 0 ? 'none' : `${persisted.length}, ${lost} of them not found`],
    ['at once', `${concurrency.max} at most${mean}`],
    ['wall time', ms(inspection.wallMs)],
    ['sum of calls', ms(inspection.sumMs)],
    ['longest chain', ms(inspection.criticalPathMs)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  return [
    ...lines,
    ...cascadesOf(inspection),
    ...turnsOf(inspection.turnList),
    ...callsOf(inspection.callList),
    ...findingsOf(inspection),
    '',
  ].join('\n');
}

const outcomesOf = ({ outcomes, calls }: Inspection): string => {
  const parts = Object.entries(outcomes).filter(([, n]) => n > 0);
  return calls === 0 ? 'none' : parts.map(([outcome, n]) => `${n} ${outcome}`).join(', ');
};

const list = (ids: readonly string[]): string => {
  if (ids.length === 0) return 'none';
  const shown = ids.slice(0, 5).join(', ');
  return ids.length > 5 ? `${ids.length}: ${shown}, …` : `${ids.length}: ${shown}`;
};

function cascadesOf({ cancelledBySibling }: Inspection): readonly string[] {
  const victims = new Map<string | null, string[]>();
  for (const { call, culprit } of cancelledBySibling) victims.set(culprit, [...(victims.get(culprit) ?? []), call]);
  return [...victims].map(
    ([culprit, calls]) => `\ncascade: ${culprit ?? 'an unknown call'} cancelled ${calls.join(', ')}`,
  );
}

const SHARES = [
  ['start', 'startMs'],
  ['length', 'wallMs'],
  ['model', 'modelMs'],
  ['tools', 'toolMs'],
  ['you', 'humanMs'],
  ['hooks', 'hookMs'],
  ['lock', 'lockMs'],
  ['other', 'otherMs'],
] as const;

/** What decided the length of each turn, in ms (docs/analysis.md). */
function turnsOf(turns: Inspection['turnList']): readonly string[] {
  if (turns === undefined) return [];
  if (turns === null) return ['', 'turns: no times in the file'];
  const table = [
    ['turn', ...SHARES.map(([heading]) => heading), 'parallel'],
    ...turns.map((turn, at) => [
      String(at + 1),
      ...SHARES.map(([, key]) => String(Math.round(turn[key]))),
      turn.busyMs > 0 ? `${(turn.workMs / turn.busyMs).toFixed(1)}×` : '–',
    ]),
  ];
  const widths = table[0]?.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0))) ?? [];
  return ['', ...table.map((row) => row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('  '))];
}

const HEADINGS = ['start', 'end', 'lane', 'outcome', 'tool', 'id', 'agent', 'start from'] as const;

function callsOf(calls: readonly InspectedCall[] | undefined): readonly string[] {
  if (calls === undefined) return [];
  const cells = calls.map((call) => [
    call.startMs === null ? (call.started ? '?' : '–') : String(Math.round(call.startMs)),
    call.endMs === null ? '?' : String(Math.round(call.endMs)),
    call.lane === null ? '–' : String(call.lane),
    call.outcome,
    call.tool,
    call.id,
    call.agent,
    call.startSource ?? (call.culprit === null ? 'never started' : `never started, because of ${call.culprit}`),
  ]);
  const widths = HEADINGS.map((heading, at) => Math.max(heading.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (at < 3 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return ['', line(HEADINGS), ...cells.map(line)];
}

function findingsOf({ findings }: Inspection): readonly string[] {
  if (findings.length === 0) return [];
  const lines = findings.map(({ file, line, kind, message }) => `  ${file}:${line} ${kind}: ${message}`);
  return ['', `${count(findings.length, 'finding')}:`, ...lines];
}
