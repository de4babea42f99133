import { isFiltering } from '../../src-shared/filter/call-filter.ts';
import { STOP_KINDS } from '../../src-shared/replay/stops.ts';
import { togglePath } from '../critical-path/path-store.ts';
import { changeSpeed, goToStop } from '../replay/actions.ts';
import { isPast } from '../replay/past.ts';
import { leavePlayhead, seekToPosition, stepEvent, togglePlay } from '../replay/playhead-store.ts';
import { isReadOnly } from '../state/activity.ts';
import { clearFilter, filterStore, openSearch, stepToMatch } from '../state/filter-store.ts';
import { viewStore } from '../state/view-store.ts';
import { timelineActions } from '../timeline/actions.ts';
import { toggleWhatIf } from '../what-if/what-if-store.ts';
import { type Command, type CommandContext, focusSoon, isOpen } from './command.ts';

/** Opens the search over the chart, and puts the cursor into it. */
function searchCalls(): void {
  viewStore.setState({ page: 'session', region: 'timeline' });
  openSearch();
  focusSoon('[data-find-field]');
}

const isSearching = (context: CommandContext): boolean => isOpen(context) && filterStore.getState().found !== undefined;

/** The playhead (design 13). A live session is scrubbed like a recorded one. */
const REPLAY_COMMANDS: readonly Command[] = [
  ...(
    [
      ['play', 'Play or pause the replay', 'Space', togglePlay],
      ['step-back', 'Go to the previous event', '[', () => stepEvent(-1)],
      ['step-on', 'Go to the next event', ']', () => stepEvent(1)],
      ['slower', 'Play slower', ',', () => changeSpeed(-1)],
      ['faster', 'Play faster', '.', () => changeSpeed(1)],
    ] as const
  ).map(
    ([id, title, keys, run]): Command => ({
      id: `replay.${id}`,
      title,
      group: 'Timeline',
      keys,
      scope: 'chart',
      when: isOpen,
      run,
    }),
  ),
  ...STOP_KINDS.flatMap((kind, at) =>
    (['next', 'previous'] as const).map(
      (to): Command => ({
        id: `replay.${to}-${kind}`,
        title: `Go to the ${to} ${kind === 'saved' ? 'saved output' : kind}`,
        group: 'Timeline',
        keys: to === 'next' ? `${at + 1}` : `Shift ${at + 1}`,
        scope: 'chart',
        when: isOpen,
        run: () => goToStop(kind, to),
      }),
    ),
  ),
  {
    id: 'replay.start',
    title: 'Replay from the start',
    group: 'Timeline',
    when: isOpen,
    run: () => seekToPosition(0),
  },
  {
    id: 'replay.leave',
    title: 'Leave the replay and show all that is known',
    group: 'Timeline',
    when: (context) => isOpen(context) && isPast(),
    run: leavePlayhead,
  },
];

/** What is done with the chart. The keys of design 13 that it handles itself are not here. */
export const TIMELINE_COMMANDS: readonly Command[] = [
  {
    id: 'timeline.search',
    title: 'Search the calls of the session',
    group: 'Timeline',
    keys: 'Ctrl F',
    scope: 'anywhere',
    when: isOpen,
    run: searchCalls,
  },
  {
    id: 'timeline.next-match',
    title: 'Go to the next call that is found',
    group: 'Timeline',
    when: isSearching,
    run: () => stepToMatch(1),
  },
  {
    id: 'timeline.previous-match',
    title: 'Go to the previous call that is found',
    group: 'Timeline',
    when: isSearching,
    run: () => stepToMatch(-1),
  },
  {
    id: 'timeline.clear-filter',
    title: 'Clear the filters',
    group: 'Timeline',
    when: (context) => isOpen(context) && isFiltering(filterStore.getState().filter),
    run: clearFilter,
  },
  {
    id: 'timeline.zoom-in',
    title: 'Zoom in',
    group: 'Timeline',
    keys: 'W',
    scope: 'chart',
    when: isOpen,
    run: () => timelineActions.zoomIn(),
  },
  {
    id: 'timeline.zoom-out',
    title: 'Zoom out',
    group: 'Timeline',
    keys: 'S',
    scope: 'chart',
    when: isOpen,
    run: () => timelineActions.zoomOut(),
  },
  {
    id: 'timeline.fit',
    title: 'Fit the whole session',
    group: 'Timeline',
    keys: '0',
    scope: 'chart',
    when: isOpen,
    run: () => timelineActions.fit(),
  },
  {
    id: 'timeline.fit-selection',
    title: 'Fit the selected call',
    group: 'Timeline',
    keys: 'Z',
    scope: 'chart',
    when: ({ session, view }) => session.phase === 'open' && view.selectedCall !== undefined,
    run: () => timelineActions.fitSelection(),
  },
  {
    id: 'timeline.zoom-to-turn',
    title: 'Zoom to the turn',
    group: 'Timeline',
    keys: 'T',
    scope: 'chart',
    when: isOpen,
    run: () => timelineActions.zoomToTurn(),
  },
  {
    id: 'timeline.critical-path',
    title: 'Show or hide the critical path',
    group: 'Timeline',
    keys: 'C',
    scope: 'chart',
    when: isOpen,
    run: togglePath,
  },
  {
    id: 'timeline.what-if',
    title: 'Show or hide what other rules would have come to',
    group: 'Timeline',
    keys: 'I',
    scope: 'chart',
    when: isOpen,
    run: toggleWhatIf,
  },
  {
    id: 'timeline.follow',
    title: 'Follow the newest call',
    group: 'Timeline',
    keys: 'F',
    scope: 'chart',
    when: ({ session }) => session.phase === 'open' && (!isReadOnly(session.state) || session.state.followed),
    run: () => timelineActions.toggleFollow(),
  },
  ...REPLAY_COMMANDS,
];
