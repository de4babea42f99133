import type { Usage } from '../../../../src-shared/model/event.ts';
import type { EventFacts } from '../../../../src-shared/session/event.ts';
import type { PlainBlock, PlainEntry, PlainMark, PlainMessage, PlainStep } from '../plain/session.ts';
import { type OpenCall, plainCall } from './call.ts';

type OpenBlock = { readonly kind: 'call'; readonly open: OpenCall } | Exclude<PlainBlock, { kind: 'call' }>;
type OpenMessage = {
  at: number | undefined;
  model: string;
  blocks: OpenBlock[];
  usage: Usage | undefined;
  failed: boolean;
};

/** Gathers what one agent did: one message per response, with the calls in it still open until the file has ended. */
export class Steps {
  readonly #agent: string;
  readonly #list: (Exclude<PlainStep, PlainMessage> | OpenMessage)[] = [];
  readonly calls = new Map<string, OpenCall>();
  /** Calls that have no output yet, in order. */
  readonly waiting: OpenCall[] = [];
  readonly #messageOf = new Map<OpenCall, OpenMessage>();
  /** The newest call that runs a script, or waits for one. */
  script: OpenCall | undefined;
  #open: OpenMessage | undefined;
  #lastOutputAt: number | undefined;

  constructor(agent: string) {
    this.#agent = agent;
  }

  /** The message that the next block of a response belongs to. */
  #message(at: number | undefined, model: string): OpenMessage {
    if (this.#open === undefined) {
      this.#open = { at, model, blocks: [], usage: undefined, failed: false };
      this.#list.push(this.#open);
    }
    return this.#open;
  }

  /** The response is whole: what comes next is of another one. */
  closeMessage(): void {
    this.#open = undefined;
  }

  block(block: Exclude<PlainBlock, { kind: 'call' }>, model: string): void {
    this.#message(block.at, model).blocks.push(block);
  }

  call(open: OpenCall, model: string): void {
    const message = this.#message(open.at, model);
    message.blocks.push({ kind: 'call', open });
    this.#messageOf.set(open, message);
    if (open.tool === 'exec' || open.tool === 'wait') this.script = open;
    if (open.id !== undefined) this.calls.set(open.id, open);
    if (!open.endsAtLine) this.waiting.push(open);
  }

  /** A call of a script: beside the call that runs the script, whose message may be closed already. */
  callBeside(open: OpenCall, beside: OpenCall | undefined, model: string): void {
    const message = beside === undefined ? undefined : this.#messageOf.get(beside);
    (message ?? this.#message(open.at, model)).blocks.push({ kind: 'call', open });
    if (open.id !== undefined) this.calls.set(open.id, open);
  }

  /** The output of a call has come, and with it the response that asked for the call is over. */
  output(call: OpenCall, at: number | undefined, read: NonNullable<OpenCall['output']>['read']): void {
    const index = this.waiting.indexOf(call);
    // Lines that came together were written when the last of them could be; only the first tells its own end.
    const together = at !== undefined && this.#lastOutputAt !== undefined && at - this.#lastOutputAt <= TOGETHER_MS;
    const waited = together || index > 0;
    if (index !== -1) this.waiting.splice(index, 1);
    call.output = { at, read, waited };
    this.#lastOutputAt = at ?? this.#lastOutputAt;
    this.closeMessage();
  }

  /** Tokens of the newest response that has none yet. */
  usage(usage: Usage): void {
    const last = this.#list.findLast((step): step is OpenMessage => 'blocks' in step);
    if (last !== undefined && last.usage === undefined) last.usage = usage;
  }

  entry(entry: Omit<PlainEntry, 'kind' | 'agent'>): void {
    this.closeMessage();
    this.#list.push({ kind: 'entry', agent: this.#agent, ...entry });
  }

  mark(mark: Omit<PlainMark, 'kind' | 'agent'>): void {
    this.closeMessage();
    this.#list.push({ kind: 'mark', agent: this.#agent, ...mark });
  }

  fact(at: number | undefined, facts: EventFacts): void {
    this.#list.push({ kind: 'fact', at, facts });
  }

  /** A person stopped the turn: whatever has no output by now gets none. */
  stop(): void {
    for (const call of this.waiting.splice(0)) call.stopped = true;
  }

  done(): readonly PlainStep[] {
    return this.#list.map((step) => ('blocks' in step ? this.#plain(step) : step));
  }

  #plain({ at, model, blocks, usage, failed }: OpenMessage): PlainMessage {
    const plain = blocks.map(
      (block): PlainBlock => (block.kind === 'call' ? { kind: 'call', call: plainCall(block.open) } : block),
    );
    return {
      kind: 'message',
      agent: this.#agent,
      at,
      until: undefined,
      askedAt: undefined,
      id: undefined,
      model,
      blocks: plain,
      usage: usage ?? {},
      stopReason: blocks.some((block) => block.kind === 'call') ? 'tool-use' : 'end-turn',
      failed,
      left: false,
    };
  }
}

/** Lines this near to each other were written at one time. */
const TOGETHER_MS = 20;
