import { Sparkles } from 'lucide-react';
import type { SessionState } from '../../src-shared/session/state.ts';
import { type ContextUse, contextOf, type Spent, spentOf } from '../../src-shared/session/tokens.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { useReader } from '../state/access-store.ts';
import { activityOf, isReadOnly } from '../state/activity.ts';
import { dollars, short } from '../state/format.ts';
import { viewStore } from '../state/view-store.ts';
import { classes } from '../widgets/classes.ts';
import { Tooltip } from '../widgets/Tooltip.tsx';
import { ContextMeter } from './ContextMeter.tsx';
import styles from './StatusBar.module.css';

/**
 * Which model answers, how full its conversation is, and what it has cost. A scenario has no model and fills no window,
 * so nothing is said of them there.
 */
export function ModelStatus({ state }: { readonly state: SessionState }) {
  const context = contextOf(state);
  const spent = spentOf(state);
  const hasTokens = spent.tokensIn + spent.tokensOut > 0;
  return (
    <>
      <ModelName state={state} />
      {context?.window === undefined ? null : <ContextStatus context={context} window={context.window} />}
      {hasTokens ? (
        <Tooltip side="top" text={<SpentTable spent={spent} context={context} />}>
          <span className={classes(styles.item, styles.spent)} data-testid="spent">
            {short(spent.tokensIn)} tokens in · {short(spent.tokensOut)} out
            {spent.cost === undefined ? null : <span className={styles.cost}>{dollars(spent.cost)}</span>}
          </span>
        </Tooltip>
      ) : spent.cost === undefined ? null : (
        <span className={classes(styles.item, styles.spent)}>{dollars(spent.cost)}</span>
      )}
    </>
  );
}

/** A button, since the next turn may be answered by another one. */
function ModelName({ state }: { readonly state: SessionState }) {
  const reader = useReader(state.sessionId);
  if (state.model === undefined || isReadOnly(state)) return null;
  const { model } = state.model;
  const why = reader?.why ?? (activityOf(state).inTurn ? 'It can be changed when the turn has ended.' : undefined);
  return (
    <button
      type="button"
      className={classes(styles.button, styles.model)}
      disabled={why !== undefined}
      aria-label={`Model: ${model}. Change the model`}
      title={`${model}. ${why ?? 'Change it.'}`}
      onClick={() => viewStore.setState({ modelDialog: 'change-model' })}
    >
      <Sparkles aria-hidden="true" size={14} strokeWidth={1.75} />
      <span className={styles.text}>{model}</span>
    </button>
  );
}

function ContextStatus({ context, window }: { readonly context: ContextUse; readonly window: number }) {
  const share = context.used / window;
  const percent = Math.round(share * 100);
  const words = percent === 0 ? '< 1' : String(percent);
  return (
    <Tooltip
      side="top"
      text={`${formatCount(context.used)} of ${formatCount(window)} tokens of the model’s window are used.`}
    >
      <span className={classes(styles.item, styles.context)} data-testid="context">
        <ContextMeter share={share} />
        {words} % of {short(window).replace('.0', '')}
      </span>
    </Tooltip>
  );
}

/** The numbers behind it. */
function SpentTable({ spent, context }: { readonly spent: Spent; readonly context: ContextUse | undefined }) {
  const usage = context?.usage;
  const rows: readonly (readonly [string, number | undefined])[] = [
    ['Sent in this session', spent.tokensIn],
    ['Answered in this session', spent.tokensOut],
    ['Last request, new', usage?.inputTokens],
    ['Last request, from the cache', usage?.cacheReadTokens],
    ['Last request, into the cache', usage?.cacheCreationTokens],
    ['Last answer', usage?.outputTokens],
  ];
  return (
    <table className={styles.table}>
      <tbody>
        {rows.map(([name, tokens]) =>
          tokens === undefined ? null : (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{formatCount(tokens)} tokens</td>
            </tr>
          ),
        )}
        {spent.cost === undefined ? null : (
          <tr>
            <th scope="row">Cost, from list prices</th>
            <td>{dollars(spent.cost)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
