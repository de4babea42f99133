import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bySizes } from '../src-main/adapters/providers/testing/split.ts';
import { test as base, expect } from './app.fixture.ts';
import { living } from './living.ts';
import { expectOneResultPerCall, MODEL, ModelWorld, only, resultsIn, say } from './model-world.ts';

/** Both wire formats, over a real socket, into the real window, with real tools. */

type Fixtures = { readonly provider: 'anthropic' | 'openai-compatible'; readonly world: ModelWorld };

const test = base.extend<Fixtures>({
  provider: ['anthropic', { option: true }],
  world: async ({ provider, launcher }, use) => {
    const world = await ModelWorld.create(provider, launcher);
    await use(world);
    await world.dispose();
  },
});

// A start that Playwright misses is tried again.
test.describe.configure({ timeout: 120_000 });

/** A promise that the test keeps. */
function promised(): { readonly kept: Promise<void>; readonly keep: () => void } {
  let keep = (): void => undefined;
  const kept = new Promise<void>((resolve) => {
    keep = resolve;
  });
  return { kept, keep };
}

for (const provider of ['anthropic', 'openai-compatible'] as const) {
  test.describe(`over ${provider}`, () => {
    test.use({ provider });

    test('calls run beside each other while their message is still written, wherever its bytes are cut', async ({
      world,
    }) => {
      const { server, dialect } = world;
      const gate = await world.gate('gate');
      const seen = promised();
      server.answer(
        dialect.streams(
          async (stream) => {
            await stream.start(MODEL);
            await stream.block({ text: 'I look at größe.txt and at **two more** 🎉.' });
            await stream.block(gate);
            await stream.block(world.read('toolu_read', 'größe.txt'));
            // Escapes for what needs none: half of one is no character either.
            const json = '{"command":"echo \\"gr\\u00f6\\u00dfer \\ud83c\\udf89 日本\\"","description":"Say it"}';
            await stream.block({ tool: 'Bash', id: 'toolu_echo', json });
            // In one of the formats a call is known to be whole when the next one begins.
            await stream.block(world.read('toolu_last', 'price.txt'));
            await seen.kept;
            await stream.end('calls');
          },
          { delta: 3, pings: true, split: bySizes([1, 5, 2, 64, 3]) },
        ),
        dialect.says([{ text: 'Zwölf Boxkämpfer.' }], { split: bySizes([1, 2]) }),
      );
      const started = await world.start();
      const { gantry } = started;
      await world.open(started, 'Look at them');
      await gantry.timeline.waitForOutcome('toolu_read', 'ok');
      await gantry.timeline.waitForOutcome('toolu_echo', 'ok');
      await gantry.timeline.waitForPhase('gate', 'executing');
      await expect(gantry.conversation.locator('strong')).toHaveText('two more');
      expect(only(await world.journal(), 'message-completed')).toEqual([]);
      await world.letGo('gate', 'let go\n');
      await gantry.timeline.waitForOutcome('gate', 'ok');
      seen.keep();
      await expect(gantry.conversation).toContainText('Zwölf Boxkämpfer.');
      await gantry.idle();

      const events = await world.journal();
      expectOneResultPerCall(events);
      const ended = only(events, 'message-completed')[0]?.seq ?? 0;
      const before = only(events, 'call-completed').filter(({ seq }) => seq < ended);
      expect(before.map(({ callId }) => callId)).toEqual(expect.arrayContaining(['toolu_read', 'toolu_echo', 'gate']));
      const beside = only(events, 'call-started').filter(({ callId }) => callId !== 'toolu_last');
      expect(new Set(beside.map(({ batchId }) => batchId)).size).toBe(1);
      expect(only(events, 'message-completed').map(({ stopReason }) => stopReason)).toEqual(['tool-use', 'end-turn']);
      const second = server.requests[1]?.body;
      expect(Object.entries(resultsIn(second))).toEqual(
        ['gate', 'toolu_read', 'toolu_echo', 'toolu_last'].map((id) => [id, 1]),
      );
      for (const words of ['zwölf Boxkämpfer 🎉', 'größer 🎉 日本', 'let go', '9 cents']) {
        expect(JSON.stringify(second)).toContain(words);
      }
    });

    test('a server that is busy, breaks off or limits is asked again, and nothing is answered twice', async ({
      world,
    }) => {
      const { server, dialect } = world;
      const started = await world.start();
      const { page, gantry } = started;
      const status = page.getByTestId('status-bar');

      await test.step('overloaded before a message, and in the middle of the next', async () => {
        const gate = await world.gate('slow');
        const seen = promised();
        server.answer(
          dialect.refuses(529, 'Overloaded', { 'retry-after': '1' }),
          dialect.streams(async (stream) => {
            await stream.start(MODEL);
            await stream.block({ text: 'I begin with what will be thrown away.' });
            await stream.block(world.read('early', 'price.txt'));
            await stream.block(gate);
            await stream.block(world.read('late', 'price.txt'));
            await seen.kept;
            await stream.overload();
          }),
          dialect.says([world.read('again', 'price.txt')]),
          dialect.says([{ text: 'Nine cents.' }]),
        );
        await world.open(started, 'What is the price?');
        await gantry.timeline.waitForOutcome('early', 'ok');
        await gantry.timeline.waitForPhase('slow', 'executing');
        seen.keep();
        await expect(gantry.conversation).toContainText('Nine cents.', { timeout: 20_000 });
        await gantry.idle();
        await gantry.timeline.waitForOutcome('slow', 'discarded');
        await expect(gantry.conversation).toContainText('Discarded attempt: the stream broke.');
        await expect(gantry.conversation).toContainText('is overloaded (529)');
        await expect(gantry.conversation).toContainText('It is tried again after 1.0 s.');
        await expect(gantry.conversation).toContainText('Request 1, try 3');
        const events = await world.journal();
        expectOneResultPerCall(events);
        expect(living(only(events, 'process-spawned').map(({ pid }) => pid))).toEqual([]);
        expect(only(events, 'request-failed').map(({ retryInMs }) => retryInMs)).toEqual([1_000, 1_000]);
        expect(resultsIn(server.requests[3]?.body)).toEqual({ again: 1 });
        expect(server.requests[3]?.text).not.toContain('thrown away');
      });

      await test.step('cut after two calls have started', async () => {
        const [left, right] = [await world.gate('left'), await world.gate('right')];
        const seen = promised();
        server.answer(
          dialect.streams(async (stream) => {
            await stream.start(MODEL);
            for (const block of [left, right]) await stream.block(block);
            await stream.block(world.read('third', 'price.txt'));
            await seen.kept;
            stream.wire.cut();
          }),
          dialect.says([world.read('left', 'price.txt'), world.read('right', 'größe.txt')]),
          dialect.says([{ text: 'Both, the second time.' }]),
        );
        await say(page, 'And now both');
        await gantry.timeline.waitForPhase('left', 'executing');
        await gantry.timeline.waitForPhase('right', 'executing');
        seen.keep();
        await expect(gantry.conversation).toContainText('Both, the second time.', { timeout: 20_000 });
        await gantry.idle();
        await gantry.timeline.waitForOutcome('right', 'discarded');
        await gantry.timeline.waitForOutcome('right_2', 'ok');
        const events = await world.journal();
        expectOneResultPerCall(events);
        expect(living(only(events, 'process-spawned').map(({ pid }) => pid))).toEqual([]);
        const asked = server.requests.slice(4).map(({ body }) => (body as { stream: boolean }).stream);
        expect(asked).toEqual([true, false, true]);
        expect(resultsIn(server.requests.at(-1)?.body)).toEqual({ again: 1, left_2: 1, right_2: 1 });
      });

      await test.step('a limit whose wait is seen, and ended with Esc', async () => {
        server.answer(dialect.refuses(429, 'Too many tokens', { 'retry-after': '61' }));
        await say(page, 'Once more');
        await expect(status.getByTestId('retry')).toContainText(/Trying again in (1:0\d|[56]\d\.\d s)/);
        await expect(status).toContainText('Esc stops the turn');
        await expect(gantry.conversation).toContainText('limits how much may be asked (429)');
        await expect(gantry.conversation).toContainText('It is try 2.');
        await page.keyboard.press('Escape');
        await gantry.idle();
        await expect(status.getByTestId('retry')).toBeHidden();
        await expect(gantry.conversation).toContainText('You stopped the turn.');
        server.answer(dialect.says([{ text: 'At your service.' }]));
        await say(page, 'Are you there?');
        await expect(gantry.conversation).toContainText('At your service.');
        await gantry.idle();
        const ends = only(await world.journal(), 'turn-ended').map(({ reason }) => reason);
        expect(ends).toEqual(['completed', 'completed', 'interrupted', 'completed']);
      });
    });

    test('why a message ended is said in words, and calls that were cut off or refused are answered', async ({
      world,
    }) => {
      const { server, dialect, folder } = world;
      const started = await world.start();
      const { page, gantry } = started;
      server.answer(
        dialect.says(
          [
            world.read('whole', 'price.txt'),
            {
              tool: 'Write',
              id: 'half',
              json: `{"file_path":${JSON.stringify(join(folder, 'new.txt'))},"content":"a lo`,
            },
          ],
          { stop: 'limit' },
        ),
        dialect.says([{ text: 'Then in two parts.' }]),
      );
      await world.open(started, 'Write a long file');
      await expect(gantry.conversation).toContainText('Then in two parts.');
      await gantry.timeline.waitForOutcome('whole', 'ok');
      await gantry.timeline.waitForOutcome('half', 'error');
      await expect(gantry.conversation).toContainText('The message was cut off');
      expect(resultsIn(server.requests[1]?.body)).toEqual({ whole: 1, half: 1 });
      await gantry.idle();

      server.answer(dialect.says([{ text: 'Here I stop.' }], { stop: 'refusal' }));
      await say(page, 'Go on');
      await expect(gantry.conversation).toContainText('Here I stop.');
      await expect(gantry.conversation).toContainText('The model refused to go on with this message.');
      await gantry.idle();

      await writeFile(join(folder, 'kept.txt'), 'kept\n');
      server.answer(dialect.refuses(400, 'The picture is too large'));
      await say(page, 'And this?');
      await expect(gantry.conversation).toContainText(
        /refused the request \(400\)\. The server says: The picture is too large\./,
      );
      await expect(gantry.conversation).toContainText('Your message is kept; write again when it can.');
      await gantry.idle();
      expectOneResultPerCall(await world.journal());
      expect(only(await world.journal(), 'turn-ended').map(({ reason }) => reason)).toEqual([
        'completed',
        'completed',
        'error',
      ]);
    });

    test('thirty turns are one conversation, of which each request begins as the one before', async ({ world }) => {
      const { server, dialect } = world;
      const started = await world.start();
      const { page, gantry } = started;
      for (let turn = 1; turn <= 30; turn++) {
        const calls = Array.from({ length: turn % 3 }, (_, at) => world.read(`t${turn}_${at}`, 'größe.txt'));
        if (calls.length > 0) server.answer(dialect.says([{ text: `Turn ${turn}: ` }, ...calls], { delta: 7 }));
        server.answer(dialect.says([{ text: `Done with ${turn}. 🎉` }]));
        if (turn === 1) await world.open(started, 'Question 1');
        else await say(page, `Question ${turn}`);
        await expect(gantry.conversation).toContainText(`Done with ${turn}.`);
        await gantry.idle();
      }
      const events = await world.journal();
      expectOneResultPerCall(events);
      expect(only(events, 'turn-ended').map(({ reason }) => reason)).toEqual(Array(30).fill('completed'));
      expect(only(events, 'call-yielded')).toHaveLength(30);
      expect(server.requests).toHaveLength(50);
      const said = server.requests.map(({ body }) =>
        JSON.stringify((body as { messages: unknown }).messages).replaceAll(
          ',"cache_control":{"type":"ephemeral"}',
          '',
        ),
      );
      for (const [at, messages] of said.entries()) {
        expect(messages.startsWith((said[at - 1] ?? '[]').slice(0, -1)), `request ${at + 1}`).toBe(true);
      }
    });
  });
}
