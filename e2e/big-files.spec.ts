import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTranscript } from '../bench/transcript-file.ts';
import { expect, test } from './app.fixture.ts';

const MB = 1_000_000;
/** Reading 10 MB takes a moment; on a machine that does ten other things it takes many. */
const SLOWEST = 60_000;

let folder = '';
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-big-'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

/** The last long result of a Bash call in the file: its call, and words that stand near its end and nowhere else. */
function longResultIn(file: string): { readonly callId: string; readonly end: string } {
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n').toReversed()) {
    const { toolUseResult, message } = JSON.parse(line) as {
      readonly toolUseResult?: { readonly stdout?: string };
      readonly message?: { readonly content: readonly { readonly tool_use_id: string }[] };
    };
    const stdout = toolUseResult?.stdout ?? '';
    const [result] = message?.content ?? [];
    if (stdout.length < 10_000 || result === undefined) continue;
    const lines = stdout.split('\n').slice(0, -1);
    return { callId: result.tool_use_id, end: (lines.at(-1) ?? '').trim() };
  }
  throw new Error('The file has no long result.');
}

test('a large transcript is shown while it is read, and its long texts are fetched where they are wanted', async ({
  started,
}) => {
  const { gantry, page } = started;
  const file = join(folder, 'large.jsonl');
  const { calls } = makeTranscript(file, 'mixed', 10 * MB);
  const { callId, end } = longResultIn(file);
  await gantry.openTranscript(file);
  await expect(gantry.timeline.list.locator('[data-call-id]').first()).toBeAttached({ timeout: SLOWEST });
  await gantry.idle(SLOWEST);
  await expect(gantry.inspector).toContainText(calls.toLocaleString('en-GB'));
  await expect(page.getByTestId('status-bar')).not.toContainText('Reading');
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Search the calls' }).fill(end);
  await expect(page.getByRole('search').getByRole('status')).toHaveText(/^[1-9]\d* found$/, { timeout: SLOWEST });
  await gantry.timeline.select(callId);
  await expect(gantry.inspector.getByText('End of the output')).toBeVisible();
  await expect(gantry.inspector).toContainText(end, { timeout: SLOWEST });
  await gantry.inspector.getByRole('tab', { name: 'Output' }).click();
  await expect(gantry.inspector.getByRole('region', { name: 'What the model saw' })).toContainText(
    /\d{2},\d{3} characters/,
  );
});
