// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { rememberedSize, useRememberedSize } from './remembered-size.ts';

const size = (inPixels: number) => ({ inPixels, asPercentage: 10 });
beforeEach(() => window.localStorage.clear());

test('a panel opens as wide as it was left', () => {
  const { result } = renderHook(() => useRememberedSize('sidebar', 204));
  expect(result.current.defaultSize).toBe(204);
  act(() => result.current.onResize(size(204), 'sidebar', undefined));
  act(() => result.current.onResize(size(260.4), 'sidebar', size(204)));
  expect(renderHook(() => useRememberedSize('sidebar', 204)).result.current.defaultSize).toBe(260);
});

test.each(['', 'wide', '0', '-4', 'NaN'])('the kept value %j makes no sense, so the usual size is taken', (kept) => {
  window.localStorage.setItem('gantry.size.sidebar', kept);
  expect(rememberedSize('sidebar', 204)).toBe(204);
});
