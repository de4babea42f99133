import type { Scenario, ScenarioBlock } from '../../../src-shared/scenario/scenario.ts';
import { millis } from '../../../src-shared/units.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ModelItem, ModelProvider, ModelRequest } from '../../ports/model-provider.ts';

const NOTHING_MORE = 'This scenario has no more messages. Start it again from the gallery, or open another one.';

/**
 * The model that needs no network and no key: plays a scenario's messages with their delays. Which message comes next
 * is read from the conversation, so a session that was interrupted or reopened goes on where it was.
 */
export class ScriptedProvider implements ModelProvider {
  readonly name = 'scripted';
  readonly model: string;
  readonly #turns: Scenario['turns'];
  readonly #clock: Clock;
  readonly #newId: (prefix: string) => string;

  constructor(deps: {
    readonly scenario: Scenario;
    readonly clock: Clock;
    readonly newId: (prefix: string) => string;
  }) {
    // An empty message leaves no trace in the conversation, so nothing would ever come after it.
    this.#turns = deps.scenario.turns.filter((blocks) => blocks.length > 0);
    this.#clock = deps.clock;
    this.#newId = deps.newId;
    this.model = `scenario ${deps.scenario.name}`;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelItem> {
    const said = request.messages.filter((message) => message.role === 'assistant').length;
    const turn = this.#turns[said];
    yield { type: 'message-started', messageId: this.#newId('msg'), model: this.model };
    const blocks = turn ?? (asksAgain(request) ? [{ text: NOTHING_MORE }] : []);
    for (const [index, block] of blocks.entries()) {
      if (block.delay !== undefined && block.delay > 0) await this.#wait(block.delay, signal);
      if (signal.aborted) return;
      yield this.#item(block, said, index);
    }
    const calls = blocks.some((block) => 'tool' in block);
    yield { type: 'message-ended', stopReason: calls ? 'tool-use' : 'end-turn', usage: usageOf(request, blocks) };
  }

  #item(block: ScenarioBlock, turn: number, index: number): ModelItem {
    if ('text' in block) return { type: 'text', text: block.text };
    const id = block.id ?? `call_${turn + 1}_${index + 1}`;
    return { type: 'tool-use', id, name: block.tool, input: block.input ?? {} };
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

/** The last message holds words of a person, beside results or alone: it deserves an answer. */
function asksAgain(request: ModelRequest): boolean {
  const last = request.messages.at(-1);
  return last?.role === 'user' && last.content.some((block) => block.type === 'text');
}

/** A rough count, four characters a token, so that the status bar has something true in kind to show. */
function usageOf(request: ModelRequest, blocks: readonly ScenarioBlock[]) {
  const size = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);
  return { inputTokens: size(request.messages), outputTokens: size(blocks) };
}
