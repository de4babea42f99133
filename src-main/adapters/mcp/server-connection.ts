import { setMaxListeners } from 'node:events';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import type { Disposable } from '../../../src-shared/disposable.ts';
import type { McpStatus } from '../../../src-shared/mcp/event.ts';
import { millis } from '../../../src-shared/units.ts';
import type { CallAnswer } from '../../core/mcp/content.ts';
import type { McpServerDefinition } from '../../core/mcp/definitions.ts';
import { expandServer } from '../../core/mcp/expand.ts';
import type { McpLimits } from '../../core/mcp/limits.ts';
import type { Clock } from '../../ports/clock.ts';
import type { McpNews } from '../../ports/mcp-servers.ts';
import type { PipeRunner } from '../../ports/pipe-runner.ts';
import { CallAborted } from '../../ports/tool.ts';
import { type ListedResource, type ListedTool, messageOf, type OpenServer, openServer } from './open-server.ts';
import { AnyOf, Limit, untilAborted } from './waits.ts';

export type ConnectionDeps = {
  readonly pipes: PipeRunner;
  readonly clock: Clock;
  /** A new marker for a program of this server. */
  readonly newMarker: (server: string) => string;
  /** What programs inherit from, and variables are looked up in. As it is when a server starts. */
  readonly env: () => NodeJS.ProcessEnv;
  readonly limits: () => McpLimits;
  /** Absolute; the session's folder first. */
  readonly roots: () => readonly string[];
  readonly version: string;
  readonly record: (news: McpNews) => void;
  /** Its state or its tools have changed. */
  readonly onChanged: () => void;
};

/** A server that was lost is started again after these times, as long as it is lost again soon. */
const WAITS = [1_000, 2_000, 4_000];
/** One that has stood for so long starts to count anew. */
const STEADY_MS = 60_000;
/** How long a server may take to prove that it still lives. */
const PROBE_MS = 5_000;

/** One server of a session: connected to in the background, started again when it is lost, and honest about it. */
export class ServerConnection {
  readonly definition: McpServerDefinition;
  readonly #deps: ConnectionDeps;
  #status: McpStatus = 'closed';
  /** Why it is not connected, in sentences. */
  #why = '';
  #server: OpenServer | undefined;
  #tools: readonly ListedTool[] = [];
  /** Of the attempt, or of the connection, of now: what still works for an older one stops with it. */
  #life = new AbortController();
  #timer: Disposable | undefined;
  #tries = 0;
  #connectedAt = 0;
  #isProbing = false;
  /** Asked for since the one that runs now began, that one included. */
  #listings = 0;
  #waiting: (() => void)[] = [];
  /** Settles when no program of former attempts is left. */
  #ending: Promise<unknown> = Promise.resolve();

  constructor(definition: McpServerDefinition, deps: ConnectionDeps) {
    this.definition = definition;
    this.#deps = deps;
  }

  get status(): McpStatus {
    return this.#status;
  }

  /** Those of the last connection, also while it is lost. */
  get tools(): readonly ListedTool[] {
    return this.#tools;
  }

  get hasResources(): boolean {
    return this.#status === 'connected' && this.#server?.hasResources === true;
  }

  /** Connects, whatever became of it before. */
  start(): void {
    this.#tries = 0;
    this.#leave();
    this.#set('connecting');
    void this.#connect();
  }

  async close(): Promise<void> {
    const wasOpen = this.#status !== 'closed';
    this.#leave();
    if (wasOpen) this.#set('closed');
    await this.#ending;
  }

  /** Settles when it is not being connected to. */
  whenSettled(signal: AbortSignal): Promise<void> {
    if (this.#status !== 'connecting' || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', done);
        this.#waiting = this.#waiting.filter((other) => other !== done);
        resolve();
      };
      this.#waiting.push(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  /**
   * Calls a tool by the server's own name for it.
   * @throws CallAborted, or an error whose words are for the model: the server's own, or why there was no answer.
   */
  call(
    tool: string,
    input: unknown,
    how: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
  ): Promise<CallAnswer> {
    return this.#ask(how.signal, (server, signal, alive) =>
      server.call(tool, input, {
        signal,
        onProgress: (progress) => {
          alive();
          how.onProgress(progress);
        },
      }),
    );
  }

  /** @throws like `call`. */
  listResources(signal: AbortSignal): Promise<readonly ListedResource[]> {
    return this.#ask(signal, (server, limited) => server.listResources(limited));
  }

  /** @throws like `call`. */
  readResource(uri: string, signal: AbortSignal) {
    return this.#ask<Awaited<ReturnType<OpenServer['readResource']>>>(signal, (server, limited) =>
      server.readResource(uri, limited),
    );
  }

  async #ask<T>(
    signal: AbortSignal,
    question: (server: OpenServer, signal: AbortSignal, alive: () => void) => Promise<T>,
  ): Promise<T> {
    await this.whenSettled(signal);
    if (signal.aborted) throw new CallAborted();
    const server = this.#server;
    if (server === undefined) throw new Error(this.#notConnected());
    const life = this.#life;
    const limitMs = this.definition.callTimeoutMs ?? this.#deps.limits().callMs;
    const limit = new Limit(this.#deps.clock, limitMs);
    const stop = new AnyOf(signal, limit.signal, life.signal);
    try {
      return await untilAborted(
        stop.signal,
        question(server, stop.signal, () => limit.restart()),
      );
    } catch (error) {
      if (signal.aborted) throw new CallAborted();
      if (life.signal.aborted) throw new Error(this.#lostWords(life.signal.reason), { cause: error });
      if (limit.signal.aborted) throw new Error(this.#silentWords(limitMs), { cause: error });
      throw new Error(messageOf(error), { cause: error });
    } finally {
      stop.dispose();
      limit.dispose();
    }
  }

  async #connect(): Promise<void> {
    const life = new AbortController();
    // As many as calls that run at once, and each takes its own away.
    setMaxListeners(0, life.signal);
    this.#life = life;
    const { record } = this.#deps;
    const { name } = this.definition;
    const { connectMs } = this.#deps.limits();
    const limit = new Limit(this.#deps.clock, connectMs);
    const stop = new AnyOf(life.signal, limit.signal);
    try {
      const opening = this.#open(stop.signal, life);
      // However long it takes: nothing of an attempt that was given up may stay.
      this.#ending = Promise.all([this.#ending, opening.then(closedWith(life), () => undefined)]);
      const server = await untilAborted(stop.signal, opening);
      const tools = await untilAborted(stop.signal, server.listTools(stop.signal));
      if (life.signal.aborted) return;
      this.#server = server;
      this.#tools = tools;
      this.#connectedAt = this.#deps.clock.monotonic();
      this.#set('connected');
    } catch (error) {
      if (life.signal.aborted && life.signal.reason === LEFT) return;
      const seconds = Math.round(connectMs / 1_000);
      const why = limit.signal.aborted ? `It did not answer within ${seconds} s.` : messageOf(error);
      life.abort(why);
      if (this.#tries > 0) this.#tryAgain(why);
      else {
        this.#set('failed', why);
        record({
          type: 'notice-given',
          level: 'warning',
          text: `The MCP server ${name} could not be reached.`,
          detail: why,
        });
      }
    } finally {
      stop.dispose();
      limit.dispose();
    }
  }

  async #open(signal: AbortSignal, life: AbortController): Promise<OpenServer> {
    const { pipes, env, newMarker, roots, version, record } = this.#deps;
    const { name } = this.definition;
    const variables = env();
    const definition = expandServer(this.definition, variables);
    if (!definition.ok) throw new Error(definition.error);
    return openServer({
      definition: definition.value,
      pipes,
      marker: newMarker(name),
      env: variables,
      roots: roots(),
      version,
      signal,
      onLost: (why) => {
        if (this.#life === life) this.#lost(why);
      },
      onTrouble: () => {
        if (this.#life === life) void this.#probe(life);
      },
      onToolsChanged: () => {
        if (this.#life === life) void this.#listAgain(life);
      },
      onRefused: (method) =>
        record({
          type: 'notice-given',
          level: 'info',
          text: `The MCP server ${name} asked for ${method}, which Gantry does not offer.`,
        }),
    });
  }

  /** Gone while it was connected. Its calls of now have failed with it. */
  #lost(why: string): void {
    if (this.#status !== 'connected') return;
    const { clock, record } = this.#deps;
    if (clock.monotonic() - this.#connectedAt > STEADY_MS) this.#tries = 0;
    record({
      type: 'notice-given',
      level: 'warning',
      text: `The MCP server ${this.definition.name} is gone. Calls that ran on it have failed.`,
      detail: why,
    });
    this.#life.abort(why);
    this.#server = undefined;
    this.#tryAgain(why);
  }

  #tryAgain(why: string): void {
    const wait = WAITS[this.#tries];
    if (wait === undefined) {
      this.#set('failed', `${why} It was started again ${WAITS.length} times.`);
      return;
    }
    this.#tries++;
    this.#set('connecting', `${why} It is started again in ${wait / 1_000} s (${this.#tries} of ${WAITS.length}).`);
    this.#timer?.dispose();
    this.#timer = this.#deps.clock.schedule(millis(wait), () => void this.#connect());
  }

  /** Asks the server whether it lives, after trouble that may be the end of it. */
  async #probe(life: AbortController): Promise<void> {
    if (this.#isProbing || this.#server === undefined) return;
    this.#isProbing = true;
    const limit = new Limit(this.#deps.clock, PROBE_MS);
    const stop = new AnyOf(life.signal, limit.signal);
    try {
      await untilAborted(stop.signal, this.#server.ping(stop.signal));
    } catch (error) {
      const why = limit.signal.aborted ? 'It does not answer any more.' : messageOf(error);
      if (this.#life === life && !life.signal.aborted) this.#lost(why);
    } finally {
      stop.dispose();
      limit.dispose();
      this.#isProbing = false;
    }
  }

  /** One listing at a time; news that comes during one makes another. */
  async #listAgain(life: AbortController): Promise<void> {
    this.#listings++;
    if (this.#listings > 1) return;
    for (let seen = 0; seen < this.#listings && !life.signal.aborted; ) {
      seen = this.#listings;
      await this.#listOnce(life);
    }
    this.#listings = 0;
  }

  async #listOnce(life: AbortController): Promise<void> {
    if (this.#server === undefined) return;
    const limit = new Limit(this.#deps.clock, this.#deps.limits().connectMs);
    const stop = new AnyOf(life.signal, limit.signal);
    try {
      const tools = await untilAborted(stop.signal, this.#server.listTools(stop.signal));
      if (life.signal.aborted) return;
      this.#tools = tools;
      this.#set('connected', 'It has changed its tools.');
    } catch (error) {
      if (life.signal.aborted) return;
      this.#set('connected', `It has changed its tools, which could not be listed: ${messageOf(error)}`);
    } finally {
      stop.dispose();
      limit.dispose();
    }
  }

  /** Lets go of what there is. */
  #leave(): void {
    this.#timer?.dispose();
    this.#life.abort(LEFT);
    this.#server = undefined;
  }

  #set(status: McpStatus, message?: string): void {
    const { name, scope } = this.definition;
    this.#status = status;
    this.#why = message ?? '';
    this.#deps.record({
      type: 'mcp-server-changed',
      server: name,
      scope,
      status,
      ...(status === 'connected' ? { tools: this.#tools.length } : {}),
      ...(message === undefined ? {} : { message }),
    });
    this.#deps.onChanged();
    if (status !== 'connecting') for (const done of [...this.#waiting]) done();
  }

  #notConnected(): string {
    return `The MCP server ${this.definition.name} is not connected. ${this.#why}`.trim();
  }

  #lostWords(reason: unknown): string {
    const why = typeof reason === 'string' ? reason : 'It was closed.';
    return `The MCP server ${this.definition.name} was lost while this call ran. ${why} What the call has done is not known.`;
  }

  #silentWords(limitMs: number): string {
    const seconds = Math.round(limitMs / 100) / 10;
    return `The MCP server ${this.definition.name} said nothing of this call for ${seconds} s, so it was cancelled. What it has done is not known.`;
  }
}

/** The reason with which a life ends that is ended from here. */
const LEFT = Symbol('left');

/** Once opened, a server is closed when its life ends. */
const closedWith =
  (life: AbortController) =>
  (server: OpenServer): Promise<void> =>
    new Promise((resolve) => {
      const close = (): void => void server.close().then(resolve, resolve);
      if (life.signal.aborted) close();
      else life.signal.addEventListener('abort', close, { once: true });
    });
