import { ContextMenu } from 'radix-ui';
import { type MouseEvent, type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { callById } from '../../src-shared/session/state.ts';
import { callAt } from '../../src-shared/timeline/tracks.ts';
import { callName } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { copyText } from '../commands/actions.ts';
import { addBreakpoint, addFault } from '../debugger/actions.ts';
import { ruleFor } from '../debugger/rules.ts';
import { inputOf } from '../permissions/asks.ts';
import { useReader } from '../state/access-store.ts';
import { isReadOnly } from '../state/activity.ts';
import { useOpenSession } from '../state/use-session.ts';
import { viewStore } from '../state/view-store.ts';
import { changeSafety, whatIfStore } from '../what-if/what-if-store.ts';
import { Kbd } from '../widgets/Kbd.tsx';
import menuStyles from '../widgets/Menu.module.css';
import { timelineActions } from './actions.ts';
import type { ChartStore } from './chart-store.ts';

export type BarMenuProps = {
  readonly store: ChartStore;
  /** The chart's stage; takes a ref and a context menu. */
  readonly children: ReactElement;
};

const DELAY_MS = 2_000;

/** The menu of a bar: by a right click on it, or by the menu key for the selected call. Elsewhere there is none. */
export function BarMenu({ store, children }: BarMenuProps) {
  const open = useOpenSession();
  const why = useReader(open?.view.sessionId)?.why;
  const [call, setCall] = useState<ToolCall>();
  const choose = (event: MouseEvent): void => {
    const meant = callUnderPointer(store) ?? selectedCall();
    setCall(meant);
    if (meant === undefined) event.preventDefault();
    else viewStore.setState({ selectedCall: meant.callId });
  };
  const selectedCall = (): ToolCall | undefined => {
    const { selectedCall: id } = viewStore.getState();
    return open === undefined || id === undefined ? undefined : callById(open.state, id);
  };
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild onContextMenu={choose}>
        {children}
      </ContextMenu.Trigger>
      {call === undefined || open === undefined ? null : (
        <ContextMenu.Portal>
          <ContextMenu.Content className={menuStyles.content} collisionPadding={8} aria-label={callName(call)}>
            <Item keys="Enter" onSelect={() => viewStore.setState({ inspectorOpen: true })}>
              Show in the inspector
            </Item>
            <Item keys="Z" onSelect={() => timelineActions.fitSelection()}>
              Zoom to it
            </Item>
            <Item onSelect={() => void copyText(JSON.stringify(inputOf(call), undefined, 2))}>Copy the input</Item>
            <WhatIfItems call={call} />
            {isReadOnly(open.state) ? null : <DebuggerItems rule={ruleFor(call)} why={why} />}
          </ContextMenu.Content>
        </ContextMenu.Portal>
      )}
    </ContextMenu.Root>
  );
}

/** The bar the pointer rests on. */
function callUnderPointer(store: ChartStore): ToolCall | undefined {
  const { hover, model } = store.getState();
  return hover?.hit.kind === 'call' && model !== undefined ? callAt(model, hover.hit.item) : undefined;
}

/** The call may have run beside others, or alone: what would have come of it. */
function WhatIfItems({ call: { callId, safety } }: { readonly call: ToolCall }) {
  const changed = useStore(whatIfStore, (whatIf) => whatIf.safety.calls[callId]);
  const isSafe = changed ?? safety.safe;
  return (
    <Item onSelect={() => changeSafety(callId, changed === undefined ? !isSafe : undefined)}>
      What if this were {isSafe ? 'exclusive' : 'safe'}
    </Item>
  );
}

/** @param why this window only looks; undefined where it works in the session. */
function DebuggerItems({ rule, why }: { readonly rule: string; readonly why: string | undefined }) {
  const isOff = why !== undefined;
  return (
    <>
      <ContextMenu.Separator className={menuStyles.line} />
      {isOff ? <p className={menuStyles.note}>{why}</p> : null}
      <Item keys="B" disabled={isOff} onSelect={() => void addBreakpoint({ kind: 'before', rule })}>
        Stop before {rule}
      </Item>
      <Item disabled={isOff} onSelect={() => void addFault({ kind: 'delay', rule, ms: DELAY_MS, times: 1 })}>
        Delay the next one by 2 s
      </Item>
      <Item disabled={isOff} onSelect={() => void addFault({ kind: 'fail', rule, times: 1 })}>
        Make the next one fail
      </Item>
      <Item disabled={isOff} onSelect={() => void addFault({ kind: 'hang', rule, times: 1 })}>
        Make the next one hang
      </Item>
    </>
  );
}

type ItemProps = {
  readonly keys?: string;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
  readonly children: React.ReactNode;
};

function Item({ keys, disabled = false, onSelect, children }: ItemProps) {
  return (
    <ContextMenu.Item className={menuStyles.item} disabled={disabled} onSelect={onSelect}>
      <span className={menuStyles.text}>{children}</span>
      {keys === undefined ? null : <Kbd keys={keys} />}
    </ContextMenu.Item>
  );
}
