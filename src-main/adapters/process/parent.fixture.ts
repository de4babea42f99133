import { startProcessHost } from './process-host-client.ts';

/**
 * A main process to be killed by a test: runs one command in a process host and says when it has started.
 * Arguments: path of the host, command, output file, marker; with `pipe` behind them the command is talked to instead.
 */
const [hostPath, command, outputFile, marker, how] = process.argv.slice(2) as [string, string, string, string, string?];

const host = startProcessHost({ execPath: process.execPath, entryPath: hostPath, env: process.env });
const spec = { command, cwd: process.cwd(), env: {}, outputFile, timeoutMs: 60_000, maxOutputBytes: 1e9, marker };
const hooks = {
  signal: new AbortController().signal,
  onSpawn: (pid: number) => process.stdout.write(`${JSON.stringify({ pid, hostPid: host.hostPid })}\n`),
  onProgress: () => {},
};
if (how === 'pipe') {
  const env = { PATH: process.env.PATH ?? '' };
  const pipe = { file: 'bash', args: ['-c', command], cwd: process.cwd(), env, marker };
  await host.open(pipe, { onSpawn: hooks.onSpawn, onText: () => {} }).ended;
} else {
  await host.run(spec, hooks);
}
await host.close();
