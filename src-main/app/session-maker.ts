import { basename } from 'node:path';
import { type Failure, FailureError } from '../../src-shared/failure.ts';
import type { SessionId } from '../../src-shared/ids.ts';
import type { ModelChoice } from '../../src-shared/model/choice.ts';
import type { PermissionMode } from '../../src-shared/permission/event.ts';
import type { Scenario } from '../../src-shared/scenario/scenario.ts';
import type { Origin, SessionEvent } from '../../src-shared/session/event.ts';
import type { Finding } from '../../src-shared/session/summary.ts';
import { copiedHistory, outputsOf, withOwnOutputs } from '../core/fork/copied-history.ts';
import { type StartSettings, settingsAtStart } from '../core/settings/start-settings.ts';
import { type AgentDefinitions, builtInAgents } from '../ports/agent-definitions.ts';
import type { Classifier } from '../ports/classifier.ts';
import type { Clock } from '../ports/clock.ts';
import { type McpServers, noMcpServers } from '../ports/mcp-servers.ts';
import type { ModelProvider } from '../ports/model-provider.ts';
import type { SessionPlace, SessionStore } from '../ports/session-store.ts';
import { noSettings, type SettingsSource } from '../ports/settings.ts';
import type { ToolRegistry } from '../ports/tool.ts';
import { forkedEvents, forkedFrom, forkTitle, type Source } from './fork-session.ts';
import { type HookSetup, LiveSession } from './live-session.ts';
import { type Fork, type NewSession, orFailing } from './new-session.ts';
import { recover } from './recover.ts';
import { SessionLog } from './session-log.ts';
import type { PreparePrompt } from './session-prompts.ts';

export type MakerDeps = {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly newId: (prefix: string) => string;
  /** `settings` name the environment of what the tools start. */
  readonly toolsFor: (
    sessionId: SessionId,
    settings: SettingsSource,
    agents: AgentDefinitions,
    mcp: McpServers,
  ) => ToolRegistry;
  /** The MCP servers that these settings name; none when left out. */
  readonly mcpFor?: (sessionId: SessionId, cwd: string, settings: SettingsSource) => McpServers;
  /** The kinds of sub-agents in a folder; those that are built in when left out. */
  readonly agentsFor?: (folder: string) => AgentDefinitions;
  readonly scriptedProvider: (scenario: Scenario) => ModelProvider;
  /** @throws FailureError when nobody can work there: it is no folder, or is not there. */
  readonly ensureFolder?: (path: string) => Promise<void>;
  /** The provider of a model. @throws FailureError for a choice that cannot be. */
  readonly providerFor?: (choice: ModelChoice) => ModelProvider;
  /** Makes the prompts of agents that work in this folder; they are told nothing when left out. */
  readonly promptFor?: (folder: string, settings: SettingsSource) => PreparePrompt;
  /** Lays a scenario's files; gives the working folder. */
  readonly prepareScenario: (scenario: Scenario, scratch: string) => Promise<string>;
  /** Version and platform, for the journal. */
  readonly app: string;
  /** The settings of a folder; none when left out. With the scenario whose files lie there, where it is one's. */
  readonly settingsFor?: (folder: string, scenario: Scenario | undefined) => SettingsSource;
  /** The hooks that these settings set; none when left out. */
  readonly hooksFor?: (place: SessionPlace, cwd: string, settings: SettingsSource) => HookSetup;
  /** Who looks at calls in mode auto under these settings; the built-in rules when left out. */
  readonly classifierFor?: (settings: SettingsSource) => Classifier;
  /** What the environment says of the cap, as it stands there. */
  readonly capInEnvironment?: string | undefined;
};

/** A session that takes commands, with what lies around it. */
export type Live = {
  readonly kind: 'live';
  readonly session: LiveSession;
  readonly place: SessionPlace;
  readonly settings: SettingsSource;
  readonly findings: readonly Finding[];
};
/** A session that has begun. `go` sends its first message, once somebody listens to it. */
export type Started = { readonly live: Live; readonly go: () => void };

/** How a session begins. */
type Beginning = {
  readonly sessionId: SessionId;
  readonly title: string;
  readonly cwd: string;
  readonly origin: Origin;
  readonly scenario?: Scenario;
  readonly mode?: PermissionMode | undefined;
};

/** Makes live sessions: new ones, of a scenario or with a model, forks, and those that lie on disk. */
export class SessionMaker {
  readonly #deps: MakerDeps;
  readonly #onPaused: (problem: Failure) => void;

  /** @param onPaused told when a session's journal cannot be written. */
  constructor(deps: MakerDeps, onPaused: (problem: Failure) => void) {
    this.#deps = deps;
    this.#onPaused = onPaused;
  }

  /** A session that plays a scenario with real tools in a scratch folder. */
  async scenario(scenario: Scenario): Promise<Started> {
    const { store, newId, prepareScenario } = this.#deps;
    const sessionId = newId('session') as SessionId;
    const place = await store.create(sessionId, scenario);
    return this.#start(place, [], async (log) => {
      const cwd = await prepareScenario(scenario, place.scratch);
      const origin = { kind: 'live', provider: 'scripted', scenario: scenario.name } as const;
      this.#begin(log, { sessionId, title: scenario.title ?? scenario.name, cwd, origin, scenario });
      const live = this.#live(place, log, scenario, []);
      live.session.debug.setUp(scenario, true);
      return { live, go: () => void live.session.send(scenario.prompt ?? 'Go.') };
    });
  }

  /**
   * A session with a model in a folder of the person's.
   * @throws FailureError when the folder is none or the model cannot be.
   */
  async session(wanted: NewSession): Promise<Started> {
    const { cwd, model, mode } = wanted;
    const { store, newId } = this.#deps;
    await this.#check(wanted);
    const sessionId = newId('session') as SessionId;
    const place = await store.create(sessionId, undefined);
    return this.#start(place, [], async (log) => {
      const origin = { kind: 'live', provider: model.provider, model } as const;
      this.#begin(log, { sessionId, title: basename(cwd) || cwd, cwd, origin, mode });
      return this.#started(place, log, wanted);
    });
  }

  /**
   * A session that goes on from another one, ours or a transcript: its history is copied, up to a message or whole.
   * @throws FailureError when there is no such message, the folder is none or the model cannot be.
   */
  async fork(past: readonly SessionEvent[], source: Source, wanted: Fork): Promise<Started> {
    const { store, newId, clock, app } = this.#deps;
    const { cwd, model, mode, upToMessageId, seq } = wanted;
    await this.#check(wanted);
    const history = copiedHistory(past, { upToMessageId, seq });
    if (history === undefined) throw new FailureError(NO_SUCH_MESSAGE);
    const sessionId = newId('session') as SessionId;
    const { settings, warnings } = this.#settingsAtStart(cwd, undefined, mode);
    const place = await store.create(sessionId, undefined);
    const { paths, problem } = await place.adopt(outputsOf(history.events));
    const events = forkedEvents({
      clock,
      history: withOwnOutputs(history.events, paths),
      start: {
        ...{ sessionId, cwd, app, settings, title: forkTitle(source) },
        origin: { kind: 'live', provider: model.provider, model },
        forkedFrom: forkedFrom(source, history.seq),
      },
    });
    return this.#start(place, events, async (log) => {
      writeHistory(place, events);
      for (const text of warnings) log.append({ type: 'notice-given', level: 'warning', text });
      if (problem !== undefined)
        log.append({ type: 'notice-given', level: 'warning', text: NOT_ADOPTED, detail: problem });
      log.sync();
      return this.#started(place, log, wanted);
    });
  }

  /** A choice that cannot be is told before there is a session. */
  async #check({ cwd, model }: NewSession): Promise<void> {
    await this.#deps.ensureFolder?.(cwd);
    this.#deps.providerFor?.(model);
  }

  #started(place: SessionPlace, log: SessionLog, { prompt, images }: NewSession): Started {
    const live = this.#live(place, log, undefined, []);
    return { live, go: () => void (prompt === undefined ? undefined : live.session.send(prompt, images)) };
  }

  async #start(
    place: SessionPlace,
    past: readonly SessionEvent[],
    begin: (log: SessionLog) => Promise<Started>,
  ): Promise<Started> {
    const log = this.#newLog(place, past);
    try {
      return await begin(log);
    } catch (error) {
      await this.undo(place, log);
      throw error;
    }
  }

  /** A session that never began is nothing to keep. */
  async undo(place: SessionPlace, log: SessionLog): Promise<void> {
    log.close();
    await place.release();
    await this.#deps.store.remove(place.sessionId).catch(() => undefined);
  }

  /** @throws FailureError when nobody knows where the session worked. Its place is free again then. */
  async reopen({ place, events, findings, scenario }: Awaited<ReturnType<SessionStore['open']>>): Promise<Live> {
    const log = this.#newLog(place, events);
    try {
      // Without its first line nobody knows where the session worked; tools would work somewhere else.
      if (log.state.sessionId === undefined) throw new FailureError(withoutBeginning(place));
      recover(log, this.#deps.app);
      return this.#live(place, log, scenario, findings);
    } catch (error) {
      log.close();
      await place.release();
      throw error;
    }
  }

  #begin(log: SessionLog, { sessionId, title, cwd, origin, scenario, mode }: Beginning): void {
    const { app } = this.#deps;
    const { settings, warnings } = this.#settingsAtStart(cwd, scenario, mode);
    log.append({ type: 'session-started', sessionId, title, cwd, origin, app, settings });
    for (const text of warnings) log.append({ type: 'notice-given', level: 'warning', text });
    log.sync();
  }

  #settingsAtStart(cwd: string, scenario: Scenario | undefined, mode: PermissionMode | undefined): StartSettings {
    const { capInEnvironment } = this.#deps;
    const loaded = this.#settingsFor(cwd, scenario).current();
    return settingsAtStart({ chosen: { mode }, scenario: scenario?.settings, loaded, capInEnvironment });
  }

  #settingsFor(folder: string, scenario: Scenario | undefined): SettingsSource {
    return this.#deps.settingsFor?.(folder, scenario) ?? noSettings(folder);
  }

  #newLog(place: SessionPlace, past: readonly SessionEvent[]): SessionLog {
    const log: SessionLog = new SessionLog({
      store: place.store,
      clock: this.#deps.clock,
      past,
      onFailure: (error) => this.#onPaused(pausedBy(error, log.state.title, place)),
    });
    return log;
  }

  #live(place: SessionPlace, log: SessionLog, scenario: Scenario | undefined, findings: readonly Finding[]): Live {
    const { clock, newId, toolsFor, agentsFor, scriptedProvider, hooksFor, providerFor, promptFor, classifierFor } =
      this.#deps;
    const { sessionId } = place;
    const provider = scriptedProvider(scenario ?? { name: 'nothing', turns: [] });
    const { cwd } = log.state;
    const settings = this.#settingsFor(cwd, scenario);
    const agents = agentsFor?.(cwd) ?? builtInAgents;
    const mcp = this.#deps.mcpFor?.(sessionId, cwd, settings) ?? noMcpServers;
    const tools = toolsFor(sessionId, settings, agents, mcp);
    const hooks = hooksFor === undefined ? {} : { hooks: hooksFor(place, cwd, settings) };
    const models = {
      ...(providerFor === undefined ? {} : { providerFor: (choice: ModelChoice) => orFailing(choice, providerFor) }),
      ...(promptFor === undefined ? {} : { preparePrompt: promptFor(cwd, settings) }),
      ...(classifierFor === undefined ? {} : { classifier: classifierFor(settings) }),
    };
    const { files } = place;
    const session = new LiveSession({
      log,
      clock,
      provider,
      tools,
      files,
      newId,
      settings,
      agents,
      mcp,
      ...hooks,
      ...models,
    });
    return { kind: 'live', session, place, settings, findings };
  }
}

function writeHistory({ store, journalPath }: SessionPlace, events: readonly SessionEvent[]): void {
  try {
    store.write(events);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new FailureError(
      {
        kind: 'not-writable',
        message: `The history cannot be copied to ${journalPath}: ${why}.`,
        hint: 'Make room on the disk or give the folder write permission.',
      },
      { cause },
    );
  }
}

const pausedBy = (error: Error, title: string, { journalPath }: SessionPlace): Failure => ({
  kind: 'not-writable',
  message: `The session ${title} is paused: ${journalPath} cannot be written (${error.message}).`,
  hint: 'Make room on the disk or give the folder write permission. The session goes on by itself; nothing is lost.',
});

const NOT_ADOPTED =
  'Not all outputs that were saved to disk could be copied. They stay with the first session, and go when it is removed.';

const NO_SUCH_MESSAGE: Failure = {
  kind: 'not-found',
  message: 'There is no such message in the session’s own conversation.',
  hint: 'Choose one of the main agent’s.',
};

const withoutBeginning = (place: SessionPlace): Failure => ({
  kind: 'not-readable',
  message: `${place.journalPath} cannot be continued: its first line cannot be read.`,
  hint: 'Open the file as a transcript to look at it.',
});
