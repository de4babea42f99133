import { type ColorName, paletteOf, type ThemeName } from '../theme/tokens.ts';

/** The canvas colours of a theme by their token names; never a colour written in code. */
export type Palette = Readonly<Record<ColorName, string>>;
export const canvasPalette = (theme: ThemeName): Palette => paletteOf(theme);

/** A colour with an opacity, for gradients: `#RRGGBB` becomes `#RRGGBBAA`. */
export const withAlpha = (color: string, alpha: number): string =>
  `${color}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')}`;
