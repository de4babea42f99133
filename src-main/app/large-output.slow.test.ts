import { createReadStream, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallId, MAIN_AGENT } from '../../src-shared/ids.ts';
import type { ScenarioBlock } from '../../src-shared/scenario/scenario.ts';
import { callById, foldSession, type SessionState } from '../../src-shared/session/state.ts';
import { resultText } from '../../src-shared/tool-call/content.ts';
import { readJournal } from '../adapters/storage/journal-file.ts';
import { PREVIEW_BYTES } from '../core/results/large-results.ts';
import { journalIn } from './testing/real-session.ts';
import { Children } from './testing/slow/bundle.ts';
import type { Measured, MeasuredSession } from './testing/slow/measured-session.child.ts';

const MB = 2 ** 20;
const GB = 2 ** 30;
/** 64 bytes with its line break, so that a block of the file holds whole lines. */
const LINE = `${'0123456789abcdef'.repeat(4).slice(0, 63)}\n`;

let children: Children;
let root: string;
beforeAll(async () => {
  children = await Children.bundle();
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-gigabyte-')));
});
afterAll(() => {
  children.dispose();
  rmSync(root, { recursive: true, force: true });
});

const floods = (bytes: number): string => `yes ${LINE.trimEnd()} | head -c ${bytes}`;

type Story = Pick<MeasuredSession['scenario'], 'turns' | 'agents'>;

/** Runs a story in a process of its own, after one small command that warms it up. */
async function measure(name: string, { turns, ...story }: Story, escapeAtBytes?: number) {
  const folder = join(root, name);
  mkdirSync(folder);
  const options: MeasuredSession = {
    hostPath: children.hostPath,
    folder,
    cwd: folder,
    scenario: {
      name,
      turns: [[{ tool: 'Bash', input: { command: floods(MB) }, id: 'warm-up' }], ...turns, [{ text: 'Done.' }]],
      ...story,
    },
    ...(escapeAtBytes === undefined ? {} : { escapeAtBytes }),
  };
  const measured = (await children.run('measured-session', options)) as Measured;
  return { measured, folder, state: foldSession(readJournal(journalIn(folder)).events) };
}

const flood = (command: string): ScenarioBlock => ({ tool: 'Bash', input: { command }, id: 'flood' });

/** How many bytes of a file are the lines that were printed, from its beginning on. */
async function linesIn(path: string): Promise<number> {
  const block = Buffer.from(LINE.repeat(4096));
  let right = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: block.length })) {
    const bytes = chunk as Buffer;
    if (!bytes.equals(block.subarray(0, bytes.length))) break;
    right += bytes.length;
  }
  return right;
}

function floodOf(state: SessionState) {
  const call = callById(state, 'flood' as CallId);
  if (call === undefined || !('end' in call)) throw new Error('the call has not ended');
  return { outcome: call.end.outcome, text: resultText(call.end.result), saved: call.saved };
}

test('a command that prints 1 GB costs no memory, and the model gets its beginning and the place of the whole', async () => {
  const { measured, folder, state } = await measure('whole', { turns: [[flood(floods(GB))]] });
  const { outcome, text, saved } = floodOf(state);
  const path = join(folder, 'tool-results', 'flood.txt');
  expect(outcome).toBe('ok');
  expect(saved).toMatchObject({ path, bytes: GB });
  expect(await linesIn(path)).toBe(GB);
  const [head, ...preview] = text.split('Preview (first 2KB):\n');
  expect(head).toBe(`<persisted-output>\nOutput too large (1GB). Full output saved to: ${path}\n\n`);
  const shown = LINE.repeat(Math.floor(PREVIEW_BYTES / LINE.length));
  expect(preview.join('')).toBe(`${shown}...\n</persisted-output>`);
  expect(measured.progressEvents).toBeGreaterThan(0);
  expect(measured.peak - measured.before).toBeLessThan(50 * MB);
});

test('a command that is stopped at half of 1 GB keeps what it had written, and its place is told', async () => {
  // It waits at half for being stopped, so that where it stops is no matter of chance.
  const command = `${floods(GB / 2)}; sleep 600; ${floods(GB / 2)}`;
  const { measured, folder, state } = await measure('half', { turns: [[flood(command)]] }, GB / 2);
  const { outcome, saved } = floodOf(state);
  const path = join(folder, 'tool-results', 'flood.txt');
  expect(outcome).toBe('interrupted');
  expect(state.turns.at(-1)?.end?.reason).toBe('interrupted');
  expect(saved).toMatchObject({ path, bytes: GB / 2, found: true });
  expect(statSync(path).size).toBe(GB / 2);
  expect(await linesIn(path)).toBe(GB / 2);
  expect(measured.peak - measured.before).toBeLessThan(50 * MB);
});

test('1 GB that a sub-agent’s command prints costs no memory either', async () => {
  const order = { tool: 'Agent', input: { description: 'Flood', prompt: 'Flood.' }, id: 'agent' };
  const { measured, folder, state } = await measure('agent', {
    turns: [[order]],
    agents: { Flood: [[flood(floods(GB))], [{ text: 'It is flooded.' }]] },
  });
  const { outcome, saved } = floodOf(state);
  expect(callById(state, 'flood' as CallId)?.agentId).not.toBe(MAIN_AGENT);
  expect(outcome).toBe('ok');
  expect(saved).toMatchObject({ path: join(folder, 'tool-results', 'flood.txt'), bytes: GB });
  expect(measured.peak - measured.before).toBeLessThan(50 * MB);
});

test('nor does 1 GB of a shell in the background, whose output is read', async () => {
  const shell = {
    tool: 'Bash',
    input: { command: `${floods(GB)}; touch over; exec sleep 600`, run_in_background: true },
    id: 'flood',
  };
  const waits = { tool: 'Bash', input: { command: 'until [ -e over ]; do sleep 0.1; done' }, id: 'waits' };
  const reads = { tool: 'BashOutput', input: { bash_id: 'bash_1' }, id: 'reads' };
  const { measured, state } = await measure('background', { turns: [[shell], [waits], [reads]] });
  expect(callById(state, 'reads' as CallId)).toMatchObject({ end: { outcome: 'ok' } });
  expect(state.shells).toMatchObject([{ end: { bytes: GB } }]);
  expect(measured.peak - measured.before).toBeLessThan(50 * MB);
});
