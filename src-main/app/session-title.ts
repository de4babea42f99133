import { MAIN_AGENT } from '../../src-shared/ids.ts';
import type { Usage } from '../../src-shared/model/event.ts';
import { withCost } from '../../src-shared/model/prices.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { TITLE_SYSTEM, titleFromModel, titleFromPrompt, titleQuestion } from '../core/prompt/title.ts';
import type { ModelProvider, ModelRequest } from '../ports/model-provider.ts';
import type { SessionLog } from './session-log.ts';

/** A model that says more than this is not making a title. Characters. */
const MOST_ANSWER = 1_000;

/** Gives a session of a model its title: from the first message at once, and later from the model, if that is wanted. */
export class SessionTitle {
  readonly #log: SessionLog;
  readonly #end = new AbortController();
  #asked = false;

  constructor(log: SessionLog) {
    this.#log = log;
  }

  /** A person has written. */
  fromMessage(text: string): void {
    const { state } = this.#log;
    if (state.model === undefined || state.titleBy !== undefined) return;
    const title = titleFromPrompt(text);
    if (title !== '') this.#log.append({ type: 'title-changed', title, by: 'prompt' });
  }

  /** A turn has ended. Asks the model for a title once, in the background; what goes wrong is nobody's trouble. */
  async fromModel(provider: ModelProvider): Promise<void> {
    const { state } = this.#log;
    if (this.#asked || state.titleBy !== 'prompt' || state.model === undefined) return;
    const question = questionOf(state);
    if (question === undefined) return;
    this.#asked = true;
    try {
      const { text, usage } = await answerTo(provider, titleRequest(question), this.#end.signal);
      const title = titleFromModel(text);
      // Its person, or a hook, may have named it meanwhile; what it cost is told all the same.
      const isFree = this.#log.state.titleBy === 'prompt' && title !== undefined;
      const now = isFree ? { title, by: 'model' as const } : this.#titleNow();
      this.#log.append({ type: 'title-changed', ...now, usage });
    } catch {
      // The title from the message stays.
    }
  }

  rename(title: string): void {
    if (title !== this.#log.state.title) this.#log.append({ type: 'title-changed', title, by: 'person' });
  }

  close(): void {
    this.#end.abort('shutdown');
  }

  #titleNow() {
    const { title, titleBy: by } = this.#log.state;
    return by === undefined ? { title } : { title, by };
  }
}

/** Undefined as long as the model has answered nothing. */
function questionOf({ entries }: SessionState): string | undefined {
  const asked = entries.find((entry) => entry.kind === 'user' && entry.from === 'person');
  const answer = entries.find(
    (entry) =>
      entry.kind === 'assistant' && entry.agentId === MAIN_AGENT && !entry.discarded && entry.blocks.length > 0,
  );
  if (asked?.kind !== 'user' || answer?.kind !== 'assistant') return undefined;
  const words = answer.blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])).join('\n');
  return titleQuestion(asked.text, words);
}

const titleRequest = (question: string): ModelRequest => ({
  agent: { agentId: MAIN_AGENT, agentType: 'title', name: '' },
  system: TITLE_SYSTEM,
  messages: [{ role: 'user', content: [{ type: 'text', text: question }] }],
  tools: [],
  stream: true,
});

async function answerTo(
  provider: ModelProvider,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly usage: Usage }> {
  let text = '';
  for await (const item of provider.stream(request, signal)) {
    if (item.type === 'text') text += item.text;
    if (item.type === 'message-ended') return { text, usage: withCost(item.usage, provider.model) };
    if (text.length > MOST_ANSWER) break;
  }
  throw new Error('The answer is no title.');
}
