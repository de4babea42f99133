import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CallId } from '../../src-shared/ids.ts';
import type { ScenarioBlock } from '../../src-shared/scenario/scenario.ts';
import { callById } from '../../src-shared/session/state.ts';
import { resultText } from '../../src-shared/tool-call/content.ts';
import { bundleProcessHost, type HostBundle } from '../adapters/process/host-bundle.fixture.ts';
import { type ProcessHost, startProcessHost } from '../adapters/process/process-host-client.ts';
import { openRealSession } from './testing/real-session.ts';

const mayMount = process.platform === 'linux' && process.getuid?.() === 0;

let bundle: HostBundle;
let host: ProcessHost;
beforeAll(async () => {
  bundle = await bundleProcessHost();
  host = startProcessHost({ execPath: process.execPath, entryPath: bundle.hostPath, env: process.env });
});
afterAll(async () => {
  await host.close();
  bundle.dispose();
  for (const name of spareFolders()) rmSync(name, { recursive: true });
});

let folder: string;
let disk: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-disk-')));
  disk = join(folder, 'disk');
  mkdirSync(disk);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mount = (options: string): void => void execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk]);
const bash = (id: string, command: string): ScenarioBlock => ({ tool: 'Bash', input: { command }, id });

/** Runs one message of commands, with their results on the small disk, and gives what became of each. */
async function run(...blocks: readonly ScenarioBlock[]) {
  const session = openRealSession({
    folder,
    cwd: folder,
    processes: host,
    resultFolder: join(disk, 'tool-results'),
    settings: { mode: 'bypassPermissions', strategy: 'serial' },
    scenario: { name: 'disk', turns: [[...blocks], [{ text: 'Done.' }]] },
  });
  session.send('Go.');
  await session.idle;
  const { state } = session.log;
  const notices = session.log.events.flatMap((event) => (event.type === 'notice-given' ? [event.detail] : []));
  expect(state.turns.at(-1)?.end?.reason).toBe('completed');
  await session.close('closed');
  const ended = (id: string) => {
    const call = callById(state, id as CallId);
    if (call === undefined || !('end' in call)) throw new Error(`${id} has not ended`);
    return { outcome: call.end.outcome, text: resultText(call.end.result), saved: call.saved };
  };
  return { ended, notices };
}

/** The folders for outputs that cannot stay. */
const spareFolders = (): readonly string[] =>
  readdirSync(tmpdir()).flatMap((name) => (name.startsWith('gantry-outputs-') ? [join(tmpdir(), name)] : []));
const spareOutputs = (): readonly string[] => spareFolders().flatMap((name) => readdirSync(name));

const title = 'results on a disk of their own';
describe.runIf(mayMount)(mayMount ? title : `${title}: not tried, only root on Linux may mount one`, () => {
  afterEach(() => void execFileSync('umount', [disk]));

  test('that is read-only: commands run, and a long output is shown in part with the reason', async () => {
    mount('size=4m,ro');
    const { ended, notices } = await run(bash('short', 'echo hello'), bash('long', 'seq 1 200000'));
    expect(ended('short')).toEqual({ outcome: 'ok', text: 'hello', saved: undefined });
    const { outcome, text, saved } = ended('long');
    expect(outcome).toBe('ok');
    expect(text).toMatch(
      /^Output too large \(1\.2MB\) and it could not be saved: .*tool-results cannot be written to, /,
    );
    expect(text).toMatch(/Preview \(first 2KB\):\n1\n2\n/);
    expect(saved).toBeUndefined();
    expect(notices).toEqual([expect.stringMatching(/tool-results cannot be written to/)]);
    expect(spareOutputs()).toEqual([]);
  });

  test('that is full: the same', async () => {
    mount('size=4m');
    execFileSync('sh', ['-c', `cat /dev/zero > ${disk}/filler 2>/dev/null || true`]);
    const { ended } = await run(bash('short', 'echo hello'), bash('long', 'seq 1 200000'));
    expect(ended('short')).toEqual({ outcome: 'ok', text: 'hello', saved: undefined });
    expect(ended('long').outcome).toBe('ok');
    expect(ended('long').text).toMatch(/could not be saved: .*tool-results cannot be written to, the disk is full/);
    expect(spareOutputs()).toEqual([]);
  });

  test('that fills up while a command writes: what there was room for is kept, and the reason is told', async () => {
    mount('size=4m');
    const { ended, notices } = await run(bash('flood', 'seq 1 2000000'), bash('after', 'echo hello'));
    const { outcome, text, saved } = ended('flood');
    // The command itself could not write; that it failed for it is the truth.
    expect(outcome).toBe('error');
    expect(text).toMatch(/^Exit code 1\n\(The output may not be whole, .*: the disk is full\)\n<persisted-output>/);
    expect(saved?.bytes).toBeGreaterThan(3 * 2 ** 20);
    expect(notices).toContain('the disk is full');
    expect(ended('after')).toMatchObject({ outcome: 'ok', text: 'hello' });
  });
});

test('a folder in whose place a file lies: commands run, and a long output is shown in part', async () => {
  rmSync(disk, { recursive: true });
  execFileSync('touch', [disk]);
  const { ended } = await run(bash('short', 'echo hello'), bash('long', 'seq 1 200000'));
  expect(ended('short')).toMatchObject({ outcome: 'ok', text: 'hello' });
  expect(ended('long').outcome).toBe('ok');
  expect(ended('long').text).toMatch(/tool-results cannot be written to, a file is where a folder has to be/);
});
