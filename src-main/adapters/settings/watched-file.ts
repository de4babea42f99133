import type { Clock } from '../../ports/clock.ts';
import { readSettingsText, type SettingsText, type Stamp, stampOf } from './read-settings.ts';

/**
 * One file, read again only when it has changed. Looking costs one `stat`, so it is done before every decision; a
 * watcher would tell later than that, and not at all on some network drives.
 */
export class WatchedFile {
  readonly path: string;
  readonly #clock: Clock;
  #stamp: Stamp | undefined;
  #content: SettingsText = { kind: 'missing' };

  constructor(path: string, clock: Clock) {
    this.path = path;
    this.#clock = clock;
  }

  /** The same object as before when nothing has changed. */
  look(): SettingsText {
    // Before the reading: a change that comes in between shows at the next look.
    const stamp = stampOf(this.path, this.#clock.now());
    if (this.#stamp !== undefined && this.#stamp.text === stamp.text && !this.#stamp.young) return this.#content;
    this.#stamp = stamp;
    const content = readSettingsText(this.path);
    if (!isSame(content, this.#content)) this.#content = content;
    return this.#content;
  }
}

const isSame = (a: SettingsText, b: SettingsText): boolean => JSON.stringify(a) === JSON.stringify(b);
