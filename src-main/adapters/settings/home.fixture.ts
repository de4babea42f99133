import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { settingsPlaces } from '../../core/settings/places.ts';
import { systemClock } from '../process/system-clock.ts';
import { SettingsFiles } from './settings-files.ts';
import { TrustedFolders } from './trusted-folders.ts';

/** A home, a project and an administrator's folder of a test's own. Never the real ones. */
export class Home {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-settings-')));
  readonly shop = join(this.root, 'work', 'shop');
  readonly user = join(this.root, 'home', '.claude', 'settings.json');
  readonly project = join(this.shop, '.claude', 'settings.json');
  readonly local = join(this.shop, '.claude', 'settings.local.json');
  readonly managed = join(this.root, 'etc', 'managed-settings.json');
  readonly own = join(this.root, 'gantry', 'settings.json');
  readonly ownProject = join(this.shop, '.gantry', 'settings.json');
  readonly trustList = join(this.root, 'gantry', 'trusted.json');
  readonly trusted = new TrustedFolders(this.trustList, systemClock);

  constructor() {
    mkdirSync(this.shop, { recursive: true });
  }

  write(file: string, content: unknown): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
  }

  /** Lays a link at `from` that leads to `to`. */
  link(to: string, from: string): void {
    mkdirSync(dirname(from), { recursive: true });
    symlinkSync(to, from);
  }

  settings(folder: string = this.shop): SettingsFiles {
    const home = join(this.root, 'home');
    return new SettingsFiles({
      folder,
      home,
      places: settingsPlaces({
        cwd: folder,
        claudeHome: join(home, '.claude'),
        gantryHome: join(this.root, 'gantry'),
        managedHome: join(this.root, 'etc'),
      }),
      trusted: this.trusted,
      clock: systemClock,
    });
  }

  /** Trusts the folder with all that comes with it now. */
  trust(folder: string = this.shop): void {
    const { inert } = this.settings(folder).current();
    this.trusted.trust(
      folder,
      inert.map(({ key }) => key),
    );
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
