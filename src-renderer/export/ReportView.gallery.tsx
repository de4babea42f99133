import type { FoundKind } from '../../src-shared/export/redaction.ts';
import type { GalleryPage } from '../gallery/page.ts';
import { ReportView } from './ReportView.tsx';

const found = (kind: string, count: number, distinct: number): FoundKind => ({
  kind,
  count,
  distinct,
  places: Array.from({ length: Math.min(count, 4) }, (_, n) => ({
    callId: `c${n}`,
    call: `Bash(npm run check -- --part ${n + 1})`,
    where: n % 2 === 0 ? ('input' as const) : ('output' as const),
    count: n + 1,
  })),
  morePlaces: Math.max(0, count - 4),
});

const some = [
  found('home-folder', 1_284, 1),
  found('email', 12, 3),
  found('anthropic-key', 2, 1),
  found('ticket', 1, 1),
];

export const gallery: GalleryPage = [
  { title: 'Nothing', width: 420, show: () => <ReportView report={{ total: 0, kinds: [], pictures: 0 }} /> },
  { title: 'Some', width: 420, show: () => <ReportView report={{ total: 1_299, kinds: some, pictures: 0 }} /> },
  {
    title: 'And pictures',
    width: 420,
    show: () => <ReportView report={{ total: 12, kinds: [found('email', 12, 3)], pictures: 2 }} />,
  },
];
