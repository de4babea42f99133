import { z } from 'zod';
import { parseLikePerfetto } from './perfetto-parser.fixture.ts';

/*
 * Reads Chrome traces by their description, and as strictly as the importer of Perfetto does: each fault that is found here
 * is an error in its list of statistics, or a slice or an arrow that it leaves out. Shares nothing with what writes them.
 */

/** Thread 0 is the idle one of the system; ids have 32 bits. */
const Id = z.number().int().min(1).max(0xffff_ffff);
const Common = { pid: Id, tid: Id };
const Event = z.discriminatedUnion('ph', [
  z.object({ ph: z.literal('M'), ...Common, name: z.string().min(1), args: z.record(z.string(), z.unknown()) }),
  z.object({
    ph: z.literal('X'),
    ...Common,
    name: z.string().min(1),
    cat: z.string(),
    ts: z.number().int().nonnegative(),
    dur: z.number().int().nonnegative(),
    args: z.record(z.string(), z.unknown()),
  }),
  z.object({
    ph: z.enum(['s', 'f']),
    ...Common,
    name: z.string(),
    cat: z.string(),
    id: z.number().int().positive(),
    ts: z.number().int().nonnegative(),
    bp: z.string().optional(),
  }),
  z.object({
    ph: z.literal('C'),
    ...Common,
    name: z.string(),
    ts: z.number().int().nonnegative(),
    args: z.record(z.string(), z.number()),
  }),
]);
type Event = z.output<typeof Event>;
type Complete = Extract<Event, { ph: 'X' }>;

export function readTrace(text: string) {
  const raw = z.object({ traceEvents: z.array(z.record(z.string(), z.unknown())) }).parse(parseLikePerfetto(text));
  const { traceEvents } = z.object({ traceEvents: z.array(Event) }).parse(raw);
  const late = raw.traceEvents.filter((event) => Object.keys(event).indexOf('ts') !== 1);
  const slices = traceEvents.filter((event): event is Complete => event.ph === 'X');
  const threads = new Map<number, string>();
  for (const event of traceEvents) {
    if (event.ph === 'M' && event.name === 'thread_name') threads.set(event.tid, String(event.args.name));
  }
  const faults = [
    ...late.map(({ name }) => `the time of ${String(name)} stands behind other fields`),
    ...faultsIn(traceEvents, slices, threads),
  ];
  return { traceEvents, slices, threads, faults };
}

function faultsIn(events: readonly Event[], slices: readonly Complete[], threads: ReadonlyMap<number, string>) {
  const faults: string[] = [];
  const byThread = new Map<number, Complete[]>();
  for (const slice of slices) {
    byThread.set(slice.tid, [...(byThread.get(slice.tid) ?? []), slice]);
    if (!threads.has(slice.tid)) faults.push(`thread ${slice.tid} has no name`);
  }
  for (const [tid, list] of byThread) {
    const open: Complete[] = [];
    for (const slice of [...list].sort((a, b) => a.ts - b.ts || b.dur - a.dur)) {
      while (open.length > 0 && end(open.at(-1) as Complete) <= slice.ts) open.pop();
      const parent = open.at(-1);
      if (parent !== undefined && end(slice) > end(parent))
        faults.push(`${slice.name} overlaps ${parent.name} on ${tid}`);
      if (parent !== undefined && open.length > 1) faults.push(`${slice.name} lies too deep on ${tid}`);
      open.push(slice);
    }
  }
  const flows = new Map<number, Event[]>();
  for (const event of events) {
    if (event.ph !== 's' && event.ph !== 'f') continue;
    flows.set(event.id, [...(flows.get(event.id) ?? []), event]);
    const bound = (byThread.get(event.tid) ?? []).some(
      (slice) => slice.ts <= event.ts && event.ts < Math.max(end(slice), slice.ts + 1),
    );
    if (!bound) faults.push(`flow ${event.id} ${event.ph} hangs on no slice`);
  }
  for (const [id, ends] of flows) {
    const [from, to] = ends;
    if (ends.length !== 2 || from?.ph !== 's' || to?.ph !== 'f') faults.push(`flow ${id} has not two ends`);
    else if (from.name !== to.name || from.cat !== to.cat) faults.push(`the ends of flow ${id} are of two flows`);
    else if (to.bp !== 'e') faults.push(`flow ${id} ends at the next slice, not at the one around it`);
    else if (to.ts < from.ts) faults.push(`flow ${id} goes back in time`);
  }
  return faults;
}

const end = ({ ts, dur }: Complete): number => ts + dur;
