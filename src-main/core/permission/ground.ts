import {
  fold,
  ignoresCase,
  isAbsolutePath,
  isShortened,
  joinPath,
  liesIn,
  nativePath,
  parentOf,
  withSlashes,
} from './paths.ts';

/** What of the world decides where a path leads. Paths are absolute, as the platform writes them. */
export type World = {
  /** Where relative paths start now; follows `cd`. */
  readonly cwd: string;
  /** Where the session was started: `/x` in local, session and command-line rules starts here. */
  readonly startedIn: string;
  readonly projectRoot: string;
  readonly home: string;
  /** As Node names it: `linux`, `darwin`, `win32`. */
  readonly platform: string;
  /** The folders a session works in; `cwd` is one of them whether it is listed or not. */
  readonly directories: readonly string[];
  /**
   * Where a path leads when all links are followed. Parts that do not exist stay as they are written; undefined when it
   * cannot be known, as for links in a circle.
   */
  readonly realPath: (path: string) => string | undefined;
};

/** A world in which no link leads anywhere else: for what is asked about folders that are not there. */
export const worldWithoutLinks = (cwd: string, more: Partial<Omit<World, 'cwd' | 'realPath'>> = {}): World => ({
  cwd,
  startedIn: cwd,
  projectRoot: cwd,
  home: '/home/u',
  platform: 'linux',
  directories: [cwd],
  realPath: (path) => path,
  ...more,
});

/** A file or folder by all its names: as it was written, and where links lead. */
export type Place = {
  /** In the form of `paths.ts`, folded. The first is the one that was written. */
  readonly names: readonly string[];
  /** All names are known. */
  readonly certain: boolean;
};

/** Links that lead somewhere else for every process: what they mean for the one that will follow them is not known here. */
const HIDDEN_LINKS = /^\/proc\/[^/]+\/(?:cwd|root|fd|task)(?:\/|$)/;

/** No system opens a longer one, and looking at each of its folders would take as long as somebody likes. */
const LONGEST_PATH = 4_096;

/** A world prepared for many questions about paths. */
export class Ground {
  readonly platform: string;
  readonly cwd: string;
  readonly home: string;
  readonly startedIn: string;
  readonly projectRoot: string;
  /** Working folders by all their names, folded. */
  readonly directories: readonly Place[];
  readonly #world: World;
  readonly #places = new Map<string, Place>();

  constructor(world: World) {
    this.#world = world;
    this.platform = world.platform;
    const absolute = (path: string) => joinPath('/', withSlashes(path, world.platform));
    this.cwd = absolute(world.cwd);
    this.home = absolute(world.home);
    this.startedIn = absolute(world.startedIn);
    this.projectRoot = absolute(world.projectRoot);
    this.directories = [world.cwd, ...world.directories].map((path) => this.place(path));
  }

  get foldsCase(): boolean {
    return ignoresCase(this.platform);
  }

  fold(path: string): string {
    return fold(path, this.platform);
  }

  /**
   * A path as people and models write it, `~` and `..` included.
   * @param from folder that relative paths start in, in the form of `paths.ts`.
   */
  place(path: string, from = this.cwd): Place {
    const raw = this.#absolute(path, from);
    const known = this.#places.get(raw);
    if (known !== undefined) return known;
    if (raw.length > LONGEST_PATH) return { names: [], certain: false };
    const written = joinPath('/', raw);
    // `link/..` is the parent of the folder a link leads to for programs, and the parent of the link for editors.
    const ends = [this.#real(written), ...(/(?:^|\/)\.\.(?:\/|$)/.test(raw) ? [this.#walk(raw)] : [])];
    const names = [written, ...ends.flatMap((end) => end ?? [])].map((name) => this.fold(name));
    const isOdd = (name: string): boolean => isShortened(name, this.platform) || HIDDEN_LINKS.test(name);
    const certain = !ends.includes(undefined) && !names.some(isOdd);
    const place = { names: [...new Set(names)], certain };
    this.#places.set(raw, place);
    return place;
  }

  #absolute(path: string, from: string): string {
    const slashed = withSlashes(path, this.platform);
    if (/^~(?:\/|$)/.test(slashed)) return `${this.home}${slashed.slice(1)}`;
    return isAbsolutePath(path, this.platform) ? slashed : `${from}/${slashed}`;
  }

  #real(path: string): string | undefined {
    const real = this.#world.realPath(nativePath(path, this.platform));
    return real === undefined ? undefined : joinPath('/', withSlashes(real, this.platform));
  }

  /** Follows a path part by part, as the system does. */
  #walk(raw: string): string | undefined {
    let at: string | undefined = '/';
    for (const part of raw.split('/')) {
      if (at === undefined) return undefined;
      if (part === '..') {
        const real = this.#real(at);
        at = real === undefined ? undefined : parentOf(real);
      } else if (part !== '' && part !== '.') {
        at = joinPath(at, part);
      }
    }
    return at === undefined ? undefined : this.#real(at);
  }

  /** In the working folders by every name it has. */
  isInside(place: Place): boolean {
    const folders = this.directories.flatMap(({ names }) => names);
    return place.certain && place.names.every((name) => folders.some((folder) => liesIn(name, folder)));
  }
}
