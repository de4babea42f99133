import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FileRecord } from './manifest.ts';
import { type Content, type Listed, olderPath, type PlanOptions, placing, plan, QUIET_MS, STALE_MS } from './plan.ts';

const NOW = 10_000_000;
const listed = (path: string, facts: Partial<Listed> = {}): Listed => ({
  path,
  from: `/src/${path}`,
  bytes: 10,
  mtimeMs: 1_000,
  ...facts,
});
const kept = (path: string, facts: Partial<FileRecord> = {}): FileRecord => ({
  kind: 'file',
  path,
  from: `/src/${path}`,
  bytes: 10,
  sha256: 'a'.repeat(64),
  sourceBytes: 10,
  mtimeMs: 1_000,
  at: 0,
  ...facts,
});

function planned(files: readonly Listed[], records: readonly FileRecord[], facts: Partial<PlanOptions> = {}) {
  const manifest = { files: new Map(records.map((record) => [record.path, record])), bad: new Set<string>() };
  const copyBytes = (path: string): number | undefined => manifest.files.get(path)?.bytes;
  return plan({ listed: files, manifest, copyBytes, now: NOW, calm: false, ...facts });
}

test('what is new, has changed, has lost its copy or has a bad one is copied, the newest first', () => {
  const records = [
    kept('same'),
    kept('grown'),
    kept('touched'),
    kept('lost'),
    kept('cut'),
    kept('rotten'),
    kept('gone'),
  ];
  const files = new Map(records.map((record) => [record.path, record]));
  const { copy, gone } = plan({
    listed: [
      listed('same'),
      listed('grown', { bytes: 20, mtimeMs: 5_000 }),
      listed('touched', { mtimeMs: 4_000 }),
      listed('lost'),
      listed('cut'),
      listed('rotten'),
      listed('fresh', { mtimeMs: 9_000 }),
    ],
    manifest: { files, bad: new Set(['rotten']) },
    copyBytes: (path) => (path === 'lost' ? undefined : path === 'cut' ? 3 : 10),
    now: NOW,
    calm: false,
  });
  expect(copy.map(({ path, why }) => `${path}: ${why}`)).toEqual([
    'fresh: new',
    'grown: changed',
    'touched: changed',
    'cut: bad',
    'lost: missing',
    'rotten: bad',
  ]);
  expect(gone).toEqual(['gone']);
});

test('a copy that ends at the last whole line of a file that was being written is made again', () => {
  expect(planned([listed('a', { bytes: 12 })], [kept('a', { bytes: 10, sourceBytes: 11 })]).copy).toHaveLength(1);
  expect(planned([listed('a', { bytes: 11 })], [kept('a', { bytes: 10, sourceBytes: 11 })]).copy).toHaveLength(0);
});

test('a run nobody asked for leaves what is being written alone, until its copy is old', () => {
  const busy = listed('a', { bytes: 20, mtimeMs: NOW - 1_000 });
  const fresh = kept('a', { at: NOW - 60_000 });
  expect(planned([busy], [fresh])).toMatchObject({ copy: [{ path: 'a' }], resting: 0 });
  expect(planned([busy], [fresh], { calm: true })).toMatchObject({ copy: [], resting: 1 });
  expect(planned([busy], [kept('a', { at: NOW - STALE_MS })], { calm: true }).copy).toHaveLength(1);
  expect(planned([{ ...busy, mtimeMs: NOW - QUIET_MS }], [fresh], { calm: true }).copy).toHaveLength(1);
  expect(planned([listed('new', { mtimeMs: NOW })], [], { calm: true }).copy).toHaveLength(1);
});

const contentOf = (text: string): Content => ({
  bytes: text.length,
  sha256: createHash('sha256').update(text, 'latin1').digest('hex'),
});
const beginningOf = (text: string, of: Content | undefined): string | undefined =>
  of === undefined || of.bytes > text.length ? undefined : contentOf(text.slice(0, of.bytes)).sha256;

test('a copy is replaced only by what begins with it', () => {
  const said = (before: string | undefined, now: string, isOurs = true): string => {
    const there = before === undefined ? undefined : contentOf(before);
    return placing(there, contentOf(now), beginningOf(now, there), isOurs);
  };
  expect(said(undefined, 'a')).toBe('put');
  expect(said('a\n', 'a\n')).toBe('same');
  expect(said('a\n', 'a\nb\n')).toBe('replace');
  expect(said('', 'a')).toBe('replace');
  expect(said('a\nb\n', 'a\n')).toBe('keep-older');
  expect(said('a\nb\n', 'a\nc\n')).toBe('keep-older');
  expect(said('a\nb\n', 'c\n', false)).toBe('in-the-way');
  expect(said('a\n', 'a\nb\n', false)).toBe('replace');
});

/** What a program, or somebody at the keyboard, may do with a file between two runs. */
type Deed =
  | { readonly kind: 'append' | 'rewrite'; readonly text: string }
  | { readonly kind: 'cut'; readonly to: number }
  | { readonly kind: 'delete' | 'run' | 'lose the manifest' | 'lose a copy' | 'spoil a copy' };

const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 4 });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('append' as const), text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rewrite' as const), text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), to: fc.nat(6) }) },
  { weight: 5, arbitrary: fc.constant({ kind: 'run' as const }) },
  fc.record({
    kind: fc.constantFrom(
      'delete' as const,
      'lose the manifest' as const,
      'lose a copy' as const,
      'spoil a copy' as const,
    ),
  }),
);

/** One file, its place in a vault, and what every run has seen of it. */
class OneFile {
  source: string | undefined;
  copy: string | undefined;
  readonly older = new Map<string, string>();
  readonly seen = new Set<string>();
  record: FileRecord | undefined;
  blocked = 0;
  #at = 0;
  #changed = 0;

  do(deed: Deed): void {
    this.#at++;
    if (deed.kind !== 'run') this.#changed = this.#at;
    if (deed.kind === 'append') this.source = (this.source ?? '') + deed.text;
    else if (deed.kind === 'rewrite') this.source = deed.text;
    else if (deed.kind === 'cut') this.source = this.source?.slice(0, deed.to);
    else if (deed.kind === 'delete') this.source = undefined;
    else if (deed.kind === 'lose the manifest') this.record = undefined;
    else if (deed.kind === 'lose a copy') this.#lose();
    else if (deed.kind === 'spoil a copy') this.#lose('spoilt');
    else this.#run();
  }

  /** What somebody takes away is not the vault's to keep. */
  #lose(now?: string): void {
    for (const seen of this.seen) if (this.copy?.startsWith(seen)) this.seen.delete(seen);
    this.copy = this.copy === undefined ? undefined : now;
  }

  #run(): void {
    const { source } = this;
    const files = source === undefined ? [] : [listed('f', { bytes: source.length, mtimeMs: this.#changed })];
    const manifest = { files: new Map(this.record === undefined ? [] : [['f', this.record]]), bad: new Set<string>() };
    const { copy } = plan({ listed: files, manifest, copyBytes: () => this.copy?.length, now: this.#at, calm: false });
    if (copy.length > 0 && source !== undefined) this.#bring(source);
    if (source !== undefined && this.copy === source) this.seen.add(source);
  }

  #bring(source: string): void {
    const there = this.copy === undefined ? undefined : contentOf(this.copy);
    const step = placing(there, contentOf(source), beginningOf(source, there), this.record !== undefined);
    if (step === 'in-the-way') {
      this.blocked++;
      return;
    }
    if (step === 'keep-older' && there !== undefined) this.older.set(olderPath(there, 'f'), this.copy ?? '');
    this.copy = source;
    const { bytes, sha256 } = contentOf(source);
    this.record = kept('f', { bytes, sha256, sourceBytes: bytes, mtimeMs: this.#changed, at: this.#at });
  }
}

test('whatever happens to a file, every content that a run has copied is still there (seed 63)', () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 40 }), (deeds) => {
      const file = new OneFile();
      for (const one of deeds) {
        file.do(one);
        const all = [file.copy ?? '', ...file.older.values()];
        for (const seen of file.seen) expect(all.some((content) => content.startsWith(seen))).toBe(true);
      }
      // Where nobody took the manifest away, nothing stands in the way, and a last run has the last word.
      file.do({ kind: 'run' });
      if (file.source !== undefined && file.blocked === 0) expect(file.copy).toBe(file.source);
    }),
    { seed: 63, numRuns: 2_000 },
  );
});

test('a second run right after the first copies nothing (seed 64)', () => {
  const files = fc.array(fc.record({ at: fc.nat(20), bytes: fc.nat(5), mtimeMs: fc.nat(5) }), { maxLength: 20 });
  fc.assert(
    fc.property(files, files, (before, now) => {
      const records = new Map<string, FileRecord>();
      const sizes = new Map<string, number>();
      for (const all of [before, now]) {
        const list = all.map(({ at, ...facts }) => listed(`f${at}`, facts));
        const run = () =>
          plan({
            listed: list,
            manifest: { files: records, bad: new Set() },
            copyBytes: (path) => sizes.get(path),
            now: NOW,
            calm: false,
          });
        const { copy } = run();
        expect(new Set(copy.map(({ path }) => path)).size).toBe(copy.length);
        for (const { path, bytes, mtimeMs } of copy) {
          records.set(path, kept(path, { bytes, sourceBytes: bytes, mtimeMs }));
          sizes.set(path, bytes);
        }
        expect(run().copy).toEqual([]);
        expect(run().gone.every((path) => !list.some((file) => file.path === path))).toBe(true);
      }
    }),
    { seed: 64, numRuns: 500 },
  );
});
