import type { TextureName } from '../../src-shared/chart/display-list.ts';
import { RECIPES, type Recipe } from '../../src-shared/chart/recipes.ts';
import { type ThemeName, tokens } from '../../src-shared/theme/tokens.ts';

/** A canvas to draw one tile on. Tests pass their own. */
export type TileMaker = (
  width: number,
  height: number,
) => { readonly tile: CanvasImageSource; readonly ctx: TileContext };
export type TileContext = Pick<
  CanvasRenderingContext2D,
  | 'beginPath'
  | 'moveTo'
  | 'lineTo'
  | 'stroke'
  | 'arc'
  | 'fill'
  | 'scale'
  | 'strokeStyle'
  | 'fillStyle'
  | 'lineWidth'
  | 'globalAlpha'
>;

/** A pattern, and how many device pixels its tile measures for one CSS px of the design. */
export type Texture = { readonly pattern: CanvasPattern; readonly tileWidth: number; readonly scale: number };
export type Textures = Readonly<Record<TextureName, Texture>>;

/** Whole device pixels that come nearest to `length` CSS px: a tile must end where it begins. */
const wholePixels = (length: number, dpr: number): number => Math.max(1, Math.round(length * dpr));

/** Makes every pattern once for a theme and a pixel density (design 5). */
export function makeTextures(
  theme: ThemeName,
  dpr: number,
  makeTile: TileMaker,
  createPattern: (tile: CanvasImageSource) => CanvasPattern,
): Textures {
  const palette = tokens.color[theme];
  const entries = Object.entries(RECIPES).map(([name, recipe]) => {
    const size = tileSize(recipe);
    // Several repeats a tile, so that rounding to whole pixels hardly bends the pitch.
    const width = wholePixels(size.w * REPEATS, dpr);
    const height = wholePixels(size.h * REPEATS, dpr);
    const { tile, ctx } = makeTile(width, height);
    ctx.scale(width / (size.w * REPEATS), height / (size.h * REPEATS));
    ctx.globalAlpha = recipe.alpha;
    ctx.strokeStyle = palette[recipe.ink];
    ctx.fillStyle = palette[recipe.ink];
    drawTile(ctx, recipe, size);
    return [name, { pattern: createPattern(tile), tileWidth: width / dpr, scale: 1 / dpr }] as const;
  });
  return Object.fromEntries(entries) as Record<TextureName, Texture>;
}

const REPEATS = 4;
type Size = { readonly w: number; readonly h: number };

/** Size in CSS px after which a pattern repeats in both directions. */
function tileSize(recipe: Recipe): Size {
  switch (recipe.kind) {
    case 'dots':
      return { w: recipe.pitch, h: recipe.pitch * Math.sqrt(3) };
    case 'cross':
      return { w: recipe.pitch * Math.SQRT2, h: recipe.pitch * Math.SQRT2 };
    case 'stripes':
      return recipe.angle % 90 === 0
        ? { w: recipe.pitch, h: recipe.pitch }
        : { w: recipe.pitch * Math.SQRT2, h: recipe.pitch * Math.SQRT2 };
  }
}

function drawTile(ctx: TileContext, recipe: Recipe, { w, h }: Size): void {
  if (recipe.kind === 'dots') {
    for (let row = -1; row <= 2 * REPEATS; row++) {
      for (let column = -1; column <= REPEATS; column++) {
        ctx.beginPath();
        ctx.arc((column + (row % 2 === 0 ? 0.25 : 0.75)) * w, (row + 0.5) * (h / 2), recipe.radius, 0, 2 * Math.PI);
        ctx.fill();
      }
    }
    return;
  }
  ctx.lineWidth = recipe.stroke;
  ctx.beginPath();
  const angles = recipe.kind === 'cross' ? [45, 135] : [recipe.angle];
  for (const angle of angles) drawStripes(ctx, angle, w, h);
  ctx.stroke();
}

function drawStripes(ctx: TileContext, angle: number, w: number, h: number): void {
  const width = w * REPEATS;
  const height = h * REPEATS;
  for (let i = -REPEATS; i <= 2 * REPEATS; i++) {
    if (angle === 0) {
      ctx.moveTo(0, (i + 0.5) * h);
      ctx.lineTo(width, (i + 0.5) * h);
    } else if (angle === 90) {
      ctx.moveTo((i + 0.5) * w, 0);
      ctx.lineTo((i + 0.5) * w, height);
    } else {
      // Rising to the right for 45, falling for 135; longer than the tile, so that corners are covered.
      const [from, until] = angle === 45 ? [height + h, -h] : [-h, height + h];
      ctx.moveTo(i * w - w, from);
      ctx.lineTo(i * w + width + w, until);
    }
  }
}
