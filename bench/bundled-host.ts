import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The process host in one file, as the app's build makes it. */
export async function bundledHost(outDir: string): Promise<string> {
  const root = process.cwd();
  const vite = pathToFileURL(join(root, 'node_modules/vite/dist/node/index.js')).href;
  const { build } = (await import(/* @vite-ignore */ vite)) as typeof import('vite');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: join(root, 'src-main/process-host/index.ts'),
      target: 'node20',
      outDir,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'process-host.mjs' } },
    },
  });
  return join(outDir, 'process-host.mjs');
}
