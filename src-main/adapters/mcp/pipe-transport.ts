import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Pipe, PipeResult, PipeRunner, PipeSpec } from '../../ports/pipe-runner.ts';

/** A line longer than this is no message but a flood. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** MCP over the standard streams of a program: one JSON message a line. The program runs in the process host. */
export class PipeTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #runner: PipeRunner;
  readonly #spec: PipeSpec;
  readonly #onEnd: (result: PipeResult | 'flooded') => void;
  #pipe: Pipe | undefined;
  #parts: string[] = [];
  #length = 0;
  #isOver = false;
  /** Settles when all lines so far have been heard. */
  #hearing: Promise<void> = Promise.resolve();

  /** @param onEnd told how the program ended, before the connection is closed for it. */
  constructor(runner: PipeRunner, spec: PipeSpec, onEnd: (result: PipeResult | 'flooded') => void) {
    this.#runner = runner;
    this.#spec = spec;
    this.#onEnd = onEnd;
  }

  async start(): Promise<void> {
    const pipe = this.#runner.open(this.#spec, { onText: (text) => this.#take(text) });
    this.#pipe = pipe;
    // What it said last is heard before its end is.
    void pipe.ended.then((result) => this.#hearing.then(() => this.#over(result)));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isOver) throw new Error('The server has ended.');
    this.#pipe?.write(`${JSON.stringify(message)}\n`);
  }

  /** Settles when the program and all it started is gone. */
  async close(): Promise<void> {
    this.#pipe?.close();
    await this.#pipe?.ended;
  }

  #take(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#parts.push(text.slice(from, end));
      from = end + 1;
      const line = this.#parts.join('');
      this.#parts = [];
      this.#length = 0;
      // One after the other: the SDK hears progress a moment later than results, and would drop it behind its result.
      this.#hearing = this.#hearing.then(() => this.#hear(line));
    }
    if (from === text.length) return;
    this.#parts.push(text.slice(from));
    this.#length += text.length - from;
    if (this.#length <= LONGEST_LINE) return;
    this.#parts = [];
    this.#length = 0;
    this.#over('flooded');
    this.#pipe?.close();
  }

  #hear(line: string): void {
    if (this.#isOver || line.trim() === '') return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      // Servers print greetings and warnings here, although they should not.
      return;
    }
    if (typeof message !== 'object' || message === null || !('jsonrpc' in message)) return;
    try {
      this.onmessage?.(message as JSONRPCMessage);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #over(result: PipeResult | 'flooded'): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd(result);
    this.onclose?.();
  }
}
