import { memo, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { SessionState } from '../../src-shared/session/state.ts';
import type { Shell } from '../../src-shared/shell/state.ts';
import { isEnded } from '../../src-shared/timeline/parts.ts';
import { callSentence, formatMillis } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { shellWords } from '../background/words.ts';
import { filterStore } from '../state/filter-store.ts';
import { useOpenSession } from '../state/use-session.ts';
import { selectCall, viewStore } from '../state/view-store.ts';

/** At most this many calls stand in the page at a time: those around the selected one, else the newest. */
const WINDOW = 200;

/**
 * The chart for those who do not see it: one button per call, named by its sentence. The focus moves the selection,
 * and with it the ring on the chart.
 */
export function AccessibleList() {
  const open = useOpenSession();
  const selected = useStore(viewStore, (view) => view.selectedCall);
  const matching = useStore(filterStore, (view) => view.matching);
  const filterVersion = useStore(filterStore, (view) => view.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the set grows in place; its version tells
  const matches = useMemo(() => matching?.indices(), [matching, filterVersion]);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // The chart's keys moved the selection while the focus was in here: go along.
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || list.current?.contains(focused) !== true) return;
    if (selected === undefined || focused.dataset.callId === selected) return;
    list.current.querySelector<HTMLElement>(`[data-call-id="${CSS.escape(selected)}"]`)?.focus();
  }, [selected]);
  if (open === undefined) return null;
  const { state } = open;
  // At the playhead fewer calls are known than the filter has looked at.
  const listed = matches?.filter((index) => index < state.calls.length);
  const total = listed?.length ?? state.calls.length;
  const index = selected === undefined ? undefined : state.callIndex[selected];
  const chosen = index === undefined || listed === undefined ? index : known(listed.indexOf(index));
  const from = Math.max(0, Math.min(total - WINDOW, (chosen ?? total) - WINDOW / 2));
  const shown =
    listed === undefined
      ? state.calls.slice(from, from + WINDOW)
      : listed.slice(from, from + WINDOW).map((at) => state.calls[at] as ToolCall);
  return (
    <>
      {/* biome-ignore lint/a11y/noRedundantRoles: without list style some readers drop the role. */}
      <ul ref={list} role="list" aria-label="Calls" className="visually-hidden">
        {shown.map((call, i) => (
          <CallItem
            key={call.callId}
            state={state}
            call={call}
            position={from + i + 1}
            total={total}
            isSelected={call.callId === selected}
            canTab={chosen === undefined ? i === 0 : call.callId === selected}
          />
        ))}
      </ul>
      {state.shells.length === 0 ? null : <ShellList state={state} />}
    </>
  );
}

const known = (place: number): number | undefined => (place < 0 ? undefined : place);

/** The bars of background shells, which are no calls: the newest ones. A button leads to the call that launched one. */
function ShellList({ state }: { readonly state: SessionState }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: without list style some readers drop the role.
    <ul role="list" aria-label="Commands in the background" className="visually-hidden">
      {state.shells.slice(-WINDOW).map((shell) => (
        <li key={shell.shellId}>
          <button
            type="button"
            tabIndex={-1}
            onFocus={() => selectCall(shell.callId)}
            onClick={() => selectCall(shell.callId)}
          >
            {shellSentence(state, shell)}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** `bash_1, npm run dev, ended with exit code 0, ran 1:04` */
function shellSentence(state: SessionState, shell: Shell): string {
  const [line = ''] = shell.command.split('\n', 1);
  const ran = shell.end === undefined ? '' : `, ran ${formatMillis(shell.end.at - shell.from)}`;
  return `${shell.shellId}, ${line}, ${shellWords(shell, state)}${ran}`;
}

type ItemProps = {
  readonly state: SessionState;
  readonly call: ToolCall;
  readonly position: number;
  readonly total: number;
  readonly isSelected: boolean;
  readonly canTab: boolean;
};

const CallItem = memo(function CallItem({ state, call, position, total, isSelected, canTab }: ItemProps) {
  const run = call.phase === 'queued' ? undefined : call.run;
  return (
    <li aria-setsize={total} aria-posinset={position}>
      <button
        type="button"
        tabIndex={canTab ? 0 : -1}
        aria-pressed={isSelected}
        data-call-id={call.callId}
        data-agent={call.agentId}
        data-phase={call.phase}
        data-outcome={isEnded(call) ? call.end.outcome : undefined}
        data-lane={run === undefined ? undefined : run.lane + 1}
        onFocus={() => selectCall(call.callId)}
        onClick={() => selectCall(call.callId)}
      >
        {callSentence(state, call)}
      </button>
    </li>
  );
});
