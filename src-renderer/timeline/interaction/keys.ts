/** What a key in the chart asks for. */
export type KeyWish =
  | { readonly wish: 'zoom-by'; readonly factor: number }
  | { readonly wish: 'pan-by'; readonly share: number }
  | { readonly wish: 'fit' | 'fit-selection' | 'zoom-to-turn' | 'follow' | 'inspect' | 'measure' | 'clear-measure' }
  | { readonly wish: 'go'; readonly to: 'before' | 'after' | 'above' | 'below' };

export type KeyPress = {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
};

const ZOOM = 1.25;
const PAN = 0.1;
/** Shift makes zooming and panning this many times as far. */
const FAR = 5;

const GO: Readonly<Record<string, 'before' | 'after' | 'above' | 'below'>> = {
  arrowleft: 'before',
  arrowright: 'after',
  arrowup: 'above',
  arrowdown: 'below',
};

/** The chart's own keys (design 13). Undefined: not one of them. `isMeasuring`: Escape has something to clear here. */
export function keyWish(press: KeyPress, isMeasuring: boolean): KeyWish | undefined {
  if (press.ctrlKey || press.metaKey || press.altKey) return undefined;
  const key = press.key.toLowerCase();
  const times = press.shiftKey ? FAR : 1;
  switch (key) {
    case 'w':
      return { wish: 'zoom-by', factor: ZOOM ** times };
    case 's':
      return { wish: 'zoom-by', factor: ZOOM ** -times };
    case 'a':
      return { wish: 'pan-by', share: PAN * times };
    case 'd':
      return { wish: 'pan-by', share: -PAN * times };
  }
  const go = GO[key];
  if (go !== undefined && !press.shiftKey) return { wish: 'go', to: go };
  if (press.shiftKey) return undefined;
  switch (key) {
    case '0':
      return { wish: 'fit' };
    case 'z':
      return { wish: 'fit-selection' };
    case 't':
      return { wish: 'zoom-to-turn' };
    case 'f':
      return { wish: 'follow' };
    case 'm':
      return { wish: 'measure' };
    case 'enter':
      return { wish: 'inspect' };
    case 'escape':
      return isMeasuring ? { wish: 'clear-measure' } : undefined;
    default:
      return undefined;
  }
}
