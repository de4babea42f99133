import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentId, CallId, HookRunId, SessionId } from '../../../../src-shared/ids.ts';
import type { HookInput, HookInputOf, HookSession } from '../../../core/hooks/hook-input.ts';
import type { HookRunReport, HookRunStart, MergedHooks } from '../../../core/hooks/merge.ts';
import { type CommandHook, collectHooks, type HookScope, type HookSettingsFile } from '../../../core/hooks/settings.ts';
import { ManualClock } from '../../../ports/clock.fake.ts';
import type { HookRunner } from '../../../ports/hook-runner.ts';
import { processTable } from '../../process/process-table.ts';
import { until } from '../../process/until.fixture.ts';
import { commandHooks } from '../command-hooks.ts';

type Entry = Readonly<Record<string, unknown>> | string;

/** A project folder, settings, and a runner that runs their hooks; the clock of the time limits is moved by hand. */
export class HookBench {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-hooks-')));
  readonly home = join(this.folder, 'home');
  readonly project = join(this.folder, 'project');
  readonly outputs = join(this.folder, 'outputs');
  readonly clock = new ManualClock();
  readonly table = processTable();
  readonly runner: HookRunner;
  readonly started: HookRunStart[] = [];
  readonly ended: HookRunReport[] = [];
  readonly env: NodeJS.ProcessEnv = { ...process.env };
  #files: HookSettingsFile[] = [];
  #hooks: readonly CommandHook[] = [];
  #runs = 0;

  constructor() {
    for (const folder of [this.home, this.project]) mkdirSync(folder);
    this.runner = commandHooks({
      hooks: () => this.#hooks,
      projectDir: this.project,
      home: this.home,
      env: this.env,
      bash: 'bash',
      clock: this.clock,
      table: this.table,
      newRunId: () => `run-${++this.#runs}` as HookRunId,
      markerFor: (runId) => `hooktest.${process.pid}.${this.folder.slice(-6)}.${runId}`,
      outputFolder: this.outputs,
    });
  }

  /** Puts a settings file in place, as JSON would give it. */
  settings(settings: Readonly<Record<string, unknown>>, scope: HookScope = 'user', trusted = true) {
    const folder = scope === 'user' ? this.home : this.project;
    const file = join(folder, '.claude', scope === 'local' ? 'settings.local.json' : 'settings.json');
    this.#files = [...this.#files.filter((other) => other.scope !== scope), { scope, file, settings }];
    const collected = collectHooks({ files: this.#files, trusted });
    this.#hooks = collected.hooks;
    return collected;
  }

  /** Sets these hooks for one event: commands, or entries with more than a command. */
  set(event: HookInput['event'], ...entries: readonly Entry[]) {
    return this.setMatching(event, undefined, ...entries);
  }

  setMatching(event: HookInput['event'], matcher: string | undefined, ...entries: readonly Entry[]) {
    const hooks = entries.map((entry) =>
      typeof entry === 'string' ? { type: 'command', command: entry } : { type: 'command', ...entry },
    );
    return this.settings({ hooks: { [event]: [matcher === undefined ? { hooks } : { matcher, hooks }] } });
  }

  run(input: HookInput, signal: AbortSignal = new AbortController().signal): Promise<MergedHooks> {
    return this.runner.run(input, signal, {
      started: (run) => this.started.push(run),
      ended: (run) => this.ended.push(run),
    });
  }

  /** Sets one hook for the input's event and runs it. */
  runWith(entry: Entry, input: HookInput): Promise<MergedHooks> {
    this.set(input.event, entry);
    return this.run(input);
  }

  session(over: Partial<HookSession> = {}): HookSession {
    return {
      sessionId: 'session-1' as SessionId,
      transcriptPath: join(this.folder, 'session-1.jsonl'),
      cwd: this.project,
      permissionMode: 'default',
      ...over,
    };
  }

  pre(over: Partial<HookInputOf<'PreToolUse'>> = {}): HookInputOf<'PreToolUse'> {
    return {
      event: 'PreToolUse',
      session: this.session(),
      callId: 'toolu_1' as CallId,
      toolName: 'Bash',
      toolInput: { command: 'rm x', description: 'Remove x' },
      ...over,
    };
  }

  bash(command: string): HookInputOf<'PreToolUse'> {
    return this.pre({ toolInput: { command } });
  }

  post(over: Partial<HookInputOf<'PostToolUse'>> = {}): HookInputOf<'PostToolUse'> {
    return { ...this.pre(), event: 'PostToolUse', toolResponse: { stdout: 'done' }, durationMs: 12, ...over };
  }

  failure(): HookInputOf<'PostToolUseFailure'> {
    return { ...this.pre(), event: 'PostToolUseFailure', error: 'Exit code 1\nno' };
  }

  request(): HookInputOf<'PermissionRequest'> {
    return { ...this.pre(), event: 'PermissionRequest' };
  }

  prompt(prompt = 'Tidy up'): HookInputOf<'UserPromptSubmit'> {
    return { event: 'UserPromptSubmit', session: this.session(), prompt };
  }

  stop(stopHookActive = false): HookInputOf<'Stop'> {
    return { event: 'Stop', session: this.session(), stopHookActive, lastAssistantMessage: 'Done.' };
  }

  subagentStop(agentType: string): HookInputOf<'SubagentStop'> {
    return {
      ...this.stop(),
      event: 'SubagentStop',
      agentId: 'agent-1' as AgentId,
      agentType,
      agentTranscriptPath: join(this.folder, 'agent-1.jsonl'),
    };
  }

  start(source: HookInputOf<'SessionStart'>['source'] = 'startup'): HookInputOf<'SessionStart'> {
    return { event: 'SessionStart', session: this.session(), source };
  }

  end(): HookInputOf<'SessionEnd'> {
    return { event: 'SessionEnd', session: this.session(), reason: 'other' };
  }

  notification(): HookInputOf<'Notification'> {
    return {
      event: 'Notification',
      session: this.session(),
      message: 'Waiting',
      notificationType: 'permission_prompt',
    };
  }

  compact(): HookInputOf<'PreCompact'> {
    return { event: 'PreCompact', session: this.session(), trigger: 'manual', customInstructions: '' };
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text = ''): string {
    writeFileSync(this.path(name), text);
    return this.path(name);
  }

  /** A file as it is now, undefined when it is not there. */
  read(name: string): string | undefined {
    try {
      return readFileSync(this.path(name), 'utf8');
    } catch {
      return undefined;
    }
  }

  /** The text of a file once it is there. */
  wait(name: string): Promise<string> {
    return until(`the file ${name}`, () => this.read(name));
  }

  async close(): Promise<void> {
    await this.runner.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A command line for one of the programs in e2e/tools/hooks. */
export function program(name: string, ...args: readonly (string | number)[]): string {
  const path = toolPath(name);
  return [name.endsWith('.mjs') ? process.execPath : 'bash', path, ...args]
    .map((word) => quoted(String(word)))
    .join(' ');
}

export const toolPath = (name: string): string =>
  fileURLToPath(new URL(`../../../../e2e/tools/hooks/${name}`, import.meta.url));

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** A hook that says this and exits; objects are said as JSON. */
export const says = (out: string | object, err = '', code = 0): string =>
  program('says.sh', typeof out === 'string' ? out : JSON.stringify(out), err, code);

/** `hookSpecificOutput` of an event. */
export const specific = (hookEventName: string, fields: Readonly<Record<string, unknown>>) => ({
  hookSpecificOutput: { hookEventName, ...fields },
});

export const decides = (permissionDecision: string, more: Readonly<Record<string, unknown>> = {}) =>
  specific('PreToolUse', { permissionDecision, ...more });
