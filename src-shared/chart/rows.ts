import type { AgentId } from '../ids.ts';
import type { AgentTrack, TimelineModel } from '../timeline/tracks.ts';
import { GAP, INDENT, type Metrics } from './metrics.ts';

export type RowKind =
  | 'header'
  | 'group'
  | 'queue'
  | 'depth'
  | 'more'
  | 'strip'
  | 'agent-model'
  | 'lane'
  | 'single'
  | 'permission'
  | 'hooks'
  | 'background'
  | 'process';

/** One row of the chart. `y` counts from the top of the scrolled part; the model row stands above it. */
export type Row = {
  readonly key: string;
  readonly kind: RowKind;
  readonly y: number;
  readonly height: number;
  /** px the gutter label is moved right. */
  readonly indent: number;
  readonly agent: AgentTrack | undefined;
  /** Lane, queue line or process, from 0. */
  readonly index: number;
  /** Members of a `group` header. */
  readonly members: readonly AgentId[];
};

export type RowLayout = {
  readonly rows: readonly Row[];
  /** By `key`, for finding the row of a call without looking at all of them. */
  readonly byKey: ReadonlyMap<string, Row>;
  readonly height: number;
  /** y of the lines between sections. */
  readonly dividers: readonly number[];
  readonly metrics: Metrics;
};

export type RowOptions = {
  /** Agents whose queue is shown as a line of its depth. */
  readonly foldedQueues: ReadonlySet<AgentId>;
  /** The legend draws queue, strip and lanes alone. */
  readonly bare: boolean;
};

export const ALL_ROWS: RowOptions = { foldedQueues: new Set(), bare: false };

/** At least this many neighbouring collapsed agents get a header of their own. */
const GROUP_FROM = 2;

const keyOf = (kind: RowKind, agentId: string, index: number): string => `${agentId}:${kind}:${index}`;

class RowStack {
  readonly rows: Row[] = [];
  readonly dividers: number[] = [];
  y = 0;

  add(
    kind: RowKind,
    height: number,
    facts: Partial<Pick<Row, 'agent' | 'index' | 'indent' | 'members'>> & { readonly key?: string } = {},
  ): void {
    const { agent, index = 0, indent = 0, members = [] } = facts;
    const key = facts.key ?? keyOf(kind, agent?.agentId ?? '', index);
    this.rows.push({ key, kind, y: this.y, height, indent, agent, index, members });
    this.y += height;
  }

  gap(height: number): void {
    this.y += height;
  }

  divide(): void {
    if (this.dividers.at(-1) !== this.y) this.dividers.push(this.y);
  }
}

const indentOf = (agent: AgentTrack): number => Math.min(agent.depth, INDENT.most) * INDENT.step;

function addQueue(stack: RowStack, agent: AgentTrack, metrics: Metrics, options: RowOptions): void {
  const { queue } = agent;
  const indent = indentOf(agent);
  if (options.foldedQueues.has(agent.agentId) && queue.all.length > 0) {
    stack.add('depth', metrics.queueRow, { agent, indent });
    return;
  }
  const lines = Math.max(queue.lines.length, agent.isMain && !options.bare ? 1 : 0);
  for (let line = 0; line < lines; line++) stack.add('queue', metrics.queueRow, { agent, index: line, indent });
  if (queue.overflow.length > 0) stack.add('more', metrics.queueRow, { agent, indent });
}

/** Frames tell apart; a sub-agent that only reads has nothing to tell apart, so it gets none. */
export const hasFrames = (agent: AgentTrack): boolean =>
  agent.isMain || agent.frames.worstKind(0, agent.frames.length) > 0;

function addAgent(stack: RowStack, agent: AgentTrack, metrics: Metrics, options: RowOptions): void {
  const indent = indentOf(agent);
  if (!options.bare) stack.add('header', metrics.header, { agent, indent });
  if (agent.collapsed) {
    stack.divide();
    return;
  }
  if (agent.isMain) stack.gap(options.bare ? 0 : GAP.queueTop);
  else if (agent.requests.length > 0) stack.add('agent-model', metrics.track, { agent, indent });
  addQueue(stack, agent, metrics, options);
  if (hasFrames(agent)) stack.add('strip', metrics.strip, { agent, indent });
  const lanes = Math.max(agent.lanes.length, agent.isMain && !options.bare ? 1 : 0);
  const height = agent.isMain ? metrics.lane : metrics.subLane;
  for (let lane = 0; lane < lanes; lane++) stack.add('lane', height, { agent, index: lane, indent });
  stack.gap(metrics.sectionEnd);
  stack.divide();
}

/** Neighbouring collapsed agents of equal depth stand under one header; each keeps one row. */
function addCollapsed(stack: RowStack, run: readonly AgentTrack[], metrics: Metrics): void {
  const [first] = run;
  if (first === undefined) return;
  if (run.length >= GROUP_FROM) {
    const members = run.map((agent) => agent.agentId);
    stack.add('group', metrics.header, { key: `group:${first.agentId}`, indent: indentOf(first), members });
  }
  for (const agent of run) stack.add('single', metrics.subLane, { agent, indent: indentOf(agent) });
  stack.gap(metrics.sectionEnd);
  stack.divide();
}

/** Agents below a collapsed one are not shown. */
function visibleAgents(agents: readonly AgentTrack[]): readonly AgentTrack[] {
  let hiddenBelow = Number.POSITIVE_INFINITY;
  return agents.filter((agent) => {
    if (agent.depth > hiddenBelow) return false;
    hiddenBelow = agent.collapsed && !agent.isMain ? agent.depth : Number.POSITIVE_INFINITY;
    return true;
  });
}

function addAgents(stack: RowStack, model: TimelineModel, metrics: Metrics, options: RowOptions): void {
  let run: AgentTrack[] = [];
  const flush = (): void => {
    addCollapsed(stack, run, metrics);
    run = [];
  };
  for (const agent of visibleAgents(model.agents)) {
    if (agent.collapsed && !agent.isMain) {
      if (run.length > 0 && run[0]?.depth !== agent.depth) flush();
      run.push(agent);
      continue;
    }
    flush();
    addAgent(stack, agent, metrics, options);
  }
  flush();
}

/** The rows in the design's order: main, sub-agents in start order, background, permission, hooks, processes. */
export function rowsOf(model: TimelineModel, metrics: Metrics, options: RowOptions = ALL_ROWS): RowLayout {
  const stack = new RowStack();
  addAgents(stack, model, metrics, options);
  if (!options.bare) {
    for (let i = 0; i < model.shells.length; i++) stack.add('background', metrics.track, { index: i });
    if (model.shells.length > 0) stack.divide();
    stack.add('permission', metrics.track, {});
    stack.divide();
    stack.add('hooks', metrics.track, {});
    stack.divide();
    const processes = model.processes?.call.processes.length ?? 0;
    if (processes > 0) {
      stack.gap(1);
      // Two lines of label need two rows.
      for (let i = 0; i < Math.max(2, Math.min(processes, MAX_PROCESSES)); i++)
        stack.add('process', metrics.process, { index: i });
      stack.gap(2);
      stack.divide();
    }
  }
  const byKey = new Map(stack.rows.map((row) => [row.key, row]));
  return { rows: stack.rows, byKey, height: stack.y, dividers: stack.dividers, metrics };
}

/** More processes than this are counted in the last row. */
export const MAX_PROCESSES = 8;

/** The row of a lane, a queue line or a collapsed agent; undefined when it is not on the chart. */
export const findRow = (layout: RowLayout, kind: RowKind, agentId: AgentId, index = 0): Row | undefined =>
  layout.byKey.get(keyOf(kind, agentId, index));

/** The row at a height, counted like `Row.y`. */
export const rowAt = (layout: RowLayout, y: number): Row | undefined =>
  layout.rows.find((row) => y >= row.y && y < row.y + row.height);
