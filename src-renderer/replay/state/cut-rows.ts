import type { CallId } from '../../../src-shared/ids.ts';
import type { ToolCall } from '../../../src-shared/tool-call/state.ts';

export type Row =
  | { readonly kind: 'call'; readonly call: ToolCall }
  | { readonly kind: 'more'; readonly phase: ToolCall['phase']; readonly count: number };

/** Calls of one phase that are listed: more would hide what comes after them. */
const MOST = 40;

/** The first calls of each phase, the selected one among them, and how many more there are. */
export function cutRows(calls: readonly ToolCall[], selected: CallId | undefined): readonly Row[] {
  const rows: Row[] = [];
  for (let from = 0; from < calls.length; ) {
    const phase = calls[from]?.phase as ToolCall['phase'];
    let until = from + 1;
    while (until < calls.length && calls[until]?.phase === phase) until += 1;
    const own = calls.slice(from, until);
    const shown = own.slice(0, MOST);
    const chosen = own.slice(MOST).find(({ callId }) => callId === selected);
    if (chosen !== undefined) shown.push(chosen);
    for (const call of shown) rows.push({ kind: 'call', call });
    if (own.length > shown.length) rows.push({ kind: 'more', phase, count: own.length - shown.length });
    from = until;
  }
  return rows;
}
