import { MAIN_AGENT } from '../../../src-shared/ids.ts';
import type { EventOf, SessionEvent, SessionEventType } from '../../../src-shared/session/event.ts';
import type { SessionSettings } from '../../../src-shared/session/settings.ts';
import { millis } from '../../../src-shared/units.ts';
import type { ApiMessage } from '../../core/conversation/api-message.ts';
import { apiMessages } from '../../core/conversation/api-messages.ts';
import { ManualClock } from '../../ports/clock.fake.ts';
import type { HookRunner } from '../../ports/hook-runner.ts';
import type { ModelProvider } from '../../ports/model-provider.ts';
import type { SettingsSource } from '../../ports/settings.ts';
import type { ToolRegistry } from '../../ports/tool.ts';
import type { Asker } from '../ask-board.ts';
import { LiveSession, type LiveSessionDeps } from '../live-session.ts';
import { SessionLog } from '../session-log.ts';
import { beginSession, countingIds, eventsOf, MemoryResultFiles, MoodyStore, quiet } from './bench.ts';
import { HandModel } from './hand-model.ts';
import { HandTools } from './hand-tools.ts';

export type SessionBenchOptions = {
  readonly settings?: Partial<SessionSettings>;
  readonly tools?: ToolRegistry;
  readonly provider?: ModelProvider;
  readonly asker?: Asker;
  readonly hooks?: HookRunner;
  /** What settings files say. */
  readonly files?: SettingsSource;
  /** Whatever else the session is given. */
  readonly more?: Partial<LiveSessionDeps>;
  /** Goes on with these events instead of beginning a session. */
  readonly past?: readonly SessionEvent[];
  readonly newId?: (prefix: string) => string;
};

/** A whole live session with model, tools, clock and disk in the test's hand. */
export class SessionBench {
  readonly clock = new ManualClock();
  readonly store = new MoodyStore();
  readonly model = new HandModel();
  readonly tools = new HandTools();
  readonly files = new MemoryResultFiles();
  readonly log: SessionLog;
  readonly session: LiveSession;

  constructor(options: SessionBenchOptions = {}) {
    this.log = new SessionLog({ store: this.store, clock: this.clock, past: options.past ?? [] });
    if (options.past === undefined) beginSession(this.log, options.settings);
    this.session = new LiveSession({
      log: this.log,
      clock: this.clock,
      provider: options.provider ?? this.model,
      tools: options.tools ?? this.tools,
      files: this.files,
      newId: options.newId ?? countingIds(),
      ...(options.asker === undefined ? {} : { asker: options.asker }),
      ...(options.files === undefined ? {} : { settings: options.files }),
      ...(options.hooks === undefined
        ? {}
        : { hooks: { runner: options.hooks, transcriptPath: '/sessions/journal.jsonl' } }),
      ...options.more,
    });
  }

  async send(text: string): Promise<boolean> {
    const queued = this.session.send(text);
    await quiet();
    return queued;
  }

  async interrupt(reason: 'escape' | 'interrupt'): Promise<boolean> {
    const done = this.session.interrupt(reason);
    await quiet();
    return done;
  }

  async advance(ms: number): Promise<void> {
    this.clock.advance(millis(ms));
    await quiet();
  }

  all<T extends SessionEventType>(type: T): readonly EventOf<T>[] {
    return eventsOf(this.log, type);
  }

  get conversation(): readonly ApiMessage[] {
    return apiMessages(this.log.state, MAIN_AGENT);
  }
}

/** The conversation as a reader would tell it: `user: Hello`, `model: [Look a] and words`, `result a: seen`. */
export function told(messages: readonly ApiMessage[]): readonly string[] {
  return messages.flatMap(({ role, content }) =>
    content.map((block) => {
      if (block.type === 'text') return `${role === 'user' ? 'user' : 'model'}: ${block.text}`;
      if (block.type === 'tool_use') return `model: [${block.name} ${block.id}]`;
      if (block.type !== 'tool_result') return `${role}: (${block.type})`;
      const text = block.content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
      return `result ${block.tool_use_id}${block.is_error ? ' (error)' : ''}: ${text}`;
    }),
  );
}
