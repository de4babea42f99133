import type { ThemeName } from '../../src-shared/theme/tokens.ts';
import { type Theme, viewStore } from '../state/view-store.ts';

const KEY = 'gantry.theme';
const isTheme = (text: string | null): text is Theme => text === 'system' || text === 'dark' || text === 'light';

/** What to draw for a choice: the system's own preference when it was left to the system. */
export const effectiveTheme = (choice: Theme, systemIsLight: boolean): ThemeName =>
  choice === 'system' ? (systemIsLight ? 'light' : 'dark') : choice;

/** The theme that is on screen now, read where the stylesheet reads it. */
export const currentTheme = (): ThemeName => (document.documentElement.dataset.theme === 'light' ? 'light' : 'dark');

/** The button's way round: what is on screen now is exchanged for the other one. */
export const toggleTheme = (): void => viewStore.setState({ theme: currentTheme() === 'dark' ? 'light' : 'dark' });

/**
 * Keeps `data-theme` on the root element in step with the choice and the system. The choice outlives the window
 * (localStorage); `?theme=dark|light` in the address forces one and stores nothing, for screenshots.
 * @returns the way to stop.
 */
export function startThemeSwitch(): () => void {
  const forced = new URLSearchParams(window.location.search).get('theme');
  const stored = forced ?? window.localStorage.getItem(KEY);
  if (isTheme(stored)) viewStore.setState({ theme: stored });
  const system = window.matchMedia('(prefers-color-scheme: light)');
  const apply = (): void => {
    document.documentElement.dataset.theme = effectiveTheme(viewStore.getState().theme, system.matches);
  };
  apply();
  system.addEventListener('change', apply);
  const stop = viewStore.subscribe((now, before) => {
    if (now.theme === before.theme) return;
    apply();
    if (forced === null) window.localStorage.setItem(KEY, now.theme);
  });
  return () => {
    stop();
    system.removeEventListener('change', apply);
  };
}
