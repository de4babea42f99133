import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FailureError } from '../../src-shared/failure.ts';
import type { ApiMessage } from '../core/conversation/api-message.ts';
import { faultsOfRequest } from '../core/conversation/request-validator.ts';
import { ModelFailure, type ModelItem, type ModelProvider, type ModelRequest } from '../ports/model-provider.ts';
import type { AnyTool } from '../ports/tool.ts';
import { fixedAsker } from './ask-board.ts';
import { recover } from './recover.ts';
import { SessionLog } from './session-log.ts';
import { countingIds, MoodyStore, quiet } from './testing/bench.ts';
import { begins, ends, says, uses } from './testing/hand-model.ts';
import { type HandInput, HandTools } from './testing/hand-tools.ts';
import { SessionBench } from './testing/session-bench.ts';

type Block = { readonly kind: 'text' | 'blank' | 'call' | 'failing' | 'asking' | 'big'; readonly id: number };
type Message = {
  readonly blocks: readonly Block[];
  readonly end: 'well' | 'refusal' | 'max-tokens' | 'breaks' | 'fails';
};
type Step =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'type'; readonly text: string }
  | { readonly kind: 'reopen' }
  | { readonly kind: 'compact' };

const block: fc.Arbitrary<Block> = fc.record({
  kind: fc.constantFrom('text', 'text', 'blank', 'call', 'call', 'failing', 'asking', 'big'),
  id: fc.nat(3),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        blocks: fc.array(block, { maxLength: 5 }),
        end: fc.constantFrom(
          'well' as const,
          'well' as const,
          'well' as const,
          'refusal' as const,
          'max-tokens' as const,
          'breaks' as const,
          'fails' as const,
        ),
      })
      .map((message): Step => ({ kind: 'message', message })),
  },
  { weight: 3, arbitrary: fc.constantFrom('Hello', 'And?', 'Go on.').map((text): Step => ({ kind: 'type', text })) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'reopen' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'compact' }) },
);

const TOOL: Record<string, string> = { call: 'Quick', failing: 'Failing', asking: 'Ask', big: 'Big' };

/** Says what stands in the script, then nothing more; remembers what it was sent, byte by byte. */
class ScriptModel implements ModelProvider {
  readonly name = 'script';
  readonly model = 'script-1';
  readonly requests: (readonly ApiMessage[])[] = [];
  /** How many compactions were behind each request; undefined for those that asked for a summary. */
  readonly ages: (number | undefined)[] = [];
  compactions = 0;
  readonly script: Message[] = [];

  async *stream(request: ModelRequest): AsyncIterable<ModelItem> {
    this.requests.push(JSON.parse(JSON.stringify(request.messages)) as readonly ApiMessage[]);
    this.ages.push(request.purpose === undefined ? this.compactions : undefined);
    if (request.purpose === 'compact') {
      yield begins('summary');
      yield says(`summary ${this.compactions}`);
      yield ends();
      return;
    }
    const message = this.script.shift() ?? { blocks: [], end: 'well' };
    yield begins('same');
    for (const { kind, id } of message.blocks) {
      if (kind === 'text') yield says(`words ${id}`);
      else if (kind === 'blank') yield says(' ');
      else yield uses(`call ${id}`, TOOL[kind] ?? '');
    }
    if (message.end === 'breaks') return;
    if (message.end === 'fails') throw new ModelFailure('bad-request', 'No.', { retry: false });
    yield ends(message.end === 'well' ? 'end-turn' : message.end);
  }
}

function quickTools(): HandTools {
  const hand = new HandTools();
  const quick = (name: string, output: string, isError: boolean): AnyTool =>
    hand.tool(name, {
      isConcurrencySafe: () => true,
      checkPermissions: async () => ({ verdict: 'allow', because: 'it is a test' }),
      call: async (input: HandInput) => ({ output: `${output} of ${input.command}`, isError }),
      maxResultSizeChars: 100,
    });
  return new HandTools([
    quick('Quick', 'result', false),
    quick('Failing', 'failure', true),
    quick('Big', 'x'.repeat(500), false),
  ]);
}

/** Plays the steps and gives all that was ever sent, oldest first, over all reopenings. */
async function play(steps: readonly Step[]): Promise<ScriptModel> {
  const model = new ScriptModel();
  const open = (past?: ConstructorParameters<typeof SessionBench>[0]) =>
    new SessionBench({ provider: model, tools: quickTools(), asker: fixedAsker('no-user'), ...past });
  let bench = open();
  let opened = 1;
  for (const one of steps) {
    if (one.kind === 'message') model.script.push(one.message);
    else if (one.kind === 'reopen') {
      await bench.session.close('closed');
      const log = new SessionLog({ store: new MoodyStore(), clock: bench.clock, past: bench.store.events });
      recover(log, 'test');
      bench = open({ past: log.events, newId: countingIds(10_000 * opened++) });
      // What the second bench writes goes on where the first one ended.
      bench.store.events.push(...log.events);
    } else {
      if (one.kind === 'type') bench.session.send(one.text);
      else if (!compacts(bench)) continue;
      for (let wait = 0; wait < 10 && bench.session.running; wait++) await bench.advance(1_000);
      await quiet();
      model.compactions = bench.all('context-compacted').length;
    }
  }
  return model;
}

/** False where nothing is there to compact. */
function compacts({ session }: SessionBench): boolean {
  try {
    session.compact('');
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(FailureError);
    return false;
  }
}

/** Each message of a request stands in the next one as it was; only the last may have got more blocks behind its own. */
function faultBetween(earlier: readonly ApiMessage[], later: readonly ApiMessage[]): string | undefined {
  for (const [at, message] of earlier.entries()) {
    const same = later[at];
    if (same === undefined || same.role !== message.role) return `message ${at} has gone`;
    const kept = at === earlier.length - 1 ? same.content.slice(0, message.content.length) : same.content;
    if (JSON.stringify(kept) !== JSON.stringify(message.content)) return `message ${at} has changed`;
  }
  return undefined;
}

const seeds = [1_001, ...(process.env.GANTRY_SEED ? [Number(process.env.GANTRY_SEED)] : [])];

describe.each(seeds)('over many turns (seed %d)', (seed) => {
  test('what was sent once is sent again in the same bytes, and every request is one that a server takes', async () => {
    let pairs = 0;
    let shortened = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
        const { requests, ages } = await play(steps);
        let before: { readonly request: readonly ApiMessage[]; readonly age: number } | undefined;
        for (const [at, request] of requests.entries()) {
          expect(faultsOfRequest(request)).toEqual([]);
          const age = ages[at];
          // What asks for a summary has words behind it that are said once.
          if (age === undefined) continue;
          if (before?.age === age) {
            pairs++;
            expect(faultBetween(before.request, request)).toBeUndefined();
          } else if (before !== undefined) shortened++;
          before = { request, age };
        }
      }),
      { seed, numRuns: 200 },
    );
    expect(pairs).toBeGreaterThan(200);
    expect(shortened).toBeGreaterThan(20);
  }, 60_000);
});
