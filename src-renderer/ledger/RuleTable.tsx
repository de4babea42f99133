import {
  Ban,
  BookCheck,
  Check,
  CircleSlash,
  Hand,
  Layers,
  Lock,
  PencilLine,
  Trash2,
  TriangleAlert,
} from 'lucide-react';
import { useStore } from 'zustand';
import type { RuleList } from '../../src-shared/ledger/edit.ts';
import type { LedgerOverview, LedgerRule } from '../../src-shared/ledger/view.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { Button } from '../widgets/Button.tsx';
import { EmptyState } from '../widgets/EmptyState.tsx';
import { Pill } from '../widgets/Pill.tsx';
import { ledgerStore, look, select } from './ledger-store.ts';
import { fromWords, lastUsedWords, type RowState, shownRules, stateOf } from './selectors.ts';
import { Cell, VirtualTable } from './VirtualTable.tsx';

const COLUMNS = '66px minmax(150px, 2fr) minmax(132px, 1.1fr) 40px 76px minmax(120px, 1.5fr)';
const HEADS = [
  { label: 'Effect' },
  { label: 'Rule' },
  { label: 'From' },
  { label: 'Hits', right: true },
  { label: 'Last used' },
  { label: 'Note' },
];

export function RuleTable({ overview }: { readonly overview: LedgerOverview }) {
  const { text, filter, selected, draft } = useStore(ledgerStore);
  const rules = shownRules(overview.rules, { text, filter });
  if (overview.rules.length === 0) {
    return (
      <EmptyState
        icon={BookCheck}
        title="No permission rules yet."
        hint="Rules come from settings files, and from the answers you give to questions. Without any, Gantry asks about whatever does not only read."
        action={<Button onClick={() => select('new')}>Add a rule</Button>}
      />
    );
  }
  if (rules.length === 0) {
    return (
      <EmptyState
        title={`0 of ${formatCount(overview.rules.length)} rules match.`}
        action={<Button onClick={() => look({ text: '', filter: 'all' })}>Clear filters</Button>}
      />
    );
  }
  const now = Date.now();
  return (
    <VirtualTable
      name="Rules"
      columns={COLUMNS}
      heads={HEADS}
      count={rules.length}
      keyOf={(at) => rules[at]?.key ?? String(at)}
      isSelected={(at) => rules[at]?.key === selected}
      onOpen={(at) => select(rules[at]?.key)}
      row={(at) => {
        const rule = rules[at];
        return rule === undefined ? null : <RuleRow rule={rule} state={stateOf(rule, draft)} now={now} />;
      }}
    />
  );
}

function RuleRow({ rule, state, now }: { readonly rule: LedgerRule; readonly state: RowState; readonly now: number }) {
  const isBroken = rule.note?.kind === 'broken';
  const place = rule.file === undefined ? undefined : `${rule.file}:${rule.line ?? ''}`;
  return (
    <>
      <Cell>
        <EffectPill list={rule.list} />
      </Cell>
      <Cell code title={rule.text}>
        {rule.text}
      </Cell>
      <Cell title={place}>{fromWords(rule)}</Cell>
      <Cell right>{isBroken ? '–' : formatCount(rule.hits)}</Cell>
      <Cell>{isBroken ? '–' : lastUsedWords(rule.lastUsed, now)}</Cell>
      <Cell title={rule.note?.text}>
        <NotePill rule={rule} state={state} />
      </Cell>
    </>
  );
}

const EFFECTS = {
  allow: { tone: 'ok', icon: Check },
  ask: { tone: 'human', icon: Hand },
  deny: { tone: 'error', icon: Ban },
} as const;

export function EffectPill({ list }: { readonly list: RuleList }) {
  const { tone, icon } = EFFECTS[list];
  return (
    <Pill tone={tone} icon={icon}>
      {list}
    </Pill>
  );
}

function NotePill({ rule, state }: { readonly rule: LedgerRule; readonly state: RowState }) {
  if (state === 'removed') {
    return (
      <Pill tone="lock" icon={Trash2}>
        removed, not saved
      </Pill>
    );
  }
  if (state === 'edited') {
    return (
      <Pill tone="lock" icon={PencilLine}>
        edited, not saved
      </Pill>
    );
  }
  const { note } = rule;
  if (note === undefined) return rule.scope === 'managed' ? <Pill icon={Lock}>cannot be changed</Pill> : null;
  switch (note.kind) {
    case 'broken':
      return (
        <Pill tone="error" icon={TriangleAlert}>
          {note.short}
        </Pill>
      );
    case 'shadowed':
      return <Pill icon={note.short.startsWith('dead') ? Ban : Layers}>{note.short}</Pill>;
    case 'inert':
      return <Pill icon={CircleSlash}>{note.short}</Pill>;
    case 'odd':
      return (
        <Pill tone="lock" icon={TriangleAlert}>
          {note.short}
        </Pill>
      );
  }
}
