import { build } from 'vite';

/**
 * Bundles programs for Node as the app's build does: Node 20 cannot run TypeScript.
 * @param input the programs' files by the names they get, without `.mjs`
 * @param outDir absolute; is made
 * @param external packages that stay outside: native ones, which are found from `outDir` then
 */
export async function bundleForNode(
  input: Readonly<Record<string, string>>,
  outDir: string,
  external: readonly string[] = [],
): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    // One of the bundled packages is CommonJS and wants it.
    define: { __filename: 'import.meta.filename' },
    ssr: { noExternal: true, external: [...external] },
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      rolldownOptions: {
        input: { ...input },
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
}
