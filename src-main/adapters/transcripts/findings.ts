import type { Finding } from '../../../src-shared/session/summary.ts';
import type { OnFinding } from './importer.ts';

/** Of one kind in one file this many findings are kept whole; a file of noise must not become a list as long as it. */
const KEPT_OF_A_KIND = 25;

type Tally = { kept: number; more: number; lastLine: number };

/** Gathers findings of a read: the first of each kind in full, the rest as a count. */
export class FindingList {
  readonly #list: Finding[] = [];
  readonly #tallies = new Map<string, Tally>();

  readonly add: OnFinding = (finding) => {
    const key = `${finding.kind}\n${finding.file}`;
    const tally = this.#tallies.get(key) ?? { kept: 0, more: 0, lastLine: 0 };
    this.#tallies.set(key, tally);
    tally.lastLine = finding.line;
    if (tally.kept < KEPT_OF_A_KIND) {
      tally.kept++;
      this.#list.push(finding);
    } else {
      tally.more++;
    }
  };

  /** All findings so far, those that were only counted as one line each. */
  all(): readonly Finding[] {
    const counted: Finding[] = [];
    for (const [key, tally] of this.#tallies) {
      if (tally.more === 0) continue;
      const [kind = '', file = ''] = key.split('\n');
      counted.push({ file, line: tally.lastLine, kind, message: `${tally.more} more of this kind, the last one here` });
    }
    return [...this.#list, ...counted];
  }
}
