import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelItem } from '../../ports/model-provider.ts';
import { says, startAnthropicServer } from './testing/anthropic-server.ts';
import { chats, startChatServer } from './testing/chat-server.ts';
import { hear, providerFor, request, whole } from './testing/hear.ts';
import { bySizes } from './testing/split.ts';
import type { WireServer } from './testing/wire-server.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

/** Whatever a message holds and wherever its bytes are cut, what arrives is what was said, streamed or whole. */

let anthropic: WireServer;
let chat: WireServer;
beforeAll(async () => {
  anthropic = await startAnthropicServer();
  chat = await startChatServer();
});
afterAll(async () => {
  const faults = [...anthropic.faults, ...chat.faults];
  await anthropic.close();
  await chat.close();
  expect(faults).toEqual([]);
});

const words = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  fc.constantFrom('data: x\n\nevent: ping\n\n', '[DONE]', '\u2028\u0000"\\', '👩‍👩‍👧'),
);
const input = fc.dictionary(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.oneof(words, fc.jsonValue({ maxDepth: 2 })),
  {
    maxKeys: 3,
    noNullPrototype: true,
  },
);
const block = fc.oneof(
  words.map((text) => ({ text })),
  fc.record({ tool: fc.constantFrom('Read', 'Bash'), input }),
);
const message = fc
  .array(block, { minLength: 1, maxLength: 6 })
  // Words beside words are one block to chat completions, and words do not follow calls there.
  .map((blocks) => blocks.filter((one, at) => !('text' in one) || at === 0))
  .map((blocks) => blocks.map((one, at) => ('text' in one ? one : { ...one, id: `call_${at}` })))
  .filter((blocks) => blocks.length > 0);
const options = fc.record({
  delta: fc.integer({ min: 1, max: 40 }),
  split: fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 5 }).map(bySizes),
});

type Said = (typeof message extends fc.Arbitrary<infer M> ? M : never)[number];
const itemOf = (said: Said): ModelItem =>
  'text' in said
    ? { type: 'text', text: said.text }
    : { type: 'tool-use', id: said.id, name: said.tool, input: JSON.parse(JSON.stringify(said.input)) };

const blocksOf = (items: readonly ModelItem[]) =>
  whole(items).filter(({ type }) => type !== 'message-started' && type !== 'message-ended');

test('over the Messages API', async () => {
  const provider = providerFor({ baseUrl: anthropic.url });
  await fc.assert(
    fc.asyncProperty(message, options, fc.boolean(), async (blocks, how, stream) => {
      anthropic.answer(says(blocks, { ...how, noise: true }));
      const { items, failure } = await hear(provider, request({ stream }));
      expect(failure).toBeUndefined();
      expect(blocksOf(items)).toEqual(blocks.map(itemOf));
    }),
    { numRuns: 60 },
  );
});

test('over chat completions, with every quirk', async () => {
  const provider = providerFor({ provider: 'openai-compatible', model: 'chat-test', baseUrl: chat.url });
  const quirks = fc.record({ noIndex: fc.boolean(), repeatsNames: fc.boolean(), argumentsAsObject: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(message, options, quirks, fc.boolean(), async (blocks, how, odd, stream) => {
      chat.answer(chats(blocks, { ...how, quirks: odd }));
      const { items, failure } = await hear(provider, request({ stream }));
      expect(failure).toBeUndefined();
      expect(blocksOf(items)).toEqual(blocks.map(itemOf));
    }),
    { numRuns: 60 },
  );
});
