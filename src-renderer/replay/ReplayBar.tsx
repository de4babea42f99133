import {
  Database,
  Hand,
  Lock,
  type LucideIcon,
  OctagonX,
  Pause,
  Play,
  SkipBack,
  StepBack,
  StepForward,
  Undo2,
  Zap,
} from 'lucide-react';
import { useStore } from 'zustand';
import { SPEEDS } from '../../src-shared/replay/advance.ts';
import { STOP_KINDS, type StopKind } from '../../src-shared/replay/stops.ts';
import { formatCount, formatMoment } from '../../src-shared/timeline/words.ts';
import { isReadOnly } from '../state/activity.ts';
import { useWholeSession } from '../state/use-session.ts';
import { timelineActions } from '../timeline/actions.ts';
import { Button } from '../widgets/Button.tsx';
import { IconButton } from '../widgets/IconButton.tsx';
import { Menu, MenuChoices } from '../widgets/Menu.tsx';
import { goToStop } from './actions.ts';
import {
  endOfTape,
  playheadStore,
  seekToPosition,
  setSpeed,
  stepEvent,
  stopFrom,
  togglePlay,
  whereItStands,
} from './playhead-store.ts';
import styles from './Replay.module.css';

const STOPS: Readonly<Record<StopKind, { readonly icon: LucideIcon; readonly label: string }>> = {
  wait: { icon: Lock, label: 'wait' },
  cascade: { icon: Zap, label: 'cascade' },
  error: { icon: OctagonX, label: 'error' },
  permission: { icon: Hand, label: 'permission' },
  saved: { icon: Database, label: 'saved output' },
};

export type ReplayBarProps = {
  /** Nothing will ever follow, wherever the session came from: an exported page. */
  readonly isRecording?: boolean;
};

/** Above the chart of every session that can only be looked at, and of a live one while its past is shown. */
export function ReplayBar({ isRecording = false }: ReplayBarProps) {
  const whole = useWholeSession();
  const { position, playing, speed } = useStore(playheadStore);
  if (whole === undefined) return null;
  const readOnly = isRecording || isReadOnly(whole.state);
  if (!readOnly && position === undefined) return null;
  const hasTimes = whole.state.origin?.kind !== 'imported' || whole.state.origin.clock === 'recorded';
  const at = whereItStands();
  return (
    <div className={styles.bar} role="toolbar" aria-label="Replay">
      <IconButton icon={SkipBack} name="To the start" onClick={() => seekToPosition(0)} />
      <IconButton icon={StepBack} name="Previous event" keys="[" onClick={() => stepEvent(-1)} />
      <button
        type="button"
        className={styles.play}
        aria-label={playing ? 'Pause' : 'Play'}
        aria-keyshortcuts="Space"
        title={playing ? 'Pause (Space)' : 'Play (Space)'}
        onClick={togglePlay}
      >
        {playing ? (
          <Pause aria-hidden="true" size={16} fill="currentColor" />
        ) : (
          <Play aria-hidden="true" size={16} fill="currentColor" />
        )}
      </button>
      <IconButton icon={StepForward} name="Next event" keys="]" onClick={() => stepEvent(1)} />
      <Menu trigger={<Button look="quiet" aria-label={`Speed: ${speed}×`}>{`${speed}×`}</Button>}>
        <MenuChoices
          label="Speed"
          value={String(speed)}
          options={SPEEDS.map((one) => ({ value: String(one), label: `${one}×` }))}
          onChange={(value) => setSpeed(Number(value))}
        />
      </Menu>
      <p className={styles.where} data-testid="playhead">
        {hasTimes ? (
          <>
            <strong>{formatMoment(at.t)}</strong> of {formatMoment(endOfTape())} ·{' '}
          </>
        ) : null}
        event {formatCount(at.position)} of {formatCount(at.count)}
      </p>
      <span className={styles.gap} />
      {readOnly && !(whole.state.followed && position !== undefined) ? null : (
        <Button icon={Undo2} keys="F" aria-label="Back to live" onClick={() => timelineActions.toggleFollow()}>
          Back to live
        </Button>
      )}
      <Jumps />
    </div>
  );
}

function Jumps() {
  return (
    <fieldset className={styles.jumps}>
      <legend>Next</legend>
      {STOP_KINDS.map((kind, at) => {
        const { icon: Icon, label } = STOPS[kind];
        return (
          <button
            key={kind}
            type="button"
            aria-label={`Next ${label}`}
            aria-keyshortcuts={String(at + 1)}
            title={`Next ${label} (${at + 1}), previous (Shift ${at + 1})`}
            disabled={stopFrom(kind, 'next') === undefined}
            onClick={() => goToStop(kind, 'next')}
          >
            <Icon aria-hidden="true" size={14} strokeWidth={1.75} />
            <span>{label}</span>
          </button>
        );
      })}
    </fieldset>
  );
}
