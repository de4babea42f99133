import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ColorName, paletteOf, tokens } from '../../src-shared/theme/tokens.ts';
import { contrastRatio } from './contrast.ts';
import { cssName, tokensToCss } from './tokens-to-css.ts';

const renderer = join(import.meta.dirname, '..');
const stylesheets = (readdirSync(renderer, { recursive: true }) as string[]).filter((file) => file.endsWith('.css'));

test('theme.css says what tokens.json says', async () => {
  await expect(tokensToCss(tokens)).toMatchFileSnapshot('./theme.css');
});

test('names of tokens become names of variables', () => {
  expect(cssName('text.onSolid')).toBe('--text-on-solid');
  expect(cssName('wait.lock.fill')).toBe('--wait-lock-fill');
});

test('contrast of black on white is 21, of a colour on itself 1', () => {
  expect(contrastRatio('#000000', '#FFFFFF')).toBeCloseTo(21, 5);
  expect(contrastRatio('#3A60D0', '#3A60D0')).toBe(1);
});

describe.each(['dark', 'light'] as const)('contrast in the %s theme', (theme) => {
  const palette = paletteOf(theme);
  test.each(tokens.contrast)('$fg on $bg is at least $min : 1', (pair) => {
    const ratio = contrastRatio(palette[pair.fg as ColorName], palette[pair.bg as ColorName]);
    expect(ratio).toBeGreaterThanOrEqual(pair.min);
    expect(ratio).toBeCloseTo(pair[theme], 1);
  });
});

/** A name that no stylesheet declares falls back to the initial value in silence: black text, no space. */
test('every CSS variable in use is declared somewhere', () => {
  const texts = stylesheets.map((file) => readFileSync(join(renderer, file), 'utf8'));
  const declared = new Set(texts.flatMap((text) => [...text.matchAll(/(--[\w-]+)\s*:/g)].map((match) => match[1])));
  const strays = stylesheets.flatMap((file, at) =>
    [...(texts[at] as string).matchAll(/var\((--[\w-]+)\s*\)/g)]
      .map((match) => match[1] as string)
      .filter((name) => !declared.has(name) && !name.startsWith('--radix-'))
      .map((name) => `${file}: ${name}`),
  );
  expect(strays).toEqual([]);
});
