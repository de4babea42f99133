import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from './app.fixture.ts';

const recordings = resolve(import.meta.dirname, '../src-main/adapters/transcripts/fixtures/claude-code-2.1.92');

/** Ids of all calls in a recording's files, straight from the JSON: main file and sub-agents. */
function callIdsIn(folder: string): readonly string[] {
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter(
    (name) => name.endsWith('.jsonl') && !name.endsWith('stream.jsonl') && statSync(join(folder, name)).isFile(),
  );
  const lines = files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== ''),
  );
  const ids = lines.flatMap((line) => {
    const content = (JSON.parse(line) as { message?: { content?: unknown } }).message?.content;
    return Array.isArray(content)
      ? content.flatMap((block) => (block.type === 'tool_use' ? [block.id as string] : []))
      : [];
  });
  return [...new Set(ids)].sort();
}

for (const name of readdirSync(recordings)) {
  test(`the recording ${name} opens and every call of it is drawn with its end`, async ({
    started: { gantry, page },
  }) => {
    await gantry.openTranscript(join(recordings, name));
    await expect(gantry.timeline.list).toBeAttached();
    await gantry.idle();
    const calls = await gantry.timeline.calls();
    expect(calls.map((call) => call.callId).sort()).toEqual(callIdsIn(join(recordings, name)));
    expect(calls.filter((call) => call.outcome === 'unknown' || call.outcome === '')).toEqual([]);
    await expect(page.getByText('Replay, read-only')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveCount(0);
  });
}

test('the cascade of a recording names its culprit and both victims', async ({ started: { gantry } }) => {
  await gantry.openTranscript(join(recordings, 'cascade-stream'));
  await expect(gantry.timeline.list).toBeAttached();
  await gantry.idle();
  const calls = await gantry.timeline.calls();
  expect(calls.filter((call) => call.outcome === 'cancelled')).toHaveLength(2);
  await gantry.timeline.select(calls.find((call) => call.outcome === 'cancelled')?.callId ?? '');
  await expect(gantry.inspector).toContainText('ls missing-folder');
});

test('a bar is selected with the mouse, and Escape lets go of it', async ({ started: { gantry, page } }) => {
  await gantry.openTranscript(join(recordings, 'cascade-stream'));
  await gantry.idle();
  const culprit = (await gantry.timeline.calls()).find((call) => call.outcome === 'error');
  const { x, y } = await gantry.timeline.place('lane 1', { from: 833, until: 1129, total: 1354 });
  await page.mouse.click(x, y);
  await expect(gantry.timeline.call(culprit?.callId ?? '')).toHaveAttribute('aria-pressed', 'true');
  await expect(gantry.inspector).toContainText('Started a cascade');
  await page.keyboard.press('Escape');
  await expect(gantry.timeline.call(culprit?.callId ?? '')).toHaveAttribute('aria-pressed', 'false');
});

test('a persisted output of a recording is read from its file, page by page', async ({ started: { gantry, page } }) => {
  await gantry.openTranscript(join(recordings, 'persisted-stream'));
  await expect(gantry.timeline.list).toBeAttached();
  await gantry.idle();
  const big = (await gantry.timeline.calls()).find((call) => call.name.includes('seq 1 200000'));
  await gantry.timeline.select(big?.callId ?? '');
  await gantry.inspector.getByRole('tab', { name: 'Output' }).click();
  await expect(gantry.inspector).toContainText('of 1,288,895 bytes');
  await gantry.inspector.getByRole('button', { name: 'Last page' }).click();
  await expect(gantry.inspector).toContainText('200000');
  await gantry.inspector.getByRole('button', { name: 'What the model saw' }).click();
  await expect(page.getByText('Output too large (1.2MB)')).toBeVisible();
});

test('a file named on the command line is opened at the start', async ({ launcher }) => {
  const file = join(recordings, 'mixed-stream');
  const { gantry } = await launcher.start({ args: [file] });
  await expect(gantry.timeline.list).toBeAttached();
  await gantry.idle();
  expect((await gantry.timeline.calls()).length).toBe(12);
});

test('a file that is no transcript is refused with a reason and nothing is lost', async ({
  started: { gantry, page },
}) => {
  await gantry.openTranscript(join(recordings, '..', '..', 'salvage.ts'));
  await expect(page.getByRole('alert')).toContainText('salvage.ts');
  await expect(page.getByRole('main').getByText('Parallel reads')).toBeVisible();
});
