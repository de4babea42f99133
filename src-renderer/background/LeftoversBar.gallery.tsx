import type { GalleryPage } from '../gallery/page.ts';
import { type Leftover, LeftoversOf } from './LeftoversBar.tsx';

const found: readonly Leftover[] = [
  { pid: 4711, command: 'node server.mjs --port 5173', since: Date.now() - 3_600_000, title: 'Round the prices' },
  { pid: 4713, command: 'sleep 1000', title: '' },
];
const nothing = (): void => undefined;

export const gallery: GalleryPage = [
  {
    title: 'Two processes of an earlier run',
    height: 90,
    show: () => <LeftoversOf found={found} problem={undefined} isEnding={false} onEnd={nothing} onLeave={nothing} />,
  },
  {
    title: 'One that could not be ended',
    height: 70,
    show: () => (
      <LeftoversOf
        found={found.slice(0, 1)}
        problem="These could not be ended. They belong to another user, or wait for the system."
        isEnding={false}
        onEnd={nothing}
        onLeave={nothing}
      />
    ),
  },
];
