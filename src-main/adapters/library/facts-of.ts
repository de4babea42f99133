import { MAIN_AGENT } from '../../../src-shared/ids.ts';
import { type FoundSession, NOT_READ, type TextKind } from '../../../src-shared/library/session.ts';
import { foldSession, type SessionState } from '../../../src-shared/session/state.ts';
import { spentOf } from '../../../src-shared/session/tokens.ts';
import { resultText } from '../../../src-shared/tool-call/content.ts';
import type { ToolCall } from '../../../src-shared/tool-call/state.ts';
import type { Imported } from '../transcripts/importer.ts';
import type { FoundFile } from './scan.ts';
import { shapeOf } from './shape-of.ts';

/** A text that can be found. */
export type IndexedText = {
  readonly kind: TextKind;
  readonly tool: string;
  readonly callId: string | undefined;
  /** Session time in ms. */
  readonly t: number;
  readonly text: string;
};

export type SessionFacts = { readonly session: FoundSession; readonly texts: readonly IndexedText[] };

/** Characters kept of each: nobody finds a session by the millionth line of a log. */
const MOST: { readonly [K in TextKind]: number } = { prompt: 32_000, answer: 32_000, input: 16_000, output: 16_000 };
/** Characters kept of one session. */
const MOST_IN_ALL = 8_000_000;

/** What the index keeps of a session that was read. */
export function factsOf(imported: Imported, file: FoundFile): SessionFacts {
  const state = foldSession(imported.events);
  const isTimed = !(state.origin?.kind === 'imported' && state.origin.clock === 'order-only');
  const outcomes = state.calls.map(outcomeOf);
  const count = (is: (call: ToolCall) => boolean): number => state.calls.filter(is).length;
  const answered = state.calls.flatMap((call) => call.asks.filter(({ until }) => until !== undefined));
  const { tokensIn, tokensOut, cost } = spentOf(state);
  const session: FoundSession = {
    path: imported.path,
    format: imported.format,
    version: imported.version ?? '',
    title: imported.title,
    cwd: imported.cwd,
    startedAt: isTimed && state.startedAt > 0 ? state.startedAt : file.mtimeMs,
    durationMs: isTimed ? state.now : 0,
    timed: isTimed,
    bytes: file.bytes,
    events: imported.events.length,
    calls: state.calls.length,
    errors: outcomes.filter((outcome) => outcome === 'error').length,
    cancelled: outcomes.filter((outcome) => outcome === 'cancelled' || outcome === 'interrupted').length,
    cascades: state.cascades.length,
    rejections: count((call) => call.permission?.verdict === 'deny'),
    savedOutputs: count((call) => call.saved !== undefined),
    savedBytes: state.calls.reduce((sum, call) => sum + (call.saved?.bytes ?? 0), 0),
    agents: state.agents.filter((agent) => agent.parentCallId !== undefined).length,
    findings: imported.findings.length,
    mostAtOnce: isTimed ? mostAtOnce(state.calls) : 0,
    asks: answered.length,
    askedMs: answered.reduce((sum, { from, until }) => sum + ((until ?? from) - from), 0),
    tokensIn,
    tokensOut,
    ...(cost === undefined ? {} : { cost }),
    interrupted: state.turns.findLast(({ agentId }) => agentId === MAIN_AGENT)?.end?.reason === 'interrupted',
    prompt: promptOf(state),
    shape: shapeOf(state.calls, isTimed),
    problem: '',
  };
  return { session, texts: bounded(textsOf(state)) };
}

/** Characters of the first prompt that are shown. */
const PROMPT_SHOWN = 600;

function promptOf({ entries }: SessionState): string {
  const said = entries.find((entry) => entry.kind === 'user' && entry.from === 'person' && entry.text.trim() !== '');
  return said?.kind === 'user' ? said.text.trim().slice(0, PROMPT_SHOWN) : '';
}

function mostAtOnce(calls: readonly ToolCall[]): number {
  const steps: (readonly [at: number, by: number])[] = [];
  for (const call of calls) {
    if (!('end' in call) || call.run === undefined) continue;
    steps.push([call.run.at, 1], [call.end.at, -1]);
  }
  // Whoever ends in the moment another one begins did not run beside it.
  steps.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let [now, most] = [0, 0];
  for (const [, by] of steps) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

/** What is known of a file without reading it whole. */
export type Known = Partial<Pick<FoundSession, 'title' | 'cwd'>>;

/** A file whose texts are not kept, and why. */
export const withoutTexts = (file: FoundFile, problem: string, known: Known = {}): SessionFacts => ({
  session: {
    path: file.path,
    format: '',
    version: '',
    title: '',
    cwd: '',
    startedAt: file.mtimeMs,
    durationMs: 0,
    timed: false,
    bytes: file.bytes,
    events: 0,
    calls: 0,
    errors: 0,
    cancelled: 0,
    cascades: 0,
    rejections: 0,
    savedOutputs: 0,
    savedBytes: 0,
    agents: 0,
    findings: 0,
    mostAtOnce: 0,
    asks: 0,
    askedMs: 0,
    tokensIn: 0,
    tokensOut: 0,
    interrupted: false,
    prompt: '',
    shape: '',
    problem,
    ...known,
  },
  texts: [],
});

/** A file that is listed before its turn to be read has come. */
export const notReadYet = (file: FoundFile, known: Known): SessionFacts => withoutTexts(file, NOT_READ, known);

const outcomeOf = (call: ToolCall) =>
  call.phase === 'completed' || call.phase === 'yielded' ? call.end.outcome : undefined;

function* textsOf(state: SessionState): Generator<IndexedText> {
  for (const entry of state.entries) {
    if (entry.kind === 'notice') continue;
    const isPrompt = entry.kind === 'user';
    const text = isPrompt
      ? entry.text
      : entry.blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])).join('\n');
    yield { kind: isPrompt ? 'prompt' : 'answer', tool: '', callId: undefined, t: entry.at, text };
  }
  for (const call of state.calls) {
    const { tool, callId, queuedAt } = call;
    yield { kind: 'input', tool, callId, t: queuedAt, text: inputText(call.input) };
    if (call.phase !== 'completed' && call.phase !== 'yielded') continue;
    yield { kind: 'output', tool, callId, t: call.end.at, text: resultText(call.end.result) };
  }
}

/** The strings of an input as they were meant, not as JSON writes them: `"` is found as `"`. */
function inputText(input: unknown, depth = 0): string {
  if (typeof input === 'string') return input;
  if (input === null || input === undefined || depth > 6) return '';
  if (typeof input !== 'object') return String(input);
  return Object.values(input)
    .map((value) => inputText(value, depth + 1))
    .filter((text) => text !== '')
    .join('\n');
}

function bounded(texts: Iterable<IndexedText>): IndexedText[] {
  const kept: IndexedText[] = [];
  let left = MOST_IN_ALL;
  for (const text of texts) {
    // A NUL ends a text for SQLite.
    const cut = text.text.slice(0, Math.min(MOST[text.kind], left)).replaceAll('\0', '\uFFFD');
    if (cut.trim() === '') continue;
    left -= cut.length;
    kept.push({ ...text, text: cut });
    if (left <= 0) break;
  }
  return kept;
}
