import type { SessionState } from '../../../src-shared/session/state.ts';
import {
  callLabel,
  formatBytes,
  formatMillis,
  inferredWords,
  outcomeWords,
  whyItWaited,
} from '../../../src-shared/timeline/words.ts';
import { resultText } from '../../../src-shared/tool-call/content.ts';
import { sentResult, type ToolCall } from '../../../src-shared/tool-call/state.ts';
import { beginning, code, fenced, plain } from './markdown-text.ts';
import { hasTimes, runOf } from './session.ts';

/** Waits shorter than this are the scheduler's own time. */
const NEWS_MS = 50;

/** One call: what it was, how it ended and how long it took; its input, its output, what was inferred. */
export function callText(state: SessionState, call: ToolCall): string {
  const { tool, argument } = callLabel(call);
  const head = [`**${plain(tool)}**`, code(argument)].filter((part) => part !== '').join(' ');
  const parts = [`- ${head} — ${facts(state, call).join(' · ')}`];
  parts.push(...notes(state, call).map((note) => indented(note)));
  const input = inputText(call);
  if (input !== undefined) parts.push(indented(input));
  const output = outputText(call);
  if (output !== undefined) parts.push(indented(output));
  return parts.join('\n\n');
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');

function facts(state: SessionState, call: ToolCall): readonly string[] {
  const run = runOf(call);
  const end = call.phase === 'completed' || call.phase === 'yielded' ? call.end : undefined;
  const words = [outcomeWords(call)];
  if (hasTimes(state)) {
    const waited = (run?.at ?? end?.at ?? state.now) - call.queuedAt;
    if (waited >= NEWS_MS) words.push(`waited ${formatMillis(waited)}`);
    if (run !== undefined && end !== undefined) {
      const isInferred = run.timing.certainty === 'inferred' || end.timing.certainty === 'inferred';
      words.push(`${isInferred ? 'about ' : ''}${formatMillis(end.at - run.at)}`);
    }
  }
  if (run !== undefined) words.push(`lane ${run.lane + 1}`);
  if (!call.safety.safe && call.safety.because !== 'not-recorded') words.push('exclusive');
  return words;
}

function notes(state: SessionState, call: ToolCall): readonly string[] {
  const found: string[] = [];
  const run = runOf(call);
  const end = call.phase === 'completed' || call.phase === 'yielded' ? call.end : undefined;
  if (hasTimes(state) && call.waits.length > 0 && (run?.at ?? 0) - call.queuedAt >= NEWS_MS) {
    found.push(`${plain(whyItWaited(state, call))}.`);
  }
  if (hasTimes(state)) {
    const inferred = [
      run === undefined ? undefined : inferredWords('start', run.timing),
      end === undefined ? undefined : inferredWords('end', end.timing),
    ].filter((words) => words !== undefined);
    if (inferred.length > 0) found.push(`*Inferred: ${inferred.join('; ')}.*`);
  }
  if (call.permission !== undefined && isNews(call.permission))
    found.push(`Permission: ${call.permission.verdict} by ${plain(call.permission.by)}.`);
  if (call.saved !== undefined) {
    found.push(`The whole output, ${formatBytes(call.saved.bytes)}, was saved to ${code(call.saved.path)}.`);
  }
  return found;
}

/** That a tool or a mode let a call through goes without saying. */
const isNews = ({ verdict, by }: NonNullable<ToolCall['permission']>): boolean =>
  verdict === 'deny' || by === 'user' || by === 'hook';

/** Nothing where the head has said it all. */
function inputText(call: ToolCall): string | undefined {
  const { input } = call;
  if (typeof input !== 'object' || input === null) return undefined;
  const fields = Object.entries(input).filter(([, value]) => value !== call.summary);
  if (fields.length === 0) return undefined;
  const [only] = fields;
  const text =
    fields.length === 1 && only !== undefined && typeof only[1] === 'string' && only[1].includes('\n')
      ? only[1]
      : JSON.stringify(Object.fromEntries(fields), null, 2);
  return block(text, text.startsWith('{') ? 'json' : '');
}

function outputText(call: ToolCall): string | undefined {
  if (call.phase !== 'completed' && call.phase !== 'yielded') return undefined;
  const text = resultText(sentResult(call)).trimEnd();
  return text === '' ? undefined : block(text, '');
}

function block(text: string, language: string): string {
  const { shown, note } = beginning(text);
  return note === undefined ? fenced(shown, language) : `${fenced(shown, language)}\n\n*${note}*`;
}
