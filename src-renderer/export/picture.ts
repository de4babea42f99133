import { canvasPalette } from '../../src-shared/chart/palette.ts';
import type { Poster } from '../../src-shared/chart/poster.ts';
import type { ThemeName } from '../../src-shared/theme/tokens.ts';
import { paintOps } from '../timeline/paint.ts';
import { paintsFor } from '../timeline/painter.ts';

/** Twice as sharp as a plain screen, unless the picture would be larger than a canvas can be. */
const SCALE = 2;
const MOST_PIXELS = 16_000;

/** Paints a poster. @returns a PNG as base64. */
export async function paintPicture({ width, height, parts }: Poster, theme: ThemeName): Promise<string> {
  const scale = Math.min(SCALE, MOST_PIXELS / width, MOST_PIXELS / height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const ctx = canvas.getContext('2d');
  if (ctx === null) throw new Error('This window cannot draw on a canvas.');
  const paints = paintsFor(theme, scale, ctx);
  ctx.setTransform(scale, 0, 0, scale, 0, 0);
  ctx.fillStyle = canvasPalette(theme)['surface.base'];
  ctx.fillRect(0, 0, width, height);
  for (const part of parts) {
    ctx.save();
    ctx.translate(part.x, part.y);
    ctx.beginPath();
    ctx.rect(0, part.clipTop, part.width, part.height - part.clipTop);
    ctx.clip();
    paintOps(ctx, part.ops, paints);
    ctx.restore();
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('The picture is too large. Choose a shorter stretch.');
  return asBase64(new Uint8Array(await blob.arrayBuffer()));
}

/** In pieces: a call takes only so many arguments. */
function asBase64(bytes: Uint8Array): string {
  const PIECE = 0x8000;
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}
