import type { SessionId, ShellId } from '../../src-shared/ids.ts';
import { request } from '../bridge.ts';
import { failureWords } from '../state/problem.ts';
import { announce } from '../state/view-store.ts';

/** Ends a background shell, and says what came of it. */
export async function stopShell(sessionId: SessionId, shellId: ShellId): Promise<void> {
  try {
    const { survivors } = await request('shell.kill', { sessionId, shellId });
    announce(
      survivors.length === 0
        ? `${shellId} is ended, nothing of it is left.`
        : `${shellId} is ended, but these live on: ${survivors.map(({ pid, command }) => `${pid} ${command}`).join(', ')}.`,
    );
  } catch (error) {
    announce(failureWords(error).message);
  }
}
