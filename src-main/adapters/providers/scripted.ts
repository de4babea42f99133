import {
  blocksOf,
  type Scenario,
  type ScenarioBlock,
  type ScenarioTurn,
} from '../../../src-shared/scenario/scenario.ts';
import { millis } from '../../../src-shared/units.ts';
import type { Clock } from '../../ports/clock.ts';
import { ModelFailure, type ModelItem, type ModelProvider, type ModelRequest } from '../../ports/model-provider.ts';

const NOTHING_MORE = 'This scenario has no more messages. Start it again from the gallery, or open another one.';
/** A block that is slow comes in so many pieces. */
const PIECES = 10;

type Script = { readonly key: string; readonly turns: readonly ScenarioTurn[] };

/**
 * The model that needs no network and no key: plays a scenario's messages with their delays. Which message comes next
 * is read from the conversation, so a session that was interrupted or reopened goes on where it was. A sub-agent plays
 * the list that is named as its order is, or as its type.
 */
export class ScriptedProvider implements ModelProvider {
  readonly name = 'scripted';
  readonly model: string;
  readonly #main: Script;
  readonly #agents: ReadonlyMap<string, Script>;
  readonly #clock: Clock;
  readonly #newId: (prefix: string) => string;
  /** How often a message has failed on purpose. */
  readonly #failures = new Map<ScenarioTurn, Map<string, number>>();

  constructor(deps: {
    readonly scenario: Scenario;
    readonly clock: Clock;
    readonly newId: (prefix: string) => string;
  }) {
    const { name, turns, agents = {} } = deps.scenario;
    this.#main = scriptOf('', turns);
    this.#agents = new Map(Object.entries(agents).map(([key, its]) => [key, scriptOf(key, its)]));
    this.#clock = deps.clock;
    this.#newId = deps.newId;
    this.model = `scenario ${name}`;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelItem> {
    if (request.purpose === 'compact') {
      yield* this.#summary(request);
      return;
    }
    const answers = request.messages.filter((message) => message.role === 'assistant').length;
    const said = (request.answersBefore ?? 0) + answers;
    const script = this.#scriptFor(request);
    const turn = script?.turns[said];
    const faults = turn !== undefined && 'blocks' in turn ? turn : undefined;
    this.#failOnPurpose(request, faults);
    yield { type: 'message-started', messageId: this.#newId('msg'), model: this.model };
    const blocks = turn === undefined ? wordsWithout(request, script) : blocksOf(turn);
    // The answer that is asked for whole, after a stream that broke, comes whole.
    const breaksAt = request.stream ? faults?.break : undefined;
    for (const [index, block] of blocks.entries()) {
      if (block.delay !== undefined && block.delay > 0) await this.#wait(block.delay, signal);
      if (breaksAt !== undefined && index >= breaksAt) break;
      if (faults?.slow !== undefined && request.stream) yield* this.#slowly(block, faults.slow, signal);
      if (signal.aborted) return;
      yield itemOf(block, { script, turn: said, index });
    }
    if (signal.aborted) return;
    if (breaksAt !== undefined) throw brokenOff(breaksAt);
    const calls = blocks.some((block) => 'tool' in block);
    yield { type: 'message-ended', stopReason: calls ? 'tool-use' : 'end-turn', usage: usageOf(request, blocks) };
  }

  /** No message of the scenario's own. */
  async *#summary(request: ModelRequest): AsyncIterable<ModelItem> {
    const words = {
      text: `A scenario has shortened its conversation: ${request.messages.length} messages until here.`,
    };
    yield { type: 'message-started', messageId: this.#newId('msg'), model: this.model };
    yield { type: 'text', ...words };
    yield { type: 'message-ended', stopReason: 'end-turn', usage: usageOf(request, [words]) };
  }

  /** Undefined: the scenario knows nothing of this agent. */
  #scriptFor({ agent }: ModelRequest): Script | undefined {
    if (agent.name === '' && agent.agentType === 'main') return this.#main;
    return this.#agents.get(agent.name) ?? this.#agents.get(agent.agentType);
  }

  /** @throws ModelFailure as often as the message says, for each agent that plays it. */
  #failOnPurpose({ agent }: ModelRequest, turn: Exclude<ScenarioTurn, unknown[]> | undefined): void {
    if (turn?.fail === undefined) return;
    const { kind, after, times = 1 } = turn.fail;
    const counts = this.#failures.get(turn) ?? new Map<string, number>();
    this.#failures.set(turn, counts);
    const before = counts.get(agent.agentId) ?? 0;
    if (before >= times) return;
    counts.set(agent.agentId, before + 1);
    const message = kind === 'overloaded' ? 'The model is overloaded.' : 'Too many requests for now.';
    throw new ModelFailure(kind, message, { retry: true, ...(after === undefined ? {} : { afterMs: after }) });
  }

  async *#slowly(block: ScenarioBlock, ms: number, signal: AbortSignal): AsyncIterable<ModelItem> {
    const isCall = 'tool' in block;
    const letters = isCall ? JSON.stringify(block.input ?? {}) : block.text;
    const size = Math.max(1, Math.ceil(letters.length / PIECES));
    for (let at = 0; at < letters.length; at += size) {
      await this.#wait(ms / PIECES, signal);
      if (signal.aborted) return;
      const added = letters.slice(at, at + size);
      if (isCall) yield { type: 'growing', kind: 'tool-use', name: block.tool, added };
      else yield { type: 'growing', kind: 'text', added };
    }
  }

  #wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const timer = this.#clock.schedule(millis(ms), done);
      signal.addEventListener('abort', done, { once: true });
      function done(): void {
        timer.dispose();
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
  }
}

/** An empty message leaves no trace in the conversation, so nothing would ever come after it. */
const scriptOf = (key: string, turns: Scenario['turns']): Script => ({
  key,
  turns: turns.filter((turn) => blocksOf(turn).length > 0),
});

type Place = { readonly script: Script | undefined; readonly turn: number; readonly index: number };

/** Calls without an id are named after their place: `call_1_2`, `call_find-tests_1_2`. */
function itemOf(block: ScenarioBlock, { script, turn, index }: Place): ModelItem {
  if ('text' in block) return { type: 'text', text: block.text };
  const key = (script?.key ?? '').replace(/[^A-Za-z0-9]+/g, '-').toLowerCase();
  const id = block.id ?? ['call', ...(key === '' ? [] : [key]), turn + 1, index + 1].join('_');
  return { type: 'tool-use', id, name: block.tool, input: block.input ?? {} };
}

const brokenOff = (blocks: number): ModelFailure =>
  new ModelFailure(
    'broken-stream',
    `The stream broke off after ${blocks} ${blocks === 1 ? 'block' : 'blocks'}, as the scenario wants it.`,
    { retry: true },
  );

/** What is said where the script has nothing. */
function wordsWithout({ agent, messages }: ModelRequest, script: Script | undefined): readonly ScenarioBlock[] {
  if (script !== undefined) return asksAgain(messages) ? [{ text: NOTHING_MORE }] : [];
  const names = agent.name === '' ? agent.agentType : `${agent.name} or ${agent.agentType}`;
  return [{ text: `This scenario has no messages for this agent: there is no ${names} under agents.` }];
}

/** The last message holds words of a person, beside results or alone: it deserves an answer. */
function asksAgain(messages: ModelRequest['messages']): boolean {
  const last = messages.at(-1);
  return last?.role === 'user' && last.content.some((block) => block.type === 'text');
}

/** A rough count, four characters a token, so that the status bar has something true in kind to show. */
function usageOf(request: ModelRequest, blocks: readonly ScenarioBlock[]) {
  const size = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);
  return { inputTokens: size(request.messages), outputTokens: size(blocks) };
}
