import { describe, expect, test } from 'vitest';
import { type Op, plainBox } from '../../src-shared/chart/display-list.ts';
import { ICONS, pathData } from '../../src-shared/chart/icons.ts';
import type { Scene } from '../../src-shared/chart/layout.ts';
import { canvasPalette, withAlpha } from '../../src-shared/chart/palette.ts';
import { type Paints, paint, paintOps } from './paint.ts';
import { makeTextures, type TileContext } from './textures.ts';

/** Writes down what a canvas is told: calls with their arguments, and the properties that were set. */
function recorder(): { readonly ctx: CanvasRenderingContext2D; readonly log: string[] } {
  const log: string[] = [];
  const show = (value: unknown): string =>
    typeof value === 'number'
      ? String(Math.round(value * 100) / 100)
      : typeof value === 'string'
        ? value
        : Array.isArray(value)
          ? `[${value.join()}]`
          : 'object';
  const ctx = new Proxy({} as Record<string, unknown>, {
    get:
      (_, name: string) =>
      (...args: unknown[]) => {
        log.push(`${name}(${args.map(show).join(', ')})`);
        return { addColorStop: (at: number, color: string) => log.push(`stop ${at} ${color}`) };
      },
    set: (_, name: string, value: unknown) => {
      log.push(`${name} = ${show(value)}`);
      return true;
    },
  });
  return { ctx: ctx as unknown as CanvasRenderingContext2D, log };
}

const moved: unknown[] = [];
const pattern = { setTransform: (matrix: unknown) => moved.push(matrix) } as unknown as CanvasPattern;
const texture = { pattern, tileWidth: 20, scale: 0.5 };
const paints: Paints = {
  palette: canvasPalette('dark'),
  textures: new Proxy({} as Paints['textures'], { get: () => texture }),
  iconPath: () => 'path' as unknown as Path2D,
  matrix: (e, f, a) => ({ a, e, f }),
};

const painted = (...ops: readonly Op[]): string[] => {
  const { ctx, log } = recorder();
  paintOps(ctx, ops, paints);
  return log;
};

const palette = canvasPalette('dark');

describe('each kind of stroke', () => {
  test('a plain box is one rectangle, a rounded one a path', () => {
    expect(painted({ op: 'fill', box: plainBox(1, 2, 3, 4), ink: 'work.fill', alpha: 0.5 })).toEqual([
      'globalAlpha = 0.5',
      `fillStyle = ${palette['work.fill']}`,
      'fillRect(1, 2, 3, 4)',
    ]);
    const rounded = painted({ op: 'fill', box: plainBox(0, 0, 20, 10, 3), ink: 'work.fill', alpha: 1 });
    expect(rounded.filter((line) => line.startsWith('arcTo'))).toHaveLength(4);
    expect(rounded.at(-1)).toBe('fill()');
  });

  test('an outline lies inside its box', () => {
    const log = painted({
      op: 'stroke',
      box: plainBox(10, 10, 20, 10),
      ink: 'work.edge',
      width: 1,
      dash: [],
      alpha: 1,
    });
    expect(log).toContain('moveTo(10.5, 10.5)');
    expect(log).toContain('lineTo(29.5, 10.5)');
  });

  test('a slanted end ends further left at the bottom, a torn one in teeth', () => {
    const box = plainBox(0, 0, 40, 18, 3);
    const cut = painted({ op: 'fill', box: { ...box, end: 'cut' }, ink: 'work.fill', alpha: 1 });
    expect(cut).toContain('lineTo(40, 0)');
    expect(cut).toContain('lineTo(34.5, 18)');
    const torn = painted({ op: 'fill', box: { ...box, end: 'torn' }, ink: 'work.fill', alpha: 1 });
    expect(torn.filter((line) => line.startsWith('lineTo(36,')).length).toBeGreaterThanOrEqual(2);
  });

  test('a pattern is anchored to the bar, not to the canvas', () => {
    moved.length = 0;
    painted({ op: 'texture', box: plainBox(5, 7, 40, 18), texture: 'lock', anchor: -1_000_003, alpha: 1 });
    expect(moved).toEqual([{ a: 0.5, e: -1_000_003 % 20, f: 7 }]);
  });

  test('a line rounds its inner corners, and its dashes do not leak into the next', () => {
    const log = painted(
      {
        op: 'line',
        points: [0, 0, 10, 0, 10, 20],
        radius: 4,
        ink: 'outcome.error.edge',
        width: 1.5,
        dash: [],
        alpha: 1,
      },
      { op: 'line', points: [0, 0, 9, 0], radius: 0, ink: 'wait.held', width: 1.5, dash: [1.5, 3], alpha: 1 },
    );
    expect(log).toContain('arcTo(10, 0, 10, 20, 4)');
    expect(log.slice(-2)).toEqual(['stroke()', 'setLineDash([])']);
  });

  test('text stands with the middle of its capitals at y', () => {
    const log = painted({
      op: 'text',
      x: 10,
      y: 20,
      text: 'Bash',
      font: 'bar',
      ink: 'work.text',
      align: 'left',
      alpha: 1,
    });
    expect(log).toContain('fillText(Bash, 10, 24)');
    expect(log.some((line) => line.includes('Inter Variable'))).toBe(true);
  });

  test('an icon is scaled about its middle with strokes of the wanted width', () => {
    const log = painted({
      op: 'icon',
      icon: 'lock',
      x: 50,
      y: 50,
      size: 12,
      ink: 'text.secondary',
      weight: 1.5,
      alpha: 1,
    });
    expect(log).toContain('translate(44, 44)');
    expect(log).toContain('lineWidth = 3');
    expect(log.at(-1)).toBe('restore()');
  });

  test('many rectangles of a colour set it once', () => {
    const log = painted({ op: 'blocks', rects: [0, 0, 1, 1, 5, 5, 2, 2], ink: 'work.edge', alpha: 1 });
    expect(log.filter((line) => line.startsWith('fillStyle'))).toHaveLength(1);
    expect(log.filter((line) => line.startsWith('fillRect'))).toEqual(['fillRect(0, 0, 1, 1)', 'fillRect(5, 5, 2, 2)']);
  });

  test('the live edge shines out of nothing', () => {
    const log = painted({ op: 'glow', x: 0, y: 0, w: 28, h: 16, ink: 'work.edge', alpha: 1 });
    expect(log).toContain(`stop 0 ${withAlpha(palette['work.edge'], 0)}`);
  });
});

test('rows are clipped below the fixed part, which is painted over them', () => {
  const text = (name: string): Op => ({
    op: 'text',
    x: 0,
    y: 0,
    text: name,
    font: 'bar',
    ink: 'text.primary',
    align: 'left',
    alpha: 1,
  });
  const scene: Scene = {
    ground: [text('ground')],
    rows: [text('rows')],
    fixed: [text('fixed')],
    overlay: [text('overlay')],
    fixedHeight: 48,
    pills: [],
    folds: [],
  };
  const { ctx, log } = recorder();
  paint(ctx, scene, { width: 300, height: 200 }, paints);
  const told = log
    .filter((line) => /^(fillText|rect|clip|restore)/.test(line))
    .map((line) => line.replace(/,.*|\(\)/g, ''));
  expect(told).toEqual([
    'fillText(ground',
    'rect(0',
    'clip',
    'fillText(rows',
    'restore',
    'fillText(fixed',
    'fillText(overlay',
  ]);
  expect(log).toContain('rect(0, 48, 300, 152)');
});

test('every pattern is made once, on a tile of whole device pixels that repeats without a seam', () => {
  const tiles: { readonly width: number; readonly height: number }[] = [];
  const patterns: unknown[] = [];
  const ctx = recorder().ctx as unknown as TileContext;
  const textures = makeTextures(
    'light',
    1.5,
    (width, height) => {
      tiles.push({ width, height });
      return { tile: {} as CanvasImageSource, ctx };
    },
    (tile) => {
      patterns.push(tile);
      return pattern;
    },
  );
  expect(patterns).toHaveLength(Object.keys(textures).length);
  for (const { width, height } of tiles)
    expect([Number.isInteger(width), Number.isInteger(height), width > 8]).toEqual([true, true, true]);
  // The pitch is bent by less than a twentieth of a px to end on a whole one.
  expect(Math.abs(textures.permission.tileWidth / 4 - 5)).toBeLessThan(0.1);
});

test('every icon of the chart is made of shapes we can draw', () => {
  for (const [name, node] of Object.entries(ICONS)) {
    const data = pathData(node);
    expect(data.length, name).toBeGreaterThan(0);
    for (const path of data) expect(path, name).toMatch(/^[Mm][-\d. ]/);
  }
});
