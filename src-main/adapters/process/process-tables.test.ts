import { expect, test } from 'vitest';
import { parseStat } from './linux-process-table.ts';
import { orphansOf, parsePs, membersOf as psMembersOf } from './ps-process-table.ts';
import { parseCim, membersOf as windowsMembersOf } from './windows-process-table.ts';

test('a Linux process name may hold blanks, brackets and a whole fake line', () => {
  const line =
    '4711 (a) S 1 (b) T) R 17 4711 4700 34816 4711 4194304 112 0 0 0 3 4 5 6 20 0 1 0 88123 9 9 9 9 9 9 9 9 9 9 9 9';
  expect(parseStat(line)).toEqual({
    pid: 4711,
    name: 'a) S 1 (b) T',
    state: 'R',
    ppid: 17,
    pgid: 4711,
    session: 4700,
    userTicks: 8,
    systemTicks: 10,
    start: 88123,
  });
});

test('what is no line of /proc/PID/stat is nothing', () => {
  expect(parseStat('')).toBeUndefined();
});

// Columns as macOS 14 prints them for `-o pid=,ppid=,pgid=,stat=,lstart=,command=` with -E.
const PS = `
    1     0     1 Ss   Mon Mar  3 08:00:01 2025     /sbin/launchd
  500     1   500 Ss   Mon Mar  3 09:00:01 2025     /bin/bash --norc -c -- make GANTRY_CALL=run7.call1 GANTRY_HOST=400:0 HOME=/Users/a
  501   500   500 S    Mon Mar  3 09:00:02 2025     make GANTRY_CALL=run7.call1 GANTRY_HOST=400:0 HOME=/Users/a
  502   500   500 Z    Mon Mar  3 09:00:02 2025     (cc)
  503     1   503 Ss   Mon Mar  3 09:00:03 2025     sleep 1000 GANTRY_CALL=run7.call1 GANTRY_HOST=400:0
  504   503   504 S    Mon Mar  3 09:00:04 2025     env -i sleep 1000
  600     1   600 S    Mon Mar  3 09:00:05 2025     sleep 5 GANTRY_CALL=run7.call10 GANTRY_HOST=1:0
`;

test('macOS: a tree is its group, what carries the marker, and what is below; the dead do not count', () => {
  const members = psMembersOf(parsePs(PS), { marker: 'run7.call1', rootPid: 500 });
  expect(members.map((member) => member.pid).sort()).toEqual([500, 501, 503, 504]);
  expect(members.find((member) => member.pid === 501)?.command).toBe('make');
  expect(members.find((member) => member.pid === 503)?.start).toBe(Date.parse('Mar 3 2025 09:00:03'));
});

test('macOS: leftovers are those whose host is gone', () => {
  const orphans = orphansOf(parsePs(PS), 'run7.');
  expect(orphans.map((orphan) => [orphan.pid, orphan.marker])).toEqual([
    [500, 'run7.call1'],
    [501, 'run7.call1'],
    [503, 'run7.call1'],
  ]);
});

const CIM = JSON.stringify([
  {
    ProcessId: 500,
    ParentProcessId: 40,
    Started: '638765604010000000',
    CommandLine: 'bash.exe -c make',
    Name: 'bash.exe',
  },
  { ProcessId: 501, ParentProcessId: 500, Started: '638765604020000000', CommandLine: null, Name: 'make.exe' },
  { ProcessId: 502, ParentProcessId: 501, Started: '638765604030000000', CommandLine: 'cc.exe', Name: 'cc.exe' },
  { ProcessId: 503, ParentProcessId: 500, Started: '638765600000000000', CommandLine: 'old.exe', Name: 'old.exe' },
  { ProcessId: 4, ParentProcessId: 0, Started: null, CommandLine: null, Name: 'System' },
]);

test('Windows: what is older than its parent has inherited a recycled pid and does not belong to the tree', () => {
  const members = windowsMembersOf(parseCim(CIM), { marker: 'm', rootPid: 500 });
  expect(members.map((member) => [member.pid, member.command])).toEqual([
    [500, 'bash.exe -c make'],
    [501, 'make.exe'],
    [502, 'cc.exe'],
  ]);
});

test('Windows: children of a shell that has ended are still found', () => {
  const rows = parseCim(CIM).filter((row) => row.pid !== 500 && row.pid !== 503);
  expect(windowsMembersOf(rows, { marker: 'm', rootPid: 500 }).map((member) => member.pid)).toEqual([501, 502]);
});

test('Windows: a list of one process comes without its brackets', () => {
  const one = JSON.stringify({ ProcessId: 7, ParentProcessId: 1, Started: null, CommandLine: null, Name: 'a.exe' });
  expect(parseCim(one)).toEqual([{ pid: 7, ppid: 1, pgid: 0, start: 0, command: 'a.exe' }]);
});
