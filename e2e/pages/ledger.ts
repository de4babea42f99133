import { expect, type Locator, type Page } from '@playwright/test';

/** The page of all permission decisions. */
export class LedgerPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get region(): Locator {
    return this.#page.getByRole('main', { name: 'Permission ledger' });
  }

  get side(): Locator {
    return this.#page.getByRole('complementary', { name: 'Dry run' });
  }

  /** From the sidebar, as a person comes to it. */
  async open(): Promise<void> {
    await this.#page
      .getByRole('button', { name: /^Permission ledger/ })
      .first()
      .click();
    await expect(this.region).toBeVisible();
  }

  /** The row with this text, in whichever table is shown. */
  row(text: string): Locator {
    return this.region.getByRole('row').filter({ hasText: text }).first();
  }

  async show(table: 'Rules' | 'Decisions'): Promise<void> {
    await this.region.getByRole('radio', { name: table, exact: true }).click();
  }

  /** Types the rules that are to stand there, one a line, and tries them. */
  async change(rules: string): Promise<void> {
    await this.side.getByRole('textbox', { name: 'Rules, one a line' }).fill(rules);
    await this.side.getByRole('button', { name: 'Try it' }).click();
  }
}
