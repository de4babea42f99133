import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { test as base, expect, type Started } from './app.fixture.ts';
import { expectOneResultPerCall, MODEL, ModelWorld, only, say } from './model-world.ts';
import { ModelDialogPage } from './pages/model-dialog.ts';

/** What goes wrong between a person and a model's server, and that the session can be used afterwards. */

const test = base.extend<{ readonly world: ModelWorld }>({
  world: async ({ launcher }, use) => {
    const world = await ModelWorld.create('anthropic', launcher);
    await use(world);
    await world.dispose();
  },
});

// A start that Playwright misses is tried again, and one of these starts the app twice.
test.describe.configure({ timeout: 120_000 });

const retry = ({ page }: Started) => page.getByTestId('status-bar').getByTestId('retry');

/** Chooses another server, or model, for the session on screen. */
async function change({ page, gantry }: Started, address: string, model = MODEL): Promise<void> {
  const dialog = new ModelDialogPage(page);
  await gantry.page.getByRole('button', { name: /^Model: / }).click();
  await dialog.fill({ address, model });
  await dialog.region.getByRole('button', { name: /Use this model/ }).click();
  await expect(dialog.region).toBeHidden();
}

/** A port at which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('without a key, and with a wrong address, one is told what to do, and the session goes on', async ({ world }) => {
  const { server, dialect } = world;
  const started = await world.start({ ANTHROPIC_API_KEY: '' });
  const { page, gantry } = started;

  await test.step('no key for the own server: nothing is sent', async () => {
    await world.open(started, 'Hello', '');
    await expect(gantry.conversation).toContainText('There is no key for api.anthropic.com.');
    await expect(gantry.conversation).toContainText(
      'Keep one in the settings of Gantry, or set ANTHROPIC_API_KEY in the environment.',
    );
    await expect(gantry.conversation.getByRole('button', { name: 'Change the model or its key' })).toBeVisible();
    await gantry.idle();
  });

  await test.step('nobody listens there: the wait for the next try says why, and Esc ends it', async () => {
    const port = await freePort();
    await change(started, `http://127.0.0.1:${port}`);
    await say(page, 'Hello again');
    await expect(retry(started)).toContainText('The model did not answer.');
    await expect(gantry.conversation).toContainText(
      `The server at 127.0.0.1:${port} could not be reached: it refused the connection. Check the address, and that the server runs.`,
    );
    await page.keyboard.press('Escape');
    await gantry.idle();
    await expect(retry(started)).toBeHidden();
  });

  await test.step('a server that does not know the address', async () => {
    server.answer(dialect.refuses(404, 'model: nothing-like-it'));
    await change(started, server.url, 'nothing-like-it');
    await say(page, 'And here?');
    await expect(gantry.conversation).toContainText('does not know the model or the address (404)');
    await gantry.idle();
  });

  server.answer(dialect.says([{ text: 'Here I am.' }]));
  await change(started, server.url);
  await say(page, 'And now?');
  await expect(gantry.conversation).toContainText('Here I am.');
  await gantry.idle();
  const ends = only(await world.journal(), 'turn-ended').map(({ reason }) => reason);
  expect(ends).toEqual(['error', 'interrupted', 'error', 'completed']);
});

test('a server that goes and comes back, a message while it streams, another model: one session', async ({ world }) => {
  const { server, dialect } = world;
  const started = await world.start();
  const { page, gantry } = started;
  server.answer(dialect.says([{ text: 'Hello.' }]));
  await world.open(started, 'Say hello');
  await expect(gantry.conversation).toContainText('Hello.');
  await gantry.idle();

  await test.step('the server is down, and back before the tries are over', async () => {
    await server.down();
    await say(page, 'Are you there?');
    await expect(retry(started)).toContainText('The model did not answer.');
    server.answer(dialect.says([{ text: 'I am back.' }]));
    await server.up();
    await expect(gantry.conversation).toContainText('I am back.', { timeout: 25_000 });
    await gantry.idle();
  });

  await test.step('a message that is written while the model speaks is sent at the next safe point', async () => {
    let finish = (): void => undefined;
    const written = new Promise<void>((resolve) => {
      finish = resolve;
    });
    server.answer(
      dialect.streams(async (stream) => {
        await stream.start(MODEL);
        await stream.block({ text: 'One moment,' });
        await stream.block(world.read('look', 'price.txt'));
        await written;
        await stream.end('calls');
      }),
      dialect.says([{ text: 'Nine cents, and in euros 0.09.' }]),
    );
    await say(page, 'What is the price?');
    await gantry.timeline.waitForOutcome('look', 'ok');
    await say(page, 'In euros too');
    const queued = gantry.conversation.getByRole('list', { name: 'Queued messages' });
    await expect(queued).toContainText('In euros too');
    finish();
    await expect(gantry.conversation).toContainText('Nine cents, and in euros 0.09.');
    await gantry.idle();
    await expect(queued).toBeHidden();
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('In euros too');
  });

  await test.step('another model answers from the next turn on', async () => {
    await change(started, server.url, 'claude-haiku-4-5');
    server.answer(dialect.says([{ text: 'Another voice.' }]));
    await say(page, 'And you?');
    await expect(gantry.conversation).toContainText('Another voice.');
    await gantry.idle();
    expect(server.requests.at(-1)?.body).toMatchObject({ model: 'claude-haiku-4-5' });
    expect(server.requests.at(-2)?.body).toMatchObject({ model: MODEL });
  });
  const events = await world.journal();
  expectOneResultPerCall(events);
  expect(only(events, 'turn-ended').map(({ reason }) => reason)).toEqual(Array(4).fill('completed'));
});

test('a session whose window is closed while the model speaks is whole when it is opened again', async ({ world }) => {
  const { server, dialect } = world;
  const gate = await world.gate('gate');
  server.answer(
    dialect.streams(async (stream) => {
      await stream.start(MODEL);
      await stream.block({ text: 'I have begun.' });
      await stream.block(world.read('done', 'price.txt'));
      await stream.block(gate);
      await stream.wire.closed;
    }),
  );
  const first = await world.start();
  await world.open(first, 'Begin');
  await first.gantry.timeline.waitForOutcome('done', 'ok');
  await first.gantry.timeline.waitForPhase('gate', 'executing');
  const gone = new Promise((resolve) => first.app.process().once('exit', resolve));
  const window = await first.app.browserWindow(first.page);
  await window.evaluate((each) => each.close());
  await gone;

  const second = await world.start();
  await second.page
    .getByRole('navigation', { name: 'Sessions' })
    .getByRole('button', { name: /^Begin/ })
    .click();
  await second.gantry.idle();
  await second.gantry.timeline.waitForOutcome('gate', 'interrupted');
  await expect(second.gantry.conversation).toContainText('I have begun.');
  server.answer(dialect.says([{ text: 'I go on.' }]));
  await say(second.page, 'Go on');
  await expect(second.gantry.conversation).toContainText('I go on.');
  await second.gantry.idle();
  const events = await world.journal();
  expect(
    only(events, 'call-completed')
      .map(({ callId }) => callId)
      .sort(),
  ).toEqual(['done', 'gate']);
});
