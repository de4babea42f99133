import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { piecesOf, type Split, whole } from './split.ts';

/** What has been asked. */
export type WireRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes as they came. */
  readonly text: string;
  /** The bytes as JSON; undefined where there were none. */
  readonly body: unknown;
};

export type Answer = (wire: Wire, request: WireRequest) => Promise<void> | void;

/** One answer on its way, in the hand of the test. */
export class Wire {
  readonly #response: ServerResponse;
  /** Settles when the other side has closed the connection, or it was cut. */
  readonly closed: Promise<void>;
  split: Split = whole;

  constructor(response: ServerResponse) {
    this.#response = response;
    this.closed = new Promise((resolve) => response.once('close', resolve));
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    this.#response.writeHead(status, headers);
    this.#response.flushHeaders();
  }

  /** Sends bytes, each piece between two cuts by itself, and waits until the system has taken them. */
  async send(text: string | Buffer, split: Split = this.split): Promise<void> {
    for (const piece of piecesOf(Buffer.from(text as string), split)) {
      if (this.#response.destroyed) return;
      // One chunk of HTTP for each piece: the other side gets them apart, however the network joins them.
      await new Promise<void>((resolve) => this.#response.write(piece, () => resolve()));
    }
  }

  async end(): Promise<void> {
    await new Promise<void>((resolve) => this.#response.end(() => resolve()));
  }

  json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    this.head(status, { 'content-type': 'application/json', ...headers });
    this.#response.write(JSON.stringify(body));
    return this.end();
  }

  /** Takes the connection away in the middle of whatever it was doing. */
  cut(): void {
    this.#response.socket?.resetAndDestroy();
  }
}

/** What one format adds to the server. */
export type WireFormat = {
  /** What the real server would refuse of a request; nothing where it would answer. */
  readonly faultsOf: (request: WireRequest) => readonly string[];
  readonly refuse: (wire: Wire, faults: readonly string[]) => Promise<void>;
  /** Answers what is no question to a model: lists of models. False: it is none of these. */
  readonly aside: (wire: Wire, request: WireRequest) => Promise<boolean>;
};

/** A server on this machine alone, with one answer for each question. */
export class WireServer {
  /** The questions to the model, in the order they came. */
  readonly requests: WireRequest[] = [];
  /** What the real server would have refused, and answers that were missing. Empty at the end of a good test. */
  readonly faults: string[] = [];
  readonly #answers: Answer[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #format: WireFormat;
  #otherwise: Answer | undefined;
  #asked: (() => void)[] = [];
  #connections = 0;
  #port = 0;

  constructor(format: WireFormat) {
    this.#format = format;
    this.#server.on('connection', () => this.#connections++);
  }

  static async start(format: WireFormat): Promise<WireServer> {
    const server = new WireServer(format);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  /** `http://127.0.0.1:41234`, without a path. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How many connections have been opened. */
  get connections(): number {
    return this.#connections;
  }

  /** One answer for each of the next requests. */
  answer(...answers: readonly Answer[]): void {
    this.#answers.push(...answers);
  }

  /** For every request that no answer was given for. */
  otherwise(answer: Answer): void {
    this.#otherwise = answer;
  }

  /** Settles when the nth question (from 1) has come. */
  async asked(n: number): Promise<WireRequest> {
    for (;;) {
      const request = this.requests[n - 1];
      if (request !== undefined) return request;
      await new Promise<void>((resolve) => this.#asked.push(resolve));
    }
  }

  /** The server is gone: what is open breaks, and nothing is listened to until `up`. */
  async down(): Promise<void> {
    this.#port = (this.#server.address() as AddressInfo).port;
    await this.close();
  }

  /** It is back, under its address. */
  async up(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    response.socket?.setNoDelay(true);
    const request = await received(incoming);
    const wire = new Wire(response);
    if (await this.#format.aside(wire, request)) return;
    this.requests.push(request);
    for (const tell of this.#asked.splice(0)) tell();
    const faults = this.#format.faultsOf(request);
    const answer = this.#answers.shift() ?? this.#otherwise;
    if (answer === undefined) faults.length === 0 && this.faults.push(`request ${this.requests.length} has no answer`);
    this.faults.push(...faults);
    if (faults.length > 0 || answer === undefined) return this.#format.refuse(wire, [...faults, 'no answer']);
    try {
      await answer(wire, request);
    } catch (error) {
      this.faults.push(`an answer failed: ${error instanceof Error ? error.message : String(error)}`);
      wire.cut();
    }
  }
}

async function received(incoming: IncomingMessage): Promise<WireRequest> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  };
}
