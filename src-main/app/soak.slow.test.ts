import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Children } from './testing/slow/bundle.ts';
import type { Soak, Soaked, SoakLook } from './testing/slow/soak.child.ts';

/** Of spec 7.5; `GANTRY_SOAK_CALLS` makes it fewer. */
const CALLS = Number(process.env.GANTRY_SOAK_CALLS ?? 100_000);
const CALLS_IN_SHORT_SESSION = 100;
const LOOKS = 20;
const MB = 2 ** 20;
/** A command that hangs must not hold up the others for ever; on a busy machine a call takes some hundredths of a second. */
const TIME_LIMIT = 2 * 60 * 60_000;
/** Bytes an open session's own record may take in memory for a call: its events and what they add up to. */
const RECORD_OF_CALL = 10_000;

let children: Children;
let root: string;
beforeAll(async () => {
  children = await Children.bundle();
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-soak-')));
});
afterAll(() => {
  children.dispose();
  rmSync(root, { recursive: true, force: true });
});

async function soak(name: string, sizes: Pick<Soak, 'sessions' | 'callsInEach'>): Promise<Soaked> {
  const folder = mkdtempSync(join(root, `${name}-`));
  const options: Soak = { hostPath: children.hostPath, folder, callsBetweenLooks: CALLS / LOOKS, ...sizes };
  const soaked = (await children.run('soak', options, ['--expose-gc', '--max-old-space-size=6144'])) as Soaked;
  const { looks, closed, failed, compactions } = soaked;
  const slopes = Object.fromEntries(GROWING.map((key) => [key, Math.round(slope(looks, key))]));
  console.log(
    `${name}: ${JSON.stringify({ slopes, first: looks[0], last: looks.at(-1), closed, failed, compactions })}`,
  );
  return soaked;
}

const GROWING = ['heap', 'external', 'resident', 'hostResident', 'machinery', 'listeners', 'descriptors'] as const;

/**
 * Growth for 10,000 calls: the line of least squares through the looks but for the first quarter, in which code is compiled
 * and caches fill.
 */
function slope(looks: readonly SoakLook[], key: keyof SoakLook): number {
  const used = looks.slice(Math.floor(looks.length / 4));
  const mean = (of: (look: SoakLook) => number): number => used.reduce((sum, look) => sum + of(look), 0) / used.length;
  const x = mean(({ calls }) => calls);
  const y = mean((look) => look[key]);
  const along = used.reduce((sum, look) => sum + (look.calls - x) * (look[key] - y), 0);
  const across = used.reduce((sum, look) => sum + (look.calls - x) ** 2, 0);
  return (10_000 * along) / across;
}

/** Whatever a session does, nothing of this grows with the number of its calls. */
function expectSteady({ looks, failed }: Soaked): void {
  expect(looks.length).toBeGreaterThanOrEqual(LOOKS / 2);
  expect(failed).toBe(0);
  for (const key of ['descriptors', 'hostDescriptors', 'signals', 'listeners'] as const) {
    const seen = looks.slice(1).map((look) => look[key]);
    expect(Math.max(...seen) - Math.min(...seen), key).toBeLessThanOrEqual(2);
  }
  expect(slope(looks, 'machinery')).toBeLessThan(100);
  expect(slope(looks, 'external')).toBeLessThan(MB);
  // Nobody tidies the host's memory up for the look.
  expect(Math.max(...looks.map(({ hostResident }) => hostResident)) - (looks[0]?.hostResident ?? 0)).toBeLessThan(
    40 * MB,
  );
}

describe(`${CALLS} calls`, () => {
  test(
    'in one session leave no more than the session itself, and nothing when it is closed',
    async () => {
      const soaked = await soak('one session', { sessions: 1, callsInEach: CALLS });
      expectSteady(soaked);
      expect(soaked.looks.at(-1)?.calls).toBe(CALLS);
      expect(soaked.compactions).toBeGreaterThan(0);
      expect(slope(soaked.looks, 'heap')).toBeLessThan(10_000 * RECORD_OF_CALL);
      const left = soaked.closed.heap - (soaked.looks[0]?.heap ?? 0);
      expect((10_000 * left) / CALLS).toBeLessThan(MB);
    },
    TIME_LIMIT,
  );

  test(
    'in many short sessions leave nothing',
    async () => {
      const sessions = CALLS / CALLS_IN_SHORT_SESSION;
      const soaked = await soak('short sessions', { sessions, callsInEach: CALLS_IN_SHORT_SESSION });
      expectSteady(soaked);
      expect(slope(soaked.looks, 'heap')).toBeLessThan(MB);
    },
    TIME_LIMIT,
  );
});
