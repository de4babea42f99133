import { describe, expect, test } from 'vitest';
import { type Gesture, IDLE, type Pointer, step, type Wish } from './gesture.ts';

/** Plays pointer events one after the other and collects what is wished for. */
function play(...pointers: readonly Pointer[]): { readonly gesture: Gesture; readonly wishes: readonly Wish[] } {
  let gesture: Gesture = IDLE;
  const wishes: Wish[] = [];
  for (const pointer of pointers) {
    const [next, ...more] = step(gesture, pointer);
    gesture = next;
    wishes.push(...more);
  }
  return { gesture, wishes };
}

const down = (x: number, y = 0, more: Partial<Extract<Pointer, { type: 'down' }>> = {}): Pointer => ({
  type: 'down',
  zone: 'chart',
  x,
  y,
  button: 0,
  shift: false,
  measuring: false,
  ...more,
});
const move = (x: number, y = 0): Pointer => ({ type: 'move', zone: 'chart', x, y });
const up = (x: number, y = 0): Pointer => ({ type: 'up', zone: 'chart', x, y });
const wheel = (dx: number, dy: number, more: Partial<Extract<Pointer, { type: 'wheel' }>> = {}): Pointer => ({
  type: 'wheel',
  zone: 'chart',
  x: 50,
  dx,
  dy,
  shift: false,
  pinch: false,
  alt: false,
  ...more,
});

describe('press, move, release', () => {
  test('a press that hardly moves is a click', () => {
    expect(play(down(10), move(12), up(12)).wishes).toEqual([{ wish: 'click', x: 12, y: 0 }]);
  });

  test('a press that moves pans, from the first px on, and is no click', () => {
    const { gesture, wishes } = play(down(10), move(30, 5), move(35, 5), up(35, 5));
    expect(wishes).toEqual([{ wish: 'unhover' }, { wish: 'pan', dx: 20, dy: 5 }, { wish: 'pan', dx: 5, dy: 0 }]);
    expect(gesture).toEqual(IDLE);
  });

  test('with Shift, or after M, the same drag measures', () => {
    for (const more of [{ shift: true }, { measuring: true }]) {
      const { wishes } = play(down(10, 0, more), move(60), up(60));
      expect(wishes).toEqual([{ wish: 'unhover' }, { wish: 'measure', fromX: 10, toX: 60 }, { wish: 'measured' }]);
    }
  });

  test('measuring nothing clears the measure, and so does a cancelled drag', () => {
    expect(play(down(10, 0, { shift: true }), up(10)).wishes.at(-1)).toEqual({ wish: 'unmeasure' });
    expect(play(down(10, 0, { shift: true }), move(90), { type: 'cancel' }).wishes.at(-1)).toEqual({
      wish: 'unmeasure',
    });
  });

  test('the right button is for menus', () =>
    expect(play(down(10, 0, { button: 2 }), move(80)).wishes).toEqual([{ wish: 'hover', x: 80, y: 0 }]));

  test('hovering ends when the pointer leaves, but a drag goes on', () => {
    expect(play(move(5), { type: 'leave' }).wishes).toEqual([{ wish: 'hover', x: 5, y: 0 }, { wish: 'unhover' }]);
    expect(play(down(0), move(50), { type: 'leave' }, move(60)).wishes.at(-1)).toEqual({ wish: 'pan', dx: 10, dy: 0 });
  });
});

describe('the wheel', () => {
  test('zooms at the pointer: up is in, down is out', () => {
    const [inward] = play(wheel(0, -100)).wishes;
    const [outward] = play(wheel(0, 100)).wishes;
    expect(inward).toMatchObject({ wish: 'zoom', x: 50 });
    expect((inward as { factor: number }).factor).toBeGreaterThan(1);
    expect((inward as { factor: number }).factor * (outward as { factor: number }).factor).toBeCloseTo(1);
  });

  test('a pinch zooms faster than a wheel', () => {
    const factor = (wish: Wish | undefined): number => (wish as { factor: number }).factor;
    expect(factor(play(wheel(0, -10, { pinch: true })).wishes[0])).toBeGreaterThan(
      factor(play(wheel(0, -10)).wishes[0]),
    );
  });

  test('sideways, with Shift, over the gutter, or with Alt it moves', () => {
    expect(play(wheel(40, 3)).wishes).toEqual([{ wish: 'pan', dx: -40, dy: 0 }]);
    expect(play(wheel(0, 40, { shift: true })).wishes).toEqual([{ wish: 'pan', dx: -40, dy: 0 }]);
    expect(play(wheel(0, 40, { zone: 'gutter' })).wishes).toEqual([{ wish: 'pan', dx: 0, dy: -40 }]);
    expect(play(wheel(0, 40, { alt: true })).wishes).toEqual([{ wish: 'pan', dx: 0, dy: -40 }]);
  });
});

describe('the mini-map', () => {
  test('a press beside the window brings it there, and a drag takes it along', () => {
    const { wishes } = play(down(200, 0, { zone: 'minimap' }), move(210), up(210));
    expect(wishes).toEqual([
      { wish: 'jump', x: 200 },
      { wish: 'move-window', dx: 10 },
    ]);
  });

  test('the window moves from where it was taken, its handles make it wider', () => {
    expect(play(down(200, 0, { zone: 'window' }), move(230)).wishes).toEqual([{ wish: 'move-window', dx: 30 }]);
    expect(play(down(200, 0, { zone: 'left-handle' }), move(180)).wishes).toEqual([
      { wish: 'size-window', side: 'left', x: 180 },
    ]);
    expect(play(down(200, 0, { zone: 'right-handle' }), move(280)).wishes).toEqual([
      { wish: 'size-window', side: 'right', x: 280 },
    ]);
  });
});

test('the ruler moves the playhead, by a click and by a drag; with Shift it measures', () => {
  const { gesture, wishes } = play(down(40, 5, { zone: 'ruler' }), move(60, 90), up(60, 90));
  expect(gesture).toEqual(IDLE);
  expect(wishes.filter(({ wish }) => wish !== 'unhover')).toEqual([
    { wish: 'seek', x: 40 },
    { wish: 'seek', x: 60 },
  ]);
  expect(play(down(40, 5, { zone: 'ruler', shift: true })).gesture).toMatchObject({ mode: 'brushing' });
});
