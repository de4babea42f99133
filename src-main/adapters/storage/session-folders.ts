import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { FailureError } from '../../../src-shared/failure.ts';
import { SessionId } from '../../../src-shared/ids.ts';
import { Scenario } from '../../../src-shared/scenario/scenario.ts';
import { foldSession } from '../../../src-shared/session/state.ts';
import { SessionSummary } from '../../../src-shared/session/summary.ts';
import { summarise } from '../../core/session-summary.ts';
import type { SessionPlace, SessionStore } from '../../ports/session-store.ts';
import { JournalFile, mendJournal, readJournal } from './journal-file.ts';
import { ResultFolder } from './result-folder.ts';

/** A lock that was not renewed for this long belongs to a process that is gone. */
const STALE_LOCK_MS = 10_000;

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
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (scenario !== undefined)
        await writeFile(join(folder, 'scenario.json'), JSON.stringify(scenario), { mode: 0o600 });
      const journalPath = join(folder, 'journal.jsonl');
      const store = JournalFile.create(journalPath);
      return this.#place(sessionId, folder, journalPath, store, await this.#lock(sessionId, journalPath));
    } catch (cause) {
      if (cause instanceof FailureError) throw cause;
      throw new FailureError(
        {
          kind: 'not-writable',
          message: `A session cannot be kept in ${folder}: ${cause instanceof Error ? cause.message : String(cause)}.`,
          hint: 'Make room or give the folder write permission, or set GANTRY_HOME to another folder.',
        },
        { cause },
      );
    }
  }

  async open(sessionId: SessionId) {
    const folder = this.#folderOf(sessionId);
    const journalPath = join(folder, 'journal.jsonl');
    if (!existsSync(journalPath)) {
      throw new FailureError({ kind: 'not-found', message: `The session in ${folder} is not there any more.` });
    }
    const release = await this.#lock(sessionId, journalPath);
    try {
      const { events, findings } = mendJournal(journalPath);
      const scenario = await this.#scenario(folder);
      const place = this.#place(sessionId, folder, journalPath, JournalFile.append(journalPath), release);
      return { place, events, findings, scenario };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** An id crosses IPC: one that could lead out of the folder of sessions is refused. */
  #folderOf(sessionId: SessionId): string {
    if (!/^[\w-]+$/.test(sessionId)) {
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

  #place(
    sessionId: SessionId,
    folder: string,
    journalPath: string,
    store: JournalFile,
    release: () => Promise<void>,
  ): SessionPlace {
    const files = new ResultFolder(join(folder, 'tool-results'));
    return { sessionId, journalPath, store, files, scratch: join(folder, 'scratch'), release };
  }

  /** Two windows never write one session (spec 4.1). */
  async #lock(sessionId: SessionId, journalPath: string): Promise<() => Promise<void>> {
    try {
      const release = await lock(journalPath, { stale: STALE_LOCK_MS, retries: { retries: 3, minTimeout: 100 } });
      return () => release().catch(() => undefined);
    } catch (cause) {
      throw new FailureError(
        {
          kind: 'locked',
          message: `The session ${sessionId} is open in another window of Gantry.`,
          hint: 'Close it there first. After a crash the lock goes by itself within ten seconds.',
        },
        { cause },
      );
    }
  }

  async list(): Promise<readonly SessionSummary[]> {
    const names = await readdir(this.#root).catch(() => []);
    const found = await Promise.all(names.map((name) => this.#summaryOf(name)));
    return found.filter((summary) => summary !== undefined).sort((a, b) => b.startedAt - a.startedAt);
  }

  async #summaryOf(name: string): Promise<SessionSummary | undefined> {
    const sessionId = SessionId.safeParse(name);
    if (!sessionId.success) return undefined;
    const folder = join(this.#root, name);
    const journalPath = join(folder, 'journal.jsonl');
    const journal = await stat(journalPath).catch(() => undefined);
    if (journal === undefined) return undefined;
    const text = await readFile(join(folder, 'summary.json'), 'utf8').catch(() => '');
    const kept = KeptSummary.safeParse(parseJson(text));
    if (kept.success && kept.data.journalBytes === journal.size) return kept.data.summary;
    const { events, findings } = readJournal(journalPath);
    if (events.length === 0) return undefined;
    const summary = summarise(foldSession(events), {
      sessionId: sessionId.data,
      path: journalPath,
      findings: findings.length,
    });
    // Whatever it was doing when its journal ended, it does it no more.
    return { ...summary, status: 'ended' };
  }

  async saveSummary(summary: SessionSummary): Promise<void> {
    const journal = await stat(summary.path);
    const kept: z.output<typeof KeptSummary> = { journalBytes: journal.size, summary };
    await writeFileAtomic(join(this.#folderOf(summary.sessionId), 'summary.json'), JSON.stringify(kept), {
      mode: 0o600,
    });
  }

  async remove(sessionId: SessionId): Promise<void> {
    await rm(this.#folderOf(sessionId), { recursive: true, force: true });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
