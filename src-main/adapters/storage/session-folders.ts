import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { FailureError } from '../../../src-shared/failure.ts';
import { SessionId } from '../../../src-shared/ids.ts';
import { Scenario } from '../../../src-shared/scenario/scenario.ts';
import { emptySession, foldSession } from '../../../src-shared/session/state.ts';
import { SessionSummary } from '../../../src-shared/session/summary.ts';
import { instant } from '../../../src-shared/units.ts';
import { summarise } from '../../core/session-summary.ts';
import type { SessionPlace, SessionStore } from '../../ports/session-store.ts';
import { diskTrouble } from './disk-trouble.ts';
import { JournalFile, mendJournal, readJournal } from './journal-file.ts';
import { ResultFolder } from './result-folder.ts';
import { lockJournal } from './session-lock.ts';
import { adoptOutputs, removeButShared, sweepRemoved } from './shared-outputs.ts';

/** Ids that can be the name of a folder, and of nothing outside of it. */
const NAME = /^[\w-]+$/;
/** So many folders are looked into at once; more would use up the descriptors of a process. */
const AT_ONCE = 64;

/** The summary as it is kept, with the journal's size it was made from: another size makes it worthless. */
const KeptSummary = z.object({ journalBytes: z.number(), summary: SessionSummary });

/**
 * Sessions as folders below `root`: `<id>/journal.jsonl`, `tool-results/`, `scratch/`, `scenario.json`, and
 * `summary.json`, which spares reading the journal for the list.
 */
export class SessionFolders implements SessionStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async create(sessionId: SessionId, scenario: Scenario | undefined): Promise<SessionPlace> {
    const folder = this.#folderOf(sessionId);
    const journalPath = journalIn(folder);
    let store: JournalFile | undefined;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      store = JournalFile.create(journalPath);
      if (scenario !== undefined)
        await writeFile(join(folder, 'scenario.json'), JSON.stringify(scenario), { mode: 0o600 });
      return this.#place(
        sessionId,
        folder,
        store,
        await lockJournal(sessionId, journalPath, (reason) => store?.giveUp(reason)),
      );
    } catch (cause) {
      store?.close();
      if (cause instanceof FailureError) throw cause;
      throw new FailureError(
        {
          kind: 'not-writable',
          message: `A session cannot be kept in ${folder}: ${diskTrouble(cause)}.`,
          hint: 'Make room or give the folder write permission, or set GANTRY_HOME to another folder.',
        },
        { cause },
      );
    }
  }

  async open(sessionId: SessionId) {
    const folder = this.#folderOf(sessionId);
    const journalPath = journalIn(folder);
    if (!existsSync(journalPath)) {
      throw new FailureError({ kind: 'not-found', message: `The session in ${folder} is not there any more.` });
    }
    let store: JournalFile | undefined;
    let release: (() => Promise<void>) | undefined;
    try {
      store = JournalFile.append(journalPath);
      release = await lockJournal(sessionId, journalPath, (reason) => store?.giveUp(reason));
      const { events, findings } = mendJournal(journalPath);
      const scenario = await this.#scenario(folder);
      return { place: this.#place(sessionId, folder, store, release), events, findings, scenario };
    } catch (cause) {
      store?.close();
      await release?.();
      if (cause instanceof FailureError) throw cause;
      throw new FailureError(
        {
          kind: 'not-readable',
          message: `The session in ${folder} cannot be opened: ${diskTrouble(cause)}.`,
          hint: 'Give the folder read and write permission.',
        },
        { cause },
      );
    }
  }

  async read(sessionId: SessionId) {
    const path = journalIn(this.#folderOf(sessionId));
    try {
      const { events, findings } = readJournal(path);
      return { path, events, findings };
    } catch (cause) {
      throw new FailureError(
        { kind: 'not-readable', message: `${path} cannot be read: ${diskTrouble(cause)}.` },
        { cause },
      );
    }
  }

  /** An id crosses IPC: one that could lead out of the folder of sessions is refused. */
  #folderOf(sessionId: SessionId): string {
    if (!NAME.test(sessionId)) {
      throw new FailureError({ kind: 'bad-input', message: `${sessionId} cannot be the id of a session.` });
    }
    return join(this.#root, sessionId);
  }

  async #scenario(folder: string): Promise<Scenario | undefined> {
    const text = await readFile(join(folder, 'scenario.json'), 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const parsed = Scenario.safeParse(parseJson(text));
    return parsed.success ? parsed.data : undefined;
  }

  #place(sessionId: SessionId, folder: string, store: JournalFile, release: () => Promise<void>): SessionPlace {
    const results = resultsIn(folder);
    return {
      sessionId,
      journalPath: journalIn(folder),
      store,
      files: new ResultFolder(results),
      scratch: join(folder, 'scratch'),
      adopt: (outputs) => adoptOutputs(results, outputs),
      release,
    };
  }

  async list(): Promise<readonly SessionSummary[]> {
    const names = await this.#names();
    const found: SessionSummary[] = [];
    for (let from = 0; from < names.length; from += AT_ONCE) {
      const some = await Promise.all(names.slice(from, from + AT_ONCE).map((name) => this.#summaryOf(name)));
      found.push(...some.filter((summary) => summary !== undefined));
    }
    return found.sort((a, b) => b.startedAt - a.startedAt);
  }

  async #names(): Promise<readonly string[]> {
    try {
      return await readdir(this.#root);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw new FailureError(
        {
          kind: 'not-readable',
          message: `The sessions in ${this.#root} cannot be listed: ${diskTrouble(cause)}.`,
          hint: 'Give the folder read permission, or set GANTRY_HOME to another folder.',
        },
        { cause },
      );
    }
  }

  async #summaryOf(name: string): Promise<SessionSummary | undefined> {
    const sessionId = SessionId.safeParse(name);
    if (!sessionId.success || !NAME.test(name)) return undefined;
    const path = journalIn(join(this.#root, name));
    const journal = await stat(path).catch(() => undefined);
    // A session that died before its first event has nothing to show.
    if (journal === undefined || journal.size === 0) return undefined;
    const text = await readFile(join(this.#root, name, 'summary.json'), 'utf8').catch(() => '');
    const kept = KeptSummary.safeParse(parseJson(text));
    // The folder may have been moved or copied since, and whatever the session was doing, it does it no more.
    const now = { sessionId: sessionId.data, path, status: 'ended' } as const;
    if (kept.success && kept.data.journalBytes === journal.size) return { ...kept.data.summary, ...now };
    const summary = { ...summaryFromJournal(sessionId.data, path, instant(journal.birthtimeMs)), ...now };
    await this.#keep(summary, journal.size).catch(() => undefined);
    return summary;
  }

  async saveSummary(summary: SessionSummary): Promise<void> {
    const { size } = await stat(journalIn(this.#folderOf(summary.sessionId)));
    await this.#keep(summary, size);
  }

  async #keep(summary: SessionSummary, journalBytes: number): Promise<void> {
    const kept: z.output<typeof KeptSummary> = { journalBytes, summary };
    const path = join(this.#folderOf(summary.sessionId), 'summary.json');
    await writeFileAtomic(path, JSON.stringify(kept), { mode: 0o600 });
  }

  async remove(sessionId: SessionId): Promise<void> {
    const folder = this.#folderOf(sessionId);
    const journalPath = journalIn(folder);
    const release = existsSync(journalPath) ? await lockJournal(sessionId, journalPath, () => undefined) : undefined;
    try {
      await removeButShared(folder, resultsIn(folder));
      await sweepRemoved(this.#root, resultsIn);
    } finally {
      await release?.();
    }
  }
}

const resultsIn = (folder: string): string => join(folder, 'tool-results');
const journalIn = (folder: string): string => join(folder, 'journal.jsonl');

/** A session that cannot be read stays in the list: what is not shown would seem to be lost. */
function summaryFromJournal(sessionId: SessionId, path: string, madeAt: SessionSummary['startedAt']): SessionSummary {
  const unreadable = (findings: number): SessionSummary => ({
    ...summarise(emptySession(), { sessionId, path, findings }),
    title: `${sessionId} cannot be read`,
    startedAt: madeAt,
  });
  try {
    const { events, findings } = readJournal(path);
    if (events.length === 0) return unreadable(findings.length);
    const state = foldSession(events);
    const summary = summarise(state, { sessionId, path, findings: findings.length });
    if (state.sessionId !== undefined) return summary;
    // Its first line is gone, and what that told with it.
    return { ...summary, title: state.title || `${sessionId} cannot be continued`, startedAt: madeAt };
  } catch {
    return unreadable(1);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
