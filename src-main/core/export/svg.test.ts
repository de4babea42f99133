import { expect, test } from 'vitest';
import { tableMeasure } from '../../../src-shared/chart/font-widths.ts';
import { fitText } from '../../../src-shared/chart/fonts.ts';
import { inputOf, recording, recordings, textOf } from './sessions.fixture.ts';
import { exportSvg } from './svg.ts';
import { xml } from './svg-shapes.ts';

/** Tags of an XML text as a stack; the rest of the grammar is what `xml` guarantees. */
function faultsOf(text: string): readonly string[] {
  const faults: string[] = [];
  const open: string[] = [];
  for (const [tag, close, name = '', rest = ''] of text.matchAll(
    /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*\/?>/g,
  )) {
    if (close === '/') {
      if (open.pop() !== name) faults.push(`stray ${tag}`);
    } else if (!tag.endsWith('/>')) open.push(name);
    if (/NaN|undefined|Infinity/.test(rest)) faults.push(tag);
  }
  for (const name of open) faults.push(`open ${name}`);
  for (const [, id = ''] of text.matchAll(/(?:url\(|href=")#([\w-]+)/g))
    if (!text.includes(`id="${id}"`)) faults.push(`no ${id}`);
  return faults;
}

test.each(recordings)('the picture of %s is well formed, in both themes, and refers to itself only', async (name) => {
  const input = await recording(name);
  const [dark, light] = (['dark', 'light'] as const).map((theme) => textOf(exportSvg(input, theme)));
  expect(faultsOf(dark ?? '')).toEqual([]);
  expect(dark).not.toBe(light);
  expect(dark?.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:/);
});

test('texts carry the width they were given room for', async () => {
  const svg = textOf(exportSvg(await recording('cascade-stream'), 'dark'));
  const texts = [...svg.matchAll(/<text [^>]*textLength="([\d.]+)"[^>]*>([^<]+)<\/text>/g)];
  expect(texts.length).toBeGreaterThan(10);
  for (const [, length] of texts) expect(Number(length)).toBeGreaterThan(0);
  expect(texts.some(([, , words]) => words?.includes('missing-folder'))).toBe(true);
});

test('a stretch shows what is in it', async () => {
  const input = await recording('cascade-stream');
  const whole = textOf(exportSvg(input, 'dark'));
  const part = textOf(
    exportSvg({ ...input, stretch: { from: input.state.now - 150, until: input.state.now } }, 'dark'),
  );
  expect(whole).toContain('sleep 4');
  expect(part).not.toContain('sleep 4');
  expect(part).toContain('of it shown');
});

test('nothing that XML cannot hold is left', () => {
  expect(xml('a\u0000<b>&"\ud800')).toBe('a\ufffd&lt;b&gt;&amp;&quot;\ufffd');
  expect(textOf(exportSvg(inputOf([]), 'dark'))).toContain('</svg>');
});

test('the table of widths cuts a text to its room', () => {
  const cut = fitText('a rather long title of a session', 'strong', 80, tableMeasure) ?? '';
  expect(cut.endsWith('…')).toBe(true);
  expect(tableMeasure(cut, 'strong')).toBeLessThanOrEqual(80);
  expect(tableMeasure('漢字', 'bar')).toBe(22);
});
