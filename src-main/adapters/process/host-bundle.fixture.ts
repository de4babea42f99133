import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleForNode } from './bundle.fixture.ts';

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Programs that tests run in processes of their own. */
const ENTRIES = {
  'process-host': source('../../process-host/index.ts'),
  parent: source('./parent.fixture.ts'),
};

export type HostBundle = {
  /** What `startProcessHost` takes as `entryPath`. */
  readonly hostPath: string;
  /** See `parent.fixture.ts`. */
  readonly parentPath: string;
  dispose(): void;
};

/** Bundles the process host into a folder of its own, as the app's build does: Node 20 cannot run TypeScript. */
export async function bundleProcessHost(): Promise<HostBundle> {
  const outDir = mkdtempSync(join(tmpdir(), 'gantry-bundle-'));
  await bundleForNode(ENTRIES, outDir);
  return {
    hostPath: join(outDir, 'process-host.mjs'),
    parentPath: join(outDir, 'parent.mjs'),
    dispose: () => rmSync(outDir, { recursive: true, force: true }),
  };
}
