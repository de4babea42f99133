import type { MessageId, SessionId } from '../../src-shared/ids.ts';
import { request } from '../bridge.ts';
import { openSession, sessionStore } from '../state/session-store.ts';
import { announce, viewStore } from '../state/view-store.ts';
import { choiceOf, type Form } from './form.ts';
import { messageUsed } from './form-store.ts';

/** Starts a session and shows it. @throws FailureError with words for the dialog. */
export async function startSession(form: Form): Promise<void> {
  const prompt = form.prompt.trim();
  const { sessionId } = await request('session.start', {
    cwd: form.folder.trim(),
    model: choiceOf(form),
    mode: form.mode,
    ...(prompt === '' ? {} : { prompt }),
  });
  messageUsed();
  void openSession(sessionId);
}

/** Asks for the folder and the model with which a session is continued in a new one. */
export function askToFork(sessionId: SessionId, upToMessageId?: MessageId): void {
  const fork = { sessionId, ...(upToMessageId === undefined ? {} : { upToMessageId }) };
  viewStore.setState({ modelDialog: 'fork-session', fork });
}

/** Starts the session that goes on from the chosen one, and shows it. @throws FailureError with words for the dialog. */
export async function forkSession(form: Form): Promise<void> {
  const { fork } = viewStore.getState();
  if (fork === undefined) return;
  const prompt = form.prompt.trim();
  const { sessionId } = await request('session.fork', {
    ...fork,
    cwd: form.folder.trim(),
    model: choiceOf(form),
    mode: form.mode,
    ...(prompt === '' ? {} : { prompt }),
  });
  messageUsed();
  void openSession(sessionId);
}

/** Has another model answer in the session on screen. @throws FailureError with words for the dialog. */
export async function changeModel(form: Form): Promise<void> {
  const session = sessionStore.getState();
  if (session.phase !== 'open') return;
  const model = choiceOf(form);
  await request('session.set-model', { sessionId: session.sessionId, model });
  announce(`${model.model} answers from the next message on.`);
}
