import { describe, expect, test } from 'vitest';
import {
  fitStretch,
  followMargin,
  keepInside,
  timeOf,
  type View,
  xOf,
  zoomAt,
} from '../../src-shared/chart/viewport.ts';
import { STRAIGHT, timeAxis } from '../../src-shared/timeline/axis.ts';
import { Camera, type Subject } from './camera.ts';

const subject = (now: number, more: Partial<Subject> = {}): Subject => ({
  axis: STRAIGHT,
  now,
  rowsHeight: 300,
  roomForRows: 200,
  ...more,
});

function cameraAt(now: number, follow = false): Camera {
  const camera = new Camera();
  camera.resize(1000, 400);
  camera.follow(follow);
  camera.look(subject(now));
  camera.frame(0);
  return camera;
}

const view: View = { width: 1000, height: 400, scale: 0.1, offset: 0, scrollY: 0 };

describe('the view', () => {
  test('zooming leaves the time under the pointer where it is', () => {
    const zoomed = zoomAt(STRAIGHT, view, 3, 250);
    expect(timeOf(STRAIGHT, zoomed, 250)).toBeCloseTo(timeOf(STRAIGHT, view, 250));
    expect(zoomed.scale).toBeCloseTo(0.3);
  });

  test('fitting shows a stretch from edge to edge but for the margin, folds included', () => {
    const axis = timeAxis([{ from: 2000, until: 90_000 }]);
    const fitted = fitStretch(axis, view, { from: 1000, until: 91_000 }, 50);
    expect(xOf(axis, fitted, 1000)).toBeCloseTo(50);
    expect(xOf(axis, fitted, 91_000)).toBeCloseTo(950);
  });

  test('nobody gets lost: some of the session stays in view, and rows do not leave the top', () => {
    const far = keepInside(STRAIGHT, { ...view, offset: 1e6, scrollY: 900 }, 50_000, 300, 200);
    expect(xOf(STRAIGHT, far, 50_000)).toBeGreaterThan(0);
    expect(far.scrollY).toBe(100);
    expect(keepInside(STRAIGHT, { ...view, offset: -1e6, scrollY: -50 }, 50_000, 100, 200).scrollY).toBe(0);
  });
});

describe('opening a session', () => {
  test('one that is over is shown whole', () => {
    const { current } = cameraAt(60_000);
    expect(xOf(STRAIGHT, current, 0)).toBeGreaterThanOrEqual(0);
    expect(xOf(STRAIGHT, current, 60_000)).toBeLessThanOrEqual(1000);
  });

  test('when its gaps become known, who looks at all of it still does, and who has zoomed stays', () => {
    const axis = timeAxis([{ from: 10_000, until: 50_000 }]);
    const [whole, zoomed] = [cameraAt(60_000), cameraAt(60_000)];
    zoomed.zoom(4, 0);
    for (const camera of [whole, zoomed]) {
      camera.knowMore();
      camera.look(subject(60_000, { axis }));
      camera.frame(1);
    }
    const lengthOf = ({ current }: Camera) => xOf(axis, current, 60_000) - xOf(axis, current, 0);
    expect(lengthOf(whole)).toBeGreaterThan(900);
    expect(lengthOf(whole)).toBeLessThanOrEqual(1000);
    expect(lengthOf(zoomed)).toBeLessThan(1300);
  });

  test('the next one does not inherit the view', () => {
    const camera = cameraAt(60_000);
    camera.zoom(20, 500);
    camera.reset();
    camera.look(subject(1000));
    expect(xOf(STRAIGHT, camera.frame(1), 1000)).toBeLessThanOrEqual(1000);
  });
});

describe('following', () => {
  test('the live edge stays at its place while time goes on', () => {
    const camera = cameraAt(60_000, true);
    for (let i = 0; i < 200; i++) camera.frame(i);
    const before = xOf(STRAIGHT, camera.current, 60_000);
    expect(before).toBeCloseTo(1000 - followMargin(1000));
    camera.look(subject(60_016));
    expect(xOf(STRAIGHT, camera.frame(300), 60_016)).toBeCloseTo(before);
  });

  test('a young session begins at the left edge', () => {
    expect(xOf(STRAIGHT, cameraAt(500, true).current, 0)).toBeCloseTo(8);
  });

  test('zooming keeps the edge, and the scale from then on', () => {
    const camera = cameraAt(60_000, true);
    for (let i = 0; i < 200; i++) camera.frame(i);
    camera.zoom(2, 100);
    const { scale } = camera.frame(300);
    camera.look(subject(90_000));
    expect(camera.frame(301).scale).toBe(scale);
    expect(xOf(STRAIGHT, camera.current, 90_000)).toBeCloseTo(1000 - followMargin(1000));
  });

  test('with reduced motion the view jumps by half, and only when the edge would leave it', () => {
    const camera = new Camera();
    camera.reducedMotion = true;
    camera.resize(1000, 400);
    camera.follow(true);
    camera.look(subject(60_000));
    camera.frame(0);
    const { offset } = camera.current;
    camera.look(subject(60_100));
    expect(camera.frame(1).offset).toBe(offset);
    camera.look(subject(85_000));
    expect(xOf(STRAIGHT, camera.frame(2), 85_000)).toBeCloseTo(500);
  });
});

describe('flights', () => {
  test('a flight takes 220 ms and lands exactly', () => {
    const camera = cameraAt(60_000);
    camera.fitTo({ from: 20_000, until: 30_000 }, 1000, 100);
    expect(camera.isMoving).toBe(true);
    camera.frame(1110);
    expect(camera.isMoving).toBe(true);
    const landed = camera.frame(1220);
    expect(camera.isMoving).toBe(false);
    expect(xOf(STRAIGHT, landed, 20_000)).toBeCloseTo(100);
    expect(xOf(STRAIGHT, landed, 30_000)).toBeCloseTo(900);
  });

  test('a hand on the chart ends a flight at once', () => {
    const camera = cameraAt(60_000);
    camera.fitTo({ from: 20_000, until: 30_000 }, 0);
    camera.panBy(10, 0);
    expect(camera.isMoving).toBe(false);
  });

  test('what is in view is not moved; what is not comes to the middle', () => {
    const camera = cameraAt(60_000);
    camera.zoom(8, 0);
    const before = camera.frame(0);
    const inside = timeOf(STRAIGHT, before, 500);
    camera.reveal({ from: inside, until: inside + 10 }, 0, 20, 0);
    expect(camera.isMoving).toBe(false);
    camera.reveal({ from: 50_000, until: 50_010 }, 250, 275, 0);
    const after = camera.frame(500);
    expect(xOf(STRAIGHT, after, 50_005)).toBeCloseTo(500, 0);
    expect(after.scrollY).toBe(75);
  });
});

test('when a gap unfolds, what is at the left edge stays there', () => {
  const camera = new Camera();
  const folded = timeAxis([{ from: 2000, until: 90_000 }]);
  camera.resize(1000, 400);
  camera.look(subject(120_000, { axis: folded }));
  camera.frame(0);
  camera.zoom(20, 0);
  camera.panBy(-900, 0);
  const left = timeOf(folded, camera.frame(1), 0);
  camera.look(subject(120_000));
  expect(timeOf(STRAIGHT, camera.frame(2), 0)).toBeCloseTo(left, 3);
});

describe('a session that is shown as a whole', () => {
  const right = (camera: Camera, now: number): number => xOf(STRAIGHT, camera.frame(1000), now);

  test('stays whole when the window gets another width, and when more of it is read', () => {
    const camera = cameraAt(10_000);
    camera.resize(600, 400);
    expect(right(camera, 10_000)).toBeCloseTo(600 - 24);
    camera.look(subject(20_000));
    expect(right(camera, 20_000)).toBeCloseTo(600 - 24);
  });

  test('is left as it is once somebody has zoomed or panned', () => {
    for (const touch of [(camera: Camera) => camera.zoom(2, 100), (camera: Camera) => camera.panBy(50, 0)]) {
      const camera = cameraAt(10_000);
      touch(camera);
      const before = camera.frame(500);
      camera.resize(600, 400);
      expect(camera.frame(1000)).toMatchObject({ scale: before.scale, offset: before.offset });
    }
  });
});
