import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The page of exported HTML files: one script, one style sheet, fonts inside of it. `scripts/build-viewer.mjs` then makes
 * one file of them.
 */
export default defineConfig({
  root: fileURLToPath(new URL('src-renderer/viewer', import.meta.url)),
  logLevel: 'warn',
  plugins: [react()],
  css: { transformer: 'lightningcss', lightningcss: { targets: { chrome: 130 << 16 } } },
  build: {
    outDir: fileURLToPath(new URL('out/viewer', import.meta.url)),
    emptyOutDir: true,
    target: 'chrome130',
    cssCodeSplit: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    modulePreload: false,
    chunkSizeWarningLimit: 5_000,
    rolldownOptions: {
      output: { codeSplitting: false, entryFileNames: 'viewer.js', assetFileNames: 'viewer[extname]' },
    },
  },
});
