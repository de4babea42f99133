import type { SessionEvent } from '../../../src-shared/session/event.ts';
import { foldSession } from '../../../src-shared/session/state.ts';
import type { Finding } from '../../../src-shared/session/summary.ts';
import { resultText } from '../../../src-shared/tool-call/content.ts';
import type { ToolCall } from '../../../src-shared/tool-call/state.ts';
import type { Timing } from '../../../src-shared/tool-call/timing.ts';
import type { Imported } from './importer.ts';

/**
 * An imported session in a few lines that a person can check by eye: what was asked and answered, and for each call its
 * lane, its times with their sources and bounds, and its end. For tests: this is what stands beside a fixture.
 */
export function pictureOf({ events, title, cwd, version, format, findings }: Imported): string {
  const state = foldSession(events);
  const clock = state.origin?.kind === 'imported' ? state.origin.clock : 'live';
  return [
    `${format} ${version ?? '-'} | ${title} | ${cwd || '-'} | ${clock}`,
    ...events.flatMap((event) => lineOf(event) ?? []),
    ...state.calls.map(callLine),
    ...state.turns.map((turn) => `turn ${turn.agentId} ${turn.from}..${turn.end?.at} ${turn.end?.reason}`),
    ...findings.map(findingLine),
    '',
  ].join('\n');
}

const cut = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

function lineOf(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'user-message-added':
      return `${event.t} ${event.agentId} ${event.from}: ${cut(event.text)}`;
    case 'request-started':
      return `${event.t} ${event.agentId} asks ${timing(event.timing)}`;
    case 'block-arrived':
      return event.block.kind === 'text' || event.block.kind === 'thinking'
        ? `${event.t} ${event.agentId} ${event.block.kind}: ${cut(event.block.text)}`
        : undefined;
    case 'message-completed':
      return `${event.t} ${event.messageId} whole, ${event.stopReason} ${JSON.stringify(event.usage)}`;
    case 'attempt-discarded':
      return `${event.t} ${event.messageId} taken back`;
    case 'agent-started':
      return `${event.t} agent ${event.agentId} (${event.name}) of ${event.parentCallId ?? '-'} depth ${event.depth}`;
    case 'notice-given':
      return `${event.t} notice ${event.level}: ${cut(event.text)}`;
    default:
      return undefined;
  }
}

const timing = (of: Timing): string =>
  of.certainty === 'measured' ? 'measured' : `${of.source} ${of.earliest}..${of.latest}`;

function callLine(call: ToolCall): string {
  const end = 'end' in call ? call.end : undefined;
  const run = call.phase === 'queued' ? undefined : call.run;
  const start = run === undefined ? 'never ran' : `lane ${run.lane} from ${run.at} (${timing(run.timing)})`;
  const until = end === undefined ? 'open' : `to ${end.at} (${timing(end.timing)}) ${end.outcome}`;
  const exit = end?.exit?.code === undefined ? '' : ` exit ${end.exit.code}`;
  const result = end === undefined ? '' : ` = ${cut(resultText(end.result))}`;
  const name = `${call.agentId} ${call.callId} ${call.tool} [${cut(call.summary)}]`;
  return `${name} asked ${call.queuedAt}, ${start}, ${until}${exit}${result}`;
}

const findingLine = ({ line, kind, message }: Finding): string => `finding ${kind} at ${line}: ${cut(message)}`;
