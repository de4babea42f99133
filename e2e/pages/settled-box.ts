import type { Locator } from '@playwright/test';

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/**
 * Where an element lies, once that has stayed the same for two frames: regions that open, close or give each other room
 * move it meanwhile. Fails where it is not on screen.
 */
export async function settledBox(locator: Locator): Promise<Box> {
  await locator.waitFor();
  return locator.evaluate(
    (element) =>
      new Promise<Box>((done) => {
        let before = '';
        let same = 0;
        const look = (): void => {
          const { x, y, width, height } = element.getBoundingClientRect();
          const now = [x, y, width, height].join();
          same = now === before ? same + 1 : 0;
          before = now;
          if (same >= 2 && width > 0) done({ x, y, width, height });
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}
