import { millis } from '../../../src-shared/units.ts';
import type { ProcessResult } from '../../ports/process-runner.ts';
import type { ProcessNews } from '../../ports/tool.ts';
import type { ToolServices } from './services.ts';

const FIRST_LOOK_MS = 150;
const LATER_LOOK_MS = 1_000;
const EARLY_LOOKS = 8;

/** Reports the processes of one call as they come and go, by looking now and then; short-lived ones may be missed. */
export function watchProcesses(
  services: Pick<ToolServices, 'clock' | 'processes'>,
  marker: string,
  report: (news: ProcessNews) => void,
  laterLookMs = LATER_LOOK_MS,
) {
  const alive = new Set<number>();
  let root: number | undefined;
  let looks = 0;
  let over = false;
  let timer = schedule();

  function schedule() {
    return services.clock.schedule(millis(looks < EARLY_LOOKS ? FIRST_LOOK_MS : laterLookMs), () => void look());
  }

  async function look(): Promise<void> {
    looks++;
    const tree = await services.processes.listTree(marker).catch(() => []);
    if (over) return;
    timer = schedule();
    // The shell is in every tree that could be listed; a list without it says nothing about the others.
    if (!tree.some(({ pid }) => pid === root)) return;
    const seen = new Set(tree.map(({ pid }) => pid));
    for (const { pid, ppid, command } of tree) {
      if (alive.has(pid)) continue;
      alive.add(pid);
      report({ type: 'spawned', pid, parentPid: ppid, command });
    }
    for (const pid of alive) {
      if (seen.has(pid)) continue;
      alive.delete(pid);
      report({ type: 'ended', pid });
    }
  }

  return {
    started(pid: number, command: string): void {
      root = pid;
      alive.add(pid);
      report({ type: 'spawned', pid, command });
    },
    ended(result: ProcessResult): void {
      over = true;
      if (root === undefined) return;
      const survivors = new Set(result.survivors.map(({ pid }) => pid));
      for (const pid of alive) {
        if (!survivors.has(pid)) report({ type: 'ended', pid, ...(pid === root ? exitOf(result) : {}) });
      }
      report({ type: 'tree-ended', survivors: [...result.survivors] });
    },
    dispose(): void {
      over = true;
      timer.dispose();
    },
  };
}

function exitOf({ end }: ProcessResult): { readonly code?: number; readonly signal?: string } {
  if (end.kind === 'exited') return { code: end.code };
  return end.kind === 'signalled' ? { signal: end.signal } : {};
}
