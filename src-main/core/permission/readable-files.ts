import { Ground, type Place, type World } from './ground.ts';
import { anyPath, matchesFolder, matchesPlace, mayMeanBelow, type PathPattern, pathPattern } from './path-rules.ts';
import { nameOf, parentOf, withSlashes } from './paths.ts';
import { parseRule, type RuleSet, ruleProblem, type SourcedRule } from './rules.ts';

/** A world that can also tell cheaply that a name is no link, so that whole folders can be looked through. */
export type FileWorld = World & { readonly isLink: (path: string) => boolean };

/**
 * Which files searches may show (spec 3.3): deny and ask rules for `Read` leave the others out. A rule for the place that
 * is searched has been answered when the search was permitted, so an ask rule counts for what lies below other places
 * only. What cannot be told is left out. Good for as long as no link changes: made anew for every burst of questions.
 */
export class ReadableFiles {
  readonly #ground: Ground;
  readonly #world: FileWorld;
  readonly #deny: readonly PathPattern[];
  readonly #ask: readonly PathPattern[];
  readonly #folders = new Map<string, Place>();
  /** Ask rules that were not answered by permitting a search there. */
  readonly #unanswered = new Map<string, readonly PathPattern[]>();

  constructor(rules: Pick<RuleSet, 'deny' | 'ask'>, world: FileWorld) {
    this.#world = world;
    this.#ground = new Ground(world);
    this.#deny = readPatterns(rules.deny, this.#ground);
    this.#ask = readPatterns(rules.ask, this.#ground);
  }

  /** No rule can leave anything out below this folder, however it is called there. */
  mayReadAll(folder: string): boolean {
    const patterns = [...this.#deny, ...this.#askBelow(folder)];
    if (patterns.length === 0) return true;
    const place = this.#ground.place(folder);
    return place.certain && !patterns.some((pattern) => matchesFolder(pattern, place) || mayMeanBelow(pattern, place));
  }

  /** @param within the file or folder that permission was decided for, where it was. */
  mayRead(path: string, within?: string): boolean {
    const ask = within === undefined ? this.#ask : this.#askBelow(within);
    if (this.#deny.length + ask.length === 0) return true;
    const place = this.#placeOf(path);
    const means = (pattern: PathPattern): boolean => matchesPlace(pattern, place);
    return place.certain && !this.#deny.some(means) && !ask.some(means);
  }

  #askBelow(within: string): readonly PathPattern[] {
    if (this.#ask.length === 0) return this.#ask;
    let left = this.#unanswered.get(within);
    if (left === undefined) {
      const place = this.#ground.place(within);
      left = this.#ask.filter((pattern) => !matchesFolder(pattern, place));
      this.#unanswered.set(within, left);
    }
    return left;
  }

  /** Like `Ground.place`, but asks about the links of each folder once. */
  #placeOf(path: string): Place {
    const { platform } = this.#world;
    if (platform === 'win32' || this.#world.isLink(path)) return this.#ground.place(path);
    const slashed = withSlashes(path, platform);
    const folder = this.#folderPlace(parentOf(slashed));
    const name = this.#ground.fold(nameOf(slashed));
    return { ...folder, names: folder.names.map((one) => (one === '/' ? `/${name}` : `${one}/${name}`)) };
  }

  #folderPlace(folder: string): Place {
    let place = this.#folders.get(folder);
    if (place === undefined) {
      place = this.#ground.place(folder);
      this.#folders.set(folder, place);
    }
    return place;
  }
}

/** The patterns of rules for `Read`. A bare one is about all files. */
function readPatterns(rules: readonly SourcedRule[], ground: Ground): readonly PathPattern[] {
  return rules.flatMap((rule) => {
    const parsed = parseRule(rule.text);
    if (parsed?.tool !== 'Read' || ruleProblem(rule.text, 'deny')?.skipped === true) return [];
    const { specifier } = parsed;
    if (specifier === undefined || specifier.trim() === '') return [anyPath('restrict', ground)];
    const pattern = pathPattern(specifier, rule, 'restrict', ground);
    return pattern === undefined ? [] : [pattern];
  });
}
