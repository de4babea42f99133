/** Where to cut the bytes of an answer: positions from its beginning, ascending. */
export type Split = (bytes: Buffer) => readonly number[];

/** Everything at once. */
export const whole: Split = () => [];

/** A cut after each `n` bytes: with 1 inside of everything that has an inside. */
export const every =
  (n: number): Split =>
  (bytes) =>
    Array.from({ length: Math.ceil(bytes.length / n) - 1 }, (_, at) => (at + 1) * n);

/** A cut inside each appearance of a text: in the middle of a character, an escape, a word of the format. */
export const inside =
  (...texts: readonly string[]): Split =>
  (bytes) => {
    const cuts = new Set<number>();
    for (const text of texts) {
      const part = Buffer.from(text);
      const step = Math.max(1, Math.floor(part.length / 2));
      for (let at = bytes.indexOf(part); at !== -1; at = bytes.indexOf(part, at + part.length)) cuts.add(at + step);
    }
    return [...cuts].sort((a, b) => a - b);
  };

/** At each place whose turn comes in a row of sizes, which begins again at its end: `[1, 7, 2, 64]`. */
export const bySizes =
  (sizes: readonly number[]): Split =>
  (bytes) => {
    const cuts: number[] = [];
    for (let at = 0, turn = 0; ; turn++) {
      at += Math.max(1, sizes[turn % sizes.length] ?? 1);
      if (at >= bytes.length) return cuts;
      cuts.push(at);
    }
  };

export function piecesOf(bytes: Buffer, split: Split): readonly Buffer[] {
  const cuts = [0, ...split(bytes), bytes.length];
  return cuts.slice(1).map((end, at) => bytes.subarray(cuts[at], end));
}
