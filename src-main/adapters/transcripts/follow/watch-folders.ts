import { type FSWatcher, watch } from 'node:fs';
import type { Disposable } from '../../../../src-shared/disposable.ts';

/** Asks the system to say when something in these folders changes. Where it cannot, nothing is said. */
export function watchFolders(folders: readonly string[], onChange: () => void): Disposable {
  const watchers: FSWatcher[] = [];
  for (const folder of folders) {
    try {
      const watcher = watch(folder, { persistent: false }, onChange);
      // The folder may go while it is watched.
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      // A folder that is still to come, or a system without watches: looking now and then finds what happens there.
    }
  }
  return {
    dispose: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}
