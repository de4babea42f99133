import { SearchX } from 'lucide-react';
import type { GalleryPage } from '../gallery/page.ts';
import { Button } from './Button.tsx';
import { EmptyState } from './EmptyState.tsx';

export const gallery: GalleryPage = [
  {
    title: 'A title only',
    height: 120,
    show: () => <EmptyState title="No calls yet. The model is thinking, 2.1 s." />,
  },
  {
    title: 'With a reason and one action',
    height: 200,
    show: () => (
      <EmptyState
        icon={SearchX}
        title="0 of 412 calls match."
        hint="The filter wants Bash calls."
        action={<Button>Clear filters</Button>}
      />
    ),
  },
];
