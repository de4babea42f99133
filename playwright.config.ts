import { defineConfig } from '@playwright/test';
import { hasDisplay } from './scripts/system.mjs';

const slow = process.env.GANTRY_SLOW === '1';

/** End-to-end tests in the real Electron. `playwright-setup.mjs` brings the runtime, the build and a display. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: slow ? '**/*.slow.spec.ts' : '**/*.spec.ts',
  testIgnore: slow ? [] : '**/*.slow.spec.ts',
  globalSetup: './scripts/playwright-setup.mjs',
  reporter: 'list',
  retries: 0,
  // Each app is six processes, and the machines have two cores. On a desktop there is one focus for all of them.
  workers: hasDisplay() ? 1 : 2,
  forbidOnly: process.env.CI === 'true',
  timeout: slow ? 15 * 60_000 : 150_000,
  expect: { timeout: 10_000 },
  globalTimeout: slow ? 0 : 25 * 60_000,
  use: { trace: 'retain-on-failure' },
});
