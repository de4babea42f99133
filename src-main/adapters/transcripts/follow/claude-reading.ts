import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Finding } from '../../../../src-shared/session/summary.ts';
import { Collector } from '../claude-code/collect.ts';
import { Judgements } from '../claude-code/judgements.ts';
import { SavedOutputs, storyToReading } from '../claude-code/story-to-reading.ts';
import { agentKeyOf, claudeCode, isOneAgents, readAgentMeta } from '../claude-code.ts';
import { fieldsOf, textAt } from '../common/fields.ts';
import { LINES_A_FILE } from '../common/places.ts';
import { MAIN_KEY } from '../common/story.ts';
import { FindingList } from '../findings.ts';
import type { TranscriptSource } from '../importer.ts';
import { longLinesOf } from '../lazy/cut-line.ts';
import { KeptTexts } from '../lazy/kept-texts.ts';
import { agentFilesIn, isAgentFile } from '../locate.ts';
import { readHead } from '../read-records.ts';
import { FileOrder } from './file-order.ts';
import type { OnRead } from './file-tail.ts';
import { LineTail } from './line-tail.ts';
import { GONE, type GrowingReading, type Grown, REPLACED, type Told, yieldTurn } from './reading.ts';

type File = {
  readonly path: string;
  readonly tail: LineTail;
  readonly mark: ReturnType<Collector['startFile']>;
  /** Of a sub-agent: its description was found beside it. */
  hasMeta: boolean;
};

/** What was read of the files since their beginning. Made anew when a file was cut, or was read in a misleading order. */
type Attempt = {
  readonly collector: Collector;
  readonly findings: FindingList;
  readonly texts: KeptTexts;
  readonly judgements: Judgements;
  readonly saved: SavedOutputs;
  main: File | undefined;
  /** In the order of their names, as `locate` has them. */
  readonly agents: Map<string, File>;
  readonly order: FileOrder;
};

/** A Claude Code session: its lines are collected once each; only what they have changed is judged again. */
export class ClaudeReading implements GrowingReading {
  readonly #source: TranscriptSource;
  readonly #onRead: OnRead;
  readonly #kept: Finding[] = [];
  /** Files beside the session that are another one's. */
  readonly #foreign: Set<string>;
  #attempt: Attempt;
  #mainKey: string | undefined;
  #isGone = false;

  private constructor(source: TranscriptSource, onRead: OnRead, foreign: Set<string>, mainKey: string | undefined) {
    this.#source = source;
    this.#onRead = onRead;
    this.#foreign = foreign;
    this.#mainKey = mainKey;
    this.#attempt = this.#begin();
  }

  static async start(source: TranscriptSource, onRead: OnRead): Promise<ClaudeReading> {
    const { main, agentFiles } = source;
    const beside = main === undefined ? [] : await namesIn(dirname(main));
    const foreign = new Set(
      beside.filter((path) => isAgentFile(basename(path)) && !agentFiles.includes(path) && path !== main),
    );
    const head = main === undefined ? [] : await readHead(main, 40, new AbortController().signal).catch(() => []);
    return new ClaudeReading(source, onRead, foreign, isOneAgents(head) ? MAIN_KEY : undefined);
  }

  get folders(): readonly string[] {
    const { main, agentFiles } = this.#source;
    const own = main === undefined ? [] : [dirname(main), main.replace(/\.jsonl$/, '')];
    return [
      ...new Set([...own, ...own.slice(1).map((folder) => join(folder, 'subagents')), ...agentFiles.map(dirname)]),
    ];
  }

  #begin(): Attempt {
    const findings = new FindingList();
    return {
      collector: new Collector(findings.add),
      findings,
      texts: new KeptTexts(),
      judgements: new Judgements(),
      saved: new SavedOutputs(this.#source.resultFolders),
      main: undefined,
      agents: new Map(),
      order: new FileOrder(LINES_A_FILE),
    };
  }

  async grow(): Promise<Grown> {
    let result = await this.#growOnce();
    // Once more at most: files that are read one after the other from their beginnings mislead nobody.
    if (result === 'anew') {
      this.#attempt = this.#begin();
      result = await this.#growOnce();
    }
    return result === 'anew' ? { grown: true, gone: false } : result;
  }

  async #growOnce(): Promise<Grown | 'anew'> {
    const attempt = this.#attempt;
    const { collector, agents } = attempt;
    // Before the lines of the session: those it repeats of sub-agents that have a file are not needed.
    if (!(await this.#findAgents(attempt))) return 'anew';
    const main = this.#mainOf(attempt);
    let grown = false;
    for (const file of [...(main === undefined ? [] : [main]), ...agents.values()]) {
      const growth = await this.#growFile(attempt, file);
      if (growth === 'replaced') {
        this.#kept.push({ file: file.path, line: 0, ...REPLACED });
        return 'anew';
      }
      if (growth === 'gone') this.#noteGone(file, main);
      if (growth === 'grown') grown = true;
      if (file !== main && !file.hasMeta && (growth === 'grown' || grown)) await this.#readMeta(attempt, file);
    }
    return collector.isDisordered ? 'anew' : { grown, gone: this.#isGone };
  }

  async #growFile({ collector }: Attempt, { tail, mark }: File) {
    let isResumed = false;
    return tail.grow((records) => {
      if (!isResumed) collector.resumeFile(mark);
      isResumed = true;
      for (const { value, line, length } of records) collector.add(value, line, length);
    });
  }

  #noteGone(file: File, main: File | undefined): void {
    if (file === main) this.#isGone = true;
    if (this.#kept.some((one) => one.file === file.path && one.kind === GONE.kind)) return;
    this.#kept.push({ file: file.path, line: 0, ...GONE });
  }

  #mainOf(attempt: Attempt): File | undefined {
    const path = this.#source.main;
    if (attempt.main === undefined && path !== undefined) {
      attempt.main = this.#file(attempt, path, this.#mainKey, attempt.order.first);
    }
    return attempt.main;
  }

  #file(attempt: Attempt, path: string, agentKey: string | undefined, base: number): File {
    const { collector, findings, texts } = attempt;
    const tail = new LineTail(path, {
      onRead: this.#onRead,
      onTrouble: ({ line, kind, message }) => findings.add({ file: path, line, kind, message }),
      readLine: longLinesOf(path, { keptTexts: texts }),
    });
    return { path, tail, mark: collector.startFile({ path, agentKey, base }), hasMeta: false };
  }

  /** @returns false when the order of the files has no room for a new one, or its lines were taken from elsewhere. */
  async #findAgents(attempt: Attempt): Promise<boolean> {
    const { collector, agents, order } = attempt;
    this.#mainOf(attempt);
    const paths = await this.#agentFiles();
    const fresh = paths.filter((path) => !agents.has(path));
    if (fresh.length === 0) return true;
    const isFirst = agents.size === 0;
    for (const path of fresh) {
      const key = agentKeyOf(path);
      if (!isFirst && collector.agents.has(key) && !collector.ownFiles.has(key)) return false;
      collector.ownFiles.add(key);
      const base = order.place(paths, path);
      if (base === undefined) return false;
      agents.set(path, this.#file(attempt, path, key, base));
      if (collector.agents.has(key)) return false;
    }
    const inOrder = paths.flatMap((path) => agents.get(path) ?? []);
    for (const file of [...agents.values()]) if (!inOrder.includes(file)) inOrder.push(file);
    agents.clear();
    for (const file of inOrder) agents.set(file.path, file);
    return true;
  }

  /** In the order in which reading the session whole has them. */
  async #agentFiles(): Promise<readonly string[]> {
    const { main, agentFiles } = this.#source;
    if (main === undefined || isAgentFile(basename(main))) return agentFiles;
    const own = main.replace(/\.jsonl$/, '');
    const nested = own === main ? [] : await agentFilesIn(join(own, 'subagents'), 0);
    return [...nested, ...(await this.#flatFiles(main))];
  }

  /** Versions 2.0 laid the files of sub-agents beside those of all sessions. */
  async #flatFiles(main: string): Promise<readonly string[]> {
    const flat = (await namesIn(dirname(main))).filter(
      (path) => isAgentFile(basename(path)) && !this.#foreign.has(path),
    );
    const known = new Set([...this.#source.agentFiles, ...this.#attempt.agents.keys()]);
    const mine: string[] = [];
    for (const path of flat) {
      if (known.has(path)) {
        mine.push(path);
        continue;
      }
      const id = await sessionIdIn(path);
      if (id === undefined) continue;
      if (id === basename(main, '.jsonl')) mine.push(path);
      else this.#foreign.add(path);
    }
    return mine;
  }

  async #readMeta({ collector }: Attempt, file: File): Promise<void> {
    const quiet = { onFinding: () => {}, onBytes: () => {}, signal: new AbortController().signal };
    file.hasMeta = await readAgentMeta(collector, file.path, quiet);
  }

  async tell(goesOn: boolean): Promise<Told> {
    const { collector, findings, texts, judgements, saved, main, agents } = this.#attempt;
    const ends = new FindingList();
    for (const finding of findings.all()) ends.add(finding);
    collector.onFinding = ends.add;
    const story = collector.finish(0, 0);
    collector.onFinding = findings.add;
    if (!goesOn) {
      for (const { path, tail } of [...(main === undefined ? [] : [main]), ...agents.values()]) {
        if (tail.waiting === 0) continue;
        const message = `The file ends with ${tail.waiting} bytes of a line that is not whole; they were left out.`;
        ends.add({ file: path, line: 0, kind: 'torn-tail', message });
      }
    }
    await yieldTurn();
    const source = { ...this.#source, goesOn };
    const { events } = await storyToReading(story, { format: claudeCode.name, source, judgements, saved });
    return { events, findings: [...this.#kept, ...ends.all()], texts };
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.sort().map((name) => join(folder, name));
}

async function sessionIdIn(file: string): Promise<string | undefined> {
  const head = await readHead(file, 3, new AbortController().signal).catch(() => []);
  return head.map((value) => textAt(fieldsOf(value), 'sessionId')).find((id) => id !== undefined);
}
