import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src-main/adapters/process/system-clock.ts';
import { createProvider } from '../src-main/adapters/providers/create-provider.ts';
import { says, startAnthropicServer, streams } from '../src-main/adapters/providers/testing/anthropic-server.ts';
import type { WireServer } from '../src-main/adapters/providers/testing/wire-server.ts';
import { JournalFile } from '../src-main/adapters/storage/journal-file.ts';
import type { ModelProvider } from '../src-main/ports/model-provider.ts';
import { MAIN_AGENT } from '../src-shared/ids.ts';
import { throughLock } from './async-lock.ts';
import { type Call, runIdleSession } from './idle-session.ts';
import { inTurn, median, rounded, share, spread } from './measure.ts';

/** Blocks of one message, and messages. */
const CALLS = 20;
const MESSAGES = 15;

/**
 * From the last byte of a call's block on the wire to the call's first step, while its message still streams (spec 7.1).
 * All contenders read the same server over a socket; it sends the next block when the one before has started.
 */
export default async function firstStartBench() {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  const server = await startAnthropicServer();
  const provider = createProvider(
    { provider: 'anthropic', model: 'bench', baseUrl: server.url },
    { apiKey: () => 'bench', clock: systemClock, newId: (prefix) => `${prefix}-bench`, environment: {} },
  );
  const calls: Call[] = Array.from({ length: CALLS }, () => ({ safe: true }));
  let journals = 0;
  const message = (run: (started: (n: number) => void) => Promise<unknown>) => () => oneMessage(server, run);
  const times = await inTurn(
    {
      floor: message((started) => bareFetch(server.url, started)),
      provider: message((started) => providerAlone(provider, started)),
      session: message((started) => runIdleSession({ calls, provider, work: (n) => void started(n) })),
      journal: message((started) => {
        const store = JournalFile.create(join(folder, `${journals++}.jsonl`));
        return runIdleSession({ calls, provider, store, work: (n) => void started(n) });
      }),
    },
    MESSAGES,
  );
  await server.close();
  rmSync(folder, { recursive: true });
  const row = (what: string, ms: readonly number[], goal: string) => ({
    what,
    'ms, median': rounded(median(ms)),
    'spread ms': rounded(spread(ms)),
    'worst message ms': rounded(share(ms, 1)),
    '÷ floor': rounded(median(ms) / median(times.floor)),
    goal,
  });
  return {
    name: `first start of a call while its message streams, medians of ${MESSAGES} messages of ${CALLS} blocks`,
    rows: [
      row('bare fetch, split at blank lines, bare lock', times.floor, ''),
      row('the provider, bare lock', times.provider, '≤ 0.5 ms'),
      row('a live session, all stages', times.session, '≤ 2 ms'),
      row('a live session, all stages, with journal', times.journal, '≤ 2 ms'),
    ],
  };
}

/** The median over the blocks of one message. */
async function oneMessage(server: WireServer, run: (started: (n: number) => void) => Promise<unknown>) {
  const waits: number[] = [];
  let sent = 0;
  let goOn: () => void = () => undefined;
  server.answer(
    streams(async (stream) => {
      await stream.start();
      for (let n = 0; n < CALLS; n++) {
        await stream.begin({ tool: 'Work', id: `toolu_${n}`, input: { n } }, n);
        // What came before has been read; only the end of the block is on its way.
        await new Promise((resolve) => setImmediate(resolve));
        const started = new Promise<void>((resolve) => {
          goOn = resolve;
        });
        sent = performance.now();
        void stream.send('content_block_stop', { index: n });
        await started;
      }
      await stream.end('tool_use');
    }),
  );
  server.otherwise(says([{ text: 'Done.' }]));
  await run(() => {
    waits.push(performance.now() - sent);
    goOn();
  });
  if (waits.length !== CALLS) throw new Error(`${waits.length} calls have started`);
  return median(waits);
}

/** As little as one can do: read, split, parse, and start what the lock of readers lets start. */
async function bareFetch(url: string, started: (n: number) => void): Promise<void> {
  const messages = [{ role: 'user', content: 'Go.' }];
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': 'bench', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'bench', max_tokens: 100, stream: true, messages }),
  });
  const decoder = new TextDecoder();
  let text = '';
  let json = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = JSON.parse(event.slice(event.indexOf('data: ') + 6));
      if (data.type === 'content_block_start') json = '';
      if (data.type === 'content_block_delta') json += data.delta.partial_json;
      if (data.type === 'content_block_stop') void lock(() => started(JSON.parse(json).n));
    }
  }
}

async function providerAlone(provider: ModelProvider, started: (n: number) => void): Promise<void> {
  const request = {
    agent: { agentId: MAIN_AGENT, agentType: 'main', name: '' },
    system: '',
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Go.' }] }],
    tools: [],
    stream: true,
  };
  for await (const item of provider.stream(request, new AbortController().signal)) {
    if (item.type === 'tool-use') void lock(() => started((item.input as { n: number }).n));
  }
}

const lock = (work: () => void): Promise<void> => throughLock([{ safe: true, work: async () => work() }]);
