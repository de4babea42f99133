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

/**
 * What lives of all that was started under this home: everything the app starts inherits `GANTRY_HOME`. The processes of
 * the app itself are among them.
 */
export function livingUnder(home: string): readonly { readonly pid: number; readonly command: string }[] {
  const mark = ` GANTRY_HOME=${home} `;
  // The environment stands behind the command.
  return execFileSync('ps', ['axeww', '-o', 'pid=,stat=,args='], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
    .split('\n')
    .flatMap((row) => {
      const [, pid, state, text] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(row) ?? [];
      if (pid === undefined || text === undefined || state?.startsWith('Z') || !`${text} `.includes(mark)) return [];
      return [{ pid: Number(pid), command: text.slice(0, 400) }];
    });
}
