import type { TextureName } from '../../../src-shared/chart/display-list.ts';
import { tableMeasure } from '../../../src-shared/chart/font-widths.ts';
import { FONTS, type FontName } from '../../../src-shared/chart/fonts.ts';
import { ICONS, type IconName, pathData } from '../../../src-shared/chart/icons.ts';
import { canvasPalette, type Palette } from '../../../src-shared/chart/palette.ts';
import { type Poster, poster } from '../../../src-shared/chart/poster.ts';
import { RECIPES, type Recipe } from '../../../src-shared/chart/recipes.ts';
import { type ThemeName, tokens } from '../../../src-shared/theme/tokens.ts';
import type { ExportInput } from './session.ts';
import { element, n, xml } from './svg-shapes.ts';

export const SVG_WIDTH = 1600;

/** The chart as a picture of shapes and text, of the whole session or a stretch, in one theme. Asks for no other file. */
export function* exportSvg(input: ExportInput, theme: ThemeName): Iterable<string> {
  const { state, stretch, generator } = input;
  const picture = poster(state, { width: SVG_WIDTH, stretch, measure: tableMeasure });
  const palette = canvasPalette(theme);
  const { width, height } = picture;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n`;
  yield `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(width)} ${n(height)}" role="img">\n`;
  yield `<title>${xml(state.title || 'Session')}</title>\n<desc>Timeline of ${state.calls.length} tool calls, written by ${xml(generator)}</desc>\n`;
  yield `<style>text{white-space:pre}${(Object.keys(FONTS) as FontName[]).map(fontRule).join('')}</style>\n`;
  yield `<defs>${iconDefs(picture)}${textureDefs(picture, palette)}${clips(picture)}</defs>\n`;
  yield `<rect width="${n(width)}" height="${n(height)}" fill="${palette['surface.base']}"/>\n`;
  for (const [index, part] of picture.parts.entries()) {
    yield `<g transform="translate(${n(part.x)} ${n(part.y)})" clip-path="url(#clip-${index})">\n`;
    for (const op of part.ops) yield `${element(op, palette)}\n`;
    yield '</g>\n';
  }
  yield '</svg>\n';
}

function fontRule(name: FontName): string {
  const { css } = FONTS[name];
  const [weight = '400', size = '11px'] = css.split(' ');
  const { family } = tokens.type;
  const fonts = name === 'mono' ? family.mono.replace(',', ", 'JetBrains Mono',") : family.ui.replace(',', ', Inter,');
  return `.${name}{font:${weight} ${size} ${fonts}}`;
}

function iconDefs({ parts }: Poster): string {
  const used = new Set<IconName>();
  for (const { ops } of parts) for (const op of ops) if (op.op === 'icon') used.add(op.icon);
  return [...used]
    .map((icon) => {
      const paths = pathData(ICONS[icon]).map((d) => `<path d="${d}"/>`);
      return `<g id="icon-${icon}" fill="none" stroke-linecap="round" stroke-linejoin="round">${paths.join('')}</g>`;
    })
    .join('');
}

function textureDefs({ parts }: Poster, palette: Palette): string {
  const used = new Set<TextureName>();
  for (const { ops } of parts) for (const op of ops) if (op.op === 'texture') used.add(op.texture);
  return [...used].map((name) => pattern(name, RECIPES[name], palette)).join('');
}

/** Angles count counter-clockwise; those of SVG go the other way. */
function pattern(name: string, recipe: Recipe, palette: Palette): string {
  const { pitch } = recipe;
  const ink = palette[recipe.ink];
  const tile = (width: number, height: number, turn: number, inside: string): string =>
    `<pattern id="texture-${name}" width="${n(width)}" height="${n(height)}" patternUnits="userSpaceOnUse"${turn === 0 ? '' : ` patternTransform="rotate(${turn})"`}><g opacity="${n(recipe.alpha)}">${inside}</g></pattern>`;
  const level = `M0 ${n(pitch / 2)}H${n(pitch)}`;
  switch (recipe.kind) {
    case 'stripes':
      return tile(pitch, pitch, -recipe.angle, `<path d="${level}" stroke="${ink}" stroke-width="${recipe.stroke}"/>`);
    case 'cross':
      return tile(
        pitch,
        pitch,
        -45,
        `<path d="${level}M${n(pitch / 2)} 0V${n(pitch)}" stroke="${ink}" stroke-width="${recipe.stroke}"/>`,
      );
    case 'dots': {
      const height = pitch * Math.sqrt(3);
      const dot = (x: number, y: number) =>
        `<circle cx="${n(x * pitch)}" cy="${n(y * height)}" r="${recipe.radius}" fill="${ink}"/>`;
      return tile(pitch, height, 0, dot(0.25, 0.25) + dot(0.75, 0.75));
    }
  }
}

const clips = ({ parts }: Poster): string =>
  parts
    .map(
      ({ width, height, clipTop }, index) =>
        `<clipPath id="clip-${index}"><rect y="${n(clipTop)}" width="${n(width)}" height="${n(height - clipTop)}"/></clipPath>`,
    )
    .join('');
