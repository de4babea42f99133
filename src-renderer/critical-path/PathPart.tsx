import { Spline } from 'lucide-react';
import { useStore } from 'zustand';
import type { PathKind } from '../../src-shared/critical-path/path.ts';
import { type PathShares, type TurnWork, timeOnPath } from '../../src-shared/critical-path/shares.ts';
import {
  efficiencyWords,
  longestWaitWords,
  NEWS_MS,
  onPathWords,
  PATH_WORDS,
  percentWords,
  sharesSentence,
} from '../../src-shared/critical-path/words.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { callName, formatCount, formatMillis } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { mainTurns, turnOf } from '../../src-shared/turns/turn-of.ts';
import { Part } from '../inspector/Facts.tsx';
import { Swatch, type SwatchKind } from '../inspector/Swatch.tsx';
import { playheadStore } from '../replay/playhead-store.ts';
import { useWholeSession } from '../state/use-session.ts';
import { Button } from '../widgets/Button.tsx';
import { Linked } from './CallLink.tsx';
import styles from './CriticalPath.module.css';
import { pathStore, togglePath } from './path-store.ts';
import { useTurnReport } from './use-turn-report.ts';

const LOOKS: Readonly<Record<PathKind, SwatchKind>> = {
  model: 'model',
  tool: 'running',
  human: 'permission',
  hook: 'hooks',
  lock: 'lock',
  other: 'other',
};

type Props = {
  readonly state: SessionState;
  /** The turn is that of the call; without one that at the playhead, else the newest. */
  readonly call?: ToolCall;
};

/** What decided how long the turn took: of the whole turn, wherever the playhead stands in it. */
export function PathPart({ state: then, call }: Props) {
  const open = useWholeSession();
  const state = open !== undefined && open.state.sessionId === then.sessionId ? open.state : then;
  const playhead = useStore(playheadStore, ({ t }) => t);
  const t = call?.queuedAt ?? playhead;
  const turn = turnOf(state, t === undefined ? {} : { t });
  const report = useTurnReport(state, turn);
  const isShown = useStore(pathStore, (path) => path.isShown);
  if (turn === undefined || report === undefined) return null;
  const { path, shares, work } = report;
  const total = path.until - path.from;
  if (total < 1) return null;
  const turns = mainTurns(state);
  const number = turns.findIndex(({ turnId }) => turnId === turn.turnId) + 1;
  const length = formatMillis(total);
  return (
    <>
      <Part
        title="Critical path of the turn"
        note={turns.length > 1 && number > 0 ? `turn ${formatCount(number)}, ${length}` : length}
      >
        <Shares shares={shares} total={total} />
        {call === undefined ? null : (
          <p className={styles.sentence}>{onPathWords(callName(call), timeOnPath(state, path, call.callId), path)}</p>
        )}
        <Button icon={Spline} pressed={isShown} onClick={togglePath} className={styles.toggle ?? ''}>
          Show in the chart
        </Button>
      </Part>
      <EfficiencyPart state={state} work={work} />
    </>
  );
}

/** One bar of all kinds, and the same as a table. */
function Shares({ shares, total }: { readonly shares: PathShares; readonly total: number }) {
  const kinds = PATH_WORDS.filter(([kind]) => kind !== 'other' || shares.other >= NEWS_MS);
  return (
    <>
      <div className={styles.stack} role="img" aria-label={sharesSentence(shares, total)}>
        {kinds.map(([kind]) =>
          shares[kind] >= NEWS_MS ? (
            <Swatch key={kind} kind={LOOKS[kind]} className={styles.share ?? ''} style={{ flexGrow: shares[kind] }} />
          ) : null,
        )}
      </div>
      <table className={styles.legend}>
        <tbody>
          {kinds.map(([kind, word]) => (
            <tr key={kind}>
              <th scope="row">
                <Swatch kind={LOOKS[kind]} /> {word}
              </th>
              <td>{formatMillis(shares[kind])}</td>
              <td className={styles.percent}>{percentWords(shares[kind], total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function EfficiencyPart({ state, work }: { readonly state: SessionState; readonly work: TurnWork }) {
  const words = efficiencyWords(work);
  if (words === undefined) return null;
  const { longest } = work;
  return (
    <Part title="Parallel efficiency">
      <p className={styles.sentence}>
        <strong>{words.factor}</strong> {words.text}{' '}
        {longest === undefined ? null : (
          <Linked state={state} text={longestWaitWords(state, longest)} ids={[longest.callId, ...longest.by]} />
        )}
      </p>
    </Part>
  );
}
