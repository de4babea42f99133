import { expect, type Locator, type Page } from '@playwright/test';

/** The ghost row below the chart and the table of rules. */
export class WhatIfPage {
  readonly #page: Page;
  readonly strip: Locator;
  readonly sentence: Locator;
  readonly picture: Locator;
  readonly table: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.strip = page.getByRole('region', { name: 'What if' });
    this.sentence = this.strip.getByTestId('what-if-sentence');
    this.picture = this.strip.getByRole('img');
    this.table = page.getByRole('region', { name: 'This turn under other rules' }).last();
  }

  /** By its key, with the focus on the chart. */
  async open(): Promise<void> {
    await this.#page.getByRole('application').focus();
    await this.#page.keyboard.press('i');
    await expect(this.picture).toBeVisible();
  }

  async choose(name: 'Cascade' | 'Strategy' | 'Lanes', value: string): Promise<void> {
    await this.strip.getByRole('button', { name: `${name}:` }).click();
    await this.#page
      .getByRole('menuitemradio', { name: new RegExp(`^${value}`) })
      .first()
      .click();
  }

  async showTable(): Promise<void> {
    await this.strip.getByRole('button', { name: 'All rules' }).click();
  }

  /** The button of a row of the table. */
  rules(name: string): Locator {
    return this.table.getByRole('button', { name });
  }
}
