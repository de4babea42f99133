/** A seeded source of chance. The same seed gives the same commands on every machine. */
export class Chance {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A number from 0 up to but not including 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new Error('There is nothing to pick from');
    return choice;
  }

  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }
}

/** The seeds a test runs with: its own, and the one from the environment when there is one. */
export function seedsFor(fixed: readonly number[]): readonly number[] {
  const extra = Number.parseInt(process.env.GANTRY_SEED ?? '', 10);
  return Number.isNaN(extra) ? fixed : [...fixed, extra];
}
