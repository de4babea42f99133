import type { SessionId } from '../../src-shared/ids.ts';
import type { SessionSettings } from '../../src-shared/session/settings.ts';
import { pathOf, request } from '../bridge.ts';
import { addDraftImages, isImageType } from '../conversation/draft-images.ts';
import { accessStore, readerOf } from '../state/access-store.ts';
import { activityOf, isReadOnly, stoppedWords } from '../state/activity.ts';
import { appStore } from '../state/app-store.ts';
import { failureWords, type Problem } from '../state/problem.ts';
import { closeSession, openSession, sessionStore } from '../state/session-store.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { announce, viewStore } from '../state/view-store.ts';

const fail = (problem: Problem): void => appStore.setState({ openProblem: problem });

/** Reports what a person asked for and did not get, in the status bar. */
const announceFailure = (error: unknown): void => {
  const { message, hint } = failureWords(error);
  announce(hint === undefined ? message : `${message} ${hint}`);
};

const baseName = (path: string): string => path.split(/[/\\]/).filter(Boolean).at(-1) ?? path;

/** Reads a transcript, a folder of one, or a journal, and shows it. */
export async function openTranscript(path: string): Promise<void> {
  appStore.setState({ reading: baseName(path), openProblem: undefined });
  try {
    const { sessionId } = await request('transcript.open', { path });
    await openSession(sessionId);
  } catch (error) {
    fail(failureWords(error));
  } finally {
    appStore.setState({ reading: undefined });
  }
}

/** Lets the person choose a file, and shows it. One dialog at a time. */
export async function chooseTranscript(): Promise<void> {
  if (appStore.getState().choosing) return;
  appStore.setState({ choosing: true, openProblem: undefined });
  try {
    const { sessionId } = await request('transcript.choose', undefined);
    if (sessionId !== undefined) await openSession(sessionId);
  } catch (error) {
    fail(failureWords(error));
  } finally {
    appStore.setState({ choosing: false });
  }
}

/** Opens what was dropped: one file or folder; pictures go with the message that is written. Several are too many to show, so the first one is taken. */
export async function openDropped(files: readonly File[]): Promise<void> {
  const [first] = files;
  if (first === undefined) {
    fail({ message: 'Only files and folders can be dropped here.', hint: 'Drop a transcript from the file manager.' });
    return;
  }
  const session = sessionStore.getState();
  const takesMessages = session.phase === 'open' && !isReadOnly(session.state);
  if (takesMessages && files.every(({ type }) => isImageType(type))) {
    const reader = readerOf(accessStore.getState(), session.sessionId);
    if (reader !== undefined) return announce(reader.why);
    announce((await addDraftImages(session.sessionId, files)) ?? 'Added to the message.');
    return;
  }
  const path = pathOf(first);
  if (path === undefined) {
    fail({
      message: `${first.name} has no path on this machine.`,
      hint: 'Save it to disk, then drop it again or choose it with Open a transcript.',
    });
    return;
  }
  await openTranscript(path);
  if (files.length > 1) announce(`Opened ${first.name}. Drop the other ${files.length - 1} one by one.`);
}

/** Starts a scenario of the gallery in a scratch folder, and shows it. */
export async function startScenario(name: string): Promise<void> {
  if (appStore.getState().starting !== undefined) return;
  appStore.setState({ starting: name, openProblem: undefined });
  try {
    const { sessionId } = await request('scenario.start', { name });
    await openSession(sessionId);
  } catch (error) {
    fail(failureWords(error));
  } finally {
    appStore.setState({ starting: undefined });
  }
}

/** Takes an imported session off the list. The file it was read from stays as it is. */
export async function removeSession(sessionId: SessionId): Promise<void> {
  const title = sessionsStore.getState().sessions.find((session) => session.sessionId === sessionId)?.title;
  const view = sessionStore.getState();
  try {
    if (view.phase !== 'none' && view.sessionId === sessionId) closeSession();
    await request('session.remove', { sessionId });
    announce(`Removed ${title ?? 'the session'} from the list. Its file was not changed.`);
  } catch (error) {
    announceFailure(error);
  }
}

/** Gives a session another title. */
export async function renameSession(sessionId: SessionId, title: string): Promise<void> {
  try {
    await request('session.rename', { sessionId, title });
  } catch (error) {
    announceFailure(error);
  }
}

/** Has a summary take the place of the conversation so far. @param instructions what the person wants of it. */
export async function compactConversation(instructions: string): Promise<void> {
  const view = sessionStore.getState();
  if (view.phase !== 'open') return;
  try {
    const { waits } = await request('session.compact', { sessionId: view.sessionId, instructions });
    announce(waits ? 'The conversation is compacted before the next request.' : 'The conversation is being compacted.');
  } catch (error) {
    announceFailure(error);
  }
}

/** Changes settings of the open session; they hold from the next turn on. */
export async function changeSettings(change: Partial<SessionSettings>): Promise<void> {
  const view = sessionStore.getState();
  if (view.phase !== 'open') return;
  try {
    await request('session.set-settings', {
      sessionId: view.sessionId,
      settings: { ...view.state.settings, ...change },
    });
  } catch (error) {
    announceFailure(error);
  }
}

/** Puts a text on the clipboard and says so. */
export async function copyText(text: string): Promise<void> {
  try {
    await request('clipboard.write', { text });
    announce('Copied.');
  } catch (error) {
    announceFailure(error);
  }
}

/** Stops the running turn and every call of it. Asks nothing, says what it stops. */
export async function stopTurn(): Promise<void> {
  const view = sessionStore.getState();
  if (view.phase !== 'open') return;
  const words = stoppedWords(activityOf(view.state));
  try {
    const { interrupted } = await request('session.interrupt', { sessionId: view.sessionId, reason: 'escape' });
    announce(interrupted ? words : 'Nothing was running.');
  } catch (error) {
    announceFailure(error);
  }
}

/** Opens one more window beside this one. */
export async function openWindow(): Promise<void> {
  try {
    await request('window.new', undefined);
  } catch (error) {
    announceFailure(error);
  }
}

/** Shows the start page with the scenario gallery. */
export function showGallery(): void {
  closeSession();
  viewStore.setState({ page: 'session', paletteOpen: false, legendOpen: false });
}
