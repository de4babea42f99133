import { Spline } from 'lucide-react';
import { useStore } from 'zustand';
import { Button } from '../widgets/Button.tsx';
import { pathStore, togglePath } from './path-store.ts';

/** Shows or hides the line in the chart. */
export function PathButton({ className }: { readonly className?: string | undefined }) {
  const isShown = useStore(pathStore, (state) => state.isShown);
  return (
    <Button
      icon={Spline}
      look="quiet"
      {...(className === undefined ? {} : { className })}
      pressed={isShown}
      aria-label="Critical path"
      aria-keyshortcuts="C"
      title="What decided how long each turn took, as a line (C)"
      onClick={togglePath}
    >
      Critical path
    </Button>
  );
}
