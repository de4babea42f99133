import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, rounded } from './measure.ts';
import { makeTranscript } from './transcript-file.ts';
import { type RunningApp, residentOf, withApp } from './window.ts';

const MB = 1_000_000;
const ROUNDS = 3;

/** One opening, from the key to the chart. Times in ms, memory in MB above that of the idle app. */
type Opened = {
  readonly firstBars: number;
  readonly idle: number;
  readonly mainBlock: number;
  readonly pageBlock: number;
  readonly peak: number;
};

/** What the page and main note of themselves while a file is opened. */
type Notes = { mark: number; longest: number; bars: number; idle: number };

async function open({ app, page }: RunningApp, file: string): Promise<Opened> {
  const pid = app.process().pid as number;
  const before = residentOf(pid);
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
    const notes = { longest: 0, last: performance.now() };
    Object.assign(globalThis, { benchNotes: notes });
    setInterval(() => {
      const now = performance.now();
      notes.longest = Math.max(notes.longest, now - notes.last - 1);
      notes.last = now;
    }, 1);
  }, file);
  await page.evaluate(watchPage);
  let peak = before;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, residentOf(pid));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  })();
  await page.keyboard.press('Control+o');
  await page.waitForFunction(() => (globalThis as unknown as { benchNotes: Notes }).benchNotes.idle > 0, undefined, {
    timeout: 120_000,
    polling: 50,
  });
  isOver = true;
  await watching;
  const notes = await page.evaluate(() => (globalThis as unknown as { benchNotes: Notes }).benchNotes);
  const main = await app.evaluate(() => (globalThis as unknown as { benchNotes: { longest: number } }).benchNotes);
  return {
    firstBars: notes.bars,
    idle: notes.idle,
    mainBlock: main.longest,
    pageBlock: notes.longest,
    peak: (peak - before) / MB,
  };
}

/** Runs in the page. Bars are there when the chart's list has calls; it is idle when the page says so after that. */
function watchPage(): void {
  const notes: Notes = { mark: 0, longest: 0, bars: 0, idle: 0 };
  Object.assign(globalThis, { benchNotes: notes });
  addEventListener('keydown', () => {
    notes.mark ||= performance.now();
  });
  let last = performance.now();
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    const now = performance.now();
    if (notes.mark > 0 && notes.idle === 0) {
      notes.longest = Math.max(notes.longest, now - last);
      if (notes.bars === 0 && document.querySelector('[data-call-id]') !== null) notes.bars = now - notes.mark;
      if (notes.bars > 0 && document.documentElement.dataset.idle === 'true') notes.idle = now - notes.mark;
    }
    last = now;
    if (notes.idle === 0) setTimeout(() => channel.port2.postMessage(0), 1);
  };
  channel.port2.postMessage(0);
}

/** The same in the app itself: when bars are seen, when the window is idle again, and how long main and page stand still. */
export default async function transcriptsWindow() {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-'));
  try {
    const mixed = join(folder, 'mixed.jsonl');
    const line = join(folder, 'line.jsonl');
    const huge = join(folder, 'huge.jsonl');
    makeTranscript(mixed, 'mixed', 100 * MB);
    await writeFile(line, lineOf(15 * MB));
    const rows = [await rowOf('100 MB', mixed, ROUNDS), await rowOf('one line of 15 MB', line, ROUNDS)];
    makeTranscript(huge, 'mixed', 500 * MB);
    rows.push(await rowOf('500 MB', huge, 1));
    return { name: `Open a transcript in the app, a fresh one each time, ${ROUNDS} times`, rows };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A session of one call whose result is so long. */
function lineOf(bytes: number): string {
  const at = (second: number) => ({ timestamp: `2026-10-05T08:00:0${second}.000Z`, sessionId: 's', cwd: '/work' });
  const text = 'one of many lines of "output" in a log\n'.repeat(bytes / 40);
  const use = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'cat log' } };
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: text };
  return [
    { type: 'user', uuid: 'a', parentUuid: null, ...at(0), message: { role: 'user', content: 'go' } },
    {
      type: 'assistant',
      uuid: 'b',
      parentUuid: 'a',
      ...at(1),
      message: { id: 'm', role: 'assistant', content: [use] },
    },
    { type: 'user', uuid: 'c', parentUuid: 'b', ...at(2), message: { role: 'user', content: [result] } },
  ]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('');
}

async function rowOf(what: string, file: string, rounds: number) {
  const all: Opened[] = [];
  for (let round = 0; round < rounds; round++) all.push(await withApp((running) => open(running, file)));
  const of = (part: keyof Opened): number => rounded(median(all.map((one) => one[part])));
  return {
    what,
    'first bars ms': of('firstBars'),
    'idle ms': of('idle'),
    'longest block of main ms': of('mainBlock'),
    'longest block of the page ms': of('pageBlock'),
    'peak MB above idle': of('peak'),
  };
}
