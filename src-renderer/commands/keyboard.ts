import { layoutOf } from '../shell/layout.ts';
import { activityOf, IDLE } from '../state/activity.ts';
import { sessionStore } from '../state/session-store.ts';
import { selectCall, type ViewState, viewStore } from '../state/view-store.ts';
import { onlyClosedTooltip } from '../widgets/Tooltip.tsx';
import { stopTurn } from './actions.ts';
import type { Command, CommandContext } from './command.ts';
import { COMMANDS } from './commands.ts';
import { counts, type Focus, focusOf, type KeyPress, matches } from './keys.ts';

/** What Escape does next, one thing at a time (design 13): close, then clear, then stop. */
export type EscapeStep =
  | 'close-palette'
  | 'close-legend'
  | 'close-overlay'
  | 'leave-page'
  | 'clear-cascade'
  | 'clear-selection'
  | 'stop-turn'
  | 'nothing';

export function escapeStep(
  view: Pick<ViewState, 'paletteOpen' | 'legendOpen' | 'page' | 'focusedCascade' | 'selectedCall'>,
  situation: { readonly overlay: boolean; readonly inTurn: boolean },
): EscapeStep {
  if (view.paletteOpen) return 'close-palette';
  if (view.legendOpen) return 'close-legend';
  if (situation.overlay) return 'close-overlay';
  // What runs behind another page is not stopped from there.
  if (view.page !== 'session') return 'leave-page';
  if (view.focusedCascade !== undefined) return 'clear-cascade';
  if (view.selectedCall !== undefined) return 'clear-selection';
  return situation.inTurn ? 'stop-turn' : 'nothing';
}

/** Does the region stand beside the others here, rather than over them? */
const hasPanel = (region: 'sidebar' | 'inspector'): boolean =>
  layoutOf(window.innerWidth, window.innerHeight)[region] === 'panel';

const ESCAPES: Readonly<Record<EscapeStep, () => void>> = {
  'close-palette': () => viewStore.setState({ paletteOpen: false }),
  'close-legend': () => viewStore.setState({ legendOpen: false }),
  'close-overlay': () =>
    viewStore.setState({
      ...(hasPanel('sidebar') ? {} : { sidebarOpen: false }),
      ...(hasPanel('inspector') ? {} : { inspectorOpen: false }),
    }),
  'leave-page': () => viewStore.setState({ page: 'session' }),
  'clear-cascade': () => viewStore.setState({ focusedCascade: undefined }),
  'clear-selection': () => selectCall(undefined),
  'stop-turn': () => void stopTurn(),
  nothing: () => undefined,
};

/** The command that a key press means here and now, if any. Escape is not among them (see `escapeStep`). */
export function commandFor(press: KeyPress, focus: Focus, context: CommandContext): Command | undefined {
  return COMMANDS.find(
    ({ keys, scope, when }) =>
      keys !== undefined && scope !== undefined && counts(scope, focus) && matches(keys, press) && when(context),
  );
}

/** All that commands look at, as it is now. */
export function commandContext(): CommandContext {
  const session = sessionStore.getState();
  return {
    session,
    activity: session.phase === 'open' ? activityOf(session.state) : IDLE,
    view: viewStore.getState(),
  };
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.isComposing) return;
  if (event.key === 'Escape') {
    onEscape(event);
    return;
  }
  // Whoever has the focus comes first: the chart's own keys, fields, menus, the permission board.
  if (event.defaultPrevented) return;
  // Space presses the button that has the focus.
  if (event.key === ' ' && event.target instanceof Element && event.target.closest('button') !== null) return;
  const context = commandContext();
  const command = commandFor(event, focusOf(event.target), context);
  if (command === undefined) return;
  event.preventDefault();
  // A dialog owns the keyboard while it is open: only its own shortcut, which closes it, is let through.
  const { legendOpen, modelDialog } = context.view;
  const blocked = legendOpen || modelDialog !== 'closed' || (context.view.paletteOpen && command.id !== 'palette.open');
  if (!blocked && !(event.repeat && command.scope !== 'chart')) command.run();
}

function onEscape(event: KeyboardEvent): void {
  // Menus and fields prevent the default once they have dealt with it. A tooltip does too, but deals with nothing.
  if (event.defaultPrevented && !(onlyClosedTooltip(event) && !isInDialog(event))) return;
  if (event.repeat) return;
  const { view, activity } = commandContext();
  const overlay = (view.sidebarOpen && !hasPanel('sidebar')) || (view.inspectorOpen && !hasPanel('inspector'));
  ESCAPES[escapeStep(view, { overlay, inTurn: activity.inTurn })]();
}

/** In a dialog the next Escape closes that: what is behind it is not reached by way of a tooltip. */
const isInDialog = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('[role="dialog"]') !== null;

/** Listens to the window's keys. One place, so that Escape is handled once and a key means one thing. */
export function startKeyboard(): () => void {
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}
