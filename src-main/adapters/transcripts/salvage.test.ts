import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Salvaged, Salvager, type Trouble } from './salvage.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

const record = (n: number, text = `text ${n}`) => ({ type: 'user', uuid: `u${n}`, message: { content: text } });
const line = (n: number, text?: string) => JSON.stringify(record(n, text));

function salvage(text: string | Buffer, pieceBytes = Number.POSITIVE_INFINITY) {
  const troubles: Trouble[] = [];
  const salvager = new Salvager((trouble) => troubles.push(trouble));
  const bytes = Buffer.from(text as string);
  const out: Salvaged[] = [];
  for (let at = 0; at < bytes.length; at += Math.min(pieceBytes, bytes.length)) {
    out.push(...salvager.push(bytes.subarray(at, at + Math.min(pieceBytes, bytes.length))));
  }
  out.push(...salvager.end());
  return { values: out.map((one) => one.value), out, kinds: troubles.map((one) => one.kind), troubles };
}

describe('whole lines', () => {
  test('each line is one value with its line number and byte offset', () => {
    const { out, kinds } = salvage(`${line(1, 'äöü')}\n\n${line(2)}\n`);
    expect(out.map((one) => one.value)).toEqual([record(1, 'äöü'), record(2)]);
    expect(out.map((one) => [one.line, one.offset])).toEqual([
      [1, 0],
      [3, Buffer.byteLength(line(1, 'äöü')) + 2],
    ]);
    expect(kinds).toEqual([]);
  });

  test('a missing final line break, CRLF and a byte order mark cost nothing', () => {
    const { values, kinds } = salvage(`\uFEFF${line(1)}\r\n${line(2)}\r\n${line(3)}`);
    expect(values).toEqual([record(1), record(2), record(3)]);
    expect(kinds).toEqual([]);
  });

  test('U+2028 inside a string is no line break', () => {
    const { values } = salvage(`${line(1, 'a\u2028b\u2029c')}\n${line(2)}`);
    expect(values).toEqual([record(1, 'a\u2028b\u2029c'), record(2)]);
  });

  test('a line of 15 MB is read', () => {
    const long = 'x'.repeat(15 * 1024 * 1024);
    const { values, kinds } = salvage(`${line(1, long)}\n${line(2)}\n`, 1024 * 1024);
    expect(values).toHaveLength(2);
    expect((values[0] as ReturnType<typeof record>).message.content).toHaveLength(long.length);
    expect(kinds).toEqual([]);
  });
});

describe('broken lines', () => {
  test('two objects on one line are both read', () => {
    const { values, kinds } = salvage(`${line(1)}${line(2)}\n${line(3)}\n`);
    expect(values).toEqual([record(1), record(2), record(3)]);
    expect(kinds).toEqual(['glued-objects']);
  });

  test('a torn line in the middle is left out, the next one is not', () => {
    const { values, troubles } = salvage(`${line(1)}\n{"type":"assistant","message":{"id":\n${line(2)}\n`);
    expect(values).toEqual([record(1), record(2)]);
    expect(troubles).toEqual([
      {
        line: 2,
        offset: Buffer.byteLength(line(1)) + 1,
        kind: 'torn-line',
        message: expect.stringContaining('36 characters were left out'),
      },
    ]);
  });

  test('a torn line whose whole repeat follows says so', () => {
    const { values, troubles } = salvage(`${line(1)}\n${line(2).slice(0, 30)}\n${line(2)}\n`);
    expect(values).toEqual([record(1), record(2)]);
    expect(troubles.map((one) => one.message)[0]).toContain('the whole record follows on the next line');
  });

  test('a torn object directly followed by a whole one on the same line gives the whole one', () => {
    const { values, kinds } = salvage(`${line(1).slice(0, 41)}${line(2)}\n${line(3)}\n`);
    expect(values).toEqual([record(2), record(3)]);
    expect(kinds).toEqual(['torn-line']);
  });

  test('an inner object of a torn record is not taken for a record', () => {
    const torn = '{"type":"user","uuid":"u1","message":{"content":[{"type":"text","text":"x"}]}';
    const { values, kinds } = salvage(`${torn}\n${line(2)}\n`);
    expect(values).toEqual([record(2)]);
    expect(kinds).toEqual(['torn-line']);
  });

  test('a torn last line is told apart: its writer may still be running', () => {
    const { values, kinds } = salvage(`${line(1)}\n${line(2).slice(0, 25)}`);
    expect(values).toEqual([record(1)]);
    expect(kinds).toEqual(['torn-tail']);
  });

  test('text that is no JSON is left out', () => {
    const { values, troubles } = salvage(`# log\n${line(1)}\nthis is not valid json at all\n${line(2)}`);
    expect(values).toEqual([record(1), record(2)]);
    expect(troubles.map((one) => [one.line, one.kind])).toEqual([
      [1, 'not-json'],
      [3, 'not-json'],
    ]);
  });

  test('a prefix before the object is left out', () => {
    const { values, kinds } = salvage(`[+00:01] [stdout] ${line(1)}\n`);
    expect(values).toContainEqual(record(1));
    expect(kinds.length).toBeGreaterThan(0);
  });

  test('NUL bytes at the end, after a crash, are skipped', () => {
    const { values, kinds } = salvage(`${line(1)}\n${'\0'.repeat(1728)}`);
    expect(values).toEqual([record(1)]);
    expect(kinds).toEqual(['nul-bytes']);
  });

  test('bare line breaks and tabs inside a string are read as if they had been escaped', () => {
    const broken = line(1, 'a\nb\tc').replaceAll('\\n', '\n').replaceAll('\\t', '\t');
    const { values, kinds } = salvage(`${broken}\n${line(2)}\n`);
    expect(values).toEqual([record(1, 'a\nb\tc'), record(2)]);
    expect(kinds).toEqual(['multi-line-object']);
  });
});

describe('pretty-printed JSON', () => {
  test('objects over several lines are read', () => {
    const { values, kinds } = salvage(`${JSON.stringify(record(1), null, 2)}\n${JSON.stringify(record(2), null, 2)}\n`);
    expect(values).toEqual([record(1), record(2)]);
    expect(kinds).toEqual(['multi-line-object', 'multi-line-object']);
  });

  test('a list gives its members', () => {
    const { values } = salvage(JSON.stringify([record(1), record(2)], null, 2));
    expect(values).toEqual([record(1), record(2)]);
    expect(salvage(`[\n${line(1)},\n${line(2)}\n]\n`).values).toEqual([record(1), record(2)]);
  });
});

describe('properties', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 60 });

  test('it does not matter how the bytes are cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.array(anyText, { maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(),
        (texts, piece, cut) => {
          const all = texts.map((text, n) => line(n, text)).join('\n');
          const file = all.slice(0, all.length - (cut % (all.length + 1)));
          expect(salvage(file, piece)).toEqual(salvage(file));
        },
      ),
    );
  });

  test('a record is never lost unless its own bytes are damaged', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 2, maxLength: 8 }), fc.nat(), fc.nat(), (texts, which, cut) => {
        const lines = texts.map((text, n) => line(n, text));
        const hurt = which % lines.length;
        const whole = lines[hurt] as string;
        const kept = lines.filter((_, n) => n !== hurt);
        lines[hurt] = whole.slice(0, cut % whole.length);
        const { values } = salvage(lines.join('\n'));
        expect(values.map((value) => JSON.stringify(value))).toEqual(kept);
      }),
    );
  });

  test('any bytes at all are survived', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const { out } = salvage(Buffer.from(bytes));
        expect(out.every((one) => one.line >= 1)).toBe(true);
      }),
    );
  });
});
