import { expect, test } from 'vitest';
import { FailureError } from '../../src-shared/failure.ts';
import { millis } from '../../src-shared/units.ts';
import type { VaultOutcome, VaultState, VaultStatus } from '../../src-shared/vault/view.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import type { VaultKeeper, VaultProgress, VaultWatch } from '../ports/vault-keeper.ts';
import { VaultDesk } from './vault-desk.ts';

type Work = {
  readonly what: string;
  readonly watch: VaultWatch;
  readonly end: (outcome: VaultOutcome) => void;
  readonly fail: (error: Error) => void;
};
const done = (work: VaultOutcome['work'], message = 'Done.'): VaultOutcome => ({
  work,
  message,
  first: [],
  problems: 0,
  done: true,
});
const progress: VaultProgress = { files: 1, ofFiles: 2, bytes: 3, ofBytes: 4 };
const status = { files: 1 } as unknown as VaultStatus;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp(choice: { folder?: string; whileRunning?: boolean } = { folder: '/vault' }) {
  const clock = new ManualClock();
  const told: VaultState[] = [];
  const works: Work[] = [];
  const looked: string[] = [];
  const work = (what: string, watch: VaultWatch): Promise<VaultOutcome> =>
    new Promise((end, fail) => works.push({ what, watch, end, fail }));
  const keeper: VaultKeeper = {
    start: async (folder) => {
      if (folder === '/refused') throw new FailureError({ kind: 'bad-input', message: 'No.' });
    },
    status: async (folder) => {
      if (folder === '/unplugged')
        throw new FailureError({ kind: 'not-found', message: 'Not there.', hint: 'Plug it in.' });
      return status;
    },
    run: (folder, calm, watch) => work(`run ${folder}${calm ? ' calmly' : ''}`, watch),
    verify: (folder, watch) => work(`verify ${folder}`, watch),
    restore: (folder, what, watch) => work(`restore ${folder} ${what.path} ${what.to ?? 'back'}`, watch),
  };
  const desk = new VaultDesk({
    keeper,
    settings: {
      read: () => choice,
      write: (key, value) => {
        choice = { ...choice, [key]: value };
        if (value === undefined) delete choice[key];
      },
    },
    pathOf: async (id) => (id === 1 ? '/vault/a.jsonl' : undefined),
    clock,
    onChanged: (state) => void told.push(state),
    onFiles: () => void looked.push('again'),
  });
  return { desk, clock, told, works, looked, choice: () => choice };
}

test('a run tells what it does, a few times a second, and what it came to', async () => {
  const { desk, clock, told, works } = setUp();
  desk.run();
  for (let files = 0; files < 50; files++) works[0]?.watch.onProgress({ ...progress, files });
  clock.advance(millis(400));
  works[0]?.end(done('run'));
  await settled();
  clock.advance(millis(400));
  expect(told).toEqual([
    { kind: 'looking', work: 'run' },
    { kind: 'busy', work: 'run', ...progress, files: 49 },
    { kind: 'idle', outcome: done('run') },
  ]);
});

test('one thing at a time: whoever asks meanwhile is told, and Stop stops it', async () => {
  const { desk, works } = setUp();
  desk.verify();
  expect(() => desk.run()).toThrow('The vault is at work.');
  await expect(desk.choose('/other')).rejects.toThrow('The vault is at work.');
  expect(() => desk.leave()).toThrow('The vault is at work.');
  desk.stop();
  expect(works.map(({ what, watch }) => `${what} ${watch.signal.aborted}`)).toEqual(['verify /vault true']);
});

test('what fails is told in its words and with what to do', async () => {
  const { desk, works } = setUp();
  desk.run();
  works[0]?.fail(new FailureError({ kind: 'not-writable', message: 'The disk is full.', hint: 'Make room.' }));
  await settled();
  expect((await desk.overview()).state).toEqual({
    kind: 'idle',
    outcome: { work: 'run', message: 'The disk is full.', hint: 'Make room.', first: [], problems: 0, done: false },
  });
});

test('a folder is remembered once it can be one, and forgotten when it is left', async () => {
  const { desk, choice, looked } = setUp({});
  expect(await desk.overview()).toEqual({ whileRunning: false, state: { kind: 'idle' } });
  expect(() => desk.run()).toThrow('No folder is chosen');
  await expect(desk.choose('/refused')).rejects.toThrow('No.');
  expect(choice()).toEqual({});
  await desk.choose('/vault');
  expect(await desk.overview()).toEqual({ whileRunning: false, state: { kind: 'idle' }, folder: '/vault', status });
  desk.leave();
  expect(choice()).toEqual({});
  expect(looked).toEqual(['again', 'again']);
});

test('a folder that is not there now is said so, and stays chosen', async () => {
  const { desk } = setUp({ folder: '/unplugged' });
  expect(await desk.overview()).toMatchObject({
    folder: '/unplugged',
    problem: { message: 'Not there.', hint: 'Plug it in.' },
  });
});

test('nothing runs by itself unless a person wants it; then every five minutes, calmly', async () => {
  const { desk, clock, works } = setUp();
  clock.advance(millis(3_600_000));
  expect(works).toHaveLength(0);
  desk.set(true);
  expect(works.map(({ what }) => what)).toEqual(['run /vault calmly']);
  clock.advance(millis(3_600_000));
  expect(works).toHaveLength(1);
  works[0]?.end(done('run'));
  await settled();
  clock.advance(millis(300_000));
  expect(works).toHaveLength(2);
  desk.close();
  expect(works[1]?.watch.signal.aborted).toBe(true);
  clock.advance(millis(3_600_000));
  expect(works).toHaveLength(2);
});

test('a session of the library is restored by its file, and the library looks again', async () => {
  const { desk, works, looked } = setUp();
  await expect(desk.restore(2, undefined)).rejects.toThrow('no longer in the index');
  await desk.restore(1, undefined);
  works[0]?.end(done('restore'));
  await settled();
  await desk.restore(1, '/out');
  expect(works.map(({ what }) => what)).toEqual([
    'restore /vault /vault/a.jsonl back',
    'restore /vault /vault/a.jsonl /out',
  ]);
  expect(looked).toEqual(['again']);
});
