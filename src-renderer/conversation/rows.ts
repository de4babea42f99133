import type { CallSet } from '../../src-shared/filter/matching.ts';
import type { Compaction, CopiedHistory } from '../../src-shared/history/state.ts';
import {
  type AgentId,
  type CallId,
  MAIN_AGENT,
  type MessageId,
  type RequestId,
  type TurnId,
} from '../../src-shared/ids.ts';
import type { Block } from '../../src-shared/model/event.ts';
import type { MessageImage } from '../../src-shared/model/image.ts';
import { isOver } from '../../src-shared/session/is-over.ts';
import { type RetryWait, retryWaitOf } from '../../src-shared/session/retry.ts';
import type { Agent, AssistantMessage, Entry, SessionState } from '../../src-shared/session/state.ts';
import { callById } from '../../src-shared/session/state.ts';
import type { SessionTime } from '../../src-shared/units.ts';
import { type Mark, marksOf } from './marks.ts';

type Base = {
  readonly key: string;
  /** What stands in the left column; empty where the row belongs to the one above. */
  readonly label: string;
  /** Nesting of the agent: 0 for the main one. */
  readonly depth: number;
  /** The message it is of, where a session can be continued from there. */
  readonly messageId?: MessageId;
  /** It was copied from the session that this one was forked from. */
  readonly copied?: true;
};

/** One line of the conversation, as it is drawn. A row holds no facts that change while it is shown: calls are looked up. */
export type Row =
  | (Base & { readonly kind: 'you'; readonly text: string; readonly images: readonly MessageImage[] })
  | (Base & { readonly kind: 'program'; readonly text: string })
  /** `growing`: more of it is on its way. */
  | (Base & {
      readonly kind: 'text' | 'thinking';
      readonly text: string;
      readonly discarded: boolean;
      readonly growing: boolean;
    })
  /** A call whose input is on its way: letters so far. */
  | (Base & { readonly kind: 'writing'; readonly tool: string; readonly size: number; readonly discarded: boolean })
  | (Base & { readonly kind: 'other'; readonly raw: unknown; readonly discarded: boolean })
  | (Base & { readonly kind: 'call'; readonly callId: CallId; readonly discarded: boolean })
  /** `left`: a recording shows that the session went on from before it; else its stream broke. */
  | (Base & { readonly kind: 'discarded'; readonly left: boolean })
  | (Base & {
      readonly kind: 'notice';
      readonly level: 'info' | 'warning' | 'error';
      readonly text: string;
      readonly detail: string | undefined;
    })
  | (Base & { readonly kind: 'mark'; readonly tone: Mark['tone']; readonly text: string })
  | (Base & { readonly kind: 'agent'; readonly agent: Agent; readonly calls: number; readonly open: boolean })
  /** A request that has not brought anything yet. */
  | (Base & { readonly kind: 'waiting'; readonly from: SessionTime; readonly isForSummary: boolean })
  /** A request failed and is made once more after a while. */
  | (Base & { readonly kind: 'retrying'; readonly wait: RetryWait })
  /** From here on a summary takes the place of what came before. */
  | (Base & { readonly kind: 'compacted'; readonly compaction: Compaction })
  /** What was copied ends here. */
  | (Base & { readonly kind: 'fork'; readonly history: CopiedHistory });

export type RowOptions = {
  readonly openAgents: ReadonlySet<AgentId>;
  /** Which calls are listed. A set may grow in place. */
  readonly calls: 'all' | 'none' | CallSet;
};

/** The rows of a whole session: the main agent's conversation, each sub-agent's under the call that started it. */
export function conversationRows(state: SessionState, options: RowOptions): readonly Row[] {
  const builder = new RowBuilder(state, options);
  return builder.build();
}

/** Rows of one message. Messages are replaced when they change, so an unchanged one keeps its rows. */
const rowsOfEntry = new WeakMap<
  Entry,
  { readonly label: string; readonly depth: number; readonly copied: boolean; readonly rows: readonly Row[] }
>();

class RowBuilder {
  private readonly state: SessionState;
  private readonly options: RowOptions;
  private readonly rows: Row[] = [];
  private readonly entries = new Map<AgentId, { readonly entry: Entry; readonly index: number }[]>();
  private readonly agentsOfCall = new Map<CallId, Agent[]>();
  private readonly callCounts = new Map<AgentId, number>();
  private readonly labels: ReadonlyMap<RequestId, string>;
  private readonly shownAgents = new Set<AgentId>();

  constructor(state: SessionState, options: RowOptions) {
    this.state = state;
    this.options = options;
    this.labels = requestLabels(state);
    const known = new Set(state.agents.map((agent) => agent.agentId));
    for (const [index, entry] of state.entries.entries()) {
      const owner = entry.kind === 'notice' || !known.has(entry.agentId) ? MAIN_AGENT : entry.agentId;
      push(this.entries, owner, { entry, index });
    }
    for (const agent of state.agents)
      if (agent.parentCallId !== undefined) push(this.agentsOfCall, agent.parentCallId, agent);
    for (const call of state.calls) this.callCounts.set(call.agentId, (this.callCounts.get(call.agentId) ?? 0) + 1);
  }

  build(): readonly Row[] {
    this.agentRows(MAIN_AGENT, 0);
    // An agent whose call is not listed (filtered, or missing in a file) must not vanish with it.
    for (const agent of this.state.agents) {
      if (!this.shownAgents.has(agent.agentId) && !this.hasShownParent(agent)) this.subAgent(agent, 1);
    }
    return this.rows;
  }

  private hasShownParent(agent: Agent): boolean {
    const parent = agent.parentCallId === undefined ? undefined : callById(this.state, agent.parentCallId);
    return (
      parent !== undefined &&
      parent.agentId !== MAIN_AGENT &&
      this.state.agents.some((a) => a.agentId === parent.agentId)
    );
  }

  private agentRows(agentId: AgentId, depth: number): void {
    const marks = marksOf(this.state, agentId);
    let next = 0;
    const marksBefore = (at: number, andAt: boolean): void => {
      for (let mark = marks[next]; mark !== undefined && (mark.at < at || (andAt && mark.at === at)); ) {
        this.rows.push({ kind: 'mark', key: mark.key, label: '', depth, tone: mark.tone, text: mark.text });
        next++;
        mark = marks[next];
      }
    };
    const dividers = this.dividers(agentId, depth);
    for (const { entry, index } of this.entries.get(agentId) ?? []) {
      while (dividers[0] !== undefined && dividers[0].place <= index)
        this.rows.push(...dividers.splice(0, 1).map(({ row }) => row));
      // What happened in the same instant as a message came after it, but before a notice about it.
      marksBefore(entry.at, entry.kind === 'notice');
      for (const row of this.entryRows(entry, index, depth)) this.add(row, depth);
    }
    marksBefore(Number.POSITIVE_INFINITY, true);
    this.rows.push(...dividers.map(({ row }) => row));
    this.waiting(agentId, depth);
  }

  /** In their order, each with the number of entries before it. */
  private dividers(agentId: AgentId, depth: number): { readonly place: number; readonly row: Row }[] {
    const { compactions, history } = this.state;
    const label = '';
    const found: { place: number; row: Row }[] = compactions.flatMap((compaction, index) => {
      const row: Row = { kind: 'compacted', key: `compacted ${index}`, label, depth, compaction };
      return compaction.agentId === agentId ? [{ place: compaction.place.entries, row }] : [];
    });
    if (history !== undefined && agentId === MAIN_AGENT) {
      const row: Row = { kind: 'fork', key: 'fork', label, depth, history };
      const at = found.findIndex(({ place }) => place > history.entries);
      found.splice(at === -1 ? found.length : at, 0, { place: history.entries, row });
    }
    return found;
  }

  private add(row: Row, depth: number): void {
    if (row.kind !== 'call') {
      this.rows.push(row);
      return;
    }
    if (this.isListed(row.callId)) this.rows.push(row);
    for (const agent of this.agentsOfCall.get(row.callId) ?? []) this.subAgent(agent, depth + 1);
  }

  private isListed(callId: CallId): boolean {
    const { calls } = this.options;
    if (calls === 'all') return true;
    const index = this.state.callIndex[callId];
    return calls !== 'none' && index !== undefined && calls.has(index);
  }

  private subAgent(agent: Agent, depth: number): void {
    if (this.shownAgents.has(agent.agentId)) return;
    this.shownAgents.add(agent.agentId);
    const open = this.options.openAgents.has(agent.agentId);
    const calls = this.callCounts.get(agent.agentId) ?? 0;
    this.rows.push({ kind: 'agent', key: `agent ${agent.agentId}`, label: '', depth, agent, calls, open });
    if (open) this.agentRows(agent.agentId, depth);
  }

  private waiting(agentId: AgentId, depth: number): void {
    const request = this.state.requests.findLast((one) => one.agentId === agentId);
    const wait = retryWaitOf(this.state, agentId);
    if (wait !== undefined) {
      this.rows.push({ kind: 'retrying', key: `retrying ${request?.requestId}`, label: 'Model', depth, wait });
      return;
    }
    if (request === undefined || request.end !== undefined || request.firstBlockAt !== undefined) return;
    if (isOver(this.state)) return;
    const newest = this.entries.get(agentId)?.at(-1)?.entry;
    if (newest?.kind === 'assistant' && newest.growing !== undefined) return;
    this.rows.push({
      kind: 'waiting',
      key: `waiting ${request.requestId}`,
      label: 'Model',
      depth,
      from: request.from,
      isForSummary: request.purpose === 'compact',
    });
  }

  private entryRows(entry: Entry, index: number, depth: number): readonly Row[] {
    const label = entry.kind === 'assistant' ? (this.labels.get(entry.requestId) ?? 'Request') : '';
    const cached = rowsOfEntry.get(entry);
    const copied = index < (this.state.history?.entries ?? 0);
    if (cached?.label === label && cached.depth === depth && cached.copied === copied) return cached.rows;
    const left = this.state.origin?.kind === 'imported';
    const bare = entry.kind === 'assistant' ? messageRows(entry, label, depth, left) : [plainRow(entry, index, depth)];
    const rows = bare.map((row) => ({ ...row, ...extrasOf(entry, depth, copied) }));
    rowsOfEntry.set(entry, { label, depth, copied, rows });
    return rows;
  }
}

/** A session can be continued from a message of the main agent that is whole. */
function extrasOf(entry: Entry, depth: number, copied: boolean): Pick<Base, 'messageId' | 'copied'> {
  const canFork = entry.kind !== 'notice' && depth === 0 && (entry.kind === 'user' || !entry.discarded);
  return { ...(canFork ? { messageId: entry.messageId } : {}), ...(copied ? { copied } : {}) };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** `Request 3`, counted in its turn as in the chart; a further try of the same one is `Request 3, try 2`. */
function requestLabels(state: SessionState): ReadonlyMap<RequestId, string> {
  const labels = new Map<RequestId, string>();
  const counts = new Map<TurnId, number>();
  for (const { requestId, turnId, attempt, purpose } of state.requests) {
    if (purpose !== undefined) continue;
    const number = Math.max(1, (counts.get(turnId) ?? 0) + (attempt > 1 ? 0 : 1));
    counts.set(turnId, number);
    labels.set(requestId, attempt > 1 ? `Request ${number}, try ${attempt}` : `Request ${number}`);
  }
  return labels;
}

/** `index` is the entry's place in the session: notices have no id, and entries never change places. */
function plainRow(entry: Exclude<Entry, AssistantMessage>, index: number, depth: number): Row {
  if (entry.kind === 'notice') {
    return {
      kind: 'notice',
      key: `notice ${index}`,
      label: 'Gantry',
      depth,
      level: entry.level,
      text: entry.text,
      detail: entry.detail,
    };
  }
  const { messageId, text, images, from } = entry;
  const key = `message ${messageId}`;
  return from === 'person'
    ? { kind: 'you', key, label: 'You', depth, text, images }
    : { kind: 'program', key, label: depth > 0 ? 'Prompt' : 'Program', depth, text };
}

function messageRows(message: AssistantMessage, requestLabel: string, depth: number, left: boolean): readonly Row[] {
  const rows: Row[] = [];
  const { discarded, messageId } = message;
  if (discarded) rows.push({ kind: 'discarded', key: `discarded ${messageId}`, label: requestLabel, depth, left });
  let before = '';
  message.blocks.forEach((block, at) => {
    const label = block.kind === 'tool-use' ? requestLabel : 'Model';
    const base = { key: `block ${messageId} ${at}`, label: label === before ? '' : label, depth, discarded };
    before = label;
    rows.push(blockRow(block, base));
  });
  const { growing } = message;
  if (growing !== undefined) {
    const label = growing.kind === 'tool-use' ? requestLabel : 'Model';
    // The key of the block that it will be, so that what was opened in it stays open.
    const key = `block ${messageId} ${message.blocks.length}`;
    rows.push(growingRow(growing, { key, label: label === before ? '' : label, depth, discarded }));
  }
  return rows;
}

function growingRow(
  { kind, text, size, tool }: NonNullable<AssistantMessage['growing']>,
  base: Base & { readonly discarded: boolean },
): Row {
  if (kind === 'tool-use') return { ...base, kind: 'writing', tool: tool ?? '', size };
  return { ...base, kind, text, growing: true };
}

function blockRow(block: Block, base: Base & { readonly discarded: boolean }): Row {
  switch (block.kind) {
    case 'tool-use':
      return { ...base, kind: 'call', callId: block.callId };
    case 'other':
      return { ...base, kind: 'other', raw: block.raw };
    default:
      return { ...base, kind: block.kind, text: block.text, growing: false };
  }
}

/** The agents that must be open for a call to be in the list, outermost first. */
export function agentsAround(state: SessionState, callId: CallId): readonly AgentId[] {
  const around: AgentId[] = [];
  let call = callById(state, callId);
  while (call !== undefined) {
    const { agentId } = call;
    const agent = state.agents.find((one) => one.agentId === agentId);
    if (agent === undefined || around.includes(agentId)) break;
    around.unshift(agentId);
    call = agent.parentCallId === undefined ? undefined : callById(state, agent.parentCallId);
  }
  return around;
}
