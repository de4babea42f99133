import { execFile } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ensureBuilt } from './build.mjs';
import { countTranscript, differences, sessionFiles } from './count-transcript.mjs';
import { projectRoot, runMain } from './process.mjs';

/*
 * `node scripts/check-inspect.mjs [FOLDER]`: holds `gantry inspect` against a count of the raw JSON that shares no code
 * with it, for every Claude Code session below a folder (the recordings among the test fixtures by default).
 */
const recordings = join(projectRoot, 'src-main', 'adapters', 'transcripts', 'fixtures');
const cli = join(projectRoot, 'out', 'main', 'cli.js');

/** @param {string} file @returns {Promise<string[]>} */
async function check(file) {
  try {
    const options = { maxBuffer: 512 * 1024 * 1024 };
    const args = [cli, 'inspect', file, '--calls', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    return differences(countTranscript(file), JSON.parse(stdout));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

await runMain(async () => {
  await ensureBuilt();
  const files = sessionFiles(process.argv[2] ?? recordings);
  let wrong = 0;
  for (const file of files) {
    const found = await check(file);
    const name = join(basename(dirname(file)), basename(file));
    console.log(found.length === 0 ? `same    ${name}` : `differs ${name}\n  ${found.join('\n  ')}`);
    if (found.length > 0) wrong++;
  }
  console.log(`${files.length - wrong} of ${files.length} sessions agree`);
  return wrong === 0 && files.length > 0 ? 0 : 1;
});
