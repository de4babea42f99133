import { foldSession, type SessionState } from '../../../src-shared/session/state.ts';
import { resultText } from '../../../src-shared/tool-call/content.ts';
import type { ToolCall } from '../../../src-shared/tool-call/state.ts';
import type { Imported } from '../transcripts/importer.ts';
import type { FoundSession, TextKind } from './protocol.ts';
import type { FoundFile } from './scan.ts';

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
  const session: FoundSession = {
    path: imported.path,
    format: imported.format,
    version: imported.version ?? '',
    title: imported.title,
    cwd: imported.cwd,
    startedAt: isTimed && state.startedAt > 0 ? state.startedAt : file.mtimeMs,
    durationMs: isTimed ? state.now : 0,
    bytes: file.bytes,
    calls: state.calls.length,
    errors: outcomes.filter((outcome) => outcome === 'error').length,
    cascades: state.cascades.length,
    rejections: count((call) => call.permission?.verdict === 'deny'),
    savedOutputs: count((call) => call.saved !== undefined),
    agents: state.agents.filter((agent) => agent.parentCallId !== undefined).length,
    findings: imported.findings.length,
    problem: '',
  };
  return { session, texts: bounded(textsOf(state)) };
}

/** A file whose texts are not kept, and why. */
export const withoutTexts = (file: FoundFile, problem: string): SessionFacts => ({
  session: {
    path: file.path,
    format: '',
    version: '',
    title: '',
    cwd: '',
    startedAt: file.mtimeMs,
    durationMs: 0,
    bytes: file.bytes,
    calls: 0,
    errors: 0,
    cascades: 0,
    rejections: 0,
    savedOutputs: 0,
    agents: 0,
    findings: 0,
    problem,
  },
  texts: [],
});

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
