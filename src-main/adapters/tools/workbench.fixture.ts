import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentId, CallId } from '../../../src-shared/ids.ts';
import { resultText } from '../../../src-shared/tool-call/content.ts';
import { fakeHost } from '../../ports/tool.fake.ts';
import type {
  AnyTool,
  CallHost,
  ProcessNews,
  RunEnvironment,
  Spending,
  ToolContext,
  ToolEnding,
  ToolProgress,
} from '../../ports/tool.ts';
import { documentsHere } from '../documents/jobs.ts';
import { createReadTool } from './read.ts';

/** Read as it is without a program of its own for documents. */
export const readTool = createReadTool(documentsHere);

export type Ran = {
  readonly ending: ToolEnding<unknown>;
  /** What the model would see: the mapped result, then the output file's text. */
  readonly text: string;
};

/** A working folder of its own with real files, and the calls of tools in it as a session makes them. */
export class Workbench {
  /** Free of links. */
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-tools-')));
  readonly cwd = join(this.root, 'shop');
  readonly outside = join(this.root, 'outside');
  context: ToolContext = {
    cwd: this.cwd,
    directories: [this.cwd],
    readFiles: new Map(),
    todos: [],
    discovered: new Set(),
  };
  /** What the session around the calls says; tests set what they need. */
  host: Partial<CallHost> = {};
  readonly news: ProcessNews[] = [];
  readonly progress: ToolProgress[] = [];
  readonly spent: Spending[] = [];
  #calls = 0;

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    mkdirSync(this.cwd);
    mkdirSync(this.outside);
    for (const [name, content] of Object.entries(files)) this.lay(name, content);
  }

  path(name: string): string {
    return join(this.cwd, name);
  }

  lay(name: string, content: string | Uint8Array): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** What a call gets besides its input; the output file lies in a folder of its own. */
  environment(signal: AbortSignal = new AbortController().signal): RunEnvironment {
    const callId = `call-${++this.#calls}` as CallId;
    const results = join(this.root, 'tool-results');
    mkdirSync(results, { recursive: true });
    return {
      host: fakeHost(this.host),
      callId,
      agentId: 'main' as AgentId,
      signal,
      onProgress: (progress) => this.progress.push(progress),
      onProcess: (event) => this.news.push(event),
      onSpent: (spent) => this.spent.push(spent),
      outputFile: join(results, `${callId}.txt`),
    };
  }

  /** Parses the input and gives the validation's message; undefined when it may run. */
  async refusal(tool: AnyTool, raw: unknown): Promise<string | undefined> {
    const validation = await tool.validateInput(tool.inputSchema.parse(raw), this.context);
    return validation.ok ? undefined : validation.message;
  }

  /** All stages of a call that ask the tool. Its modifier takes effect. */
  async run(tool: AnyTool, raw: unknown, signal?: AbortSignal): Promise<Ran> {
    const input = tool.inputSchema.parse(raw);
    const validation = await tool.validateInput(input, this.context);
    if (!validation.ok) throw new Error(`refused: ${validation.message}`);
    await tool.checkPermissions(input, this.context);
    await tool.editTarget(input, this.context);
    const ending = await tool.call(input, this.context, this.environment(signal));
    if (ending.modifier !== undefined) this.context = ending.modifier(this.context);
    const output = ending.file === undefined ? '' : readFileSync(ending.file.path, 'utf8').trimEnd();
    const text = [resultText(tool.mapResult(ending.output)), output].filter((part) => part !== '').join('\n');
    return { ending, text };
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
