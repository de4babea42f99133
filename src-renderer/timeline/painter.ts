import type { Op } from '../../src-shared/chart/display-list.ts';
import { type Measure, measureWith } from '../../src-shared/chart/fonts.ts';
import type { LayoutInput } from '../../src-shared/chart/layout/drawing.ts';
import type { Scene } from '../../src-shared/chart/layout.ts';
import { canvasPalette } from '../../src-shared/chart/palette.ts';
import { type ThemeName, tokens } from '../../src-shared/theme/tokens.ts';
import type { TimelineModel } from '../../src-shared/timeline/tracks.ts';
import { currentTheme } from '../theme/theme-switch.ts';
import { layoutMinimap, layoutMiniPlayhead, type MiniScale } from './minimap.ts';
import { iconPath, type Paints, paint, paintOps, paintPast } from './paint.ts';
import { makeTextures, type Textures } from './textures.ts';

type Canvas2d = CanvasRenderingContext2D;

function contextOf(canvas: HTMLCanvasElement): Canvas2d {
  const ctx = canvas.getContext('2d');
  if (ctx === null) throw new Error('This window cannot draw on a canvas.');
  return ctx;
}

/** Measures texts with the fonts of the page. */
export function pageMeasure(): Measure {
  const ctx = contextOf(document.createElement('canvas'));
  return measureWith((text, css) => {
    ctx.font = css;
    return ctx.measureText(text).width;
  });
}

/** Patterns for a theme and a density; made once, shared by every canvas of the page. */
const made = new Map<string, Textures>();
export function texturesFor(theme: ThemeName, dpr: number, ctx: Canvas2d): Textures {
  const key = `${theme} ${dpr}`;
  let textures = made.get(key);
  if (textures === undefined) {
    const makeTile = (width: number, height: number) => {
      const tile = document.createElement('canvas');
      tile.width = width;
      tile.height = height;
      return { tile, ctx: contextOf(tile) };
    };
    textures = makeTextures(theme, dpr, makeTile, (tile) => {
      const pattern = ctx.createPattern(tile, 'repeat');
      if (pattern === null) throw new Error('This window cannot make canvas patterns.');
      return pattern;
    });
    made.set(key, textures);
  }
  return textures;
}

export const paintsFor = (theme: ThemeName, dpr: number, ctx: Canvas2d): Paints => ({
  palette: canvasPalette(theme),
  textures: texturesFor(theme, dpr, ctx),
  iconPath,
  matrix: (dx, dy, scale) => ({ a: scale, b: 0, c: 0, d: scale, e: dx, f: dy }),
});

/** Gives a canvas its size in device pixels and scales its context to CSS px. Returns whether it changed. */
export function fitCanvas(
  canvas: HTMLCanvasElement,
  ctx: Canvas2d,
  width: number,
  height: number,
  dpr: number,
): boolean {
  const w = Math.round(width * dpr);
  const h = Math.round(height * dpr);
  if (canvas.width === w && canvas.height === h) return false;
  canvas.width = w;
  canvas.height = h;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
  return true;
}

/** The mini-map of a session that runs is drawn again this often. */
const MINIMAP_EVERY_MS = 250;

/** What a picture of the mini-map depends on. `playhead`: where it stands, if anywhere. */
type MiniInput = {
  readonly model: TimelineModel;
  readonly mini: MiniScale;
  readonly now: number;
  readonly playhead: number | undefined;
};

/** What is on it. */
type MiniDrawn = {
  readonly model: TimelineModel;
  readonly width: number;
  readonly at: number;
  readonly playhead: number | undefined;
  readonly ops: readonly Op[];
};

/** Paints the chart and its mini-map, each on its canvas. */
export class Painter {
  private readonly canvas: HTMLCanvasElement;
  private readonly minimap: HTMLCanvasElement;
  private readonly ctx: Canvas2d;
  private readonly miniCtx: Canvas2d;
  measure: Measure = pageMeasure();
  private miniKey: MiniDrawn | undefined;

  constructor(canvas: HTMLCanvasElement, minimap: HTMLCanvasElement) {
    this.canvas = canvas;
    this.minimap = minimap;
    this.ctx = contextOf(canvas);
    this.miniCtx = contextOf(minimap);
  }

  get dpr(): number {
    return window.devicePixelRatio;
  }

  /** Fonts or theme have changed: nothing measured or painted so far counts. */
  forget(): void {
    this.measure = pageMeasure();
    this.miniKey = undefined;
  }

  /** `past`: what was known at the playhead, painted left of `x` over the whole; right of it the whole fades. */
  paint(
    scene: Scene,
    width: number,
    height: number,
    past?: { readonly scene: Scene; readonly x: number; readonly input: LayoutInput },
  ): void {
    fitCanvas(this.canvas, this.ctx, width, height, this.dpr);
    const paints = paintsFor(currentTheme(), this.dpr, this.ctx);
    paint(this.ctx, scene, { width, height }, paints);
    if (past === undefined) return;
    paintPast(this.ctx, past.scene, { top: past.input.rows.metrics.ruler, x: past.x, width, height }, paints);
    paintOps(this.ctx, scene.overlay, paints);
    this.ctx.globalAlpha = 1;
  }

  paintMinimap({ model, mini, now, playhead }: MiniInput, clock: number): void {
    const height = tokens.size.minimap;
    const known = this.miniKey;
    const isRecent = known !== undefined && clock - known.at < MINIMAP_EVERY_MS;
    const isFresh = (model.isRunning ? isRecent : known?.model === model) && known?.width === mini.width;
    if (isFresh && known.playhead === playhead) return;
    // A playhead that moves needs no new rows.
    this.miniKey = isFresh
      ? { ...known, playhead }
      : { model, width: mini.width, at: clock, playhead, ops: layoutMinimap(model, mini, height, now) };
    fitCanvas(this.minimap, this.miniCtx, mini.width, height, this.dpr);
    this.miniCtx.clearRect(0, 0, mini.width, height);
    const ops = [...this.miniKey.ops, ...layoutMiniPlayhead(mini, height, playhead)];
    paintOps(this.miniCtx, ops, paintsFor(currentTheme(), this.dpr, this.miniCtx));
    this.miniCtx.globalAlpha = 1;
  }
}
