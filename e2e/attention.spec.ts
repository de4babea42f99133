import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { type AppLauncher, expect, type Started, test } from './app.fixture.ts';

type Told = { readonly title: string; readonly body: string; readonly silent: boolean };

/** Stands in for the desktop: keeps what is told, and says whether a window has the keyboard. */
async function watchDesktop(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ app: electron, BrowserWindow, Notification }) => {
    const desktop = { badge: 0, focused: false, notes: [] as Electron.Notification[] };
    Object.assign(globalThis, { desktop });
    electron.setBadgeCount = (count = 0) => {
      desktop.badge = count;
      return true;
    };
    Notification.isSupported = () => true;
    Notification.prototype.show = function show() {
      desktop.notes.push(this);
    };
    BrowserWindow.prototype.isFocused = () => desktop.focused;
    const { focus } = BrowserWindow.prototype;
    BrowserWindow.prototype.focus = function focusNow() {
      desktop.focused = true;
      focus.call(this);
    };
  });
}
type Desktop = { badge: number; focused: boolean; notes: { title: string; body: string; silent: boolean }[] };
const badge = (app: ElectronApplication): Promise<number> =>
  app.evaluate(() => (globalThis as unknown as { desktop: Desktop }).desktop.badge);
const told = (app: ElectronApplication): Promise<readonly Told[]> =>
  app.evaluate(() =>
    (globalThis as unknown as { desktop: Desktop }).desktop.notes.map(({ title, body, silent }) => ({
      title,
      body,
      silent,
    })),
  );
const click = (app: ElectronApplication, at: number): Promise<void> =>
  app.evaluate((_, index) => {
    const { notes } = (globalThis as unknown as { desktop: { notes: { emit(name: string): void }[] } }).desktop;
    notes[index]?.emit('click');
  }, at);

async function startWith(launcher: AppLauncher, settings: object): Promise<Started> {
  await mkdir(launcher.home, { recursive: true });
  await writeFile(join(launcher.home, 'settings.json'), JSON.stringify(settings));
  const started = await launcher.start();
  await watchDesktop(started.app);
  return started;
}

test('questions that wait while nobody looks are counted at the icon and told once; the notification leads to the card', async ({
  launcher,
}) => {
  const { app, gantry, page } = await startWith(launcher, {});
  await gantry.startScenario('Permission storm');
  await expect(async () => expect(await badge(app)).toBe(4)).toPass();
  await expect(async () => {
    const notes = await told(app);
    expect(notes[0]).toMatchObject({ title: expect.stringMatching(/calls? waits? for your answer$/), silent: false });
    expect(notes[0]?.body).toContain('Permission storm: ');
  }).toPass();
  // The person looks at something else in the window before they follow the notification.
  await page.keyboard.press('Control+K');
  await page.getByRole('option', { name: /scenario gallery/ }).click();
  await expect(gantry.board.region).toBeHidden();
  await click(app, 0);
  await expect(gantry.board.region).toBeVisible();
  await expect(page.getByRole('option', { name: /^Question 1:/ })).toHaveAttribute('aria-selected', 'true');
  await gantry.board.armed();
  await page.getByRole('textbox', { name: /rule/i }).fill('Read');
  await gantry.board.button('Allow always').click();
  await gantry.timeline.waitForOutcome('grep', 'ok');
  await expect(async () => expect(await badge(app)).toBeLessThan(4)).toPass();
});

test('the end of a turn that nobody sees is told without a sound', async ({ launcher }) => {
  const { app, gantry } = await startWith(launcher, {});
  await gantry.startScenario('Cascade');
  await gantry.timeline.waitForOutcome('again', 'ok');
  await expect(async () =>
    expect(await told(app)).toEqual([{ title: 'Cascade', body: 'The turn has ended.', silent: true }]),
  ).toPass();
});

test('with notifications off only the icon counts; for questions only, no end of a turn is told', async ({
  launcher,
}) => {
  const { app, gantry } = await startWith(launcher, { notifications: 'off' });
  await gantry.startScenario('A write between reads');
  await expect(async () => expect(await badge(app)).toBe(1)).toPass();
  await gantry.board.allowOnce();
  await gantry.idle();
  await expect(async () => expect(await badge(app)).toBe(0)).toPass();
  expect(await told(app)).toEqual([]);
  await app.close();

  const second = await startWith(launcher, { notifications: 'questions' });
  await second.gantry.startScenario('Cascade');
  await second.gantry.timeline.waitForOutcome('again', 'ok');
  await second.gantry.idle();
  expect(await told(second.app)).toEqual([]);
});
