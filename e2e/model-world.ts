import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, open, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { DIALECTS, type Dialect, type DialectBlock } from '../src-main/adapters/providers/testing/dialects.ts';
import type { WireServer } from '../src-main/adapters/providers/testing/wire-server.ts';
import type { EventOf, SessionEvent } from '../src-shared/session/event.ts';
import { type AppLauncher, expect, type Started } from './app.fixture.ts';
import { ModelDialogPage } from './pages/model-dialog.ts';

export const MODEL = 'claude-sonnet-4-5';
const KEY = 'sk-ant-e2e-0123456789abcdefghijklmnop';

/** No key of the machine's own reaches the app, and no home but the test's. */
const environment = (home: string): Readonly<Record<string, string>> => ({
  HOME: home,
  ANTHROPIC_API_KEY: KEY,
  ANTHROPIC_AUTH_TOKEN: '',
  ANTHROPIC_BASE_URL: '',
  OPENAI_API_KEY: '',
  OPENAI_BASE_URL: '',
});

/** A model's server of one wire format, a folder with files to work on, and the app. */
export class ModelWorld {
  readonly dialect: Dialect;
  readonly server: WireServer;
  readonly folder: string;
  readonly launcher: AppLauncher;

  private constructor(dialect: Dialect, server: WireServer, folder: string, launcher: AppLauncher) {
    this.dialect = dialect;
    this.server = server;
    this.folder = folder;
    this.launcher = launcher;
  }

  static async create(provider: Dialect['provider'], launcher: AppLauncher): Promise<ModelWorld> {
    const dialect = DIALECTS.find((one) => one.provider === provider);
    if (dialect === undefined) throw new Error(`${provider} has no server`);
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'gantry-streams-')));
    await mkdir(join(folder, '.git'));
    await writeFile(join(folder, 'größe.txt'), 'zwölf Boxkämpfer 🎉\n');
    await writeFile(join(folder, 'price.txt'), '9 cents\n');
    return new ModelWorld(dialect, await dialect.startServer(), folder, launcher);
  }

  /** Fails when the server would have refused anything that it was asked. */
  async dispose(): Promise<void> {
    const { faults } = this.server;
    await this.server.close();
    await rm(this.folder, { recursive: true, force: true });
    expect(faults).toEqual([]);
  }

  start(more: Readonly<Record<string, string>> = {}): Promise<Started> {
    return this.launcher.start({ env: { ...environment(this.launcher.home), ...more } });
  }

  /** A new session from the start page, with its first message. */
  async open({ page }: Started, message: string, address?: string): Promise<void> {
    const { provider } = this.dialect;
    const dialog = new ModelDialogPage(page);
    await dialog.open();
    await dialog.region.locator(`input[name="provider"][value="${provider}"]`).check({ force: true });
    const own = provider === 'anthropic' ? this.server.url : `${this.server.url}/v1`;
    await dialog.fill({ folder: this.folder, address: address ?? own, model: MODEL });
    await dialog.start(message);
  }

  read(id: string, name: string): DialectBlock {
    return { tool: 'Read', id, input: { file_path: join(this.folder, name) } };
  }

  /** A command that runs until `letGo`: it waits for what is written into a pipe. */
  async gate(id: string): Promise<DialectBlock> {
    execFileSync('mkfifo', [join(this.folder, id)]);
    return { tool: 'Bash', id, input: { command: `cat ${id}` } };
  }

  /** Ends the command behind a gate, which then has this output. */
  async letGo(id: string, output: string): Promise<void> {
    const pipe = await open(join(this.folder, id), 'w');
    await pipe.writeFile(output);
    await pipe.close();
  }

  /** The events of the one session. */
  journal(): Promise<readonly SessionEvent[]> {
    return this.launcher.journal();
  }
}

/** Writes a message and sends it. */
export async function say(page: Page, message: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(message);
  await page.keyboard.press('Enter');
}

export const only = <T extends SessionEvent['type']>(events: readonly SessionEvent[], type: T): readonly EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

/** Every call has one end, and every call of an answer that was kept has handed on one result. */
export function expectOneResultPerCall(events: readonly SessionEvent[]): void {
  const queued = only(events, 'call-queued');
  const idsOf = (calls: readonly { readonly callId: string }[]) => calls.map(({ callId }) => callId).sort();
  expect(idsOf(only(events, 'call-completed'))).toEqual(idsOf(queued));
  const thrownAway = new Set(only(events, 'attempt-discarded').map(({ messageId }) => messageId));
  const lost = new Set(queued.flatMap(({ callId, messageId }) => (thrownAway.has(messageId) ? [callId] : [])));
  const yielded = only(events, 'call-yielded').filter(({ callId }) => !lost.has(callId));
  expect(idsOf(yielded)).toEqual(idsOf(queued.filter(({ callId }) => !lost.has(callId))));
}

/** How often each call is answered in a request, in either format. */
export function resultsIn(body: unknown): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const id =
      (value as { tool_use_id?: unknown; tool_call_id?: unknown }).tool_use_id ??
      (value as { tool_call_id?: unknown }).tool_call_id;
    if (typeof id === 'string') counts[id] = (counts[id] ?? 0) + 1;
    for (const one of Object.values(value)) walk(one);
  };
  walk((body as { messages?: unknown } | undefined)?.messages);
  return counts;
}
