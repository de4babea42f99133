import { expect, type Locator, type Page } from '@playwright/test';
import { settledBox } from './settled-box.ts';

/** The playhead: its bar above the chart, its keys, and the ruler it is moved in. */
export class ReplayPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get bar(): Locator {
    return this.#page.getByRole('toolbar', { name: 'Replay' });
  }

  /** Where the playhead stands: `17.60 s of 34.80 s · event 212 of 486`. */
  get where(): Locator {
    return this.bar.getByTestId('playhead');
  }

  /** Presses a key of the chart. */
  async press(key: string): Promise<void> {
    await this.#page.getByRole('application').focus();
    await this.#page.keyboard.press(key);
  }

  /** Clicks into the ruler. @param share 0: its left end, 1: its right one. */
  async clickRuler(share: number): Promise<void> {
    const box = await settledBox(this.#chart);
    await this.#page.mouse.click(box.x + share * box.width, box.y + 8);
    await this.#drawn();
  }

  /** All px of the chart, once what was asked for has been drawn. */
  async pixels(): Promise<string> {
    await this.#page.mouse.move(2, 2);
    await this.#drawn();
    return this.#chart.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  }

  get #chart(): Locator {
    return this.#page.getByRole('application').locator('canvas');
  }

  async #drawn(): Promise<void> {
    await expect(this.#chart).toBeVisible();
    await this.#page.evaluate(
      () =>
        new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))),
    );
  }
}
