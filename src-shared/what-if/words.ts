import type { SessionState } from '../session/state.ts';
import { callLabel, callName, cutTo, formatCount, formatMillis } from '../timeline/words.ts';
import type { ToolCall } from '../tool-call/state.ts';
import type { Change, Difference } from './differences.ts';
import type { Race } from './races.ts';
import type { PlayedStrategy } from './rules.ts';
import type { Numbers, Outcome, Question, Trust } from './what-if.ts';

export const strategyName = (strategy: PlayedStrategy): string =>
  strategy === 'all-at-once' ? 'all at once' : strategy;

/** The wall time rests on a call whose length is not known: it may be longer. */
export const isAtLeast = ({ atLeast, unknown }: Trust): boolean => atLeast.length + unknown.length > 0;

/** `≥ 31.6 s`, `≈ 31.6 s`, `31.6 s`. */
export const wallText = (numbers: Numbers, trust: Trust): string =>
  `${isAtLeast(trust) ? '≥ ' : trust.isInferred ? '≈ ' : ''}${formatMillis(numbers.wallMs)}`;

/** `3`, or `more than 50,000`. */
export const racesText = ({ races }: Numbers): string =>
  `${races.isMore ? 'more than ' : ''}${formatCount(races.count)}`;

/** Shorter than this nobody would notice. */
const NOTHING_MS = 50;

/** `at most 3.2 s faster`, `at least 0.4 s slower`, `as long as recorded`. */
export function fasterText({ recorded }: Pick<Question, 'recorded'>, { numbers, trust }: Outcome): string {
  const saved = recorded.wallMs - numbers.wallMs;
  const bound = isAtLeast(trust);
  if (Math.abs(saved) < NOTHING_MS) return bound ? 'at best as long as recorded' : 'as long as recorded';
  const about = trust.isInferred ? 'about ' : '';
  if (saved > 0) return `${bound ? 'at most ' : about}${formatMillis(saved)} faster`;
  return `${bound ? 'at least ' : about}${formatMillis(-saved)} slower`;
}

/** `How long Bash(npm run lint) takes is not known.` Undefined where everything that ran has its length. */
export function unknownText(state: SessionState, trust: Trust): string | undefined {
  const items = [...trust.atLeast, ...trust.unknown];
  if (items.length === 0) return undefined;
  const names = items.slice(0, 2).map((item) => callName(state.calls[item] as ToolCall));
  const more = items.length - names.length;
  if (more > 0) names.push(`${formatCount(more)} ${more === 1 ? 'other' : 'others'}`);
  return `How long ${joined(names)} ${items.length === 1 ? 'takes' : 'take'} is not known.`;
}

const joined = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const CHANGES: Readonly<Record<Change, string>> = {
  'starts-earlier': 'starts earlier',
  'starts-later': 'starts later',
  'other-lane': 'runs in another lane',
  starts: 'runs',
  'never-starts': 'never starts',
  'is-cancelled': 'is cancelled',
  'ends-by-itself': 'ends by itself',
  'ends-otherwise': 'ends at another time',
  'never-comes': 'is never asked for',
};
const TELLING: ReadonlySet<Change> = new Set(['starts', 'never-starts', 'is-cancelled', 'ends-by-itself']);

/** The call in as few words as tell it from others: its command or file, or else its tool. */
const shortName = (call: ToolCall): string => cutTo(callLabel(call).argument || call.tool, 24);

export const differenceText = (state: SessionState, { item, change }: Difference): string =>
  `${shortName(state.calls[item] as ToolCall)} ${CHANGES[change]}`;

/** `sleep 4 ends by itself, touch stamp runs`: where schedules part, and what tells most of what follows. */
export function differencesText(state: SessionState, differences: readonly Difference[]): string | undefined {
  const [first] = differences;
  if (first === undefined) return undefined;
  const next = differences.find(({ item, change }) => item !== first.item && TELLING.has(change));
  const told = next === undefined ? [first] : [first, next];
  return told.map((difference) => differenceText(state, difference)).join(', ');
}

/** `Read(a.ts) and Edit(a.ts) on src/a.ts`. */
export function raceText(state: SessionState, { items, path, kind }: Race): string {
  const [a, b] = items.map((item) => callName(state.calls[item] as ToolCall));
  const inside = state.cwd !== '' && path.startsWith(`${state.cwd}/`) ? path.slice(state.cwd.length + 1) : path;
  return `${a} and ${b}: ${inside}, ${kind === 'write-write' ? 'both write' : 'one writes'}`;
}

/** So far from the recording, and by so much of it, the model is said to miss it. */
const MISSED = { leastMs: 100, share: 0.02 } as const;

/** What one should know to read the numbers of a turn. Sentences. */
export function notesOf(state: SessionState, question: Question): readonly string[] {
  const { work, recorded, missesBy, vague, calls } = question;
  const notes: string[] = [];
  const isMissed = Math.abs(missesBy) > Math.max(MISSED.leastMs, recorded.wallMs * MISSED.share);
  if (isMissed) {
    const played = formatMillis(question.baseline.wallMs);
    notes.push(`The recorded rules alone give ${played}; what else took time is kept in all rows.`);
  }
  const stops = work.rounds
    .flatMap(({ inputs }) => inputs)
    .filter(({ do: what }) => what === 'escape' || what === 'interrupt');
  if (stops.length > 0) notes.push('Where you stepped in is kept as it was.');
  if (calls.some(({ call }) => call.asks.length > 0)) notes.push('Your answers take as long as they took.');
  if (calls.some(({ call }) => call.waits.some(({ why }) => why === 'hold'))) {
    notes.push('The queue was held by the debugger; that is left out.');
  }
  if (vague.length > 0) {
    const names = vague.slice(0, 2).map((item) => callName(state.calls[item] as ToolCall));
    if (vague.length > 2) names.push(`${formatCount(vague.length - 2)} more`);
    notes.push(`What ${joined(names)} may read and write is not all known.`);
  }
  return notes;
}
