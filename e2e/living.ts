import { execFileSync } from 'node:child_process';

/** Which of these processes live, as `ps` sees it. One that has ended and waits to be reaped does not. */
export function living(pids: readonly number[]): readonly number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,stat='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/));
  const alive = new Set(rows.filter(([, state]) => !state?.startsWith('Z')).map(([pid]) => Number(pid)));
  return pids.filter((pid) => alive.has(pid));
}
