import { expect, type Locator, type Page } from '@playwright/test';

/** The page of all sessions on this machine. */
export class LibraryPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get region(): Locator {
    return this.#page.getByRole('main', { name: 'All sessions' });
  }

  get preview(): Locator {
    return this.#page.getByRole('complementary', { name: 'Preview' });
  }

  get search(): Locator {
    return this.region.getByRole('textbox', { name: 'Search all sessions' });
  }

  get status(): Locator {
    return this.#page.getByTestId('status-bar');
  }

  /** From the sidebar, as a person comes to it. */
  async open(): Promise<void> {
    await this.#page.getByRole('button', { name: /^All sessions/ }).click();
    await expect(this.region).toBeVisible();
  }

  /** From the palette: without sessions the sidebar stays closed. */
  async openByName(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Find or run' }).click();
    const field = this.#page.getByRole('combobox', { name: 'Find or run' });
    await expect(field).toBeFocused();
    await field.fill('all sessions on this');
    await expect(this.#page.getByRole('option', { selected: true })).toContainText('all sessions on this');
    await this.#page.keyboard.press('Enter');
    await expect(this.region).toBeVisible();
  }

  /** Every file is read. */
  async isCurrent(): Promise<void> {
    await expect(this.status).toContainText('index is current');
  }

  /** The rows on screen. */
  get rows(): Locator {
    return this.region.getByRole('list', { name: 'Sessions' }).locator('[data-library-row]');
  }
}
