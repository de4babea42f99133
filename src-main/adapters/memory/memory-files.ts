import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { importsOf } from '../../core/prompt/imports.ts';
import type { MemorySource, MemoryText } from '../../ports/memory.ts';
import { readSettingsText } from '../settings/read-settings.ts';

const NAMES = ['CLAUDE.md', 'AGENTS.md'] as const;
const LOCAL_NAME = 'CLAUDE.local.md';
/** How far imports may lead from the file that a person wrote for agents. */
const DEEPEST_IMPORT = 5;
/** What is longer is cut: it would be sent with every request. Characters. */
const MOST_CHARS_A_FILE = 40_000;
const MOST_CHARS = 160_000;
/** So many folders above are looked into; no project lies deeper. */
const MOST_FOLDERS = 40;

export type MemoryPlaces = {
  /** The person's home folder, absolute. */
  readonly home: string;
  /** Where the person keeps words for all folders: `~/.claude`. */
  readonly claudeHome: string;
  /** Does the person trust this folder? Then its files may import from outside of the project too. */
  readonly isTrusted: (folder: string) => boolean;
};

/**
 * Reads what people have written for agents: the person's own files, then those of the project from its root down to the
 * folder, so that the nearest has the last word. Each file is taken once, whatever leads to it.
 */
export class MemoryFiles implements MemorySource {
  readonly #places: MemoryPlaces;

  constructor(places: MemoryPlaces) {
    this.#places = places;
  }

  read(folder: string): readonly MemoryText[] {
    const { claudeHome, home, isTrusted } = this.#places;
    const reading = new Reading(home);
    const own = [realOf(home), realOf(claudeHome)];
    for (const name of NAMES) reading.take(join(claudeHome, name), 'user', own);
    const folders = projectFolders(folder, home);
    const root = folders[0] ?? folder;
    // A folder somewhere below home is no part of a project that is all of home.
    const isProject = root !== home && existsSync(join(root, '.git'));
    const more = isTrusted(folder) ? own : [];
    for (const each of folders) {
      // Whoever made the folder must not have a person's other files sent to a server.
      const allowed = [realOf(isProject ? root : each), ...more];
      for (const name of NAMES) reading.take(join(each, name), 'project', allowed);
      reading.take(join(each, LOCAL_NAME), 'local', allowed);
    }
    return reading.texts;
  }
}

/** One reading of all files. */
class Reading {
  readonly texts: MemoryText[] = [];
  readonly #seen = new Set<string>();
  readonly #home: string;
  #chars = 0;

  constructor(home: string) {
    this.#home = home;
  }

  /** @param allowed folders, by real path, in which the file has to lie behind all links. */
  take(path: string, kind: MemoryText['kind'], allowed: readonly string[], depth = 0): void {
    const real = realOf(path);
    if (this.#seen.has(real) || !existsSync(real)) return;
    this.#seen.add(real);
    if (!allowed.some((folder) => isInside(folder, real))) {
      this.#leaveOut(path, kind, 'it lies outside of the project, and the folder is not trusted');
      return;
    }
    const content = readSettingsText(real);
    if (content.kind === 'missing') return;
    if (content.kind === 'unreadable') {
      // A folder is no import: sentences speak of folders too.
      if (kind !== 'import' || content.why !== 'it is a folder') this.#leaveOut(path, kind, content.why);
      return;
    }
    if (content.text.includes('\0')) {
      this.#leaveOut(path, kind, 'it is no text');
      return;
    }
    this.#add(path, kind, content.text.trim());
    for (const name of importsOf(content.text)) {
      const target = this.#resolve(name, dirname(path));
      if (depth < DEEPEST_IMPORT) this.take(target, 'import', allowed, depth + 1);
      else if (existsSync(target)) this.#leaveOut(target, 'import', 'it is imported over too many files');
    }
  }

  #resolve(name: string, folder: string): string {
    if (name.startsWith('~/')) return join(this.#home, name.slice(2));
    return isAbsolute(name) ? name : resolve(folder, name);
  }

  #add(path: string, kind: MemoryText['kind'], text: string): void {
    if (text === '') return;
    const room = Math.min(MOST_CHARS_A_FILE, MOST_CHARS - this.#chars);
    if (room <= 0) {
      this.#leaveOut(path, kind, 'the files together are too long');
      return;
    }
    const taken = text.slice(0, room);
    this.#chars += taken.length;
    const note = taken.length < text.length ? { note: `cut after ${room} of ${text.length} characters` } : {};
    this.texts.push({ path, kind, text: taken, chars: taken.length, ...note });
  }

  #leaveOut(path: string, kind: MemoryText['kind'], note: string): void {
    this.texts.push({ path, kind, text: '', chars: 0, note });
  }
}

/**
 * The folder and those above it, outermost first: up to the root of its repository, or to home where it is in none. A
 * folder that is in neither stands alone: what lies above it may be anybody's.
 */
function projectFolders(folder: string, home: string): readonly string[] {
  const chain: string[] = [];
  for (let at = folder; chain.length < MOST_FOLDERS; at = dirname(at)) {
    chain.unshift(at);
    if (existsSync(join(at, '.git')) || at === home) return chain;
    if (dirname(at) === at) break;
  }
  return [folder];
}

/** Behind all links; the path itself where nothing is there. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
