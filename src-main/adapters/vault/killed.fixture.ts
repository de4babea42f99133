import { runVault } from './run-vault.ts';

/** A run in a process of its own, to be killed: vault and source are its words. Says a sign for each step of progress. */
const [folder = '', source = ''] = process.argv.slice(2);
await runVault({
  folder,
  sources: [{ program: 'claude-code', path: source, onlyTranscripts: false }],
  now: () => Date.now(),
  signal: new AbortController().signal,
  onProgress: () => void process.stdout.write('.'),
  makeAs: 'vault_1',
  calm: false,
});
