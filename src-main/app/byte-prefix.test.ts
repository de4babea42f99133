import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Block as Recorded } from '../../src-shared/model/event.ts';
import type { ScenarioBlock } from '../../src-shared/scenario/scenario.ts';
import { foldSession } from '../../src-shared/session/state.ts';
import { bundleProcessHost, type HostBundle } from '../adapters/process/host-bundle.fixture.ts';
import { type ProcessHost, startProcessHost } from '../adapters/process/process-host-client.ts';
import { readJournal } from '../adapters/storage/journal-file.ts';
import { Chance, seedsFor } from '../core/bash/testing/random.ts';
import { faultsOfRequest } from '../core/conversation/request-validator.ts';
import type { ModelItem, ModelProvider, ModelRequest } from '../ports/model-provider.ts';
import type { LiveSession } from './live-session.ts';
import { recover } from './recover.ts';
import { journalIn, openRealSession } from './testing/real-session.ts';

const TURNS = 30;

let bundle: HostBundle;
let host: ProcessHost;
let root: string;
beforeAll(async () => {
  bundle = await bundleProcessHost();
  host = startProcessHost({ execPath: process.execPath, entryPath: bundle.hostPath, env: process.env });
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-prefix-')));
});
afterAll(async () => {
  await host.close();
  bundle.dispose();
  rmSync(root, { recursive: true, force: true });
});

const bash = (command: string): ScenarioBlock => ({ tool: 'Bash', input: { command } });
const read = (file: string): ScenarioBlock => ({ tool: 'Read', input: { file_path: file } });

/** A signed thought, a hidden one, and the place where a person stops the answer. */
type Block = ScenarioBlock | { readonly thought: string } | { readonly hidden: string } | 'stopped here';

/** What a message may do to results: each gives them another form. And what may stand in one, or end it. */
const MESSAGES: Readonly<Record<string, (n: number) => readonly Block[]>> = {
  saved: (n) => [bash(`seq ${n} 20000`)],
  overBudget: (n) => [
    bash(`seq ${n}000 ${n}999 | tr '\\n' ' '`),
    bash(`seq ${n}000 ${n + 1}500`),
    bash(`seq ${n} 4000`),
  ],
  repeated: () => [bash('seq 1 500'), bash('seq 1 500')],
  reread: () => [read('notes.txt'), read('notes.txt')],
  stale: (n) => [read('notes.txt'), bash(`echo ${n} >> notes.txt`)],
  failing: (n) => [bash(`echo ${n}; exit 3`), read('nothing.txt'), { tool: 'Nothing', input: {} }],
  plain: (n) => [{ text: `I look at ${n}.` }, bash('true'), read('other.txt')],
  interrupted: () => [bash('sleep 60'), bash('touch never')],
  thoughtful: (n) => [{ thought: `Größe ${n} 🤔` }, { hidden: `A${n}` }, { text: 'So.' }, bash('true')],
  stoppedInThought: (n) => [{ thought: `Half ${n}` }, 'stopped here'],
  stoppedBehindThought: (n) => [{ text: `I ${n}` }, bash('true'), { hidden: `B${n}` }, 'stopped here'],
};
const KINDS = Object.keys(MESSAGES);

/** Says what stands in the script; keeps the bytes of every request. */
class RecordingModel implements ModelProvider {
  readonly name = 'recording';
  readonly model = 'recording-1';
  readonly requests: { readonly constant: string; readonly messages: string }[] = [];
  readonly faults: string[] = [];
  script: (readonly Block[])[] = [];
  /** Stops the turn that runs. */
  stop: () => void = () => undefined;
  #ids = 0;

  async *stream({ system, tools, messages }: ModelRequest): AsyncGenerator<ModelItem> {
    this.faults.push(...faultsOfRequest(messages));
    this.requests.push({ constant: JSON.stringify([system, tools]), messages: JSON.stringify(messages) });
    yield { type: 'message-started', messageId: `m${this.#ids++}`, model: this.model };
    for (const block of this.script.shift() ?? [{ text: 'Done.' }]) {
      if (block === 'stopped here') return this.stop();
      if ('thought' in block) yield { type: 'thinking', text: block.thought, signature: `sig ${block.thought}` };
      else if ('hidden' in block) yield { type: 'other', raw: { type: 'redacted_thinking', data: block.hidden } };
      else if ('text' in block) yield { type: 'text', text: block.text };
      else yield { type: 'tool-use', id: `c${this.#ids++}`, name: block.tool, input: block.input };
    }
    yield { type: 'message-ended', stopReason: 'end-turn', usage: {} };
  }
}

const isAThought = (block: Recorded | undefined): boolean => block?.kind === 'thinking' || block?.kind === 'other';

/** Without the brackets that close the last block, message and list: what follows them next time is something new. */
const opened = (messages: string): string => messages.replace(/\]\}\]$/, '');

class Story {
  readonly model = new RecordingModel();
  readonly #folder: string;
  readonly #cwd: string;
  #session: LiveSession;

  constructor(name: string) {
    this.#folder = join(root, name);
    this.#cwd = join(this.#folder, 'work');
    mkdirSync(this.#cwd, { recursive: true });
    for (const file of ['notes.txt', 'other.txt']) writeFileSync(join(this.#cwd, file), `${file}\n`);
    this.#session = this.#open(true);
  }

  #open(isNew: boolean): LiveSession {
    const session = openRealSession({
      folder: this.#folder,
      cwd: this.#cwd,
      processes: host,
      scenario: { name: 'prefix', turns: [] },
      provider: this.model,
      settings: { mode: 'bypassPermissions', messageBudget: 12_000 },
      past: isNew ? [] : readJournal(journalIn(this.#folder)).events,
    });
    if (!isNew) recover(session.log, 'test');
    this.model.stop = () => void session.interrupt('escape');
    session.log.onEvents((events) => {
      for (const event of events) {
        if (event.type === 'process-spawned' && event.command === 'sleep 60') session.interrupt('escape');
      }
    });
    return session;
  }

  async turn(...messages: readonly (readonly Block[])[]): Promise<void> {
    this.model.script = [...messages];
    this.#session.send('Go on.');
    await this.#session.idle;
  }

  /** Somebody else writes to a file that was read. */
  touch(n: number): void {
    appendFileSync(join(this.#cwd, 'notes.txt'), `from outside ${n}\n`);
  }

  async reopen(): Promise<void> {
    await this.#session.close('closed');
    this.#session = this.#open(false);
  }

  async end() {
    await this.#session.close('closed');
    return foldSession(readJournal(journalIn(this.#folder)).events);
  }
}

test.each(seedsFor([1, 2, 3]))(
  'over 30 turns and three openings each request begins with the bytes of the one before (seed %i)',
  { timeout: 120_000 },
  async (seed) => {
    const chance = new Chance(seed);
    const story = new Story(`seed-${seed}`);
    for (let n = 1; n <= TURNS; n++) {
      const kinds = Array.from({ length: 1 + chance.below(3) }, () => chance.pick(KINDS));
      await story.turn(...kinds.map((kind) => MESSAGES[kind]?.(n) ?? []));
      if (chance.oneIn(5)) story.touch(n);
      if (n % 8 === 0) await story.reopen();
    }
    const state = await story.end();

    const { requests } = story.model;
    expect(story.model.faults).toEqual([]);
    expect(requests.length).toBeGreaterThan(TURNS);
    for (const [at, { messages }] of requests.entries()) {
      const before = requests[at - 1];
      if (before !== undefined && !messages.startsWith(opened(before.messages))) {
        expect(messages.slice(0, before.messages.length), `request ${at}`).toBe(before.messages);
      }
    }
    expect(new Set(requests.map(({ constant }) => constant)).size).toBe(1);

    // The story held all that gives results another form.
    const seen = {
      saved: state.calls.filter(({ saved }) => saved !== undefined).length,
      budget: state.calls.filter(({ replaced }) => replaced?.why === 'budget').length,
      duplicate: state.calls.filter(({ replaced }) => replaced?.why === 'duplicate').length,
      stale: state.calls.filter(({ staleFiles }) => staleFiles.length > 0).length,
      interrupted: state.calls.filter((call) => 'end' in call && call.end.outcome === 'interrupted').length,
      stoppedInThought: state.entries.filter((entry) => entry.kind === 'assistant' && isAThought(entry.blocks.at(-1)))
        .length,
      thoughts: requests.at(-1)?.messages.match(/"type":"thinking"/g)?.length ?? 0,
      unchanged: requests.at(-1)?.messages.match(/unchanged since/gi)?.length ?? 0,
    };
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0);
  },
);
