import { createStore } from 'zustand/vanilla';
import { viewStore } from '../../state/view-store.ts';

export type LowerTab = 'conversation' | 'state';

export type Lower = {
  /** What the person last chose to see below the chart. */
  readonly chosen: LowerTab;
  /** Questions have brought the conversation to the front, where they are answered; the choice is kept. */
  readonly isBroughtForward: boolean;
};

/** Lives as long as the window, also through a reload. */
const KEY = 'gantry.lower';

const remembered = (): LowerTab => (window.sessionStorage.getItem(KEY) === 'state' ? 'state' : 'conversation');

export const lowerStore = createStore<Lower>(() => ({ chosen: remembered(), isBroughtForward: false }));

/** A person's choice. It also counts over questions that wait: they are still at their bars and in the tab's count. */
export function chooseLower(chosen: LowerTab): void {
  window.sessionStorage.setItem(KEY, chosen);
  lowerStore.setState({ chosen, isBroughtForward: false });
}

/** A question has come, or somebody wants to answer. */
export const bringConversationForward = (): void => lowerStore.setState({ isBroughtForward: true });
/** The last question is gone. */
export const leaveForward = (): void => lowerStore.setState({ isBroughtForward: false });

export const shownLower = ({ chosen, isBroughtForward }: Lower): LowerTab =>
  isBroughtForward ? 'conversation' : chosen;

/** Shows a part wherever it lives in this window: below the chart, or as a tab of its own. */
const show = (tab: LowerTab): void => {
  chooseLower(tab);
  viewStore.setState({ region: tab });
};
export const showState = (): void => show('state');
export const showConversation = (): void => show('conversation');
