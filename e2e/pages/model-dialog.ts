import { expect, type Locator, type Page } from '@playwright/test';

/** The dialog that starts a session with a model, continues one in a new one, or changes the model of one. */
export class ModelDialogPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get region(): Locator {
    return this.#page.getByRole('dialog', { name: /New session|Change the model|Continue in a new session/ });
  }

  /** Opens it from the start page and waits until the last choices are filled in. */
  async open(): Promise<void> {
    await this.#page.getByRole('main').getByRole('button', { name: 'New session' }).click();
    await expect(this.field('Folder')).toBeFocused();
  }

  field(name: 'Folder' | 'Address' | 'Key' | 'Message'): Locator {
    return this.region.getByLabel(name, { exact: true });
  }

  get model(): Locator {
    return this.region.getByRole('combobox', { name: 'Model' });
  }

  get keyState(): Locator {
    return this.region.getByTestId('key-state');
  }

  async fill(values: { readonly folder?: string; readonly address: string; readonly model: string }): Promise<void> {
    if (values.folder !== undefined) await this.field('Folder').fill(values.folder);
    await this.field('Address').fill(values.address);
    await this.model.fill(values.model);
  }

  /** Types a key and keeps it, on disk only where that is asked for. */
  async keepKey(key: string, how: 'stored' | 'this-run' = 'this-run'): Promise<void> {
    await this.field('Key').fill(key);
    await this.region.getByRole('checkbox').setChecked(how === 'stored');
    await this.region.getByRole('button', { name: 'Keep key' }).click();
    await expect(this.keyState).toBeVisible();
  }

  async start(message: string): Promise<void> {
    await this.field('Message').fill(message);
    await this.#page.keyboard.press('Control+Enter');
    await expect(this.region).toBeHidden();
  }
}
