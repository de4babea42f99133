import { startProcessHost } from './process-host-client.ts';

/**
 * A main process to be killed by a test: runs one command in a process host and says when it has started.
 * Arguments: path of the host, command, output file, marker.
 */
const [hostPath, command, outputFile, marker] = process.argv.slice(2) as [string, string, string, string];

const host = startProcessHost({ execPath: process.execPath, entryPath: hostPath, env: process.env });
const spec = { command, cwd: process.cwd(), env: {}, outputFile, timeoutMs: 60_000, maxOutputBytes: 1e9, marker };
const hooks = {
  signal: new AbortController().signal,
  onSpawn: (pid: number) => process.stdout.write(`${JSON.stringify({ pid, hostPid: host.hostPid })}\n`),
  onProgress: () => {},
};
await host.run(spec, hooks);
await host.close();
