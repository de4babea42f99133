import { useEffect, useRef } from 'react';
import { sessionStore } from '../state/session-store.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { viewStore } from '../state/view-store.ts';
import type { Layout } from './layout.ts';

/** Closes a panel while `folded`, and opens it again afterwards if it was open before. */
function useFolded(panel: 'sidebarOpen' | 'inspectorOpen', folded: boolean): void {
  const before = useRef<boolean>(undefined);
  // Not as a clean-up: that would open the panel for a moment whenever an effect is only set up again.
  useEffect(() => {
    if (folded && before.current === undefined) {
      before.current = viewStore.getState()[panel];
      viewStore.setState({ [panel]: false });
    } else if (!folded) {
      if (before.current === true) viewStore.setState({ [panel]: true });
      before.current = undefined;
    }
  }, [panel, folded]);
}

/**
 * Panels that would lie over the content start closed, so that narrowing a window never hides the chart. The list of
 * sessions also stays closed as long as there is nothing in it (the first start, design picture g).
 */
export function useFoldedPanels(layout: Layout): void {
  useFolded('sidebarOpen', layout.sidebar !== 'panel');
  useFolded('inspectorOpen', layout.inspector !== 'panel');
  useEffect(() => {
    let hidden = false;
    const check = (): void => {
      const { loaded, sessions } = sessionsStore.getState();
      const isEmpty = loaded && sessions.length === 0 && sessionStore.getState().phase === 'none';
      if (isEmpty && !hidden) {
        hidden = true;
        viewStore.setState({ sidebarOpen: false });
      } else if (hidden && sessions.length > 0 && layout.sidebar === 'panel') {
        hidden = false;
        viewStore.setState({ sidebarOpen: true });
      }
    };
    check();
    return sessionsStore.subscribe(check);
  }, [layout.sidebar]);
}
