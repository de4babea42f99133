import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import {
  type AbortNode,
  abortTree,
  type CallNode,
  type RequestNode,
  type TurnNode,
} from '../../../src-shared/replay/abort-tree.ts';
import { callLabel, cutTo, formatCount } from '../../../src-shared/timeline/words.ts';
import { Part } from '../../inspector/Facts.tsx';
import { selectCall } from '../../state/view-store.ts';
import { classes } from '../../widgets/classes.ts';
import styles from './State.module.css';
import type { CallProps } from './WhyBox.tsx';

/** Is there anything that a stop would do, or that one has done? */
const tells = (node: AbortNode): boolean =>
  node.kind === 'call'
    ? node.cancelled !== undefined || node.onEscape !== 'ended' || node.children.some(tells)
    : node.children.some(tells);

/** The tree along which a stop goes down, with what it would do to each call, or who has stopped it. */
export function AbortTreePart({ state, call }: CallProps) {
  // Counts what was applied, so it is another one at every moment of a state that grows in place.
  const { nextSeq } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const tree = useMemo(() => abortTree(state, call.callId), [state, nextSeq, call.callId]);
  const isOver = state.ended !== undefined;
  if (tree === undefined || !tells(tree)) return null;
  return (
    <Part title="Abort tree">
      <ul className={styles.tree} aria-label="Abort tree">
        <Branch node={tree} selected={call} isOver={isOver} />
      </ul>
    </Part>
  );
}

type BranchProps<N> = { readonly node: N; readonly selected: CallProps['call']; readonly isOver: boolean };

function Branch({ node, selected, isOver }: BranchProps<TurnNode | RequestNode>) {
  const children = node.children.map((child) =>
    child.kind === 'call' ? (
      <Leaf key={child.call.callId} node={child} selected={selected} isOver={isOver} />
    ) : (
      <Branch key={child.messageId} node={child} selected={selected} isOver={isOver} />
    ),
  );
  const more = node.kind === 'request' && node.more > 0 ? `${formatCount(node.more)} more` : undefined;
  return (
    <Folding name={nameOf(node)}>
      {children}
      {more === undefined ? null : <li className={styles.more}>{more}</li>}
    </Folding>
  );
}

const nameOf = (node: TurnNode | RequestNode): string =>
  node.kind === 'turn'
    ? node.name
    : `request${node.number === undefined ? '' : ` ${formatCount(node.number)}`}, siblings`;

function Folding({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(true);
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon aria-hidden="true" size={14} /> {name}
      </button>
      {isOpen ? <ul>{children}</ul> : null}
    </li>
  );
}

/** `Bash npm test`, `Edit invoice.ts`. */
function labelOf(call: CallProps['call']): string {
  const { tool, argument } = callLabel(call);
  return cutTo(`${tool} ${argument}`.trim(), 40);
}

function Leaf({ node, selected, isOver }: BranchProps<CallNode>) {
  const { call, children } = node;
  return (
    <li>
      <button
        type="button"
        className={classes(styles.leaf, call.callId === selected.callId && styles.own)}
        onClick={() => selectCall(call.callId)}
      >
        {labelOf(call)}
      </button>
      <span className={styles.fate}> · {fateWords(node, isOver)}</span>
      {children.length === 0 ? null : (
        <ul>
          {children.map((child) => (
            <Branch key={child.turn.turnId} node={child} selected={selected} isOver={isOver} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** `Esc stops it`, `would not start`, `cancelled: npm test failed`. */
export function fateWords({ onEscape, onMessage, cancelled }: CallNode, isOver: boolean): string {
  if (cancelled !== undefined) return `${onEscape === 'ended' ? 'cancelled' : 'is stopping'}: ${cancelled}`;
  if (onEscape === 'ended') return 'has ended';
  if (isOver) return 'its end is unknown';
  if (onEscape === 'never-starts') return 'would not start';
  return onMessage === 'waits' ? 'Esc stops it, a message waits for its end' : 'Esc stops it';
}
