import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

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
        external: ['electron', '@vscode/ripgrep'],
        input: {
          index: 'src-main/index.ts',
          cli: 'src-main/cli/index.ts',
          'process-host': 'src-main/process-host/index.ts',
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
      rolldownOptions: { input: { index: 'src-renderer/index.html' } },
    },
    css: { transformer: 'lightningcss' },
    plugins: [react()],
  },
});
