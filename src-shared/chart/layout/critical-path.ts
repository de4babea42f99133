import { type PathColumns, segmentAt } from '../../critical-path/columns.ts';
import type { AgentId, CallId } from '../../ids.ts';
import { callById } from '../../session/state.ts';
import type { ToolCall } from '../../tool-call/state.ts';
import { findRow, type Row } from '../rows.ts';
import type { Drawing } from './drawing.ts';

/** Parts narrower than this, in px, are not followed one by one: the line goes where the part in their middle lies. */
const LEAST_STEP = 4;
const OVERHANG = 20;
const WIDTH = 2;
/** Ground around the line, so that it stands out from white ink and from textures. */
const HALO = { width: 5, alpha: 0.6 } as const;

/** A corner of the line. `isModel`: in the model row of the main agent, which does not scroll. */
type Corner = { readonly x: number; readonly y: number; readonly isModel: boolean };
type Level = Omit<Corner, 'x'>;

/** Lines without gaps, from left to right. */
export type PathLines = readonly (readonly Corner[])[];

/**
 * The critical path of the turns as a line that steps along the lower edges of what decided: requests, bars, waits in
 * the queue. What lies in no row (hooks of no call, the program itself) leaves the line where it is. Costs what is in
 * view: at most one step in `LEAST_STEP` px.
 */
export function drawPath(d: Drawing): PathLines {
  const { path } = d.input;
  if (path === undefined) return [];
  const lines = linesOf(d, path);
  for (const line of lines) draw(d, line);
  return lines;
}

/** The part of the same lines that lies in the model row, and the way from there to the rows below. */
export function drawPathInModel(d: Drawing, lines: PathLines, bottom: number): void {
  for (const line of lines) {
    let run: Corner[] = [];
    const flush = (): void => {
      if (run.length > 1) draw(d, run);
      run = [];
    };
    for (const [at, corner] of line.entries()) {
      const before = line[at - 1];
      if (corner.isModel) {
        if (run.length === 0 && before !== undefined) run.push({ ...before, y: bottom });
        run.push(corner);
      } else {
        if (run.length > 0) run.push({ ...corner, y: bottom });
        flush();
      }
    }
    flush();
  }
}

function draw(d: Drawing, corners: readonly Corner[]): void {
  const points = corners.flatMap(({ x, y }) => [x, y]);
  d.line('arrows', points, 'surface.base', HALO.width, HALO.alpha * d.alphaOfRest);
  d.line('arrows', points, 'text.primary', WIDTH, d.alphaOfRest);
}

function linesOf(d: Drawing, path: PathColumns): PathLines {
  const lines: Corner[][] = [];
  let line: Corner[] = [];
  let lastX = Number.NEGATIVE_INFINITY;
  for (let i = segmentAt(path, d.from); i < path.length && (path.starts[i] as number) < d.until; ) {
    const step = stepAt(d, path, i, lastX);
    const level = levelOf(d, path, step.item) ?? line.at(-1) ?? nextLevel(d, path, step.item);
    if (level !== undefined) {
      const { y, isModel } = level;
      if (line.length === 0 || step.x0 > lastX + 1) {
        line = [{ x: step.x0, y, isModel }];
        lines.push(line);
      } else if (line.at(-1)?.y !== y) line.push({ x: lastX, y, isModel });
      else line.pop();
      line.push({ x: step.x1, y, isModel });
      lastX = step.x1;
    }
    i = step.next;
  }
  return lines;
}

/** A part as wide as it is, or several that are narrow as one. */
function stepAt(
  d: Drawing,
  path: PathColumns,
  i: number,
  lastX: number,
): { readonly item: number; readonly x0: number; readonly x1: number; readonly next: number } {
  const clamp = (x: number): number => Math.round(Math.max(-OVERHANG, Math.min(x, d.width + OVERHANG)));
  const from = d.x(path.starts[i] as number);
  const x0 = Math.max(clamp(from), from <= lastX + 1 ? lastX : -OVERHANG);
  const until = d.x(path.ends[i] as number);
  if (until - x0 >= LEAST_STEP) return { item: i, x0, x1: clamp(until), next: i + 1 };
  const item = Math.min(segmentAt(path, d.timeOf(x0 + LEAST_STEP / 2)), path.length - 1);
  const next = Math.max(i + 1, segmentAt(path, d.timeOf(x0 + LEAST_STEP)));
  // Where nothing follows at once, it ends where the last of them ends.
  const end = d.x(path.ends[next - 1] as number);
  const touches = next < path.length && d.x(path.starts[next] as number) <= x0 + LEAST_STEP;
  return {
    item: Math.max(i, Math.min(item, next - 1)),
    x0,
    x1: clamp(touches ? x0 + LEAST_STEP : Math.max(x0 + 1, end)),
    next,
  };
}

/** How far ahead the line looks for the row in which it begins. */
const LOOK_AHEAD = 8;

function nextLevel(d: Drawing, path: PathColumns, item: number): Level | undefined {
  for (let i = item + 1; i < Math.min(path.length, item + LOOK_AHEAD); i++) {
    const level = levelOf(d, path, i);
    if (level !== undefined) return level;
  }
  return undefined;
}

/** The lower edge of the thing on the canvas; undefined where it lies in no row that is shown. */
function levelOf(d: Drawing, path: PathColumns, item: number): Level | undefined {
  const agentId = path.agents[item] as AgentId;
  switch (path.places[item]) {
    case 'model':
      return modelLevel(d, agentId);
    case 'lane':
      return callLevel(d, agentId, path.calls[item], false);
    case 'queue':
      return callLevel(d, agentId, path.calls[item], true);
    default:
      return undefined;
  }
}

const edgeOf = (d: Drawing, row: Row, height: number): Level => ({
  y: Math.round(d.y(row) + (row.height + height) / 2),
  isModel: false,
});

function modelLevel(d: Drawing, agentId: AgentId): Level | undefined {
  const { rows, model } = d.input;
  const { ruler, modelRow, modelBar, subBar } = rows.metrics;
  if (model.agents[0]?.agentId === agentId) {
    return { y: Math.round(ruler + (modelRow + modelBar) / 2), isModel: true };
  }
  const row = findRow(rows, 'agent-model', agentId) ?? findRow(rows, 'single', agentId);
  return row === undefined ? undefined : edgeOf(d, row, subBar - 1);
}

function callLevel(d: Drawing, agentId: AgentId, callId: CallId | undefined, waits: boolean): Level | undefined {
  const { rows, model } = d.input;
  const { bar, subBar, queueBar } = rows.metrics;
  const call = callId === undefined ? undefined : callById(model.state, callId);
  if (call === undefined) return undefined;
  const single = findRow(rows, 'single', agentId);
  if (single !== undefined) return edgeOf(d, single, subBar);
  if (waits) {
    const row = queueRowOf(d, call);
    return row === undefined ? undefined : edgeOf(d, row, queueBar);
  }
  const lane = call.phase === 'queued' ? undefined : call.run?.lane;
  const row = lane === undefined ? undefined : findRow(rows, 'lane', agentId, lane);
  return row === undefined ? undefined : edgeOf(d, row, row.agent?.isMain === false ? subBar : bar);
}

/** The line of the queue in which a call waited; the row of the rest, or of the depth, where it has none. */
function queueRowOf(d: Drawing, call: ToolCall): Row | undefined {
  const { rows, model } = d.input;
  const item = model.state.callIndex[call.callId];
  const lines = model.agents.find(({ agentId }) => agentId === call.agentId)?.queue.lines ?? [];
  for (const [line, columns] of lines.entries()) {
    const first = columns.firstStartingAt(call.queuedAt);
    for (let i = first; i < columns.length && columns.starts[i] === call.queuedAt; i++)
      if (columns.items[i] === item) return findRow(rows, 'queue', call.agentId, line);
  }
  return findRow(rows, 'more', call.agentId) ?? findRow(rows, 'depth', call.agentId);
}
