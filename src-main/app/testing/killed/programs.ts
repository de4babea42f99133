import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { startProcessHost } from '../../../adapters/process/process-host-client.ts';
import type { Programs } from './moment.ts';

/** Bundles the child and its process host into a folder of their own, since Node runs no TypeScript. */
export async function bundlePrograms(): Promise<Programs & { readonly dispose: () => Promise<void> }> {
  const outDir = mkdtempSync(join(tmpdir(), 'gantry-killed-'));
  await build({
    configFile: false,
    logLevel: 'error',
    // One of the bundled packages is CommonJS and wants it.
    define: { __filename: 'import.meta.filename' },
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      rolldownOptions: {
        input: {
          'process-host': join(import.meta.dirname, '../../../process-host/index.ts'),
          'killed-session': join(import.meta.dirname, 'killed-session.child.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].mjs' },
      },
    },
  });
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
