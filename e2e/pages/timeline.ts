import { expect, type Locator, type Page } from '@playwright/test';
import { settledBox } from './settled-box.ts';

/** Free on both sides when a session is fitted, in px. */
const FIT_MARGIN = 24;

export type ListedCall = {
  readonly callId: string;
  readonly outcome: string;
  readonly phase: string;
  readonly lane: string;
  readonly name: string;
};

/** The chart through its accessible list: one button a call. */
export class TimelinePage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get list(): Locator {
    return this.#page.getByRole('list', { name: 'Calls' });
  }

  call(callId: string): Locator {
    return this.list.locator(`[data-call-id="${callId}"]`);
  }

  /** Every call that is drawn, in order. */
  async calls(): Promise<readonly ListedCall[]> {
    return this.list.locator('[data-call-id]').evaluateAll((buttons) =>
      buttons.map((button) => {
        const { callId, outcome, phase, lane } = (button as HTMLElement).dataset;
        return {
          callId: callId ?? '',
          outcome: outcome ?? '',
          phase: phase ?? '',
          lane: lane ?? '',
          name: button.getAttribute('aria-label') ?? button.textContent ?? '',
        };
      }),
    );
  }

  /**
   * The middle of a stretch of time in a lane, in pixels of the page, while the whole session is fitted to the chart.
   * Times are in ms from the session's start.
   */
  async place(lane: string, stretch: { readonly from: number; readonly until: number; readonly total: number }) {
    const canvas = await settledBox(this.#page.locator('[data-chart] canvas').last());
    const label = await settledBox(this.#page.locator('[data-chart]').getByText(lane, { exact: true }).first());
    const share = (stretch.from + stretch.until) / 2 / stretch.total;
    return { x: canvas.x + FIT_MARGIN + share * (canvas.width - 2 * FIT_MARGIN), y: label.y + label.height / 2 };
  }

  /** Selects a call the way a screen reader's user does. */
  async select(callId: string): Promise<void> {
    await this.call(callId).focus();
  }

  async waitForPhase(callId: string, phase: string, timeout = 20_000): Promise<void> {
    await expect(this.call(callId)).toHaveAttribute('data-phase', phase, { timeout });
  }

  async waitForOutcome(callId: string, outcome: string, timeout = 20_000): Promise<void> {
    await expect(this.call(callId)).toHaveAttribute('data-outcome', outcome, { timeout });
  }
}
