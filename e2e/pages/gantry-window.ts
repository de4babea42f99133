import { type ElectronApplication, expect, type Locator, type Page } from '@playwright/test';
import { PermissionBoardPage } from './permission-board.ts';
import { TimelinePage } from './timeline.ts';

/** The window as a person sees it. */
export class GantryWindow {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly timeline: TimelinePage;
  readonly board: PermissionBoardPage;

  constructor(app: ElectronApplication, page: Page) {
    this.app = app;
    this.page = page;
    this.timeline = new TimelinePage(page);
    this.board = new PermissionBoardPage(page);
  }

  get html(): Locator {
    return this.page.locator('html');
  }

  /** No call runs, nothing is asked, no frame waits to be drawn. */
  async idle(timeout = 30_000): Promise<void> {
    await expect(this.html).toHaveAttribute('data-idle', 'true', { timeout });
  }

  /** Starts a scenario from the gallery of the start page. */
  async startScenario(title: string): Promise<void> {
    // The name of a card begins with its title; its words may be those of another's.
    const card = new RegExp(`^${title.replaceAll(/[^\w ]/g, '\\$&')}`);
    await this.page.getByRole('main').getByRole('button', { name: card }).first().click();
    await expect(this.timeline.list).toBeAttached();
  }

  /** Opens a transcript through the dialog, which answers with this path. */
  async openTranscript(path: string): Promise<void> {
    await this.app.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
    }, path);
    await this.idle();
    await this.page.keyboard.press('Control+o');
  }

  /** Runs a command by its name in the palette, which takes letters once its field has the focus. */
  async runCommand(title: string): Promise<void> {
    await this.page.keyboard.press('Control+k');
    const field = this.page.getByRole('combobox', { name: 'Find or run' });
    await expect(field).toBeFocused();
    await field.fill(title);
    await expect(this.page.getByRole('option', { selected: true })).toContainText(new RegExp(title, 'i'));
    await this.page.keyboard.press('Enter');
  }

  get conversation(): Locator {
    return this.page.getByRole('region', { name: 'Conversation' });
  }

  get inspector(): Locator {
    return this.page.getByRole('complementary', { name: 'Inspector' });
  }
}
