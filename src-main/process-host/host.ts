import { endTree, ORDINARY, type Patience } from '../adapters/process/end-tree.ts';
import { type FromHost, ToHost } from '../ports/process-protocol.ts';
import type { ProcessInfo } from '../ports/process-runner.ts';
import { type Call, startCall, type Workshop } from './call.ts';
import { PipeProcess } from './pipe.ts';

const TICK_MS = 100;

/** Answers the main process and keeps the calls that run. Knows nothing of the channel it is spoken to through. */
export class Host {
  readonly #shop: Workshop;
  readonly #calls = new Map<number, Call>();
  readonly #pipes = new Map<number, PipeProcess>();
  #ticking: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(shop: Workshop) {
    this.#shop = shop;
  }

  /** Takes a message as it came; throws when it is none of the protocol. */
  async handle(raw: unknown): Promise<void> {
    const message = ToHost.parse(raw);
    switch (message.type) {
      case 'start':
        return this.#start(message);
      case 'cancel':
        return this.#calls.get(message.id)?.cancel();
      case 'list-tree':
        return this.#listTree(message);
      case 'find-leftovers': {
        const leftovers = [...(await this.#shop.table.orphans(message.markerPrefix))];
        return this.#post({ type: 'leftovers-found', request: message.request, leftovers });
      }
      case 'end-leftovers':
        return this.#endLeftovers(message);
      case 'open-pipe':
        return this.#openPipe(message);
      case 'write-pipe':
        return this.#pipes.get(message.id)?.write(message.text);
      case 'close-pipe':
        return this.#pipes.get(message.id)?.close();
      case 'shut-down':
        return this.endAll(ORDINARY);
    }
  }

  /** Ends every tree; resolves when all results have been posted. Nothing can be started any more. */
  async endAll(patience: Patience): Promise<void> {
    this.#isClosing = true;
    for (const call of this.#calls.values()) call.cancel(patience);
    for (const pipe of this.#pipes.values()) pipe.close(patience);
    await Promise.all([...this.#calls.values(), ...this.#pipes.values()].map(({ done }) => done));
  }

  #post(message: FromHost): void {
    void this.#shop.post(message);
  }

  async #start({ id, spec }: Extract<ToHost, { type: 'start' }>): Promise<void> {
    if (this.#isClosing) return this.#post({ type: 'ended', id, result: NEVER_STARTED });
    // No message can come between the start of a process and its entry here: only a failed start takes a while.
    const call = await startCall(id, spec, this.#shop);
    if (call === undefined) return;
    this.#calls.set(id, call);
    this.#ticking ??= setInterval(() => this.#tick(), TICK_MS);
    await call.done;
    this.#calls.delete(id);
    if (this.#calls.size === 0) {
      clearInterval(this.#ticking);
      this.#ticking = undefined;
    }
  }

  async #openPipe({ id, spec }: Extract<ToHost, { type: 'open-pipe' }>): Promise<void> {
    if (this.#isClosing) {
      const result = { end: { kind: 'closed' }, stderr: '', survivors: [] } as const;
      return this.#post({ type: 'pipe-closed', id, result });
    }
    let pipe: PipeProcess;
    try {
      pipe = new PipeProcess(id, spec, this.#shop);
    } catch (error) {
      // What cannot be handed to any process, a NUL for one, is thrown.
      const message = `${spec.file} could not be started: ${error instanceof Error ? error.message : String(error)}`;
      const result = { end: { kind: 'spawn-failed', message }, stderr: '', survivors: [] } as const;
      return this.#post({ type: 'pipe-closed', id, result });
    }
    this.#pipes.set(id, pipe);
    await pipe.done;
    this.#pipes.delete(id);
  }

  #tick(): void {
    for (const call of this.#calls.values()) void call.tick();
  }

  async #listTree({ request, marker }: Extract<ToHost, { type: 'list-tree' }>): Promise<void> {
    const call = [...this.#calls.values()].find((running) => running.marker === marker);
    const processes = (await call?.listTree()) ?? [];
    this.#post({ type: 'tree-listed', request, processes });
  }

  async #endLeftovers({ request, markers }: Extract<ToHost, { type: 'end-leftovers' }>): Promise<void> {
    const { table, clock } = this.#shop;
    const ends = await Promise.all(markers.map((marker) => endTree({ marker }, table, clock)));
    const survivors: ProcessInfo[] = ends.flatMap((end) => end.survivors.map(({ pid, command }) => ({ pid, command })));
    this.#post({ type: 'leftovers-ended', request, survivors });
  }
}

const NEVER_STARTED = { end: { kind: 'cancelled' }, bytes: 0, survivors: [] } as const;
