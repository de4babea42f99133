import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src-*/**/*.test.{ts,tsx}', 'scripts/**/*.test.mjs'],
    exclude: ['**/*.slow.test.ts', 'node_modules/**'],
    testTimeout: 20_000,
    // The machines are small and shared; two workers leave room for the processes that the tests start.
    maxWorkers: 2,
  },
});
