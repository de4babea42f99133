import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { SettingsReader } from '../composition/settings.ts';
import { wholeEntryLine } from '../core/settings/notices.ts';
import { shownText } from '../core/settings/words.ts';
import { type Io, wordsOrUsage } from './io.ts';

export const TRUST_USAGE = `gantry trust DIR [--undo] [--json]
  gantry trust --list [--json]`;

/**
 * `gantry trust`: lets the settings that come with a folder have their effect, takes that back, or lists the folders.
 * Just what is printed takes effect; what comes later waits. Exit code 0; 2 when the words do not fit.
 * @throws FailureError when the folder is not there, or the list of folders cannot be read or written.
 */
export function trustCommand(args: readonly string[], io: Io, { trust, settingsFor }: SettingsReader): number {
  const { json, undo, list, name } = parse(args);
  const answer = (value: unknown, lines: readonly string[]): number => {
    io.stdout(json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''));
    return 0;
  };
  if (list) {
    const folders = trust.list();
    return answer({ folders }, folders.length === 0 ? ['No folder is trusted.'] : folders.map(shownText));
  }
  const folder = resolve(name);
  if (undo) {
    trust.untrust(folder);
    return answer({ folder, trusted: false }, [`${shownText(folder)} is not trusted. Its deny and ask rules count.`]);
  }
  const { inert } = settingsFor(folder).current();
  const entries = inert.filter(({ why }) => why === 'folder-not-trusted');
  trust.trust(
    folder,
    entries.map(({ key }) => key),
  );
  const real = realpathSync(folder);
  return answer({ folder: real, trusted: true, entries }, [
    `${shownText(real)} is trusted. ${entries.length === 0 ? 'It had no settings that waited for it.' : 'These settings of it take effect:'}`,
    ...entries.map((entry) => `  ${wholeEntryLine(entry)}`),
  ]);
}

type Words = { readonly json: boolean; readonly undo: boolean; readonly list: boolean; readonly name: string };

function parse(args: readonly string[]): Words {
  const flag = { type: 'boolean', default: false } as const;
  return wordsOrUsage(TRUST_USAGE, () => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: flag, undo: flag, list: flag },
    });
    const [name, ...more] = positionals;
    if (more.length > 0 || (name === undefined) !== values.list || (values.list && values.undo)) {
      throw new Error('Give one folder, or --list.');
    }
    return { ...values, name: name ?? '' };
  });
}
