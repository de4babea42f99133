import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';

/** Hot reload needs an inline script, inline styles and a socket. Only the development server gets them. */
const developmentPolicy: Plugin = {
  name: 'gantry-development-policy',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html
      .replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
      .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
      .replace("connect-src 'self'", "connect-src 'self' ws:"),
};

/**
 * Main is bundled (about three times faster to start than loading each package) except for packages that
 * carry a binary. Targets are those of Electron 33, the oldest runtime the code must run on.
 */
export default defineConfig({
  main: {
    build: {
      target: 'node20',
      externalizeDeps: false,
      rolldownOptions: {
        external: ['electron', '@vscode/ripgrep', '@photostructure/sqlite'],
        input: {
          index: 'src-main/index.ts',
          cli: 'src-main/cli/index.ts',
          'process-host': 'src-main/process-host/index.ts',
          'document-host': 'src-main/adapters/documents/host.ts',
          'library-host': 'src-main/adapters/library/host.ts',
          'vault-host': 'src-main/adapters/vault/host.ts',
          'transcript-worker': 'src-main/adapters/transcripts/worker/entry.ts',
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      target: 'node20',
      externalizeDeps: false,
      rolldownOptions: {
        external: ['electron'],
        input: { preload: 'src-main/preload.ts' },
        // A sandboxed preload is loaded as CommonJS only.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    build: {
      target: 'chrome130',
      // Small files as data addresses would be refused by the content policy of index.html.
      assetsInlineLimit: 0,
      minify: true,
      // An absolute path: the build resolves a relative one from here, the dev server from `root`.
      rolldownOptions: { input: { index: fileURLToPath(new URL('src-renderer/index.html', import.meta.url)) } },
    },
    css: {
      transformer: 'lightningcss',
      // Without targets of its own it rewrites for browsers of years ago and breaks light-dark().
      lightningcss: { targets: { chrome: 130 << 16 } },
    },
    plugins: [react(), developmentPolicy],
  },
});
