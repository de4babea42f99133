import type { ElectronApplication, Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** The dialogs of the vault and of the places of the library, which open from the library's page. */
export class VaultDialogs {
  readonly #app: ElectronApplication;
  readonly #page: Page;

  constructor(app: ElectronApplication, page: Page) {
    this.#app = app;
    this.#page = page;
  }

  get vault(): Locator {
    return this.#page.getByRole('dialog', { name: 'Vault of transcripts' });
  }

  get places(): Locator {
    return this.#page.getByRole('dialog', { name: 'Where sessions are looked for' });
  }

  /** From now on the system's dialog for folders answers with this one. */
  async answerWith(folder: string): Promise<void> {
    await this.#app.evaluate(({ dialog }, path) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
    }, folder);
  }

  async open(name: 'Vault' | 'Where to look'): Promise<Locator> {
    await this.#page.getByRole('button', { name, exact: true }).click();
    const dialog = name === 'Vault' ? this.vault : this.places;
    await expect(dialog).toBeVisible();
    return dialog;
  }

  async close(): Promise<void> {
    await this.#page.keyboard.press('Escape');
    await expect(this.#page.getByRole('dialog')).toHaveCount(0);
  }
}
