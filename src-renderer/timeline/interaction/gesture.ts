/** Where the pointer is. The handles are the ends of the mini-map's window. */
export type Zone = 'chart' | 'ruler' | 'gutter' | 'minimap' | 'window' | 'left-handle' | 'right-handle';

/** What the pointer did, in px of its zone's element. `measuring`: the next drag measures (M). */
export type Pointer =
  | {
      readonly type: 'down';
      readonly zone: Zone;
      readonly x: number;
      readonly y: number;
      readonly button: number;
      readonly shift: boolean;
      readonly measuring: boolean;
    }
  | { readonly type: 'move'; readonly zone: Zone; readonly x: number; readonly y: number }
  | { readonly type: 'up'; readonly zone: Zone; readonly x: number; readonly y: number }
  | { readonly type: 'cancel' }
  | { readonly type: 'leave' }
  | {
      readonly type: 'wheel';
      readonly zone: Zone;
      readonly x: number;
      readonly dx: number;
      readonly dy: number;
      readonly shift: boolean;
      /** Ctrl with the wheel is how a pinch on a trackpad arrives. */
      readonly pinch: boolean;
      readonly alt: boolean;
    };

export type Gesture =
  | { readonly mode: 'idle' }
  | { readonly mode: 'pressing'; readonly fromX: number; readonly fromY: number }
  | { readonly mode: 'panning'; readonly lastX: number; readonly lastY: number }
  | { readonly mode: 'brushing'; readonly fromX: number; readonly toX: number }
  | { readonly mode: 'seeking' }
  | { readonly mode: 'moving-window'; readonly lastX: number }
  | { readonly mode: 'sizing-window'; readonly side: 'left' | 'right' };

/** What the person wants; the chart decides what comes of it. */
export type Wish =
  | { readonly wish: 'zoom'; readonly factor: number; readonly x: number }
  | { readonly wish: 'pan'; readonly dx: number; readonly dy: number }
  | { readonly wish: 'hover'; readonly x: number; readonly y: number }
  | { readonly wish: 'unhover' }
  | { readonly wish: 'click'; readonly x: number; readonly y: number }
  | { readonly wish: 'measure'; readonly fromX: number; readonly toX: number }
  | { readonly wish: 'measured' }
  | { readonly wish: 'unmeasure' }
  /** Ruler: put the playhead at x. */
  | { readonly wish: 'seek'; readonly x: number }
  /** Mini-map: centre the view at x; move its window by dx; put one end of it at x. */
  | { readonly wish: 'jump'; readonly x: number }
  | { readonly wish: 'move-window'; readonly dx: number }
  | { readonly wish: 'size-window'; readonly side: 'left' | 'right'; readonly x: number };

export const IDLE: Gesture = { mode: 'idle' };

/** A press becomes a drag after so many px. */
const SLOP = 4;
const ZOOM_PER_PX = 0.0022;
const PINCH_PER_PX = 0.01;

/** One step of a gesture: the next state, and what the person wants now. */
export function step(gesture: Gesture, pointer: Pointer): readonly [Gesture, ...Wish[]] {
  switch (pointer.type) {
    case 'down':
      return down(gesture, pointer);
    case 'move':
      return move(gesture, pointer);
    case 'up':
      return up(gesture, pointer);
    case 'wheel':
      return [gesture, wheel(pointer)];
    case 'leave':
      return gesture.mode === 'idle' ? [gesture, { wish: 'unhover' }] : [gesture];
    case 'cancel':
      return gesture.mode === 'brushing' ? [IDLE, { wish: 'unmeasure' }] : [IDLE];
  }
}

type Down = Extract<Pointer, { type: 'down' }>;
type Place = { readonly zone: Zone; readonly x: number; readonly y: number };

function down(gesture: Gesture, { zone, x, y, button, shift, measuring }: Down): readonly [Gesture, ...Wish[]] {
  if (gesture.mode !== 'idle' || (button !== 0 && button !== 1)) return [gesture];
  switch (zone) {
    case 'gutter':
      return [gesture];
    case 'ruler':
      if (button === 0 && !shift && !measuring) return [{ mode: 'seeking' }, { wish: 'unhover' }, { wish: 'seek', x }];
      return [{ mode: 'brushing', fromX: x, toX: x }, { wish: 'unhover' }];
    case 'minimap':
      return [
        { mode: 'moving-window', lastX: x },
        { wish: 'jump', x },
      ];
    case 'window':
      return [{ mode: 'moving-window', lastX: x }];
    case 'left-handle':
      return [{ mode: 'sizing-window', side: 'left' }];
    case 'right-handle':
      return [{ mode: 'sizing-window', side: 'right' }];
    case 'chart':
      if (button === 0 && (shift || measuring)) return [{ mode: 'brushing', fromX: x, toX: x }, { wish: 'unhover' }];
      return [{ mode: 'pressing', fromX: x, fromY: y }];
  }
}

function move(gesture: Gesture, { zone, x, y }: Place): readonly [Gesture, ...Wish[]] {
  switch (gesture.mode) {
    case 'idle':
      return zone === 'chart' ? [gesture, { wish: 'hover', x, y }] : [gesture, { wish: 'unhover' }];
    case 'pressing': {
      const dx = x - gesture.fromX;
      const dy = y - gesture.fromY;
      if (Math.hypot(dx, dy) < SLOP) return [gesture];
      return [{ mode: 'panning', lastX: x, lastY: y }, { wish: 'unhover' }, { wish: 'pan', dx, dy }];
    }
    case 'panning':
      return [
        { mode: 'panning', lastX: x, lastY: y },
        { wish: 'pan', dx: x - gesture.lastX, dy: y - gesture.lastY },
      ];
    case 'brushing':
      return [
        { ...gesture, toX: x },
        { wish: 'measure', fromX: gesture.fromX, toX: x },
      ];
    case 'seeking':
      return [gesture, { wish: 'seek', x }];
    case 'moving-window':
      return [
        { mode: 'moving-window', lastX: x },
        { wish: 'move-window', dx: x - gesture.lastX },
      ];
    case 'sizing-window':
      return [gesture, { wish: 'size-window', side: gesture.side, x }];
  }
}

function up(gesture: Gesture, { x, y }: Place): readonly [Gesture, ...Wish[]] {
  switch (gesture.mode) {
    case 'pressing':
      return [IDLE, { wish: 'click', x, y }];
    case 'brushing':
      return Math.abs(gesture.toX - gesture.fromX) < SLOP
        ? [IDLE, { wish: 'unmeasure' }]
        : [IDLE, { wish: 'measured' }];
    case 'idle':
    case 'panning':
    case 'seeking':
    case 'moving-window':
    case 'sizing-window':
      return [IDLE];
  }
}

/** The wheel zooms at the pointer; sideways, with Shift, or over the gutter (and with Alt) it moves. */
function wheel({ zone, x, dx, dy, shift, pinch, alt }: Extract<Pointer, { type: 'wheel' }>): Wish {
  if (pinch) return { wish: 'zoom', factor: Math.exp(-dy * PINCH_PER_PX), x };
  if (zone === 'gutter' || alt) return { wish: 'pan', dx: 0, dy: -dy };
  if (shift) return { wish: 'pan', dx: -(dx !== 0 ? dx : dy), dy: 0 };
  if (Math.abs(dx) > Math.abs(dy)) return { wish: 'pan', dx: -dx, dy: 0 };
  return { wish: 'zoom', factor: Math.exp(-dy * ZOOM_PER_PX), x };
}
