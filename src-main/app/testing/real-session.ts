import { join } from 'node:path';
import type { SessionId } from '../../../src-shared/ids.ts';
import type { Scenario } from '../../../src-shared/scenario/scenario.ts';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import { defaultSettings, type SessionSettings } from '../../../src-shared/session/settings.ts';
import { systemClock } from '../../adapters/process/system-clock.ts';
import { ScriptedProvider } from '../../adapters/providers/scripted.ts';
import { JournalFile } from '../../adapters/storage/journal-file.ts';
import { ResultFolder } from '../../adapters/storage/result-folder.ts';
import { createRegistry } from '../../adapters/tools/registry.ts';
import type { AgentDefinitions } from '../../ports/agent-definitions.ts';
import type { ModelProvider } from '../../ports/model-provider.ts';
import type { ProcessRunner } from '../../ports/process-runner.ts';
import { LiveSession, type LiveSessionDeps } from '../live-session.ts';
import { SessionLog } from '../session-log.ts';

export type RealSessionOptions = {
  /** Holds journal and results. Absolute, there already. */
  readonly folder: string;
  /** Where the session works. */
  readonly cwd: string;
  readonly processes: ProcessRunner;
  /** What the model says; `provider` is another one than the scripted. */
  readonly scenario: Scenario;
  readonly provider?: ModelProvider;
  readonly settings?: Partial<SessionSettings>;
  /** Where results are kept, when it is not in `folder`. */
  readonly resultFolder?: string;
  /** Path of ripgrep, for scenarios that search. */
  readonly ripgrep?: string;
  readonly hooks?: LiveSessionDeps['hooks'];
  readonly rules?: LiveSessionDeps['settings'];
  /** The kinds of sub-agents. */
  readonly agents?: AgentDefinitions;
  /** Goes on with these events of the journal that lies in `folder`. */
  readonly past?: readonly SessionEvent[];
};

export const journalIn = (folder: string): string => join(folder, 'journal.jsonl');

let sessions = 0;

/** A session as the app puts it together: real tools, processes, journal and result files; only the model is scripted. */
export function openRealSession(options: RealSessionOptions): LiveSession {
  const { folder, cwd, processes, scenario, past = [] } = options;
  const path = journalIn(folder);
  const store = past.length === 0 ? JournalFile.create(path) : JournalFile.append(path);
  const log = new SessionLog({ store, clock: systemClock, past });
  const session = `${process.pid}-${sessions++}`;
  let ids = 0;
  const newId = (prefix: string): string => `${prefix}-${session}-${ids++}`;
  if (past.length === 0) {
    log.append({
      type: 'session-started',
      sessionId: session as SessionId,
      title: scenario.name,
      cwd,
      origin: { kind: 'live', provider: 'scripted', scenario: scenario.name },
      app: 'test',
      settings: { ...defaultSettings(options.settings?.strategy), ...options.settings },
    });
  }
  return new LiveSession({
    log,
    clock: systemClock,
    provider: options.provider ?? new ScriptedProvider({ scenario, clock: systemClock, newId }),
    tools: createRegistry({
      processes,
      clock: systemClock,
      markerFor: (callId) => `test:${session}:${callId}`,
      ripgrep: options.ripgrep ?? 'rg',
      ...(options.agents === undefined ? {} : { agents: options.agents }),
    }),
    files: new ResultFolder(options.resultFolder ?? join(folder, 'tool-results')),
    newId,
    ...(options.agents === undefined ? {} : { agents: options.agents }),
    ...(options.hooks === undefined ? {} : { hooks: options.hooks }),
    ...(options.rules === undefined ? {} : { settings: options.rules }),
  });
}
