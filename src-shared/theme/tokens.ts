import raw from './tokens.json' with { type: 'json' };

export type ThemeName = 'dark' | 'light';

/** Every design value: colours of both themes, type scale, spaces, sizes, textures, durations. */
export const tokens = raw;
export type Tokens = typeof raw;
export type ColorName = keyof Tokens['color']['dark'];
export type TypeStyle = keyof Tokens['type']['scale'];

/** The colours of a theme, for the canvas and for tests; components use the CSS variables instead. */
export const paletteOf = (theme: ThemeName): Readonly<Record<ColorName, string>> => tokens.color[theme];
