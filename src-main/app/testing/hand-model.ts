import type { StopReason } from '../../../src-shared/model/event.ts';
import type { ModelItem, ModelProvider, ModelRequest } from '../../ports/model-provider.ts';
import { quiet } from './bench.ts';

/** One stream that the test fills. It ends when told, also when it is aborted, unless it is `deaf`. */
export class HandStream {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  #items: (ModelItem | 'over' | { readonly broken: unknown })[] = [];
  #wake: (() => void) | undefined;

  constructor(request: ModelRequest, signal: AbortSignal, deaf: boolean) {
    this.request = request;
    this.signal = signal;
    if (!deaf) signal.addEventListener('abort', () => this.#push('over'), { once: true });
  }

  #push(item: ModelItem | 'over' | { readonly broken: unknown }): void {
    this.#items.push(item);
    this.#wake?.();
  }

  async send(...items: readonly ModelItem[]): Promise<void> {
    for (const item of items) this.#push(item);
    await quiet();
  }

  async over(): Promise<void> {
    this.#push('over');
    await quiet();
  }

  async break(error: unknown): Promise<void> {
    this.#push({ broken: error });
    await quiet();
  }

  async *items(): AsyncGenerator<ModelItem> {
    for (;;) {
      const next = this.#items.shift();
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      if (next === 'over') return;
      if ('broken' in next) throw next.broken;
      yield next;
    }
  }
}

/** A model in the test's hand. */
export class HandModel implements ModelProvider {
  readonly name = 'hand';
  readonly model = 'hand-1';
  readonly streams: HandStream[] = [];
  /** Does not heed its signal. */
  deaf = false;

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelItem> {
    const stream = new HandStream(request, signal, this.deaf);
    this.streams.push(stream);
    return stream.items();
  }

  /** The stream of the newest request. */
  get now(): HandStream {
    const stream = this.streams.at(-1);
    if (stream === undefined) throw new Error('nobody has asked the model');
    return stream;
  }
}

export const begins = (messageId = 'm1'): ModelItem => ({ type: 'message-started', messageId, model: 'hand-1' });
export const says = (text: string): ModelItem => ({ type: 'text', text });
export const uses = (id: string, name: string, command = id): ModelItem => ({
  type: 'tool-use',
  id,
  name,
  input: { command },
});
export const ends = (stopReason: StopReason = 'end-turn'): ModelItem => ({
  type: 'message-ended',
  stopReason,
  usage: { outputTokens: 1 },
});
