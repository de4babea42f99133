import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { callById } from '../../src-shared/session/state.ts';
import { ModelFailure, type ModelItem, type ModelProvider, type ModelRequest } from '../ports/model-provider.ts';
import type { AnyTool } from '../ports/tool.ts';
import { AgentBench, starts } from './testing/agent-bench.ts';
import { quiet } from './testing/bench.ts';
import { begins, ends, says, uses } from './testing/hand-model.ts';
import type { HandInput, HandTools } from './testing/hand-tools.ts';

type Block = 'words' | 'quick' | 'failing' | 'slow' | 'change' | 'ask' | 'agent';
type Message = { readonly blocks: readonly Block[]; readonly end: 'well' | 'breaks' | 'fails' | 'cut-off' };
type Step = 'wait' | 'allow' | 'deny' | 'deny-with-words' | 'escape' | 'type' | 'interrupt';

const message: fc.Arbitrary<Message> = fc.record({
  blocks: fc.array(
    fc.constantFrom<Block>('words', 'quick', 'failing', 'slow', 'change', 'ask', 'agent', 'agent', 'agent'),
    { maxLength: 4 },
  ),
  end: fc.constantFrom<Message['end']>('well', 'well', 'well', 'well', 'breaks', 'fails', 'cut-off'),
});
const step = fc.constantFrom<Step>(
  ...(['wait', 'wait', 'wait', 'allow', 'allow', 'deny', 'deny-with-words', 'escape', 'type', 'interrupt'] as const),
);

/** Gives whoever asks the next message of the script, and nothing more when there is none. */
class SharedScript implements ModelProvider {
  readonly name = 'script';
  readonly model = 'script-1';
  readonly #script: Message[];
  #ids = 0;

  constructor(script: readonly Message[]) {
    this.#script = [...script];
  }

  async *stream({ agent }: ModelRequest): AsyncIterable<ModelItem> {
    const next = this.#script.shift() ?? { blocks: [], end: 'well' };
    yield begins();
    yield says(`${agent.name || 'main'} speaks`);
    for (const block of next.blocks) {
      const id = `call-${this.#ids++}`;
      if (block === 'words') yield says('words');
      else if (block === 'agent') yield starts(id, `agent ${id}`);
      else yield uses(id, TOOL[block]);
      await quiet();
    }
    if (next.end === 'breaks') return;
    if (next.end === 'fails') throw new ModelFailure('bad-request', 'No.', { retry: false });
    yield ends(next.end === 'cut-off' ? 'max-tokens' : next.blocks.length > 0 ? 'tool-use' : 'end-turn');
  }
}

const TOOL = { quick: 'Quick', failing: 'Bash', slow: 'Slow', change: 'Write', ask: 'Ask' } as const;

/** Tools that end by themselves: at once, when told to stop, or a while after that. */
function tools(hand: HandTools): readonly AnyTool[] {
  const free = { checkPermissions: async () => ({ verdict: 'allow', because: 'it is a test' }) as const };
  return [
    hand.tool('Quick', { ...free, isConcurrencySafe: () => true, call: async () => ({ output: 'x', isError: false }) }),
    hand.tool('Bash', { ...free, isConcurrencySafe: () => true, call: async () => ({ output: 'no', isError: true }) }),
    hand.tool('Slow', {
      ...free,
      isConcurrencySafe: () => true,
      interruptBehavior: () => 'cancel',
      call: async (_input: HandInput, _context, { signal }) => {
        for (let left = 20; left > 0 && !signal.aborted; left--) await quiet();
        if (signal.aborted) {
          await quiet();
          throw new DOMException('stopped', 'AbortError');
        }
        return { output: 'slow', isError: false };
      },
    }),
    hand.tool('Write', {
      ...free,
      call: async () => {
        for (let left = 5; left > 0; left--) await quiet();
        return { output: 'written', isError: false };
      },
    }),
    hand.tool('Ask', {
      isConcurrencySafe: () => true,
      call: async () => ({ output: 'allowed', isError: false }),
    }),
  ];
}

async function play(script: readonly Message[], steps: readonly Step[]): Promise<AgentBench> {
  const on = new AgentBench({ provider: new SharedScript(script), moreTools: tools });
  await on.send('Hello');
  for (const one of steps) await act(on, one);
  // Whatever is asked then is denied, and what runs ends: nothing may be left hanging.
  const closed = on.session.close('quit');
  for (let turns = 0; turns < 200; turns++) await on.advance(1_000);
  await closed;
  return on;
}

async function act(on: AgentBench, step: Step): Promise<void> {
  const open = on.log.state.calls.find(({ asks }) => asks.at(-1)?.until === undefined && asks.length > 0);
  switch (step) {
    case 'wait':
      await on.advance(400);
      return;
    case 'allow':
    case 'deny':
      if (open !== undefined) await on.answer(open.callId, { kind: step === 'allow' ? 'allow-once' : 'deny' });
      return;
    case 'deny-with-words':
      if (open !== undefined) await on.answer(open.callId, { kind: 'deny-with-feedback', feedback: 'No.' });
      return;
    case 'type':
      await on.send('And this.');
      return;
    default:
      await on.interrupt(step);
  }
}

/** An agent is over, and so is all it had begun, before the call that had started it is. */
function faultsOfOrder(events: readonly SessionEvent[], on: AgentBench): readonly string[] {
  const faults: string[] = [];
  const over = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'call-completed') {
      if (over.has(event.callId)) faults.push(`${event.callId} has two results`);
      over.set(event.callId, event.seq);
    }
    if (event.type === 'agent-ended') over.set(event.agentId, event.seq);
  }
  for (const { agentId, parentCallId = '' } of on.log.state.agents) {
    const end = over.get(agentId) ?? Number.POSITIVE_INFINITY;
    if (end > (over.get(parentCallId) ?? 0)) faults.push(`${agentId} outlives ${parentCallId}`);
  }
  for (const call of on.log.state.calls) {
    const agent = on.log.state.agents.find((one) => one.agentId === call.agentId);
    if (agent === undefined) continue;
    if ((over.get(call.callId) ?? Number.POSITIVE_INFINITY) > (over.get(agent.agentId) ?? 0)) {
      faults.push(`${call.callId} outlives its agent`);
    }
    if (agent.parentCallId !== undefined && callById(on.log.state, agent.parentCallId) === undefined) {
      faults.push(`${agent.agentId} hangs on nothing`);
    }
  }
  return faults;
}

const seeds = [3_001, ...(process.env.GANTRY_SEED ? [Number(process.env.GANTRY_SEED)] : [])];

describe.each(seeds)('agents below agents (seed %d)', (seed) => {
  test('whatever happens, every call of every agent has one result, and nothing outlives the call above it', async () => {
    let agents = 0;
    let deepest = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 2, maxLength: 12 }),
        fc.array(step, { maxLength: 12 }),
        async (script, steps) => {
          const on = await play(script, steps);
          agents += on.log.state.agents.length;
          deepest = Math.max(deepest, ...on.log.state.agents.map(({ depth }) => depth));
          expect(on.open).toEqual([]);
          expect(on.faults).toEqual([]);
          expect(faultsOfOrder(on.log.events, on)).toEqual([]);
        },
      ),
      { seed, numRuns: 150 },
    );
    expect(agents).toBeGreaterThan(150);
    expect(deepest).toBeGreaterThan(2);
  }, 120_000);
});
