import { readdirSync, readFileSync } from 'node:fs';

/** Of a process and all below it: processor time in ms (the kernel counts it in ticks of 10 ms). Linux. */
export function cpuOfTree(pid: number): number {
  return treeOf(pid).reduce((sum, one) => {
    const fields = (read(`/proc/${one}/stat`).split(') ')[1] ?? '').split(' ');
    return sum + (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
  }, 0);
}

/** Memory in bytes; a page that several share counts once. */
export function memoryOfTree(pid: number): number {
  return treeOf(pid).reduce((sum, one) => {
    const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${one}/smaps_rollup`)) ?? [];
    return sum + Number(kilobytes ?? 0) * 1024;
  }, 0);
}

function treeOf(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).trim().split(' ').filter(Boolean),
  );
  return [pid, ...children.flatMap((child) => treeOf(Number(child)))];
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Empty where the process has ended since it was named. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
