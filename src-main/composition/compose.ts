import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import type { CallId, SessionId } from '../../src-shared/ids.ts';
import type { ModelChoice } from '../../src-shared/model/choice.ts';
import type { Scenario } from '../../src-shared/scenario/scenario.ts';
import { DocumentHostClient } from '../adapters/documents/document-host-client.ts';
import { type ProcessHost, startProcessHost } from '../adapters/process/process-host-client.ts';
import { systemClock } from '../adapters/process/system-clock.ts';
import { ScriptedProvider } from '../adapters/providers/scripted.ts';
import { layFiles } from '../adapters/scenarios/lay-files.ts';
import { fileNameOf } from '../adapters/storage/result-folder.ts';
import { createRegistry } from '../adapters/tools/registry.ts';
import type { ToolServices } from '../adapters/tools/services.ts';
import type { AgentDefinitions } from '../ports/agent-definitions.ts';
import type { DocumentReader } from '../ports/document-reader.ts';
import type { McpServers } from '../ports/mcp-servers.ts';
import type { ModelProvider } from '../ports/model-provider.ts';
import type { ProcessRunner } from '../ports/process-runner.ts';
import type { SettingsSource } from '../ports/settings.ts';
import type { ToolRegistry } from '../ports/tool.ts';
import { gantryHome } from './gantry-home.ts';
import { advisorFor, skillsFor } from './tool-services.ts';

/** The real objects that the app and the command line share. */

export const clock = systemClock;

/** Unique, short enough to read, and in the order of time as text: `session_mf3k2l9a4f2c1b07`. */
export const newId = (prefix: string): string =>
  `${prefix}_${Date.now().toString(36)}${randomBytes(4).toString('hex')}`;

export const scriptedProvider = (scenario: Scenario): ScriptedProvider =>
  new ScriptedProvider({ scenario, clock, newId });

/** @param folder where the bundled entries lie, the process host's program among them. */
export function startHost(folder: string, onTrouble: (message: string) => void): ProcessHost {
  const { execPath, env } = process;
  const host = startProcessHost({ execPath, entryPath: join(folder, 'process-host.js'), env, onTrouble });
  documentsBeside.set(host, new DocumentHostClient({ execPath, entryPath: join(folder, 'document-host.js'), clock }));
  return host;
}

/** Documents are read by a program beside the process host; it starts when it is needed and goes by itself. */
const documentsBeside = new WeakMap<ProcessHost, DocumentReader>();

/**
 * Everything a session's calls start carries this, so that it is found again after a crash. It names the home, so that
 * nobody is offered to end what belongs to another one.
 */
export const MARKER_PREFIX = `gantry-${createHash('sha256').update(gantryHome()).digest('hex').slice(0, 10)}`;

/**
 * @param settings name the environment of what is started, as it is when it is started.
 * @param providerFor makes the advisor's model.
 */
export function toolsFor(
  host: ProcessHost,
  sessionId: SessionId,
  settings: SettingsSource,
  agents: AgentDefinitions,
  mcp: McpServers,
  providerFor: (choice: ModelChoice) => ModelProvider,
): ToolRegistry {
  const documents = documentsBeside.get(host);
  const services: ToolServices = {
    processes: withEnvironment(host, () => settings.current().env),
    clock,
    markerFor: (callId: CallId) => `${MARKER_PREFIX}:${sessionId}:${fileNameOf(callId)}`,
    ripgrep: outsideOfArchive(rgPath),
    agents,
    mcp,
    ...(documents === undefined ? {} : { documents }),
    allowPrivate: () => settings.current().allowPrivate,
    skills: skillsFor(settings),
    advisor: advisorFor(settings, providerFor),
  };
  return createRegistry(services);
}

/** Where a file that is started as a program lies in a packaged app: nothing can be run from within its archive. */
const outsideOfArchive = (path: string): string => path.replace(/\bapp\.asar\b(?!\.unpacked)/, 'app.asar.unpacked');

/** Adds variables to the environment of every command; what the command's own tool sets wins. */
const withEnvironment = (runner: ProcessRunner, env: () => Readonly<Record<string, string>>): ProcessRunner => ({
  run: (spec, hooks) => runner.run({ ...spec, env: { ...env(), ...spec.env } }, hooks),
  listTree: (marker) => runner.listTree(marker),
  close: () => runner.close(),
});

/** Lays a scenario's files into its scratch folder and gives the folder it works in. */
export async function prepareScenario(scenario: Scenario, scratch: string): Promise<string> {
  const cwd = join(scratch, 'shop');
  await layFiles(scenario, scratch, cwd);
  return cwd;
}
