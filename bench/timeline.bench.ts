import { median, rounded, share } from './measure.ts';
import { peerFile } from './peer.ts';
import { type Bench, type Measured, openBench } from './timeline/run-page.ts';

const SIZES = [10_000, 100_000, 1_000_000];
const PEER = 'flame-chart-js';

/** How often each is measured; the largest takes long to make. */
const roundsOf = (calls: number): number => (calls >= 1_000_000 ? 2 : 3);

/**
 * The chart in a window of its own (spec 7.4): 200 frames of pan and zoom, 1,280 px wide, as many a second as can be made,
 * each contender in a fresh Electron, in turn.
 */
export default async function timeline() {
  const script = await peerFile(PEER, '3.3.0', 'dist/index.min.js');
  if (script === undefined) process.stdout.write(`The registry was not reached: nothing to compare with ${PEER}.\n`);
  const bench = await openBench();
  const rows = [];
  try {
    for (const calls of SIZES) rows.push(...(await rowsOf(bench, calls, script)));
  } finally {
    await bench.close();
  }
  return { name: 'Timeline: first draw, and 200 frames of pan and zoom', rows };
}

async function rowsOf(bench: Bench, calls: number, script: string | undefined) {
  const contenders = ['empty', 'floor', 'ours', ...(script === undefined ? [] : [PEER])];
  const found = new Map<string, Measured[]>(contenders.map((name) => [name, []]));
  for (let round = 0; round < roundsOf(calls); round++) {
    for (const name of contenders)
      found.get(name)?.push(await bench.run(name, calls, name === PEER ? script : undefined));
  }
  const floor = found.get('floor') ?? [];
  return contenders.map((name) => rowOf(name, calls, found.get(name) ?? [], floor));
}

const of = (all: readonly Measured[], part: (one: Measured) => number): number => median(all.map(part));
const frameMedian = (one: Measured): number => median(one.frames);
const frameP95 = (one: Measured): number => share(one.frames, 0.95);

function rowOf(name: string, calls: number, all: readonly Measured[], floor: readonly Measured[]) {
  const over = (part: (one: Measured) => number): number => rounded(of(all, part) / of(floor, part));
  return {
    calls: calls.toLocaleString('en'),
    chart: name,
    'first draw ms': rounded(of(all, ({ first }) => first)),
    'whole ms': rounded(of(all, ({ whole }) => whole)),
    'longest piece ms': rounded(of(all, ({ longest }) => longest)),
    'frame median ms': rounded(of(all, frameMedian)),
    'p95 ms': rounded(of(all, frameP95)),
    'script p95 ms': rounded(of(all, ({ scripts }) => share(scripts, 0.95))),
    'CPU a frame ms': rounded(of(all, ({ cpuPerFrame }) => cpuPerFrame)),
    'bytes a call': rounded(of(all, ({ bytesPerCall }) => bytesPerCall)),
    'first ÷ floor': over(({ first }) => first),
    'median ÷ floor': over(frameMedian),
    'p95 ÷ floor': over(frameP95),
    'CPU ÷ floor': over(({ cpuPerFrame }) => cpuPerFrame),
    'last call': all.every(({ hitsLast }) => hitsLast) ? 'there' : 'missing',
  };
}
