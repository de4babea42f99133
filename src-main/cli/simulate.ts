import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { CascadePolicy, Strategy } from '../../src-shared/session/settings.ts';
import { foldSession, type SessionState, type Turn } from '../../src-shared/session/state.ts';
import { mainTurns } from '../../src-shared/turns/turn-of.ts';
import { whyNotPlayed } from '../../src-shared/what-if/availability.ts';
import { askTurns } from '../../src-shared/what-if/session.ts';
import { type Row, rowsFor } from '../../src-shared/what-if/what-if.ts';
import { openTranscript } from '../adapters/transcripts/open-transcript.ts';
import { commandFacts } from '../core/command-facts.ts';
import { firstSentence, type Io } from './io.ts';
import { overTranscripts } from './over-transcripts.ts';
import { type Asked, isRecorded, reportOf, reportText, rulesOf } from './simulate-report.ts';

export const SIMULATE_USAGE = `gantry simulate FILE|DIR [--turn N] [--strategy streaming|batch|serial|all-at-once]
    [--cascade any-error|except-writes|bash|bash-mutating|none] [--cap N] [--safe TOOL] [--unsafe TOOL] [--json]`;

type Words = {
  readonly path: string;
  readonly turn: number | undefined;
  readonly strategy: Row['strategy'] | undefined;
  readonly cascade: CascadePolicy | undefined;
  readonly cap: number | undefined;
  readonly safe: readonly string[];
  readonly unsafe: readonly string[];
  readonly json: boolean;
};

/**
 * `gantry simulate`: what a recorded session, or one turn of it, would have come to under other rules. Without rules the
 * whole table; with some, that one row. Exit code 0; 1 when the file cannot be read or holds nothing to be played; 2 when
 * the words do not fit.
 */
export async function simulateCommand(args: readonly string[], io: Io): Promise<number> {
  return overTranscripts({ name: 'simulate', usage: SIMULATE_USAGE }, parse(args), io, (words) => simulate(words, io));
}

async function simulate(words: Words, io: Io): Promise<number> {
  const { events, path, format } = await openTranscript(words.path);
  const state = foldSession(events);
  const turns = mainTurns(state).length > 0 ? mainTurns(state) : state.turns;
  const chosen = chooseTurns(state, turns, words.turn);
  if (typeof chosen === 'string') {
    io.stderr(`gantry simulate: ${path}: ${chosen}\n`);
    return 1;
  }
  const asked = askTurns(state, chosen, commandFacts(state, { home: homedir(), platform: process.platform }));
  const { turn, cap, safe, unsafe } = words;
  const rows = rowsOf(words, asked);
  const report = reportOf({ file: path, format, turn, turns, state, asked, rows, changes: { cap, safe, unsafe } });
  io.stdout(words.json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report, state));
  return 0;
}

function chooseTurns(
  state: SessionState,
  turns: readonly Turn[],
  number: number | undefined,
): readonly Turn[] | string {
  if (turns.length === 0) return 'There is no turn in it.';
  const chosen = number === undefined ? turns : turns.slice(number - 1, number);
  if (chosen.length === 0) {
    return `There is no turn ${number}; it has ${turns.length} ${turns.length === 1 ? 'turn' : 'turns'}.`;
  }
  const playable = chosen.filter((turn) => whyNotPlayed(state, turn) === undefined);
  return playable.length > 0 ? playable : (whyNotPlayed(state, chosen[0]) as string);
}

/** The one row that is asked for; where only lanes or verdicts change, the recorded rules with them; else all rows. */
function rowsOf(words: Words, asked: Asked): readonly Row[] {
  const rules = rulesOf(asked);
  const { strategy, cascade, cap, safe, unsafe } = words;
  const isChanged =
    strategy !== undefined || cascade !== undefined || cap !== undefined || safe.length + unsafe.length > 0;
  if (isChanged && rules !== undefined) {
    const policy = cascade ?? (strategy === 'all-at-once' ? 'none' : rules.cascade);
    return [{ strategy: strategy ?? rules.strategy, cascade: policy, alike: [policy] }];
  }
  const calls = asked.flatMap(({ question }) => question.calls);
  return rules === undefined ? [] : rowsFor({ calls, rules }).filter((row) => !isRecorded(row, asked));
}

function parse(args: readonly string[]): Words | string {
  const text = { type: 'string' } as const;
  const list = { type: 'string', multiple: true } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        turn: text,
        strategy: text,
        cascade: text,
        cap: text,
        safe: list,
        unsafe: list,
        json: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    const [path, ...more] = positionals;
    if (path === undefined) return 'a file or folder is missing.';
    if (more.length > 0) return `one file or folder at a time, not ${positionals.length}.`;
    return wordsOf(path, values);
  } catch (error) {
    return firstSentence(error);
  }
}

type Values = {
  readonly [K in 'turn' | 'strategy' | 'cascade' | 'cap']?: string | undefined;
} & { readonly [K in 'safe' | 'unsafe']?: string[] | undefined } & { readonly json: boolean };

function wordsOf(path: string, values: Values): Words | string {
  const turn = positive(values.turn);
  if (turn === 'wrong') return `--turn is the number of a turn, from 1, not ${values.turn}.`;
  const cap = positive(values.cap);
  if (cap === 'wrong') return `--cap is a number of lanes, from 1, not ${values.cap}.`;
  const strategy =
    values.strategy === 'all-at-once' ? 'all-at-once' : Strategy.optional().safeParse(values.strategy).data;
  if (values.strategy !== undefined && strategy === undefined) {
    return `--strategy is streaming, batch, serial or all-at-once, not ${values.strategy}.`;
  }
  const cascade = CascadePolicy.optional().safeParse(values.cascade);
  if (!cascade.success) return `--cascade is ${CascadePolicy.options.join(', ')}, not ${values.cascade}.`;
  const [safe, unsafe] = [toolsOf(values.safe), toolsOf(values.unsafe)];
  const both = safe.find((tool) => unsafe.includes(tool));
  if (both !== undefined) return `${both} cannot be both safe and unsafe.`;
  return { path, turn, strategy, cascade: cascade.data, cap, safe, unsafe, json: values.json };
}

/** `--safe Bash --safe Edit`, `--safe Bash,Edit`. */
const toolsOf = (given: readonly string[] | undefined): readonly string[] =>
  (given ?? []).flatMap((text) => text.split(',')).filter((tool) => tool !== '');

function positive(text: string | undefined): number | 'wrong' | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) && value > 0 ? value : 'wrong';
}
