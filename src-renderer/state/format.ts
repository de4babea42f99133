import { formatCount } from '../../src-shared/timeline/words.ts';

/** `1 call`, `2 calls`, `1,284 calls`. */
export const counted = (n: number, one: string, many = `${one}s`): string =>
  `${formatCount(n)} ${n === 1 ? one : many}`;

/** Minutes and seconds as on a stop-watch: `0:30`, `11:48`, `1:02:03`. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (n: number): string => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A number that need not be exact: `950`, `18.4k`, `1.2M`. */
export function short(n: number): string {
  if (n < 1000) return String(n);
  return n < 999_950 ? `${(n / 1000).toFixed(1)}k` : `${(n / 1_000_000).toFixed(1)}M`;
}

/** `$0.06`; below a cent as much as it takes to show something. */
export const dollars = (usd: number): string => `$${usd >= 0.01 || usd === 0 ? usd.toFixed(2) : usd.toPrecision(1)}`;

const DAY = 86_400_000;
const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** When something was, as seen from now: `today 09:41`, `yesterday`, `Friday`, `3 Nov`, `3 Nov 2024`. */
export function whenWords(at: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY);
  const date = new Date(at);
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (days <= 0) return `today ${time}`;
  if (days === 1) return 'yesterday';
  if (days < 7) return date.toLocaleDateString('en-GB', { weekday: 'long' });
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) });
}

/** A path that does not fit keeps its last two folders: `…/scratch/shop`. */
export function shortPath(path: string, most: number): string {
  if (path.length <= most) return path;
  const end = path.split('/').slice(-2).join('/');
  return `…/${end}`;
}

/** A path with the home folder written as `~`. */
export const tildePath = (path: string, home: string | undefined): string =>
  home !== undefined && home !== '' && (path === home || path.startsWith(`${home}/`))
    ? `~${path.slice(home.length)}`
    : path;
