import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleForNode } from '../../../adapters/process/bundle.fixture.ts';
import { startProcessHost } from '../../../adapters/process/process-host-client.ts';
import type { Programs } from './moment.ts';

/** Bundles the child and its process host into a folder of their own, since Node runs no TypeScript. */
export async function bundlePrograms(): Promise<Programs & { readonly dispose: () => Promise<void> }> {
  const outDir = mkdtempSync(join(tmpdir(), 'gantry-killed-'));
  await bundleForNode(
    {
      'process-host': join(import.meta.dirname, '../../../process-host/index.ts'),
      'killed-session': join(import.meta.dirname, 'killed-session.child.ts'),
    },
    outDir,
  );
  const hostPath = join(outDir, 'process-host.mjs');
  const processes = startProcessHost({ execPath: process.execPath, entryPath: hostPath, env: process.env });
  return {
    childPath: join(outDir, 'killed-session.mjs'),
    hostPath,
    processes,
    dispose: async () => {
      await processes.close();
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}
