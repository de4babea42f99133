import { fork } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KeptTexts } from '../src-main/adapters/transcripts/lazy/kept-texts.ts';
import { openTranscript } from '../src-main/adapters/transcripts/open-transcript.ts';
import { foldSession } from '../src-shared/session/state.ts';
import { TimelineBuilder } from '../src-shared/timeline/model.ts';
import { median, rounded, spread } from './measure.ts';
import { makeTranscript } from './transcript-file.ts';

const MB = 1_000_000;
const ROUNDS = 5;
/** What is measured, each time in a process of its own: a file is opened once, not until the compiler is warm. */
type What = 'floor' | 'events' | 'timeline' | 'whole';
type Task = { readonly what: What; readonly file: string };
/** Times in ms; memory in MB above that of the process before. */
type Taken = { readonly wall: number; readonly cpu: number; readonly peak: number };

/** The least there is to do: read 4 MB at a time, look for line ends, parse each line, keep a light index. */
function floor(file: string): number {
  const fd = openSync(file, 'r');
  const index: { type: unknown; uuid: unknown; timestamp: unknown; from: number; bytes: number }[] = [];
  let rest = Buffer.alloc(0);
  let offset = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(4 * 1024 * 1024);
    const read = readSync(fd, piece, 0, piece.length, null);
    if (read === 0) break;
    const bytes = rest.length === 0 ? piece.subarray(0, read) : Buffer.concat([rest, piece.subarray(0, read)]);
    let from = 0;
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, from)) {
      const { type, uuid, timestamp } = JSON.parse(bytes.toString('utf8', from, at)) as Record<string, unknown>;
      index.push({ type, uuid, timestamp, from: offset + from, bytes: at - from });
      from = at + 1;
    }
    offset += from;
    rest = bytes.subarray(from);
  }
  closeSync(fd);
  return index.length;
}

async function perform({ what, file }: Task): Promise<unknown> {
  if (what === 'floor') return floor(file);
  if (what === 'whole') return (await openTranscript(file)).events;
  const { events } = await openTranscript(file, { keptTexts: new KeptTexts() });
  if (what === 'events') return events;
  const state = foldSession(events);
  return new TimelineBuilder(state).update({ now: state.now, collapsedAgents: [] });
}

async function measureHere(task: Task): Promise<Taken> {
  const idle = process.memoryUsage.rss();
  const cpuBefore = process.cpuUsage();
  const from = performance.now();
  const kept = await perform(task);
  const wall = performance.now() - from;
  const { user, system } = process.cpuUsage(cpuBefore);
  if (kept === undefined) throw new Error('nothing was read');
  return { wall, cpu: (user + system) / 1000, peak: (process.resourceUsage().maxRSS * 1024 - idle) / MB };
}

const ORDER = 'GANTRY_BENCH_TRANSCRIPT';

function measured(task: Task): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), { env: { ...process.env, [ORDER]: JSON.stringify(task) } });
    child.once('message', (taken) => resolve(taken as Taken));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it had measured`)));
  });
}

/** Opens large transcripts (spec 7.3), beside the least that reading one takes. */
export default async function transcripts() {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-'));
  try {
    const mixed = join(folder, 'mixed.jsonl');
    const small = join(folder, 'small.jsonl');
    const huge = join(folder, 'huge.jsonl');
    const made = makeTranscript(mixed, 'mixed', 100 * MB);
    const rows = await rowsOf('100 MB', mixed);
    makeTranscript(small, 'small', 50 * MB);
    rows.push(...(await rowsOf('50 MB of small lines', small)));
    makeTranscript(huge, 'mixed', 500 * MB);
    rows.push(...(await rowsOf('500 MB', huge, 1)));
    return {
      name: `Open a transcript of ${made.lines} lines and ${made.calls} calls, ${ROUNDS} times in a process of its own`,
      rows,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const WORDS: { readonly [K in What]: string } = {
  floor: 'floor: lines parsed, light index',
  events: 'all events known',
  timeline: '… and folded, chart model',
  whole: 'all events known, with all texts',
};

async function rowsOf(name: string, file: string, rounds = ROUNDS) {
  const taken: { readonly [K in What]: Taken[] } = { floor: [], events: [], timeline: [], whole: [] };
  const kinds = Object.keys(taken) as What[];
  for (let round = 0; round < rounds; round++) {
    for (const what of kinds) taken[what].push(await measured({ what, file }));
  }
  const floors = taken.floor;
  return kinds.map((what) => {
    const of = (part: keyof Taken, among = taken[what]): number[] => among.map((one) => one[part]);
    return {
      what: `${name}: ${WORDS[what]}`,
      'median ms': rounded(median(of('wall'))),
      'spread ms': rounded(spread(of('wall'))),
      'CPU ms': rounded(median(of('cpu'))),
      '÷ floor': rounded(median(of('wall')) / median(of('wall', floors))),
      'CPU ÷ floor': rounded(median(of('cpu')) / median(of('cpu', floors))),
      'peak MB above idle': rounded(median(of('peak'))),
    };
  });
}

const order = process.env[ORDER];
if (order !== undefined && process.send !== undefined) process.send(await measureHere(JSON.parse(order) as Task));
