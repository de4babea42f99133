import type { CallId } from '../ids.ts';
import {
  numberedBatches,
  type SimulatedCall,
  type SimulatedInput,
  type SimulatedMessage,
  type SimulatedRun,
  type Simulation,
  simulate,
} from './simulate.ts';
import type { Decision, MessageEnd, SchedulerOptions } from './types.ts';

/*
 * Messages and simulations as text, for tests. One column is a tick. A message shows how each call would go by itself:
 *
 *   read      |###            arrives at 0, runs 3 ticks, safe
 *   npm !     |  #!  | bash   arrives at 2, is unsafe, fails after 2 ticks, is a Bash call
 *   tail      |#~    | bash cancel      hangs; a new user message stops it
 *   > escape  |   ^           an input, at 3: escape, interrupt, shutdown, discard, hold, release, step
 *   > end     |     ^         the message's end: end, refused, cut-off; without it, with the last call
 *
 * Words behind the second bar: `bash`, `write` (the kind), `cancel` (on interrupt), `modifies`, `lingers` (goes on for 2
 * ticks after it was told to stop).
 *
 * A simulation shows what came of it: `.` queued behind others, `?` waiting for the lock or a lane, `h` held by the
 * debugger, `#` running, `!` the tick in which it failed, `x` cancelled, `=` completed but not yielded yet, `/` thrown
 * away by a discard.
 */

const INPUTS: readonly SimulatedInput['do'][] = [
  'interrupt',
  'escape',
  'shutdown',
  'discard',
  'hold',
  'release',
  'step',
];
const ENDS: Readonly<Record<string, MessageEnd>> = { end: 'well', refused: 'refused', 'cut-off': 'cut-off' };
const WORDS = ['bash', 'write', 'cancel', 'modifies', 'lingers'];

function kindOf(words: readonly string[], safe: boolean): SimulatedCall['kind'] {
  if (words.includes('bash')) return safe ? 'bash-read-only' : 'bash-mutating';
  return words.includes('write') ? 'write' : 'other';
}

function callOf(label: string, drawn: string, words: readonly string[]): SimulatedCall {
  const unknown = words.find((word) => !WORDS.includes(word));
  if (unknown !== undefined) throw new Error(`what is "${unknown}" in a picture?`);
  const safe = !label.endsWith('!');
  const bar = drawn.trim();
  return {
    callId: label.replace(/\s*!$/, '') as CallId,
    safe,
    kind: kindOf(words, safe),
    onInterrupt: words.includes('cancel') ? 'cancel' : 'block',
    arrives: drawn.length - drawn.trimStart().length,
    runs: bar.endsWith('~') ? Number.POSITIVE_INFINITY : bar.length,
    fails: bar.endsWith('!'),
    modifies: words.includes('modifies'),
    stopsAfter: words.includes('lingers') ? 2 : 0,
  };
}

/** Reads a message from its picture. */
export function messageOf(picture: string): SimulatedMessage {
  const calls: SimulatedCall[] = [];
  const inputs: SimulatedInput[] = [];
  let ends: NonNullable<SimulatedMessage['ends']> = {};
  for (const line of picture.split('\n').filter((row) => row.trim() !== '')) {
    const [left = '', drawn = '', right = ''] = line.split('|');
    const label = left.trim();
    if (!label.startsWith('>')) {
      calls.push(callOf(label, drawn.trimEnd(), right.split(' ').filter(Boolean)));
      continue;
    }
    const at = drawn.indexOf('^');
    const name = label.slice(1).trim();
    const how = ENDS[name];
    const input = INPUTS.find((known) => known === name);
    if (how !== undefined) ends = { at, how };
    else if (input !== undefined) inputs.push({ at, do: input });
    else throw new Error(`what is "${label}" in a picture?`);
  }
  return { calls, inputs, ends };
}

/** Simulates a drawn message; the options a test does not speak of are the defaults of `streaming`. */
export function play(picture: string, options: Partial<SchedulerOptions> = {}): Simulation {
  return simulate(messageOf(picture), {
    strategy: 'streaming',
    cap: 10,
    cascade: 'bash',
    startUnsafe: 'at-once',
    newBatchId: numberedBatches(),
    ...options,
  });
}

function markOf(run: SimulatedRun, tick: number, discardedAt: number): string {
  const { call, arrivedAt, start, endedAt = Number.POSITIVE_INFINITY, yieldedAt, cancelled } = run;
  if (tick < arrivedAt) return ' ';
  if (tick === cancelled?.at) return 'x';
  if (tick < endedAt && start !== undefined && tick >= start.at) {
    if (cancelled !== undefined && tick > cancelled.at) return 'x';
    return call.fails === true && tick === endedAt - 1 && cancelled === undefined ? '!' : '#';
  }
  if (tick < endedAt) {
    const why = run.waits.filter((wait) => wait.at <= tick).at(-1)?.why;
    return why === 'lock' || why === 'no-lane' ? '?' : why === 'hold' ? 'h' : '.';
  }
  if (yieldedAt !== undefined) return tick < yieldedAt ? '=' : ' ';
  if (cancelled?.reason === 'discarded') return ' ';
  return tick < discardedAt ? '=' : tick === discardedAt ? '/' : ' ';
}

/** Draws what became of each call. */
export function draw({ runs, steps, endsAt }: Simulation): string {
  const discarded = steps.find(({ what }) => what === 'discard');
  const labels = runs.map(({ call }) => (call.safe ? call.callId : `${call.callId} !`));
  const width = Math.max(0, ...labels.map((label) => label.length));
  const rows = runs.map((run, index) => {
    const ticks = Array.from({ length: endsAt + 1 }, (_, tick) =>
      markOf(run, tick, discarded?.at ?? Number.POSITIVE_INFINITY),
    );
    return `${labels[index]?.padEnd(width)} |${ticks.join('')}`.trimEnd();
  });
  return rows.join('\n');
}

/** A drawing in a test file without its indentation and empty edges, and with one space before the bar. */
export function drawn(picture: string): string {
  const rows = picture.split('\n').filter((row) => row.trim() !== '');
  const cells = rows.map((row) => row.split('|'));
  const width = Math.max(0, ...cells.map(([label = '']) => label.trim().length));
  return cells.map(([label = '', bar = '']) => `${label.trim().padEnd(width)} |${bar}`.trimEnd()).join('\n');
}

function inWords(decision: Decision): string {
  switch (decision.type) {
    case 'batch-planned':
      return `plan ${decision.batchId} ${decision.kind}: ${decision.callIds.join(' ')}`;
    case 'batch-started':
      return `open ${decision.batchId} ${decision.kind}`;
    case 'batch-ended':
      return `close ${decision.batchId}`;
    case 'start':
      return `start ${decision.callId} in lane ${decision.lane} of ${decision.batchId}`;
    case 'blocked':
      return `blocked ${decision.callId}: ${[decision.why, ...decision.by].join(' ')}`;
    case 'cancel': {
      const by = decision.culprit === undefined ? '' : ` by ${decision.culprit}`;
      return `cancel ${decision.callId}: ${decision.reason}${by}${decision.hadStarted ? ', running' : ''}`;
    }
    case 'cascade':
      return `cascade from ${decision.culprit}: ${decision.victims.join(' ')}`;
    case 'apply-modifiers':
      return `apply ${decision.callIds.join(' ')}`;
    case 'yield':
      return `yield ${decision.callId}`;
    case 'interruptible':
      return decision.value ? 'interruptible' : 'not interruptible';
  }
}

/** The decisions of the given types, one a line: `2 cancel touch: sibling_error by ls`. */
export const told = ({ steps }: Simulation, ...types: readonly Decision['type'][]): readonly string[] =>
  steps.flatMap(({ at, decisions }) =>
    decisions.filter(({ type }) => types.includes(type)).map((decision) => `${at} ${inWords(decision)}`),
  );
