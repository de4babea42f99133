import { CirclePause, CircleStop, Crosshair, GitFork, Maximize, StepForward, ZoomIn, ZoomOut } from 'lucide-react';
import { useStore } from 'zustand';
import { stopTurn } from '../commands/actions.ts';
import { PathButton } from '../critical-path/PathButton.tsx';
import { stepOne, toggleHold } from '../debugger/actions.ts';
import { BreakpointsButton } from '../debugger/BreakpointsButton.tsx';
import { FaultsButton } from '../debugger/FaultsButton.tsx';
import { askToFork } from '../new-session/actions.ts';
import { useIsPast } from '../replay/past.ts';
import { FilterButton } from '../search/FilterButton.tsx';
import { FindField } from '../search/FindField.tsx';
import { useReader } from '../state/access-store.ts';
import { activityOf, isReadOnly } from '../state/activity.ts';
import { useOpenSession } from '../state/use-session.ts';
import { viewStore } from '../state/view-store.ts';
import { timelineActions } from '../timeline/actions.ts';
import { Button } from '../widgets/Button.tsx';
import { classes } from '../widgets/classes.ts';
import { IconButton } from '../widgets/IconButton.tsx';
import { useLayout } from './layout.ts';
import styles from './Toolbar.module.css';

/** The line above the chart: stop what runs, and move the view. */
export function Toolbar() {
  const open = useOpenSession();
  const reader = useReader(open?.view.sessionId);
  const follow = useStore(viewStore, (view) => view.follow);
  const past = useIsPast();
  const { texts } = useLayout();
  if (open === undefined) return null;
  const isLive = !isReadOnly(open.state);
  // Where another window works in the session this one only looks.
  const isOurs = isLive && reader === undefined;
  const ofView = classes(styles.button, styles.view);
  const moves = classes(styles.button, styles.moves);
  return (
    <div
      className={classes(styles.bar, !texts && styles.iconsOnly, isOurs && styles.crowded)}
      role="toolbar"
      aria-label="Timeline"
    >
      {isOurs ? (
        <>
          <Button
            icon={CirclePause}
            look="quiet"
            className={styles.button}
            pressed={open.state.debugger.held !== undefined}
            aria-label="Hold queue"
            aria-keyshortcuts="H"
            title="Let no call start (H)"
            onClick={() => void toggleHold()}
          >
            Hold queue
          </Button>
          <Button
            icon={StepForward}
            look="quiet"
            className={styles.button}
            disabled={open.state.debugger.held === undefined}
            aria-label="Step"
            aria-keyshortcuts="N"
            title="Let one call start (N)"
            onClick={() => void stepOne()}
          >
            Step
          </Button>
        </>
      ) : null}
      {isOurs ? (
        <Button
          icon={CircleStop}
          look="quiet"
          keys="Esc"
          className={styles.button}
          disabled={!activityOf(open.state).inTurn}
          aria-label="Stop"
          onClick={() => void stopTurn()}
        >
          Stop
        </Button>
      ) : null}
      {isOurs ? (
        <>
          <span className={styles.line} />
          <BreakpointsButton state={open.state} className={styles.button} />
          <FaultsButton state={open.state} className={styles.button} />
        </>
      ) : null}
      {isLive ? null : (
        <Button
          icon={GitFork}
          look="quiet"
          className={styles.button}
          aria-label="Continue this session"
          title="Go on from this session in a new one"
          onClick={() => askToFork(open.view.sessionId)}
        >
          Continue this session
        </Button>
      )}
      <span className={styles.gap} />
      <FindField />
      <FilterButton className={ofView} />
      <PathButton className={ofView} />
      <IconButton icon={ZoomOut} name="Zoom out" keys="S" onClick={() => timelineActions.zoomOut()} />
      <IconButton icon={ZoomIn} name="Zoom in" keys="W" onClick={() => timelineActions.zoomIn()} />
      <Button
        icon={Maximize}
        look="quiet"
        className={moves}
        aria-label="Fit"
        aria-keyshortcuts="0"
        title="Show the whole session (0)"
        onClick={() => timelineActions.fit()}
      >
        Fit
      </Button>
      {isLive || open.view.lastLineAt !== undefined ? (
        <Button
          icon={Crosshair}
          look="quiet"
          keys="F"
          className={moves}
          pressed={follow && !past}
          aria-label="Follow"
          title="Keep the newest calls in view"
          onClick={() => timelineActions.toggleFollow()}
        >
          Follow
        </Button>
      ) : null}
    </div>
  );
}
