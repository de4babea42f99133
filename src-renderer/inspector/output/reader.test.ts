// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { CallId, SessionId } from '../../../src-shared/ids.ts';
import { type FakeBridge, failing, installFakeBridge } from '../../bridge.fake.ts';
import { wholeOutput } from './copy.ts';
import { OutputReader } from './reader.ts';

const of = { sessionId: 's' as SessionId, callId: 'c' as CallId };

/** Main with an output: pages end at character edges, searches at most `limit` hits. */
function serve(text: string): FakeBridge {
  const bytes = new TextEncoder().encode(text);
  return installFakeBridge({
    'output.read': ({ offset, length }) => {
      let end = Math.min(bytes.length, offset + length);
      while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
      return { bytes: bytes.slice(offset, end), offset, total: bytes.length, path: '/out.txt' };
    },
    'output.search': ({ text: wanted, fromOffset, limit }) => {
      const offsets: number[] = [];
      const binary = (part: Uint8Array) => String.fromCharCode(...part);
      const hay = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
      const needle = binary(new TextEncoder().encode(wanted));
      for (let at = hay.indexOf(needle, fromOffset); at !== -1; at = hay.indexOf(needle, at + 1)) offsets.push(at);
      return { offsets: offsets.slice(0, limit), more: offsets.length > limit };
    },
  });
}
const lines = (n: number) => Array.from({ length: n }, (_, at) => `line ${at} größe`).join('\n');
const shown = (reader: OutputReader) => {
  const { page } = reader.store.getState();
  return page === undefined ? undefined : new TextDecoder().decode(page.bytes);
};

test('opening reads one page, whatever the size', async () => {
  const bridge = serve(lines(50_000));
  const reader = new OutputReader(of);
  await reader.first();
  expect(bridge.inputsOf('output.read')).toEqual([{ ...of, offset: 0, length: 65_536 }]);
  expect(shown(reader)?.endsWith('\n')).toBe(true);
});

test('going forward and back comes to the same page', async () => {
  serve(lines(20_000));
  const reader = new OutputReader(of);
  await reader.first();
  await reader.next();
  const second = reader.store.getState().page?.span;
  await reader.next();
  await reader.previous();
  const back = reader.store.getState().page?.span;
  expect(back!.offset + back!.length).toBe(second!.offset + second!.length);
  await reader.last();
  expect(reader.store.getState().page!.span.offset + reader.store.getState().page!.span.length).toBe(
    reader.store.getState().page!.total,
  );
  await reader.next();
  expect(shown(reader)?.endsWith('line 19999 größe')).toBe(true);
});

test('of many wishes while a page is read only the newest is fetched', async () => {
  const bridge = serve(lines(50_000));
  const reader = new OutputReader(of);
  await reader.first();
  const all = [100_000, 200_000, 300_000, 400_000].map((at) => reader.around(at));
  await Promise.all(all);
  expect(bridge.inputsOf('output.read')).toHaveLength(3);
  const { page, isReading } = reader.store.getState();
  expect(page!.span.offset).toBeLessThanOrEqual(400_000);
  expect(page!.span.offset + page!.span.length).toBeGreaterThan(400_000);
  expect(isReading).toBe(false);
});

test('a search shows the first hit, and goes on over pages and round at the end', async () => {
  serve(`${lines(9_000)}\nneedle one\n${lines(9_000)}\nneedle two`);
  const reader = new OutputReader(of);
  await reader.first();
  await reader.find('needle');
  expect(reader.store.getState().search).toMatchObject({ at: 0, more: false, length: 6 });
  expect(shown(reader)).toContain('needle one');
  await reader.step(1);
  expect(shown(reader)).toContain('needle two');
  await reader.step(1);
  expect(shown(reader)).toContain('needle one');
  await reader.step(-1);
  expect(shown(reader)).toContain('needle two');
});

test('beyond the hits that are known further ones are asked for', async () => {
  const bridge = serve('x\n'.repeat(1_500));
  const reader = new OutputReader(of);
  await reader.first();
  await reader.find('x');
  expect(reader.store.getState().search).toMatchObject({ at: 0, more: true });
  for (let n = 0; n < 1_000; n++) await reader.step(1);
  const { search } = reader.store.getState();
  expect(search).toMatchObject({ at: 1_000, more: false });
  expect(search?.offsets).toHaveLength(1_500);
  expect(bridge.inputsOf('output.search').map((input) => input.fromOffset)).toEqual([0, 1_999]);
});

test('what is not found is no hit, and an empty text ends the search', async () => {
  serve(lines(10));
  const reader = new OutputReader(of);
  await reader.first();
  await reader.find('nowhere');
  expect(reader.store.getState().search).toMatchObject({ at: -1, offsets: [] });
  await reader.step(1);
  await reader.find('');
  expect(reader.store.getState().search).toBeUndefined();
});

test('a page that cannot be read says why, and the one before stays', async () => {
  serve(lines(20_000));
  const reader = new OutputReader(of);
  await reader.first();
  installFakeBridge({ 'output.read': () => failing({ kind: 'not-found', message: 'The file is gone.' }) });
  await reader.next();
  expect(reader.store.getState()).toMatchObject({ problem: 'The file is gone.', isReading: false });
  expect(shown(reader)?.startsWith('line 0')).toBe(true);
});

test('the whole output is put together without tearing a character', async () => {
  const text = 'é€😀'.repeat(40_000);
  serve(text);
  expect((await wholeOutput(of)) === text).toBe(true);
});
