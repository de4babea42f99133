import { HookBench } from '../../../adapters/hooks/testing/hook-bench.ts';
import { HandSettings } from '../../../ports/settings.fake.ts';
import type { RealSessionOptions } from '../real-session.ts';

/** What the settings of the recordings with hooks said, as far as it shows in them. */
export type Guards = Required<Pick<RealSessionOptions, 'hooks' | 'rules'>> & { readonly bench: HookBench };

const NO_DELETIONS = `grep -q '"command":"rm ' && { echo 'no deletions here' >&2; exit 2; }; exit 0`;
const CHANGED = JSON.stringify({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    updatedInput: { command: 'echo changed-by-hook stop-here', description: 'stop' },
  },
});
const STOP = JSON.stringify({ continue: false, stopReason: 'stopped by a hook' });
const whenStopping = (json: string): string => `grep -q 'stop-here' && echo '${json}'; exit 0`;

/** @param transcriptPath the session's journal. */
export function guardsOfRecording(transcriptPath: string): Guards {
  const bench = new HookBench();
  const command = (text: string) => ({ type: 'command', command: text });
  bench.settings({
    hooks: {
      PreToolUse: [{ matcher: 'Bash', hooks: [command(NO_DELETIONS), command(whenStopping(CHANGED))] }],
      PostToolUse: [{ matcher: 'Bash', hooks: [command(whenStopping(STOP))] }],
    },
  });
  const rule = { text: 'Bash(echo secret)', scope: 'project' } as const;
  return {
    bench,
    hooks: { runner: bench.runner, transcriptPath },
    rules: new HandSettings({ rules: { deny: [rule], ask: [], allow: [] } }),
  };
}
