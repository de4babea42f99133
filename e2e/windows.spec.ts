import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { lockJournal } from '../src-main/adapters/storage/session-lock.ts';
import type { SessionId } from '../src-shared/ids.ts';
import { type AppLauncher, expect, type Started, test } from './app.fixture.ts';
import { GantryWindow } from './pages/gantry-window.ts';

/** Opens one more window with the keyboard, and shows the newest session in it. */
async function secondWindow({ app, page }: Started, title: string): Promise<GantryWindow> {
  const next = app.waitForEvent('window');
  await page.keyboard.press('Control+Shift+N');
  const second = new GantryWindow(app, await next);
  await openSession(second.page, title);
  return second;
}
async function openSession(page: Page, title: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Sessions' }).getByText(title, { exact: true }).first().click();
}
const bar = ({ page }: GantryWindow) => page.getByRole('region', { name: 'Read-only' });

async function closeWindow(app: ElectronApplication, page: Page): Promise<void> {
  const window = await app.browserWindow(page);
  const closed = page.waitForEvent('close');
  await window.evaluate((each) => each.close());
  await closed;
}

const invoke = (page: Page, name: string, input: unknown) =>
  page.evaluate(
    ([request, value]) => {
      const { gantry } = window as unknown as { gantry: { invoke(name: string, input: unknown): Promise<unknown> } };
      return gantry.invoke(request as string, value);
    },
    [name, input] as const,
  );

async function sessionIdOf(launcher: AppLauncher): Promise<string> {
  const [id] = (await launcher.journals()).keys();
  return id ?? '';
}

test('a second window reads a session that the first works in, and says so; its commands are refused in main', async ({
  launcher,
  started,
}) => {
  await started.gantry.startScenario('A write between reads');
  await started.gantry.board.armed();
  const second = await secondWindow(started, 'A write between reads');
  await expect(bar(second)).toContainText('Another window of Gantry works in this session.');
  await expect(bar(second)).toContainText('1 call waits for an answer there.');
  await expect(second.board.region).toBeHidden();
  await expect(second.page.getByRole('textbox', { name: 'Message' })).toBeHidden();
  await expect(bar(started.gantry)).toBeHidden();

  const sessionId = await sessionIdOf(launcher);
  const refused = { ok: false, error: { kind: 'locked', message: 'Another window of Gantry works in this session.' } };
  expect(await invoke(second.page, 'session.send', { sessionId, text: 'Hello' })).toMatchObject(refused);
  expect(await invoke(second.page, 'session.interrupt', { sessionId, reason: 'escape' })).toMatchObject(refused);
  const ask = (await launcher.journal()).find((event) => event.type === 'permission-asked');
  const answer = { sessionId, callId: ask?.callId, askId: ask?.askId, answer: { kind: 'allow-once' } };
  expect(await invoke(second.page, 'permission.answer', answer)).toMatchObject(refused);

  await started.gantry.board.allowOnce();
  await second.timeline.waitForOutcome('call_1_4', 'ok');
});

test('a session is taken over when that is asked for, which is recorded; the first window reads from then on', async ({
  launcher,
  started,
}) => {
  await started.gantry.startScenario('A write between reads');
  await started.gantry.board.armed();
  const second = await secondWindow(started, 'A write between reads');
  await bar(second).getByRole('button', { name: 'Take over' }).click();
  await expect(bar(second)).toBeHidden();
  await expect(bar(started.gantry)).toBeVisible();
  await expect(started.gantry.board.region).toBeHidden();
  await second.board.allowOnce();
  await second.timeline.waitForOutcome('call_1_4', 'ok');
  const notices = (await launcher.journal()).flatMap((event) => (event.type === 'notice-given' ? [event.text] : []));
  expect(notices).toContain('Window 2 of Gantry has taken this session over. Other windows show it read-only.');
});

test('when the window that works in a session closes, the other one works in it, and nothing is denied', async ({
  launcher,
  started,
}) => {
  await started.gantry.startScenario('A write between reads');
  await started.gantry.board.armed();
  const second = await secondWindow(started, 'A write between reads');
  await expect(bar(second)).toBeVisible();
  await closeWindow(started.app, started.page);
  await expect(bar(second)).toBeHidden();
  await second.board.allowOnce();
  await second.timeline.waitForOutcome('call_1_4', 'ok');
  const settled = (await launcher.journal()).filter((event) => event.type === 'permission-settled');
  expect(settled.filter((event) => event.by === 'closed')).toEqual([]);
});

test('a window that closes with questions of a session nobody else shows denies them; nothing ran, the app goes on', async ({
  launcher,
  started,
}) => {
  await started.gantry.idle();
  const next = started.app.waitForEvent('window');
  await started.page.keyboard.press('Control+Shift+N');
  const second = new GantryWindow(started.app, await next);
  await second.idle();
  await started.gantry.startScenario('Permission storm');
  await expect(started.gantry.board.region).toContainText('4 calls wait for your answer');
  await closeWindow(started.app, started.page);
  const asked = ['north', 'east', 'south', 'grep'];
  await expect(async () => {
    const closed = (await launcher.journal()).filter(
      (event) => event.type === 'permission-settled' && event.by === 'closed',
    );
    expect(closed.map((event) => event.type === 'permission-settled' && event.callId)).toEqual(
      expect.arrayContaining(asked),
    );
  }).toPass();
  const events = await launcher.journal();
  const ran = events
    .filter((event) => event.type === 'stage-started' && event.stage === 'run')
    .map((event) => (event.type === 'stage-started' ? event.callId : ''));
  expect(ran.filter((callId) => asked.includes(callId))).toEqual([]);
  await openSession(second.page, 'Permission storm');
  await second.timeline.waitForOutcome('north', 'denied');
  await expect(bar(second)).toBeHidden();
});

test('a session that another process works in is shown read-only with the reason, and can be had when that has gone', async ({
  launcher,
}) => {
  const first = await launcher.start();
  await first.gantry.startScenario('Cascade');
  await first.gantry.timeline.waitForOutcome('again', 'ok');
  await first.gantry.idle();
  await first.app.close();
  const sessionId = await sessionIdOf(launcher);
  const journal = join(launcher.home, 'sessions', sessionId, 'journal.jsonl');
  const before = await readFile(journal, 'utf8');
  // This process is the other one.
  const release = await lockJournal(sessionId as SessionId, journal, () => undefined);

  const { gantry, page } = await launcher.start();
  await openSession(page, 'Cascade');
  await expect(bar(gantry)).toContainText('is open in another window of Gantry. It is shown here read-only');
  await expect(bar(gantry).getByRole('button', { name: 'Take over' })).toBeHidden();
  await gantry.timeline.waitForOutcome('again', 'ok');
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeHidden();
  for (const [name, input] of [
    ['session.send', { sessionId, text: 'Hello' }],
    ['session.remove', { sessionId }],
  ] as const) {
    expect(await invoke(page, name, input)).toMatchObject({ ok: false, error: { kind: 'locked' } });
  }
  expect(await readFile(journal, 'utf8')).toBe(before);
  await release();
  await bar(gantry).getByRole('button', { name: 'Try again' }).click();
  await expect(bar(gantry)).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
});

test('a page that dies comes back with what it showed, and the turn has not noticed', async ({
  launcher,
  started: { app, gantry },
}) => {
  await gantry.startScenario('Cascade');
  await gantry.timeline.waitForPhase('slow', 'executing');
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer());
  // Playwright gives up a page that has crashed, so the new one is asked through main; a dying one never answers.
  const isBack = () =>
    app.evaluate(({ BrowserWindow }) =>
      Promise.race([
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
          `document.querySelector('[data-call-id="again"]')?.dataset.outcome`,
        ),
        new Promise((resolve) => setTimeout(resolve, 1_000)),
      ]),
    );
  await expect(async () => expect(await isBack()).toBe('ok')).toPass({ timeout: 30_000 });
  await expect(async () => {
    const end = (await launcher.journal()).find((event) => event.type === 'turn-ended');
    expect(end).toMatchObject({ reason: 'completed' });
  }).toPass();
});
