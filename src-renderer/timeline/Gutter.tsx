import {
  ChevronDown,
  ChevronRight,
  Clock,
  Cpu,
  Hand,
  Hourglass,
  type LucideIcon,
  Sparkles,
  SquareTerminal,
  Webhook,
} from 'lucide-react';
import type { Ref } from 'react';
import { useStore } from 'zustand';
import { GUTTER } from '../../src-shared/chart/metrics.ts';
import type { Row } from '../../src-shared/chart/rows.ts';
import type { AgentId } from '../../src-shared/ids.ts';
import { viewStore } from '../state/view-store.ts';
import { classes } from '../widgets/classes.ts';
import { Menu, MenuChoices } from '../widgets/Menu.tsx';
import type { Chart } from './chart.ts';
import { type ChartStore, lanesUsed } from './chart-store.ts';
import styles from './Gutter.module.css';

export type GutterProps = {
  readonly store: ChartStore;
  readonly chart: Chart | undefined;
  /** The part that scrolls with the rows; the chart moves it. */
  readonly rowsRef: Ref<HTMLDivElement>;
};

/** The names of the rows. Cut where they are too long, never wrapped, never over each other. */
export function Gutter({ store, chart, rowsRef }: GutterProps) {
  // Rows are new with every version of the session; the signature says when the gutter looks different.
  useStore(store, (state) => state.signature);
  const gutter = useStore(store, (state) => state.gutter);
  const { rows } = store.getState();
  return (
    <div className={styles.gutter} data-icons={gutter === GUTTER.icons || undefined} style={{ width: gutter }}>
      <div className={styles.ruler}>
        <ClockMenu store={store} chart={chart} />
      </div>
      <div className={styles.model}>
        <Label icon={Sparkles} text="Model" />
      </div>
      <div className={styles.clip}>
        <div ref={rowsRef} className={styles.rows}>
          {rows.dividers.map((y) => (
            <div key={y} className={styles.divider} style={{ top: y }} />
          ))}
          {rows.rows.map((row) => (
            <GutterRow key={row.key} row={row} chart={chart} title={store.getState().model?.processes?.title} />
          ))}
        </div>
      </div>
    </div>
  );
}

const CLOCKS = [
  { value: 'from-start', label: 'from start' },
  { value: 'wall', label: 'wall time' },
] as const;

function ClockMenu({ store, chart }: { readonly store: ChartStore; readonly chart: Chart | undefined }) {
  const clock = useStore(store, (state) => state.clock);
  const isOrderOnly = useStore(store, (state) => state.model?.clock === 'order-only');
  if (isOrderOnly) return null;
  const label = CLOCKS.find((one) => one.value === clock)?.label;
  return (
    <Menu
      trigger={
        <button type="button" className={styles.clock} aria-label={`Times ${label}`}>
          <Clock aria-hidden="true" size={13} className={styles.clockIcon} />
          <span className={styles.text}>{label}</span>
          <ChevronDown aria-hidden="true" size={12} />
        </button>
      }
    >
      <MenuChoices
        label="Times on the ruler"
        value={clock}
        options={CLOCKS}
        onChange={(next) => chart?.set({ clock: next })}
      />
    </Menu>
  );
}

function Label({
  icon: Icon,
  text,
  className,
}: {
  readonly icon: LucideIcon;
  readonly text: string;
  readonly className?: string | undefined;
}) {
  return (
    <span className={classes(styles.label, className)} title={text}>
      <Icon aria-hidden="true" size={14} strokeWidth={1.75} />
      <span className={styles.text}>{text}</span>
    </span>
  );
}

type RowProps = { readonly row: Row; readonly chart: Chart | undefined; readonly title: string | undefined };

function GutterRow({ row, chart, title }: RowProps) {
  const content = contentOf(row, chart, title);
  if (content === null) return null;
  return (
    <div
      className={classes(styles.row, styles[row.kind])}
      style={{ top: row.y, height: row.height, paddingLeft: 8 + row.indent }}
    >
      {content}
    </div>
  );
}

function contentOf(row: Row, chart: Chart | undefined, title: string | undefined) {
  const { agent } = row;
  switch (row.kind) {
    case 'header':
      return agent === undefined ? null : (
        <Fold isOpen={!agent.collapsed} name={agent.title} agents={[agent.agentId]} strong />
      );
    case 'group':
      return <Fold isOpen name="sub-agents" agents={row.members} strong />;
    case 'single':
      return agent === undefined ? null : <Fold isOpen={false} name={agent.title} agents={[agent.agentId]} />;
    case 'queue':
      return row.index === 0 && agent !== undefined ? (
        <QueueButton agentId={agent.agentId} chart={chart} isFolded={false} />
      ) : null;
    case 'depth':
      return agent === undefined ? null : <QueueButton agentId={agent.agentId} chart={chart} isFolded />;
    case 'strip':
      return <span className={styles.used}>{lanesUsed(row)}</span>;
    case 'agent-model':
      return <span className={styles.lane}>model</span>;
    case 'lane':
      return <span className={styles.lane}>lane {row.index + 1}</span>;
    case 'permission':
      return <Label icon={Hand} text="Permission" />;
    case 'hooks':
      return <Label icon={Webhook} text="Hooks" />;
    case 'background':
      return row.index === 0 ? <Label icon={SquareTerminal} text="Background" /> : null;
    case 'process':
      if (row.index === 0) return <Label icon={Cpu} text="Processes" />;
      return row.index === 1 ? (
        <span className={styles.of} title={title}>
          {title}
        </span>
      ) : null;
    case 'more':
      return null;
  }
}

type FoldProps = {
  readonly isOpen: boolean;
  readonly name: string;
  readonly agents: readonly AgentId[];
  readonly strong?: boolean;
};

/** Shows or hides the rows of agents. */
function Fold({ isOpen, name, agents, strong = false }: FoldProps) {
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const toggle = (): void =>
    viewStore.setState(({ collapsedAgents }) => ({
      collapsedAgents: collapsedAgents.some((id) => agents.includes(id))
        ? collapsedAgents.filter((id) => !agents.includes(id))
        : [...collapsedAgents, ...agents],
    }));
  return (
    <button
      type="button"
      className={classes(styles.fold, strong && styles.strong)}
      aria-expanded={isOpen}
      title={name}
      onClick={toggle}
    >
      <Chevron aria-hidden="true" size={14} strokeWidth={1.75} />
      <span className={styles.text}>{name}</span>
    </button>
  );
}

type QueueButtonProps = { readonly agentId: AgentId; readonly chart: Chart | undefined; readonly isFolded: boolean };

/** Folds a queue to the line of its depth, and back. */
function QueueButton({ agentId, chart, isFolded }: QueueButtonProps) {
  const toggle = (): void => {
    if (chart === undefined) return;
    const foldedQueues = new Set(chart.store.getState().foldedQueues);
    if (!foldedQueues.delete(agentId)) foldedQueues.add(agentId);
    chart.set({ foldedQueues });
  };
  return (
    <button
      type="button"
      className={styles.queueButton}
      aria-expanded={!isFolded}
      title={isFolded ? 'Show who waits' : 'Show how many wait'}
      onClick={toggle}
    >
      <Hourglass aria-hidden="true" size={12} strokeWidth={1.75} />
      <span className={styles.text}>queue</span>
    </button>
  );
}
