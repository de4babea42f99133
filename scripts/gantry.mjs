#!/usr/bin/env node
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { projectRoot, runMain } from './process.mjs';

/*
 * The command line, built first when its sources are newer. It runs in this very process, so arguments, stdin,
 * signals and the exit code need no passing on; what the build says goes to stderr.
 */
const cli = join(projectRoot, 'out', 'main', 'cli.js');
await runMain(async () => {
  await ensureBuilt();
  return 0;
});
if (process.exitCode === 0) {
  process.exitCode = undefined;
  process.argv[1] = cli;
  await import(pathToFileURL(cli).href);
}
