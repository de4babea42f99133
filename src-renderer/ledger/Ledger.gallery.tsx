import { useEffect } from 'react';
import type { GalleryPage } from '../gallery/page.ts';
import { DryRunPanel } from './DryRunPanel.tsx';
import { LedgerTables } from './LedgerTables.tsx';
import { emptyLedger, type LedgerView, ledgerStore } from './ledger-store.ts';
import { sampleDecisions, sampleDryRun, sampleOverview, sampleRules } from './samples.ts';

const edited = sampleRules[3];

/** One store for the page: each state is shown with what it puts there, the last one stays. */
function With({ view, children }: { readonly view: Partial<LedgerView>; readonly children: React.ReactNode }) {
  useEffect(() => ledgerStore.setState({ ...emptyLedger, overview: sampleOverview, ...view }), [view]);
  return <div style={{ display: 'flex', height: '100%' }}>{children}</div>;
}

const DRAFT: Partial<LedgerView> =
  edited === undefined
    ? {}
    : {
        selected: edited.key,
        draft: [
          {
            rule: edited,
            place: { list: 'allow', scope: 'local', folder: '/work/shop' },
            texts: ['Bash(npm run build)'],
          },
        ],
        dryRun: sampleDryRun,
        decisions: { rows: sampleDecisions, total: sampleDecisions.length, loading: false },
      };

export const gallery: GalleryPage = [
  {
    title: 'Rules with their hits, one of them edited, and what past calls would have come to',
    height: 620,
    show: () => (
      <With view={DRAFT}>
        <LedgerTables />
        <div style={{ display: 'flex', width: 420 }}>
          <DryRunPanel />
        </div>
      </With>
    ),
  },
];
