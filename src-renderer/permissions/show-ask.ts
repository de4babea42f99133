import { onPush } from '../bridge.ts';
import { leavePlayhead } from '../replay/playhead-store.ts';
import { bringConversationForward } from '../replay/state/lower-store.ts';
import { viewStore } from '../state/view-store.ts';
import { foldBoard } from './board-store.ts';

/**
 * Opens the card of a question that main wants to be shown: a notification was chosen. Has to be started after the app's
 * store, which shows the session first. Called once by the composition of the renderer.
 */
export function startShowAsk(): () => void {
  return onPush('session.show', ({ askId }) => {
    if (askId === undefined) return;
    // The question waits now, whatever past was looked at.
    leavePlayhead();
    viewStore.setState({ openAsk: askId, region: 'conversation' });
    bringConversationForward();
    foldBoard(false);
  });
}
