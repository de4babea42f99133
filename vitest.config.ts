import { defineConfig } from 'vitest/config';

const slow = process.env.GANTRY_SLOW === '1';

export default defineConfig({
  test: {
    include: slow ? ['src-*/**/*.slow.test.ts'] : ['src-*/**/*.test.{ts,tsx}', 'scripts/**/*.test.mjs'],
    exclude: slow ? ['node_modules/**'] : ['**/*.slow.test.ts', 'node_modules/**'],
    testTimeout: slow ? 10 * 60_000 : 20_000,
    // Some bundle programs before their first test, on machines that do much else.
    hookTimeout: 60_000,
    // The machines are small and shared; two workers leave room for the processes that the tests start.
    maxWorkers: 2,
  },
});
