import type { ElectronApplication, Locator, Page } from '@playwright/test';

/** The dialog that exports the session on screen. */
export class ExportDialogPage {
  readonly app: ElectronApplication;
  readonly page: Page;

  constructor(app: ElectronApplication, page: Page) {
    this.app = app;
    this.page = page;
  }

  get root(): Locator {
    return this.page.getByRole('dialog', { name: 'Export the session' });
  }

  /** With the keyboard, as the palette says. */
  async open(): Promise<void> {
    await this.page.keyboard.press('Control+e');
    await this.root.waitFor();
  }

  format(name: string): Locator {
    return this.root.getByRole('radio', { name: new RegExp(`^${name}`) });
  }

  /** Saves under this path: the system's dialog is answered in main. */
  async saveTo(path: string): Promise<void> {
    await this.app.evaluate(({ dialog }, chosen) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath: chosen });
    }, path);
    await this.root.getByRole('button', { name: /^Save/ }).click();
    await this.root.getByText(path).waitFor();
  }
}
