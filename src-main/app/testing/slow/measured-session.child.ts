import { resourceUsage } from 'node:process';
import type { Scenario } from '../../../../src-shared/scenario/scenario.ts';
import { startProcessHost } from '../../../adapters/process/process-host-client.ts';
import { openRealSession } from '../real-session.ts';

/**
 * Runs a session as the app's main process does and measures the memory of this process while it runs. The scenario's
 * first message is there to warm up: what is measured begins with its second.
 */
export type MeasuredSession = {
  readonly hostPath: string;
  readonly folder: string;
  readonly cwd: string;
  readonly scenario: Scenario;
  /** Esc is pressed when a call tells of so many bytes. */
  readonly escapeAtBytes?: number;
};

/** In bytes. */
export type Measured = { readonly before: number; readonly peak: number; readonly progressEvents: number };

const options = JSON.parse(process.argv[2] as string) as MeasuredSession;
const processes = startProcessHost({ execPath: process.execPath, entryPath: options.hostPath, env: process.env });
const session = openRealSession({ ...options, processes, settings: { mode: 'bypassPermissions' } });

let before = 0;
let peak = 0;
let progressEvents = 0;
const look = (): void => {
  peak = Math.max(peak, process.memoryUsage.rss());
};
const timer = setInterval(look, 5);
session.log.onEvents((events) => {
  look();
  for (const event of events) {
    if (event.type === 'message-started' && session.log.state.requests.length === 2) {
      before = process.memoryUsage.rss();
      peak = before;
    }
    if (event.type !== 'call-progressed') continue;
    progressEvents++;
    if (options.escapeAtBytes !== undefined && event.bytes >= options.escapeAtBytes) session.interrupt('escape');
  }
});
session.send('Go.');
await session.idle;
look();
clearInterval(timer);
await session.close('closed');
await processes.close();
const measured: Measured & { maxRss: number } = { before, peak, progressEvents, maxRss: resourceUsage().maxRSS * 1024 };
process.stdout.write(`${JSON.stringify(measured)}\n`);
