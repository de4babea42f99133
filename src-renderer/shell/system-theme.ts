import { useSyncExternalStore } from 'react';

const query = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: light)');

const subscribe = (listener: () => void): (() => void) => {
  const list = query();
  list.addEventListener('change', listener);
  return () => list.removeEventListener('change', listener);
};

/** Does the system ask for a light theme? */
export const useSystemIsLight = (): boolean => useSyncExternalStore(subscribe, () => query().matches);
