import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProcessHost, startProcessHost } from '../src-main/adapters/process/process-host-client.ts';
import { openRealSession } from '../src-main/app/testing/real-session.ts';
import type { ModelItem, ModelProvider } from '../src-main/ports/model-provider.ts';
import { bundledHost } from './bundled-host.ts';
import { median, rounded, spread } from './measure.ts';

type Use = { readonly name: string; readonly input: unknown };
type Load = {
  readonly load: string;
  readonly recorded: readonly [number, number];
  readonly goal: number;
  readonly uses: readonly Use[];
};

const times = (count: number, use: (n: number) => Use): readonly Use[] =>
  Array.from({ length: count }, (_, n) => use(n));
const bash = (command: string): Use => ({ name: 'Bash', input: { command } });

/** The loads of spec 7.1 with what Claude Code 2.1.92 took for them on another machine with two cores, in ms. */
const LOADS: readonly Load[] = [
  {
    load: '40 Reads',
    recorded: [166, 470],
    goal: 0.3,
    uses: times(40, (n) => ({ name: 'Read', input: { file_path: `file-${n}.txt` } })),
  },
  { load: '20 true', recorded: [567, 775], goal: 0.3, uses: times(20, () => bash('true')) },
  { load: '10 touch, each alone', recorded: [400, 450], goal: 0.3, uses: times(10, (n) => bash(`touch made-${n}`)) },
  { load: '10 sleep 0.5', recorded: [725, 927], goal: 0.65, uses: times(10, () => bash('sleep 0.5')) },
];
const ROUNDS = 9;

/** From the end of a message to the next request, with real tools, processes and journal. */
export default async function turnaroundBench() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-bench-')));
  const host = startProcessHost({ execPath: process.execPath, entryPath: await bundledHost(folder), env: process.env });
  const rows: Record<string, string | number>[] = [];
  for (const { load, recorded, goal, uses } of LOADS) {
    const waits: number[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const ms = await turnaround(host, join(folder, `${load} ${round}`), uses);
      if (round >= 0) waits.push(ms);
    }
    rows.push({
      load,
      ms: rounded(median(waits)),
      'spread ms': rounded(spread(waits)),
      'Claude Code 2.1.92 ms, elsewhere': recorded.join('–'),
      '÷ the middle of it': rounded((2 * median(waits)) / (recorded[0] + recorded[1])),
      goal,
    });
  }
  await host.close();
  rmSync(folder, { recursive: true });
  return { name: 'turnaround: message end to next request', rows };
}

async function turnaround(processes: ProcessHost, folder: string, uses: readonly Use[]): Promise<number> {
  mkdirSync(folder);
  for (let n = 0; n < 40; n++) writeFileSync(join(folder, `file-${n}.txt`), `line ${n}\n`.repeat(20));
  let ended = 0;
  let wait = 0;
  const provider: ModelProvider = {
    name: 'bench',
    model: 'bench',
    async *stream({ messages }): AsyncGenerator<ModelItem> {
      const isFirst = messages.length === 1;
      if (!isFirst) wait = performance.now() - ended;
      yield { type: 'message-started', messageId: `message_${messages.length}`, model: 'bench' };
      if (isFirst) for (const [n, use] of uses.entries()) yield { type: 'tool-use', id: `call_${n}`, ...use };
      ended = performance.now();
      yield { type: 'message-ended', stopReason: isFirst ? 'tool-use' : 'end-turn', usage: {} };
    },
  };
  const session = openRealSession({
    folder,
    cwd: folder,
    processes,
    scenario: { name: 'bench', turns: [] },
    provider,
    settings: { mode: 'bypassPermissions' },
  });
  session.send('Go.');
  await session.idle;
  if (session.log.state.calls.some((call) => !('end' in call) || call.end.outcome !== 'ok'))
    throw new Error('a call failed');
  await session.close('closed');
  return wait;
}
