import fc from 'fast-check';

/** Something that happens to the bytes of a file of lines. */
export type Damage = { readonly name: string; readonly apply: (bytes: Buffer) => Buffer };

const linesOf = (bytes: Buffer): string[] => bytes.toString('latin1').split('\n');
const joined = (lines: readonly string[]): Buffer => Buffer.from(lines.join('\n'), 'latin1');
const at = (share: number, length: number): number => Math.max(0, Math.min(length - 1, Math.floor(share * length)));

/** A place as a share of whatever there is, so that shrinking keeps its meaning; no place is more likely than others. */
const share = fc.noBias(fc.nat(1_000_000)).map((millionth) => millionth / 1_000_000);
const inLines = (change: (lines: string[]) => readonly string[]) => (bytes: Buffer) => joined(change(linesOf(bytes)));

const GARBAGE = fc.oneof(
  fc.constantFrom('', ' ', '{}', '[]', 'null', '7', '"text"', '{"v":1}', '{"v":99,"seq":3,"type":"tomorrow"}', '}{'),
  fc.constantFrom('\0'.repeat(40), '<<<<<<< HEAD', '{"v":1,"seq":0,"at":0,"t":0,"type":"__proto__"}'),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.json(),
);

/** Values that stand where others belong. */
const WRONG = fc.constantFrom('null', 'true', '-1', '1e99', '""', '"x"', '[]', '{}', '[[]]', '{"kind":"x"}');
const FIELDS = [
  ...['v', 'seq', 'at', 't', 'type', 'callId', 'agentId', 'messageId', 'requestId', 'turnId', 'batchId', 'askId'],
  ...['index', 'tool', 'input', 'safety', 'result', 'content', 'outcome', 'settings', 'text', 'origin', 'cwd', 'block'],
] as const;

/** The value of the first such field of a line, or the field itself, becomes another. */
function otherValue(line: string, field: string, value: string | undefined): string {
  return value === undefined
    ? line.replace(`"${field}":`, `"was-${field}":`)
    : line.replace(new RegExp(`"${field}":("[^"]*"|[\\d.-]+|true|false|null)`), `"${field}":${value}`);
}

export const damages: fc.Arbitrary<Damage> = fc.oneof(
  share.map((where) => ({
    name: `cut at ${where}`,
    apply: (bytes: Buffer) => bytes.subarray(0, at(where, bytes.length + 1)),
  })),
  share.map((where) => ({
    name: `its beginning gone up to ${where}`,
    apply: (bytes: Buffer) => bytes.subarray(at(where, bytes.length + 1)),
  })),
  fc.tuple(share, fc.integer({ min: 0, max: 7 })).map(([where, bit]) => ({
    name: `bit ${bit} flipped at ${where}`,
    apply: (bytes: Buffer) => {
      const copy = Buffer.from(bytes);
      const place = at(where, copy.length);
      copy[place] = (copy[place] ?? 0) ^ (1 << bit);
      return copy;
    },
  })),
  fc.tuple(share, fc.uint8Array({ minLength: 1, maxLength: 40 })).map(([where, junk]) => ({
    name: `${junk.length} bytes overwritten at ${where}`,
    apply: (bytes: Buffer) => {
      const copy = Buffer.from(bytes);
      copy.set(junk.subarray(0, Math.max(0, copy.length - at(where, copy.length))), at(where, copy.length));
      return copy;
    },
  })),
  fc.tuple(share, fc.integer({ min: 1, max: 9 })).map(([where, count]) => ({
    name: `${count} lines gone at ${where}`,
    apply: inLines((lines) => lines.toSpliced(at(where, lines.length), count)),
  })),
  fc.tuple(share, share).map(([from, to]) => ({
    name: `a line of ${from} again at ${to}`,
    apply: inLines((lines) => lines.toSpliced(at(to, lines.length), 0, lines[at(from, lines.length)] ?? '')),
  })),
  fc.tuple(share, share).map(([from, to]) => ({
    name: `a line of ${from} at ${to} instead`,
    apply: inLines((lines) => {
      const [moved = ''] = lines.splice(at(from, lines.length), 1);
      return lines.toSpliced(at(to, lines.length), 0, moved);
    }),
  })),
  share.map((where) => ({
    name: `two lines in one at ${where}`,
    apply: inLines((lines) => {
      const first = at(where, lines.length - 1);
      return lines.toSpliced(first, 2, `${lines[first] ?? ''}${lines[first + 1] ?? ''}`);
    }),
  })),
  fc.tuple(share, share).map(([where, cut]) => ({
    name: `a torn line in front of itself at ${where}`,
    apply: inLines((lines) => {
      const line = lines[at(where, lines.length)] ?? '';
      return lines.toSpliced(at(where, lines.length), 0, line.slice(0, at(cut, line.length + 1)));
    }),
  })),
  fc.tuple(share, fc.array(GARBAGE, { minLength: 1, maxLength: 4 })).map(([where, garbage]) => ({
    name: `${JSON.stringify(garbage)} between the lines at ${where}`,
    apply: inLines((lines) =>
      lines.toSpliced(at(where, lines.length), 0, ...garbage.map((one) => Buffer.from(one).toString('latin1'))),
    ),
  })),
  fc.tuple(share, fc.constantFrom(...FIELDS), fc.option(WRONG, { nil: undefined })).map(([where, field, value]) => ({
    name: `${field} is ${value} at ${where}`,
    apply: inLines((lines) => {
      const place = at(where, lines.length);
      return lines.with(place, otherValue(lines[place] ?? '', field, value));
    }),
  })),
  fc.constant({
    name: 'saved by an editor',
    apply: (bytes: Buffer) => Buffer.from(`\uFEFF${bytes.toString('utf8').replaceAll('\n', '\r\n')}`),
  }),
  fc.constant({ name: 'NUL behind it', apply: (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(4_096)]) }),
);

/** Up to five of them, one after the other. */
export const someDamages = fc.array(damages, { minLength: 1, maxLength: 5 });

export function damaged(bytes: Buffer, all: readonly Damage[]): Buffer {
  return all.reduce<Buffer>((left, damage) => (left.length === 0 ? left : damage.apply(left)), bytes);
}
