import type { StopReason } from '../../src-shared/model/event.ts';
import { callById, type HookRun, type ModelRequest } from '../../src-shared/session/state.ts';
import { lastLine, type Shell, shellEndWords } from '../../src-shared/shell/state.ts';
import type { Fold } from '../../src-shared/timeline/axis.ts';
import { barParts, heldSpan, isEnded, marksOf, queueParts } from '../../src-shared/timeline/parts.ts';
import { type CascadeMark, callAt, type TimelineModel } from '../../src-shared/timeline/tracks.ts';
import {
  callName,
  FAULT_WORDS,
  formatBytes,
  formatCount,
  formatMillis,
  inferredWords,
  outcomeWords,
  whyItWaited,
} from '../../src-shared/timeline/words.ts';
import type { Process, ToolCall } from '../../src-shared/tool-call/state.ts';
import { sessionTime } from '../../src-shared/units.ts';

/** The looks a row of the tip's table can have; the style sheet paints them. */
export type TipSwatch =
  | 'queued'
  | 'lock'
  | 'held-queue'
  | 'hooks'
  | 'permission'
  | 'paused'
  | 'running'
  | 'saving'
  | 'held';
export type TipRow = { readonly swatch: TipSwatch; readonly label: string; readonly value: string };

/** What the chart says about the thing under the pointer: a sentence, then where the time went, then what else is known. */
export type Tip = { readonly sentence: string; readonly rows: readonly TipRow[]; readonly notes: readonly string[] };

const plainTip = (sentence: string, notes: readonly string[] = []): Tip => ({ sentence, rows: [], notes });

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Why it waited comes first; a call that did not wait is told by how it ended. */
export function callTip(model: TimelineModel, item: number, now: number): Tip {
  const { state } = model;
  const call = callAt(model, item);
  const why = whyItWaited(state, call, sessionTime(now));
  const sentence = why.endsWith('did not wait') ? `${callName(call)}: ${outcomeWords(call)}` : why;
  return {
    sentence: `${sentence}.`,
    rows: stageRows(call, model.isOver, now),
    notes: notesOf(model, item, call, sentence !== why),
  };
}

const LABELS = {
  queued: 'Queued',
  lock: 'Waited for lock',
  'held-queue': 'Queue held',
  hooks: 'Hooks',
  permission: 'Waited for you',
  paused: 'At a breakpoint',
  running: 'Running',
  saving: 'Saving output',
  held: 'Held until yield',
} as const;

function stageRows(call: ToolCall, isOver: boolean, now: number): readonly TipRow[] {
  const sums = new Map<TipSwatch, number>();
  const add = (swatch: TipSwatch, from: number, until: number | undefined): void => {
    sums.set(swatch, (sums.get(swatch) ?? 0) + Math.max(0, (until ?? now) - from));
  };
  for (const part of queueParts(call)) add(part.kind === 'held' ? 'held-queue' : part.kind, part.from, part.until);
  for (const part of barParts(call)) if (part.kind !== 'empty') add(part.kind, part.from, part.until);
  const held = heldSpan(call, isOver);
  if (held !== undefined) add('held', held.from, held.until);
  return [...sums]
    .filter(([swatch, ms]) => ms >= 0.5 || swatch === 'running')
    .map(([swatch, ms]) => ({ swatch, label: LABELS[swatch], value: formatMillis(ms) }));
}

function notesOf(model: TimelineModel, item: number, call: ToolCall, saidOutcome: boolean): readonly string[] {
  const notes: string[] = [];
  if (!saidOutcome) notes.push(`${capital(outcomeWords(call))}.`);
  const run = call.phase === 'queued' ? undefined : call.run;
  const start = run === undefined ? undefined : inferredWords('start', run.timing);
  if (start !== undefined) notes.push(`${capital(start)}.`);
  const end = isEnded(call) ? inferredWords('end', call.end.timing) : undefined;
  if (end !== undefined) notes.push(`${capital(end)}.`);
  for (const mark of marksOf(call, model.isStale(item))) notes.push(markNote(model, call, mark));
  return notes;
}

function markNote(model: TimelineModel, call: ToolCall, mark: ReturnType<typeof marksOf>[number]): string {
  switch (mark) {
    case 'saved':
      return `${formatBytes(call.saved?.bytes ?? 0)} saved to disk.`;
    case 'stale':
      return 'A later call changed the file.';
    case 'edited':
      return 'You edited the input.';
    case 'fault':
      return `Trouble on purpose: ${call.faults.map((kind) => FAULT_WORDS[kind]).join(', ')}.`;
    case 'hook-changed':
      return 'A hook changed the input.';
    case 'same-as': {
      const same = call.sameAs === undefined ? undefined : callById(model.state, call.sameAs);
      return same === undefined ? 'Same as an earlier result.' : `Same result as ${callName(same)}.`;
    }
  }
}

export function requestTip(request: ModelRequest, number: number, now: number): Tip {
  const until = request.end?.at ?? now;
  const first = request.firstBlockAt ?? until;
  if (request.purpose === 'compact') return summaryTip(request, until);
  const name = `Request ${formatCount(number)}${request.attempt > 1 ? `, try ${request.attempt}` : ''}`;
  const streamed = request.firstBlockAt === undefined ? '' : `, streamed ${formatMillis(until - first)}`;
  return plainTip(
    `${name} waited ${formatMillis(first - request.from)} for the first block${streamed}.`,
    endNotes(request),
  );
}

/** Why a message ended where that is not plain, and what became of a request that failed. */
function endNotes({ end }: ModelRequest): readonly string[] {
  if (end === undefined) return [];
  if (end.kind === 'completed') return [STOP_WORDS[end.stopReason]];
  const again = end.retryInMs === undefined ? [] : [`Tried again after ${formatMillis(end.retryInMs)}.`];
  return [`Failed: ${end.message}`, ...again];
}

const STOP_WORDS: Readonly<Record<StopReason, string>> = {
  'end-turn': 'The model had said all.',
  'tool-use': 'The model waits for its calls.',
  'max-tokens': 'It was cut off at the most tokens a message may have.',
  'model-context-window-exceeded': 'It was cut off: the model’s context window was full.',
  refusal: 'The model refused to go on.',
  'stop-sequence': 'It ended at a stop sequence.',
  unknown: 'Why it ended is not known.',
};

/** A request for a summary of the conversation. */
function summaryTip({ from, end }: ModelRequest, until: number): Tip {
  const notes = end?.kind === 'failed' ? [`Failed: ${end.message}`] : [];
  return plainTip(`Asked for a summary of the conversation for ${formatMillis(until - from)}.`, notes);
}

export function hookTip(run: HookRun, now: number): Tip {
  const length = formatMillis((run.end?.at ?? now) - run.from);
  const end =
    run.end === undefined ? 'runs' : run.end.exitCode === undefined ? run.end.outcome : `exit ${run.end.exitCode}`;
  return plainTip(`${run.hookEvent} hook ${run.command}: ${length}, ${end}.`, run.end?.effects ?? []);
}

/** `bash_1 npm run dev: 12 s, runs.` */
export function shellTip(shell: Shell, now: number): Tip {
  const length = formatMillis((shell.end?.at ?? now) - shell.from);
  const end = shell.end === undefined ? 'runs' : shellEndWords(shell.end.how);
  const last = lastLine(shell);
  return plainTip(`${shell.shellId} ${shell.command}: ${length}, ${end}.`, last === '' ? [] : [last]);
}

export function processTip(process: Process, now: number): Tip {
  const length = formatMillis((process.until ?? now) - process.from);
  const end =
    process.until === undefined
      ? 'runs'
      : process.signal !== undefined
        ? process.signal
        : `exit ${process.code ?? 'unknown'}`;
  return plainTip(`${process.command}: ${length}, ${end}.`, [`Process ${process.pid}`]);
}

/** `npm test failed and cancelled 2 calls.` */
export function cascadeTip(model: TimelineModel, mark: CascadeMark): Tip {
  const n = mark.victims.length;
  const lost = mark.lostMs >= 0.5 ? [`${formatMillis(mark.lostMs)} of running work were thrown away.`] : [];
  return plainTip(
    `${callName(callAt(model, mark.culprit))} failed and cancelled ${formatCount(n)} ${n === 1 ? 'call' : 'calls'}.`,
    [...lost, 'Click to show only these.'],
  );
}

export const foldTip = (fold: Fold): Tip =>
  plainTip(`${formatMillis(fold.until - fold.from)} with nothing to see.`, ['Click to unfold.']);
