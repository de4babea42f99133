import { app, BrowserWindow, type NativeImage, Notification, nativeImage } from 'electron';
import type { Attention, Note } from '../ports/attention.ts';

const DOT_PX = 16;
/** The person's hue of the chart, as BGRA. */
const DOT_COLOUR = [0xf6, 0x7d, 0xa8, 0xff] as const;

/** The badge of dock or taskbar, and the system's notifications. */
export class SystemAttention implements Attention {
  /** A notification that nobody refers to is collected, and its click with it. */
  readonly #shown = new Set<Notification>();

  isFocused(): boolean {
    return BrowserWindow.getAllWindows().some((window) => !window.isDestroyed() && window.isFocused());
  }

  badge(count: number): void {
    app.setBadgeCount(count);
    if (process.platform !== 'win32') return;
    // Windows has no numbers there; a dot on the taskbar's icon says that somebody waits.
    const words = count === 1 ? '1 call waits for your answer' : `${count} calls wait for your answer`;
    for (const window of BrowserWindow.getAllWindows()) window.setOverlayIcon(count === 0 ? null : dot(), words);
  }

  notify({ title, body, quiet, onClick }: Note): void {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body, silent: quiet });
    this.#shown.add(notification);
    const forget = (): void => void this.#shown.delete(notification);
    notification.on('click', () => {
      forget();
      onClick();
    });
    notification.on('close', forget);
    notification.on('failed', forget);
    notification.show();
  }
}

function dot(): NativeImage {
  const pixels = Buffer.alloc(DOT_PX * DOT_PX * 4);
  const middle = (DOT_PX - 1) / 2;
  for (let at = 0; at < DOT_PX * DOT_PX; at++) {
    const inside = Math.hypot((at % DOT_PX) - middle, Math.floor(at / DOT_PX) - middle) <= middle;
    if (inside) pixels.set(DOT_COLOUR, at * 4);
  }
  return nativeImage.createFromBitmap(pixels, { width: DOT_PX, height: DOT_PX });
}
