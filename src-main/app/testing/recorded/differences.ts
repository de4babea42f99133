import type { CallId } from '../../../../src-shared/ids.ts';
import type { CallEnd, Ends } from './ends.ts';

/** One way in which our run of a recording is not what was recorded. */
export type Difference = {
  readonly recording: string;
  /** The first call of the message where a whole message differs; `undefined` for the turns. */
  readonly callId: CallId | undefined;
  readonly what: 'outcome' | 'started' | 'culprit' | 'savedBytes' | 'text' | 'order' | 'turn-ends' | 'calls';
  readonly was: string;
  readonly is: string;
};

const COMPARED = ['outcome', 'started', 'culprit', 'savedBytes', 'text'] as const satisfies readonly (keyof CallEnd)[];

/** Everything in which two runs of the same calls differ, but for times. */
export function differencesOf(recording: string, was: Ends, is: Ends): readonly Difference[] {
  const found: Difference[] = [];
  const compare = (what: Difference['what'], callId: CallId | undefined, a: unknown, b: unknown): void => {
    if (String(a) !== String(b)) found.push({ recording, callId, what, was: String(a), is: String(b) });
  };
  compare('turn-ends', undefined, was.turns, is.turns);
  compare('calls', undefined, [...was.calls.keys()], [...is.calls.keys()]);
  for (const [callId, call] of was.calls) {
    for (const what of COMPARED) compare(what, callId, call[what], is.calls.get(callId)?.[what]);
  }
  for (const [at, { calls, came }] of was.messages.entries()) compare('order', calls[0], came, is.messages[at]?.came);
  return found;
}

type Reason = {
  readonly title: string;
  readonly recorded: string;
  readonly ours: string;
  readonly why: string;
  readonly explains: (difference: Difference, call: CallEnd | undefined) => boolean;
};

/** Where we differ on purpose. A difference that none of these explains is a fault, and so is a reason that explains none. */
export const REASONS: readonly Reason[] = [
  {
    title: 'order of results',
    recorded: 'in the order in which calls ended',
    ours: 'in call order',
    why: 'The same calls make the same conversation, whatever their timing; nothing behind a call that may still change the context comes out before it.',
    explains: ({ what, was, is }) => what === 'order' && sorted(was) === sorted(is),
  },
  {
    title: 'empty Bash command',
    recorded: 'ok, no output',
    ours: 'an error that says so',
    why: 'Nothing was run. A model that hears of success goes on with something that did not happen.',
    explains: ({ what, is }, call) =>
      call?.tool === 'Bash' &&
      (what === 'outcome' ? is === 'error' : what === 'text' && /^The command is empty/.test(is)),
  },
  {
    title: 'the same output again',
    recorded: 'sent again, whole',
    ours: 'a reference to the earlier call',
    why: 'Nine equal outputs of 27 KB are 240 KB of a context window for 27 KB of news.',
    explains: ({ what, is }) => what === 'text' && /^The output is the same, character for character/.test(is),
  },
  {
    title: '`npm --version` beside a running command',
    recorded: 'waits for its turn',
    ours: 'starts at once',
    why: 'A program that is only asked for its version changes nothing, so it may run beside others.',
    explains: ({ what, was, is }, call) =>
      what === 'started' && was === 'false' && is === 'true' && call?.summary === 'npm --version',
  },
  {
    title: 'denied by a rule',
    recorded: 'the command is named',
    ours: 'the rule is named',
    why: 'Who reads it knows what to change, and the model what it need not try again.',
    explains: ({ what, was, is }) =>
      what === 'text' && / has been denied\.$/.test(was) && /has been denied\. A deny rule matches/.test(is),
  },
  {
    title: 'words of a sub-agent',
    recorded: 'behind those of some kinds stand its id, tokens, calls and time',
    ours: 'its words; the numbers stand on the screen',
    why: 'An agent that has ended cannot be talked to here, and what it cost is news for the person.',
    explains: ({ what, was, is }, call) =>
      (call?.tool === 'Task' || call?.tool === 'Agent') && what === 'text' && was.startsWith(`${is}\nagentId: `),
  },
  {
    title: 'a turn that a hook stopped',
    recorded: 'no trace in the transcript',
    ours: 'an end with its reason, and which call’s hook it was',
    why: 'A session that just stops looks like one that broke.',
    explains: ({ what, was, is }) => what === 'turn-ends' && was === 'unknown' && is === 'stopped-by-hook',
  },
];

const sorted = (list: string): string => list.split(',').sort().join();

export type Explained = { readonly difference: Difference; readonly reason: Reason };

/** Splits differences into those that are meant and those that nobody has given a reason for. */
export function explain(
  differences: readonly Difference[],
  ends: Ends,
): { readonly explained: readonly Explained[]; readonly unexplained: readonly Difference[] } {
  const explained: Explained[] = [];
  const unexplained: Difference[] = [];
  for (const difference of differences) {
    const call = difference.callId === undefined ? undefined : ends.calls.get(difference.callId);
    const reason = REASONS.find(({ explains }) => explains(difference, call));
    if (reason === undefined) unexplained.push(difference);
    else explained.push({ difference, reason });
  }
  return { explained, unexplained };
}

/** The table of `docs/differences.md`: one row a reason, with the recordings in which it was seen. */
export function differencesTable(all: readonly Explained[]): string {
  const rows = REASONS.map((reason) => {
    const seen = new Map<string, Set<CallId | undefined>>();
    for (const { difference, reason: its } of all) {
      if (its !== reason) continue;
      const calls = seen.get(difference.recording) ?? new Set();
      seen.set(difference.recording, calls.add(difference.callId));
    }
    const places = [...seen].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, calls]) => `${name} (${calls.size})`);
    return `| ${[reason.title, reason.recorded, reason.ours, reason.why, places.join(', ')].join(' | ')} |`;
  });
  return ['| what | recorded | Gantry | why | seen in (times) |', '|---|---|---|---|---|', ...rows].join('\n');
}
