import { resolve } from 'node:path';
import type { SessionId } from '../../src-shared/ids.ts';
import type { Handlers, PushPayload, TrustEntry, TrustState } from '../../src-shared/ipc/contract.ts';
import type { SessionLibrary } from '../app/session-library.ts';
import { notTrustedNotice, trustedNotice } from '../core/settings/notices.ts';
import type { FolderEntry } from '../core/settings/settings.ts';
import { visibleText } from '../core/settings/words.ts';
import type { FolderTrust, SettingsSource } from '../ports/settings.ts';

export type TrustHandlerDeps = {
  readonly library: Pick<SessionLibrary, 'liveIn'>;
  readonly settingsFor: (folder: string) => SettingsSource;
  readonly trust: FolderTrust;
  readonly changed: (payload: PushPayload<'trust.changed'>) => void;
};

/** What comes with a folder, and the person's word on it. */
export function trustHandlers(deps: TrustHandlerDeps): Pick<Handlers, 'trust.state' | 'trust.set'> {
  const { library, settingsFor, trust, changed } = deps;
  const settingsOf = (folder: string, sessionId: SessionId | undefined): SettingsSource =>
    library.liveIn((cwd) => resolve(cwd) === folder).find((live) => live.sessionId === sessionId)?.settings ??
    settingsFor(folder);
  const stateOf = (folder: string, sessionId: SessionId | undefined): TrustState => {
    const { inert, granted } = settingsOf(folder, sessionId).current();
    return {
      folder,
      answer: trust.answerFor(folder).answer,
      waiting: inert.filter(({ why }) => why === 'folder-not-trusted').map(shown),
      granted: granted.map(shown),
    };
  };
  return {
    'trust.state': async ({ cwd, sessionId }) => stateOf(resolve(cwd), sessionId),
    'trust.set': async ({ cwd, sessionId, answer, keys }) => {
      const folder = resolve(cwd);
      const { inert } = settingsOf(folder, sessionId).current();
      const confirmed = inert.filter(({ why, key }) => why === 'folder-not-trusted' && keys.includes(key));
      if (answer === 'trust') {
        // What is no longer there is not confirmed ahead of its coming back.
        trust.trust(
          folder,
          confirmed.map(({ key }) => key),
        );
      } else if (answer === 'never') trust.refuse(folder);
      else trust.untrust(folder);
      const notice = answer === 'trust' ? trustedNotice(folder, confirmed) : notTrustedNotice(folder, answer);
      const isNews = answer !== 'trust' || confirmed.length > 0;
      if (isNews) {
        for (const { session } of library.liveIn((each) => resolve(each) === folder)) {
          session.tell({ text: notice.text, detail: notice.detail });
        }
      }
      changed({ folder });
      return stateOf(folder, sessionId);
    },
  };
}

/** As it may stand on a screen: a folder's author has written it, and may want a line to look like another. */
const shown = ({ kind, full, file, line, key }: FolderEntry): TrustEntry => ({
  kind,
  full: visibleText(full),
  file: visibleText(file),
  line,
  key,
});
