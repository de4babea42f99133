import { join } from 'node:path';
import type { SessionId } from '../../../../src-shared/ids.ts';
import type { ModelChoice } from '../../../../src-shared/model/choice.ts';
import { systemClock } from '../../../adapters/process/system-clock.ts';
import { createProvider } from '../../../adapters/providers/create-provider.ts';
import { ScriptedProvider } from '../../../adapters/providers/scripted.ts';
import { SessionFolders } from '../../../adapters/storage/session-folders.ts';
import { createRegistry } from '../../../adapters/tools/registry.ts';
import type { ProcessRunner } from '../../../ports/process-runner.ts';
import type { SessionStore } from '../../../ports/session-store.ts';
import { SessionLibrary } from '../../session-library.ts';

export type Place = {
  /** Where sessions are kept, and where they work. Absolute. */
  readonly root: string;
  readonly cwd: string;
  /** Of the server that speaks as Anthropic's does. */
  readonly url: string;
  /** Everything that calls start carries it. */
  readonly marker: string;
};

export const modelAt = (url: string): ModelChoice => ({
  provider: 'anthropic',
  model: 'claude-test',
  baseUrl: url,
  maxTokens: 4_096,
});

let libraries = 0;

/** The sessions of a folder with real storage, tools, processes and sockets, as the app puts them together. */
export function openLibrary(
  { root, marker }: Place,
  processes: ProcessRunner,
  store: SessionStore = new SessionFolders(join(root, 'sessions')),
): SessionLibrary {
  const own = `${process.pid}x${libraries++}`;
  let ids = 0;
  const newId = (prefix: string): string => `${prefix}_${own}x${ids++}`;
  return new SessionLibrary({
    store,
    clock: systemClock,
    newId,
    readTranscript: () => Promise.reject(new Error('there is nothing to read')),
    toolsFor: (sessionId: SessionId, _settings, agents) =>
      createRegistry({
        processes,
        clock: systemClock,
        markerFor: (callId) => `${marker}:${sessionId}:${callId}`,
        ripgrep: 'rg',
        agents,
      }),
    scriptedProvider: (scenario) => new ScriptedProvider({ scenario, clock: systemClock, newId }),
    providerFor: (choice) => {
      if (choice.provider === 'scripted') throw new Error('only a server answers here');
      const { provider, ...rest } = choice;
      return createProvider(
        { provider, ...rest },
        { apiKey: () => 'sk-ant-test-0123456789', clock: systemClock, newId, environment: {} },
      );
    },
    promptFor: () => () => ({ text: 'You work in a folder of a test.', sources: [] }),
    prepareScenario: () => Promise.reject(new Error('no scenario is played here')),
    app: 'test',
  });
}
