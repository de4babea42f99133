import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { claudeCode } from './claude-code.ts';
import { claudeStreamJson } from './claude-stream-json.ts';
import { fieldsOf, textAt } from './common/fields.ts';
import { type Importer, type OnFinding, type TranscriptSource, TranscriptUnreadable } from './importer.ts';
import { readHead } from './read-records.ts';
import { IMPORTERS } from './registry.ts';
import { listStore, ownSessions, type StoredEntry, storeAt, storedPath, storesIn } from './store/stored.ts';

/** A file's first objects are enough to tell its format (reference, section 14). */
const HEAD_OBJECTS = 40;
/** Under this no format is likely enough. */
const LEAST_LIKELY = 0.3;
/** More candidates than this in one folder: it is no session's folder, only the newest are looked at. */
const MOST_CANDIDATES = 200;

export type Located = { readonly importer: Importer; readonly source: TranscriptSource };
type Candidates = { readonly sessions: readonly Candidate[]; readonly parts: readonly Candidate[] };
type LocateOptions = { readonly onFinding: OnFinding; readonly signal: AbortSignal };
type Candidate = {
  readonly path: string;
  readonly importer: Importer;
  readonly size: number;
  readonly mtimeMs: number;
};

/**
 * Finds what to read for a path a person named: a transcript, or a folder with one in it. Says in a finding which
 * other sessions a folder holds.
 * @throws TranscriptUnreadable where there is nothing to read
 */
export async function locate(path: string, options: LocateOptions): Promise<Located> {
  const absolute = resolve(path);
  const stored = await storeAt(absolute);
  if (stored !== undefined) return locateInStore(absolute, stored, options);
  const found = await stat(absolute).catch((cause: unknown) => {
    throw new TranscriptUnreadable(absolute, reasonOf(cause), 'Check the path and whether you may read it.', { cause });
  });
  if (found.isDirectory()) return locateInFolder(absolute, options);
  const importer = await importerOf(absolute, options.signal);
  if (importer !== undefined) return { importer, source: await sourceOf(absolute, absolute, importer, options.signal) };
  throw new TranscriptUnreadable(
    absolute,
    found.size === 0 ? 'is empty' : 'is in no known format',
    'docs/formats.md lists the formats that Gantry reads.',
  );
}

/** The session a path names in a database, else the newest of it. */
async function locateInStore(
  path: string,
  { file, sessionId }: { readonly file: string; readonly sessionId: string | undefined },
  options: LocateOptions,
): Promise<Located> {
  const listed = await listStore(file, IMPORTERS);
  if (listed === undefined) {
    const hint = 'docs/formats.md lists the programs whose databases Gantry reads.';
    throw new TranscriptUnreadable(file, 'is a SQLite database of no known program', hint);
  }
  const own = ownSessions(listed.entries);
  const chosen = sessionId ?? own[0]?.sessionId;
  if (chosen === undefined) {
    throw new TranscriptUnreadable(file, 'holds no session', 'Open it again when the program has written one.');
  }
  const stored = { file, sessionId: chosen };
  const main = storedPath(stored);
  if (sessionId === undefined) tellOtherStored(main, file, own.slice(1), options.onFinding);
  return { importer: listed.importer, source: { path, main, agentFiles: [], resultFolders: [], stored } };
}

function tellOtherStored(main: string, file: string, others: readonly StoredEntry[], onFinding: OnFinding): void {
  if (others.length === 0) return;
  const names = others
    .slice(0, 10)
    .map(({ sessionId, title }) => `${basename(file)}#${sessionId}${title ? ` (${title})` : ''}`);
  const more = others.length > names.length ? ` and ${others.length - names.length} more` : '';
  const message = `The database holds other sessions too, which were not read: ${names.join(', ')}${more}`;
  onFinding({ file: main, line: 0, kind: 'other-sessions', message });
}

const reasonOf = (cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  return code === 'EACCES' || code === 'EPERM' ? 'may not be read by this user' : 'could not be read';
};

async function importerOf(file: string, signal: AbortSignal): Promise<Importer | undefined> {
  return (await kindOf(file, signal))?.importer;
}

/** The format of a file, and whether it is a part of another file's session. */
async function kindOf(file: string, signal: AbortSignal) {
  let head: readonly unknown[];
  try {
    head = await readHead(file, HEAD_OBJECTS, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new TranscriptUnreadable(file, reasonOf(cause), 'Check whether you may read it.', { cause });
  }
  const rated = IMPORTERS.map((importer) => ({ importer, likely: importer.sniff(head) }));
  const best = rated.reduce((a, b) => (b.likely > a.likely ? b : a));
  if (best.likely < LEAST_LIKELY) return undefined;
  return { importer: best.importer, isPart: best.importer.isPart?.(head) === true };
}

/** The files that belong to a session's main file. Claude Code keeps sub-agents beside it in two ways. */
async function sourceOf(
  path: string,
  main: string,
  importer: Importer,
  signal: AbortSignal,
): Promise<TranscriptSource> {
  if (importer.sourceOf !== undefined) return importer.sourceOf(main, { path, signal });
  if (importer !== claudeCode)
    return { path, main, agentFiles: [], resultFolders: [join(dirname(main), 'tool-results')] };
  const own = main.replace(/\.jsonl$/, '');
  const nested = own === main ? [] : await agentFilesIn(join(own, 'subagents'), 0);
  const flat = isAgentFile(basename(main)) ? [] : await flatAgentFiles(main);
  const folder = dirname(main);
  const inSubagents = basename(folder) === 'subagents' ? [join(dirname(folder), 'tool-results')] : [];
  const resultFolders = [join(own, 'tool-results'), join(folder, 'tool-results'), ...inSubagents];
  return { path, main, agentFiles: [...nested, ...flat], resultFolders };
}

export const isAgentFile = (name: string): boolean => /^agent-.+\.jsonl$/.test(name);

const entriesOf = async (folder: string): Promise<readonly Dirent[]> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // Most sessions have no such folder; one that may not be read is as good as none.
    return [];
  }
};

/** Files of sub-agents in this folder and a few below, by name. */
export async function agentFilesIn(folder: string, depth: number): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isFile() && isAgentFile(entry.name)) files.push(path);
    else if (entry.isDirectory() && depth < 3) files.push(...(await agentFilesIn(path, depth + 1)));
  }
  return files;
}

/** Versions 2.0.x laid the files of sub-agents flat beside all sessions of a project; each names its session inside. */
async function flatAgentFiles(main: string): Promise<string[]> {
  const folder = dirname(main);
  const names = (await entriesOf(folder)).filter((entry) => entry.isFile() && isAgentFile(entry.name));
  if (names.length === 0) return [];
  const { signal } = new AbortController();
  const sessionIn = async (file: string) => {
    const head = await readHead(file, 3, signal).catch(() => []);
    return head.map((value) => textAt(fieldsOf(value), 'sessionId')).find((id) => id !== undefined);
  };
  const mainHead = await readHead(main, HEAD_OBJECTS, signal);
  const sessionId = mainHead.map((value) => textAt(fieldsOf(value), 'sessionId')).find((id) => id !== undefined);
  const files: string[] = [];
  for (const { name } of names.slice(0, MOST_CANDIDATES)) {
    const file = join(folder, name);
    if (sessionId !== undefined && (await sessionIn(file)) === sessionId) files.push(file);
  }
  return files;
}

async function locateInFolder(folder: string, options: LocateOptions): Promise<Located> {
  const beside = await besideFolder(folder, options.signal);
  if (beside !== undefined)
    return { importer: claudeCode, source: { ...(await sourceOf(folder, beside, claudeCode, options.signal)) } };
  // Before the older files, which such a program leaves where they were.
  for (const file of await storesIn(folder)) {
    const listed = await listStore(file, IMPORTERS).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      options.onFinding({ file, line: 0, kind: 'damaged-database', message });
      return undefined;
    });
    if (listed !== undefined && listed.entries.length > 0) {
      return locateInStore(folder, { file, sessionId: undefined }, options);
    }
  }
  const programs = await inProgramsFolder(folder, options);
  if (programs !== undefined) return programs;
  let parts: readonly Candidate[] = [];
  for (let depth = 0; depth <= 2; depth++) {
    const found = await candidatesIn(folder, depth, options.signal);
    if (parts.length === 0) parts = found.parts;
    if (found.sessions.length > 0) return bestOf(folder, found.sessions, options);
  }
  // Parts are opened by themselves only where nothing else is left.
  if (parts.length > 0) return bestOf(folder, parts, options);
  const orphans = await orphansIn(folder);
  if (orphans !== undefined) {
    const { onFinding } = options;
    onFinding({ file: orphans.path, line: 0, kind: 'no-main-file', message: 'Only files of sub-agents are here' });
    return { importer: claudeCode, source: orphans };
  }
  throw new TranscriptUnreadable(folder, 'holds no transcript', 'Open a file, or a folder that holds one session.');
}

/** A folder that has the shape of a program's own: its newest session. */
async function inProgramsFolder(folder: string, options: LocateOptions): Promise<Located | undefined> {
  for (const importer of IMPORTERS) {
    const sources = (await importer.sessionsIn?.(folder)) ?? [];
    const candidates: Candidate[] = [];
    for (const { main } of sources) {
      const found = main === undefined ? undefined : await stat(main).catch(() => undefined);
      if (main !== undefined && found !== undefined) {
        candidates.push({ path: main, importer, size: found.size, mtimeMs: found.mtimeMs });
      }
    }
    candidates.sort((a, b) => b.mtimeMs - a.mtimeMs || b.size - a.size);
    if (candidates.length > 0) return bestOf(folder, candidates, options);
  }
  return undefined;
}

async function bestOf(
  folder: string,
  [best, ...others]: readonly Candidate[],
  options: LocateOptions,
): Promise<Located> {
  const { path, importer } = best as Candidate;
  tellOthers(best as Candidate, others, options.onFinding);
  return { importer, source: await sourceOf(folder, path, importer, options.signal) };
}

/** What is left of a session whose own file is gone: its sub-agents, here or in the first folder that has some. */
async function orphansIn(folder: string): Promise<TranscriptSource | undefined> {
  const inside = (await entriesOf(folder))
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));
  for (const path of [folder, ...inside.slice(0, MOST_CANDIDATES)]) {
    const agentFiles = await agentFilesIn(join(path, 'subagents'), 0);
    if (agentFiles.length > 0)
      return { path, main: undefined, agentFiles, resultFolders: [join(path, 'tool-results')] };
  }
  return undefined;
}

/** `<id>/` belongs to `<id>.jsonl` beside it. */
async function besideFolder(folder: string, signal: AbortSignal): Promise<string | undefined> {
  const file = `${folder}.jsonl`;
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  return (await importerOf(file, signal)) === claudeCode ? file : undefined;
}

/** Session files at this depth below the folder, best first: sessions before streams of them, then newer, then larger. */
async function candidatesIn(folder: string, depth: number, signal: AbortSignal): Promise<Candidates> {
  const files: { path: string; size: number; mtimeMs: number }[] = [];
  for (const path of await transcriptFiles(folder, depth)) {
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined) files.push({ path, size: found.size, mtimeMs: found.mtimeMs });
  }
  files.sort((a, b) => b.mtimeMs - a.mtimeMs || b.size - a.size);
  const candidates: Candidate[] = [];
  const parts: Candidate[] = [];
  for (const file of files.slice(0, MOST_CANDIDATES)) {
    const kind = await kindOf(file.path, signal).catch(() => undefined);
    if (kind === undefined) continue;
    (kind.isPart ? parts : candidates).push({ ...file, importer: kind.importer });
  }
  const rank = ({ importer }: Candidate) => (importer === claudeStreamJson ? 1 : 0);
  return { sessions: candidates.sort((a, b) => rank(a) - rank(b)), parts };
}

async function transcriptFiles(folder: string, depth: number): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (depth > 0) {
      if (entry.isDirectory() && entry.name !== 'subagents' && entry.name !== 'tool-results') {
        files.push(...(await transcriptFiles(path, depth - 1)));
      }
    } else if (entry.isFile() && /\.jsonl?$/.test(entry.name) && !isAgentFile(entry.name)) {
      files.push(path);
    }
  }
  return files;
}

function tellOthers(best: Candidate, others: readonly Candidate[], onFinding: OnFinding): void {
  const sameKind = others.filter((other) => other.importer !== claudeStreamJson || best.importer === claudeStreamJson);
  if (sameKind.length === 0) return;
  const names = sameKind.slice(0, 10).map((other) => basename(other.path));
  const more = sameKind.length > names.length ? ` and ${sameKind.length - names.length} more` : '';
  const message = `The folder holds other sessions too, which were not read: ${names.join(', ')}${more}`;
  onFinding({ file: best.path, line: 0, kind: 'other-sessions', message });
}
