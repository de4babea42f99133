import { execa } from 'execa';
import { z } from 'zod';
import type { Member, ProcessTable, Tree } from './process-table.ts';
import { withDescendants } from './tree.ts';

/** What PowerShell prints for a process; `Started` is in ticks of 100 ns, as a string since it does not fit a double. */
const Row = z.object({
  ProcessId: z.number(),
  ParentProcessId: z.number(),
  Started: z.string().nullable(),
  CommandLine: z.string().nullable(),
  Name: z.string(),
});

const LIST = [
  'Get-CimInstance Win32_Process | ForEach-Object { [pscustomobject]@{',
  'ProcessId = $_.ProcessId; ParentProcessId = $_.ParentProcessId; Name = $_.Name; CommandLine = $_.CommandLine;',
  'Started = if ($_.CreationDate) { [string]$_.CreationDate.Ticks } else { $null } } } | ConvertTo-Json -Compress',
].join(' ');

/**
 * Windows: `taskkill /T` ends trees, CIM lists them. The environment of others cannot be read, so the marker is of no
 * use; but a process keeps its parent's pid after the parent's death, so that descendants are found all the same.
 */
export function windowsProcessTable(): ProcessTable {
  const members = async (tree: Tree) => membersOf(await readRows(), tree);
  return {
    startOf: () => undefined,
    members,
    remains: members,
    signal: async (tree, found, strength) => {
      const force = strength === 'force' ? ['/F'] : [];
      const pids = [
        ...new Set([...(tree.rootPid === undefined ? [] : [tree.rootPid]), ...found.map(({ pid }) => pid)]),
      ];
      // Exit codes say "not found" or "not without /F"; the next look at the table says it better.
      await execa('taskkill', [...force, '/T', ...pids.flatMap((pid) => ['/PID', String(pid)])], { reject: false });
    },
    orphans: async () => [],
    usageOf: () => undefined,
  };
}

async function readRows(): Promise<readonly Member[]> {
  const { stdout } = await execa('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', LIST], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return parseCim(stdout);
}

export function parseCim(json: string): readonly Member[] {
  const parsed: unknown = JSON.parse(json);
  return z
    .array(Row)
    .parse(Array.isArray(parsed) ? parsed : [parsed])
    .map((row) => ({
      pid: row.ProcessId,
      ppid: row.ParentProcessId,
      pgid: 0,
      // In milliseconds: exact enough to tell two lives of a pid apart.
      start: row.Started === null ? 0 : Number(BigInt(row.Started) / 10_000n),
      command: (row.CommandLine ?? row.Name).slice(0, 200),
    }));
}

/** A child is never older than its parent: a row that is has inherited the pid of a dead stranger as its parent. */
export function membersOf(rows: readonly Member[], tree: Tree): readonly Member[] {
  if (tree.rootPid === undefined) return [];
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const honest = rows.filter((row) => row.pid !== process.pid && !(row.start < (byPid.get(row.ppid)?.start ?? 0)));
  // The shell may be gone already: its children name it as their parent all the same.
  return withDescendants(honest, (row) => row.pid === tree.rootPid || row.ppid === tree.rootPid);
}
