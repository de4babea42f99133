import { millis } from '../../src-shared/units.ts';
import { HASTY } from '../adapters/process/end-tree.ts';
import { processTable } from '../adapters/process/process-table.ts';
import { pause, systemClock } from '../adapters/process/system-clock.ts';
import type { FromHost } from '../ports/process-protocol.ts';
import { Host } from './host.ts';
import { commandEnvironment, findBash, SlotPool } from './shell.ts';

const table = processTable();
const slots = new SlotPool();
const sending = new Set<Promise<void>>();

function post(message: FromHost): void | Promise<void> {
  // Once the main process is gone there is nobody to tell, only trees to end.
  if (!process.connected) return;
  const sent = new Promise<void>((resolve) => {
    process.send?.(message, undefined, undefined, () => resolve());
  });
  sending.add(sent);
  void sent.then(() => sending.delete(sent));
  return sent;
}

const host = new Host({
  table,
  clock: systemClock,
  slots,
  bash: findBash(),
  env: commandEnvironment(process.env),
  hostName: `${process.pid}:${table.startOf(process.pid) ?? 0}`,
  post,
});

let leaving = false;

/** Ends every tree, then this process. However it comes to it, nothing that was started here stays. */
async function leave(code: number): Promise<void> {
  if (leaving) return;
  leaving = true;
  await host.endAll(HASTY);
  // The last results may still be on their way; a broken channel may never say so.
  await Promise.race([Promise.all(sending), pause(systemClock, millis(500))]);
  process.exit(code);
}

process.on('message', (raw) => {
  const isShutDown = (raw as { type?: unknown } | null)?.type === 'shut-down';
  host.handle(raw).then(
    () => (isShutDown ? leave(0) : undefined),
    // Only a main process of another version can say what this one does not understand; that is a bug, and said.
    (error: unknown) => process.stderr.write(`process host: ${error}\n`),
  );
});
// The channel breaks when the main process dies in whatever way, SIGKILL included.
process.on('disconnect', () => void leave(0));
process.on('exit', () => slots.dispose());
// It may have died while this file was still loading; then the event has come and gone.
if (!process.connected) void leave(0);
// Its end of this pipe is gone as well then, and a complaint about that could only be complained about again.
process.stderr.on('error', () => {});
process.on('SIGTERM', () => void leave(0));
// A terminal sends these to everybody; whether to stop is the main process's decision.
process.on('SIGINT', () => {});
process.on('SIGHUP', () => {});
process.on('uncaughtException', (error) => {
  process.stderr.write(`process host: ${error.stack}\n`);
  void leave(1);
});
