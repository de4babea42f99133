import { FolderOpen, Plus, Trash2 } from 'lucide-react';
import type { GalleryPage } from '../gallery/page.ts';
import { Button } from './Button.tsx';

const LOOKS = ['plain', 'primary', 'quiet', 'danger'] as const;

export const gallery: GalleryPage = [
  {
    title: 'The four looks',
    show: () =>
      LOOKS.map((look) => (
        <Button key={look} look={look}>
          {look}
        </Button>
      )),
  },
  {
    title: 'With an icon and a shortcut',
    show: () => (
      <>
        <Button icon={FolderOpen} keys="Ctrl O">
          Open a transcript
        </Button>
        <Button icon={Plus} look="primary" size="large">
          New session
        </Button>
        <Button icon={Trash2} look="danger">
          Remove
        </Button>
      </>
    ),
  },
  {
    title: 'On, off, and not to be used',
    show: () => (
      <>
        <Button pressed>Follow</Button>
        <Button pressed={false}>Follow</Button>
        <Button disabled>Stop</Button>
        <Button disabled look="primary">
          Send
        </Button>
      </>
    ),
  },
  {
    title: 'Too little room: the text is cut',
    width: 120,
    show: () => <Button icon={FolderOpen}>Open a transcript from the other machine</Button>,
  },
];
