import { appendFileSync, cpSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from './app.fixture.ts';

const recording = resolve(
  import.meta.dirname,
  '../src-main/adapters/transcripts/fixtures/claude-code-2.1.92/cascade-stream/4ac96991-7b75-4289-99de-59ff3f58de09.jsonl',
);
const call = (n: number): string => `toolu_h6qvy101dwp_${n}`;

/** A session whose program has written so many lines yet, and goes on when it is told to. */
function program(folder: string, lines: number) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, '4ac96991-7b75-4289-99de-59ff3f58de09.jsonl');
  const all = readFileSync(recording, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const last = { type: 'system', subtype: 'turn_duration', durationMs: 1_354, timestamp: '2026-11-30T14:08:12.200Z' };
  all.push(JSON.stringify({ ...last, uuid: 'end-of-turn', parentUuid: null, sessionId: 'x', isSidechain: false }));
  let written = 0;
  const writeTo = (count: number) => {
    appendFileSync(
      path,
      all
        .slice(written, count)
        .map((line) => `${line}\n`)
        .join(''),
    );
    written = count;
  };
  writeTo(lines);
  return { path, writeTo, writeRest: () => writeTo(all.length) };
}

test('a session that its program is writing is drawn as it grows, and ends as it does when it is read whole', async ({
  started: { gantry, page },
  launcher,
}) => {
  const { path, writeTo, writeRest } = program(join(launcher.home, 'written'), 4);
  await gantry.openTranscript(path);
  await expect(page.getByText('Replay, read-only')).toBeVisible();
  writeTo(10);
  await gantry.timeline.waitForPhase(call(1), 'executing');
  await expect(page.getByText('Following, read-only')).toBeVisible();
  await expect(page.getByTestId('last-line')).toContainText('last line');
  await expect(page.getByTestId('status-bar')).toContainText('running');
  await expect(page.getByRole('button', { name: 'Follow', exact: true })).toHaveAttribute('aria-pressed', 'true');
  writeTo(12);
  await gantry.timeline.waitForOutcome(call(4), 'ok');
  await gantry.timeline.waitForPhase(call(1), 'executing');
  writeRest();
  await gantry.timeline.waitForOutcome(call(1), 'error');
  await gantry.idle();
  await expect(page.getByTestId('status-bar')).toContainText('Nothing runs.');
  const followed = await gantry.timeline.calls();
  // Another file of the same lines is read as what it is: a session of the past.
  const past = join(launcher.home, 'past');
  mkdirSync(past);
  cpSync(path, join(past, 'whole.jsonl'));
  await gantry.openTranscript(join(past, 'whole.jsonl'));
  await expect(page.getByText('Replay, read-only')).toBeVisible();
  await gantry.idle();
  expect(await gantry.timeline.calls()).toEqual(followed);
});

test('a file that is cut while it is followed is read again, and a finding says so', async ({
  started: { gantry, page },
  launcher,
}) => {
  const { path, writeTo } = program(join(launcher.home, 'written'), 4);
  await gantry.openTranscript(path);
  await expect(page.getByText('Replay, read-only')).toBeVisible();
  writeTo(12);
  await gantry.timeline.waitForOutcome(call(4), 'ok');
  truncateSync(path, readFileSync(path, 'utf8').split('\n').slice(0, 6).join('\n').length + 1);
  await expect(gantry.timeline.call(call(4))).toHaveCount(0);
  await gantry.timeline.waitForPhase(call(2), 'executing');
  await page
    .getByTestId('status-bar')
    .getByRole('button', { name: /finding/ })
    .click();
  await expect(page.getByText('The file was cut or written anew while it was followed.')).toBeVisible();
});
