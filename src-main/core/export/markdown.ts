import { type AgentId, type CallId, MAIN_AGENT } from '../../../src-shared/ids.ts';
import { callById, type Entry } from '../../../src-shared/session/state.ts';
import { agentOrder, titleOf } from '../../../src-shared/timeline/agent-tree.ts';
import { CascadeBook } from '../../../src-shared/timeline/cascades.ts';
import { callName, formatMillis, formatMoment, listNames } from '../../../src-shared/timeline/words.ts';
import { callText } from './markdown-call.ts';
import { code, plain, quoted } from './markdown-text.ts';
import { callsIn, type ExportInput, hasTimes, isWithin } from './session.ts';

/**
 * The conversation to read: what was said, each call with its outcome, its time and the beginning of its output, and
 * cascades. Sub-agents have chapters of their own. All free text is quoted or fenced, so that it stays what it is.
 */
export function* exportMarkdown(input: ExportInput): Iterable<string> {
  const { state } = input;
  yield `# ${plain(state.title) || 'Session'}\n\n`;
  yield `${facts(input).join('\n')}\n\n`;
  const cascades = cascadeTexts(input);
  const byAgent = new Map<AgentId, Entry[]>([[MAIN_AGENT, []]]);
  for (const entry of state.entries) {
    const agentId = entry.kind === 'notice' ? MAIN_AGENT : entry.agentId;
    if (!isWithin(input.stretch, entry.at, endOfEntry(input, entry))) continue;
    const list = byAgent.get(agentId);
    if (list === undefined) byAgent.set(agentId, [entry]);
    else list.push(entry);
  }
  for (const { agentId, path } of agentOrder(state, [...byAgent.keys()])) {
    const entries = byAgent.get(agentId) ?? [];
    if (entries.length === 0) continue;
    yield `## ${agentId === MAIN_AGENT ? 'Conversation' : `Sub-agent ${plain(titleOf(path))}`}\n\n`;
    for (const entry of entries) {
      for (const text of entryTexts(input, entry, cascades)) yield `${text}\n\n`;
    }
  }
}

/** An answer lasts as long as its calls do. */
function endOfEntry({ state }: ExportInput, entry: Entry): number {
  if (entry.kind !== 'assistant') return entry.at;
  let until: number = entry.at;
  for (const block of entry.blocks) {
    const call = block.kind === 'tool-use' ? callById(state, block.callId) : undefined;
    if (call?.phase === 'completed' || call?.phase === 'yielded') until = Math.max(until, call.end.at);
  }
  return until;
}

function facts(input: ExportInput): readonly string[] {
  const { state, stretch } = input;
  const calls = callsIn(input);
  const errors = calls.filter((call) => 'end' in call && call.end.outcome === 'error').length;
  const { origin } = state;
  const rows = [
    ['From', origin?.kind === 'imported' ? [origin.format, origin.version].filter(Boolean).join(' ') : state.app],
    ['Folder', state.cwd],
    ['Started', new Date(state.startedAt).toISOString()],
    ['Length', hasTimes(state) ? formatMillis(state.now) : 'not recorded; the order of events is all there is'],
    ['Shown', stretch === undefined ? '' : `from ${formatMoment(stretch.from)} to ${formatMoment(stretch.until)}`],
    ['Calls', `${calls.length.toLocaleString('en-US')}, ${errors} failed`],
    ['Strategy', `${state.settings.strategy}, cascade policy ${state.settings.cascade}`],
    ['Written by', input.generator],
  ];
  return rows.filter(([, value]) => value !== '').map(([name, value]) => `- ${name}: ${plain(value ?? '')}`);
}

/** By the call they began with. */
function cascadeTexts({ state }: ExportInput): ReadonlyMap<CallId, string> {
  const book = new CascadeBook();
  for (const [index, call] of state.calls.entries()) book.take(call, index);
  return new Map(
    book.marks(state).flatMap(({ culprit, victims, lostMs }) => {
      const call = state.calls[culprit];
      if (call === undefined) return [];
      const names = victims.flatMap((index) => {
        const victim = state.calls[index];
        return victim === undefined ? [] : [callName(victim)];
      });
      const lost = hasTimes(state) ? ` ${formatMillis(lostMs)} of their work is lost.` : '';
      const words = `${callName(call)} failed and cancelled ${listNames(names)}.${lost}`;
      return [[call.callId, `**Cascade:** ${plain(words)}`] as const];
    }),
  );
}

function* entryTexts(input: ExportInput, entry: Entry, cascades: ReadonlyMap<CallId, string>): Iterable<string> {
  const { state } = input;
  const at = hasTimes(state) ? ` · ${formatMoment(entry.at)}` : '';
  switch (entry.kind) {
    case 'notice':
      yield `*${plain(entry.level === 'info' ? entry.text : `${entry.level}: ${entry.text}`)}*`;
      return;
    case 'user':
      yield `### ${entry.from === 'person' ? 'Person' : 'Program'}${at}`;
      yield quoted(entry.text === '' ? '(empty)' : entry.text);
      if (entry.images.length > 0) yield `*${entry.images.length} pictures are left out.*`;
      return;
    case 'assistant':
      yield `### ${entry.discarded ? 'Answer, discarded' : 'Answer'}${at}`;
      for (const block of entry.blocks) {
        if (block.kind === 'text') yield quoted(block.text);
        else if (block.kind === 'thinking' && block.text.trim() !== '') yield `*Thinking*\n\n${quoted(block.text)}`;
        else if (block.kind === 'tool-use') {
          const call = callById(state, block.callId);
          yield call === undefined ? `- ${code(block.tool)}` : callText(state, call);
          const cascade = cascades.get(block.callId);
          if (cascade !== undefined) yield cascade;
        }
      }
  }
}
