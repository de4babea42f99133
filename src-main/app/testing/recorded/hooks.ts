import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionId } from '../../../../src-shared/ids.ts';
import { hooksFor } from '../../../composition/session-hooks.ts';
import { readClaudeSettings } from '../../../core/settings/claude-settings.ts';
import { mergeSettings } from '../../../core/settings/merge-settings.ts';
import { noSettings, type SettingsSource } from '../../../ports/settings.ts';
import type { HookSetup } from '../../live-session.ts';

const decides = (permissionDecision: 'allow' | 'deny', more: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more } });

/** The hook of the recordings, rebuilt from what it did: a real program that reads a call and answers. */
const PROGRAM = `
call=$(cat)
case $call in
  *'"command":"rm '*)
    echo '${decides('deny', { permissionDecisionReason: 'no deletions here' })}' ;;
  *'"command":"echo secret"'*)
    echo '${decides('allow', {})}' ;;
  *'"command":"echo stop-here"'*)
    echo '${decides('allow', { updatedInput: { command: 'echo changed-by-hook stop-here', description: 'stop' } })}' ;;
esac
`;
/** The hook after a call: it ends the turn. */
const STOPS = `
call=$(cat)
case $call in
  *stop-here*) echo '${JSON.stringify({ continue: false, stopReason: 'stopped by a hook' })}' ;;
esac
`;

/**
 * The hooks and the deny rule under which `hooks-batch` and `hooks-stream` were recorded.
 * @param folder for the programs; outside of the project, whose files are listed.
 */
export async function recordedHooks(
  folder: string,
  cwd: string,
): Promise<{ readonly hooks: HookSetup; readonly rules: SettingsSource }> {
  const before = join(folder, 'before.sh');
  const after = join(folder, 'after.sh');
  await writeFile(before, PROGRAM);
  await writeFile(after, STOPS);
  const of = (file: string) => [{ matcher: 'Bash', hooks: [{ type: 'command', command: `bash '${file}'` }] }];
  const text = JSON.stringify({
    permissions: { deny: ['Bash(echo secret)'] },
    hooks: { PreToolUse: of(before), PostToolUse: of(after) },
  });
  const claude = [readClaudeSettings({ scope: 'user', file: join(folder, 'settings.json'), text })];
  const loaded = mergeSettings({ folder: cwd, home: folder, trusted: true, claude, gantry: [], findings: [] });
  const rules = { ...noSettings(cwd), current: () => loaded };
  const place = {
    sessionId: 'recorded' as SessionId,
    cwd,
    transcriptPath: join(folder, 'journal.jsonl'),
    outputFolder: join(folder, 'hook-outputs'),
  };
  return { rules, hooks: hooksFor(place, rules) };
}
