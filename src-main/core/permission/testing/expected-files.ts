import { realPathNow } from '../../../app/permission-world.ts';
import { Chance } from '../../bash/testing/random.ts';
import { BashFacts } from '../call-facts.ts';
import { Ground, type Place } from '../ground.ts';
import { hasWildcard, mayMeet } from '../path-wildcards.ts';
import { liesIn } from '../paths.ts';
import { type Opened, OpenedFiles } from './opened-files.ts';
import { wander } from './wanderings.ts';

export type Comparison = {
  /** Commands with a file that bash opened and nobody expected. */
  readonly faults: readonly string[];
  /** Files that were opened by commands of which all files were known before. */
  readonly known: number;
};

/** Runs as many commands and compares the files they open with those that were expected. */
export function compareFiles(seed: number, count: number): Comparison {
  using files = new OpenedFiles();
  const chance = new Chance(seed);
  const commands = Array.from({ length: count }, () => wander(chance));
  const ground = new Ground({
    cwd: files.root,
    startedIn: files.root,
    projectRoot: files.root,
    home: files.home,
    platform: 'linux',
    directories: [files.root],
    realPath: (path) => realPathNow(path),
  });
  const opened = files.run(commands);
  let known = 0;
  const faults = commands.flatMap((command, at) => {
    const facts = new BashFacts(command, ground);
    const uses = facts.files.flatMap(({ uses: own, redirected }) => [...own, ...redirected]);
    // Then a deny rule asks whatever the files are.
    if (!facts.isClear || uses.some((use) => use.certain && facts.places(use) === undefined)) return [];
    const real = (opened[at] ?? []).filter((file) => liesIn(file.real, files.root));
    known += real.length;
    return real
      .filter((file) => !uses.some((use) => facts.places(use)?.some((place) => isMeant(place, file))))
      .map((file) => `${command} -> ${file.real}`);
  });
  return { faults, known };
}

/** Links that a wildcard finds are not followed, so there the name that was found counts too. */
const isMeant = (place: Place, { real, written }: Opened): boolean =>
  hasWildcard(place)
    ? [real, written].some((path) => place.names.some((name) => mayMeet(partsOf(path), partsOf(name))))
    : place.names.includes(real);

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');
