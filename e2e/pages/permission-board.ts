import { expect, type Locator, type Page } from '@playwright/test';

/** The questions that wait for a person. */
export class PermissionBoardPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get region(): Locator {
    return this.#page.getByRole('region', { name: 'Permission board' });
  }

  button(name: string): Locator {
    return this.region.getByRole('button', { name, exact: true });
  }

  /** Waits until the board is there and takes keys: none is accepted in its first 350 ms. */
  async armed(): Promise<void> {
    await expect(this.region).toBeVisible({ timeout: 20_000 });
    await expect(this.region).toHaveAttribute('data-guard', 'ready');
  }

  async allowOnce(): Promise<void> {
    await this.#answer('Allow once');
  }

  async deny(): Promise<void> {
    await this.#answer('Deny');
  }

  /** Answers the open question, and waits until it is off the board: the next answer is then another question's. */
  async #answer(name: string): Promise<void> {
    await this.armed();
    const askId = await this.region.getByRole('option', { selected: true }).getAttribute('data-ask-id');
    await this.button(name).click();
    await expect(this.region.locator(`[data-ask-id="${askId}"]`)).toHaveCount(0);
  }
}
