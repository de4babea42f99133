import { Ellipsis, HardDrive, Maximize, Minimize } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { SessionId } from '../../src-shared/ids.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { callById, type SessionState } from '../../src-shared/session/state.ts';
import { shellOf } from '../../src-shared/shell/state.ts';
import { callLabel } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { NotYet } from '../replay/NotYet.tsx';
import { useOpenSession } from '../state/use-session.ts';
import { type InspectorTab, viewStore } from '../state/view-store.ts';
import { IconButton } from '../widgets/IconButton.tsx';
import { Menu, MenuChoices } from '../widgets/Menu.tsx';
import { OutcomePill } from '../widgets/OutcomePill.tsx';
import { Pill } from '../widgets/Pill.tsx';
import { type TabItem, Tabs } from '../widgets/Tabs.tsx';
import { ToolIcon } from '../widgets/ToolIcon.tsx';
import { DiffTab } from './DiffTab.tsx';
import { changesOf } from './diff.ts';
import { CallEvents } from './facts.ts';
import { HooksTab } from './HooksTab.tsx';
import { InputTab } from './InputTab.tsx';
import styles from './Inspector.module.css';
import { OutputTab } from './OutputTab.tsx';
import { OverviewTab } from './OverviewTab.tsx';
import { PermissionTab } from './PermissionTab.tsx';
import { ProcessesTab } from './ProcessesTab.tsx';
import { RawTab } from './RawTab.tsx';
import { SessionOverview } from './SessionOverview.tsx';

/** Everything about the selected call; without one, the session as a whole. */
export function Inspector() {
  const open = useOpenSession();
  const selected = useStore(viewStore, (view) => view.selectedCall);
  if (open === undefined) return null;
  const { state, view } = open;
  const call = selected === undefined ? undefined : callById(state, selected);
  return (
    <div className={styles.inspector}>
      {call === undefined && selected !== undefined ? <NotYet callId={selected} /> : null}
      {call === undefined ? (
        <NothingSelected state={state} sessionId={view.sessionId} />
      ) : (
        <CallView key={call.callId} sessionId={view.sessionId} state={state} events={view.events} call={call} />
      )}
    </div>
  );
}

function NothingSelected({ state, sessionId }: { readonly state: SessionState; readonly sessionId: SessionId }) {
  return (
    <>
      <header className={styles.header}>
        <h2 className={styles.title}>{state.title === '' ? 'Session' : state.title}</h2>
      </header>
      <div className={styles.scrolls}>
        <SessionOverview state={state} sessionId={sessionId} />
      </div>
    </>
  );
}

type CallViewProps = {
  readonly sessionId: SessionId;
  readonly state: SessionState;
  readonly events: readonly SessionEvent[];
  readonly call: ToolCall;
};

/** The tabs of one call. Tabs that cannot hold anything for its tool are left out. */
export function CallView({ sessionId, state, events, call }: CallViewProps) {
  const chosen = useStore(viewStore, (view) => view.inspectorTab);
  const isWide = useStore(viewStore, (view) => view.inspectorWide);
  const [finder] = useState(() => new CallEvents(call.callId));
  const mine = finder.upTo(events);
  const hasChanges = useMemo(() => changesOf(call).length > 0, [call]);
  const all: readonly (TabItem<InspectorTab> | undefined)[] = [
    { id: 'overview', label: 'Overview', content: <OverviewTab sessionId={sessionId} state={state} call={call} /> },
    { id: 'input', label: 'Input', content: <InputTab call={call} /> },
    {
      id: 'output',
      label: 'Output',
      content: <OutputTab sessionId={sessionId} call={call} shell={shellOf(state.shells, call.callId)} />,
    },
    hasChanges ? { id: 'diff', label: 'Diff', content: <DiffTab call={call} /> } : undefined,
    { id: 'permission', label: 'Permission', content: <PermissionTab call={call} events={mine} /> },
    { id: 'hooks', label: 'Hooks', content: <HooksTab state={state} call={call} /> },
    call.tool === 'Bash' || call.processes.length > 0
      ? { id: 'processes', label: 'Processes', content: <ProcessesTab call={call} /> }
      : undefined,
    { id: 'raw', label: 'Raw events', content: <RawTab events={mine} count={mine.length} /> },
  ];
  const items = all.filter((item) => item !== undefined);
  const value = items.some((item) => item.id === chosen) ? chosen : 'overview';
  const tabs = useRef<HTMLDivElement>(null);
  // The row of tabs is wider than a narrow inspector: the chosen one must not be outside of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab was chosen
  useEffect(() => {
    const tab = tabs.current?.querySelector('[role="tab"][data-state="active"]');
    tab?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [value]);
  const { tool } = callLabel(call);
  return (
    <>
      <header className={styles.header}>
        <ToolIcon tool={call.tool} size={16} className={styles.icon} />
        <h2 className={styles.title}>
          {tool}{' '}
          <code className={styles.summary} title={call.summary}>
            {summaryOf(call)}
          </code>
        </h2>
        <span className={styles.pills}>
          <OutcomePill call={call} />
          {call.saved?.found === true ? <Pill icon={HardDrive}>saved to disk</Pill> : null}
        </span>
        <IconButton
          icon={isWide ? Minimize : Maximize}
          name={isWide ? 'Make the inspector narrow' : 'Make the inspector wide'}
          pressed={isWide}
          onClick={() => viewStore.setState({ inspectorWide: !isWide })}
        />
      </header>
      <div ref={tabs} className={styles.tabs}>
        <Tabs name="About this call" items={items} value={value} onChange={chooseTab} />
        <div className={styles.more}>
          <Menu align="end" trigger={<IconButton icon={Ellipsis} name="All tabs" />}>
            <MenuChoices
              label="About this call"
              value={value}
              options={items.map(({ id, label }) => ({ value: id, label }))}
              onChange={chooseTab}
            />
          </Menu>
        </div>
      </div>
    </>
  );
}

const chooseTab = (inspectorTab: InspectorTab): void => viewStore.setState({ inspectorTab });

const summaryOf = (call: ToolCall): string =>
  call.tool.startsWith('mcp__') ? callLabel(call).argument : (call.summary.split('\n', 1)[0] ?? '');
