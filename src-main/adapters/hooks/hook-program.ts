import { statSync } from 'node:fs';
import type { HookInput } from '../../core/hooks/hook-input.ts';
import type { CommandHook } from '../../core/hooks/settings.ts';
import { HOST_VARIABLE, MARKER_VARIABLE } from '../../ports/process-protocol.ts';

export type Places = {
  /** Where the session started, absolute. Stays, whatever `cd` and worktrees do. */
  readonly projectDir: string;
  readonly home: string;
};

type Command = { readonly file: string; readonly args: readonly string[] };

/**
 * What is started for a hook: with `args` the program itself, its placeholders filled in as plain text and nothing taken
 * apart; otherwise a shell (HR#exec-form-and-shell-form).
 */
export function commandOf(hook: CommandHook, projectDir: string, bash: string, platform = process.platform): Command {
  const { command, args, shell } = hook;
  if (args !== undefined) {
    const filled = (text: string): string => text.replaceAll(`\${${PROJECT_DIR}}`, () => projectDir);
    return { file: filled(command), args: args.map(filled) };
  }
  if (shell === 'bash') return { file: bash, args: ['-c', '--', command] };
  return {
    file: platform === 'win32' ? 'powershell.exe' : 'pwsh',
    args: [
      '-NoProfile',
      '-NonInteractive',
      '-Command',
      command.replaceAll(`\${${PROJECT_DIR}}`, `\${env:${PROJECT_DIR}}`),
    ],
  };
}

const PROJECT_DIR = 'CLAUDE_PROJECT_DIR';

/** Variables of the app's own process, and of telemetry that is not the hook's to join (HR#common-input-fields). */
const NOT_INHERITED = /^(?:OTEL_.*|ELECTRON_RUN_AS_NODE|NODE_CHANNEL_.*)$/;

/** The environment of the app and what the protocol adds to it. */
export function environmentOf(
  env: NodeJS.ProcessEnv,
  input: HookInput,
  own: { readonly projectDir: string; readonly marker: string; readonly host: string },
): Record<string, string> {
  const inherited = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !NOT_INHERITED.test(entry[0]),
  );
  const { effort } = input.session;
  return {
    ...Object.fromEntries(inherited),
    [PROJECT_DIR]: own.projectDir,
    ...(effort === undefined ? {} : { CLAUDE_EFFORT: effort }),
    [MARKER_VARIABLE]: own.marker,
    [HOST_VARIABLE]: own.host,
  };
}

/** The folder the agent works in; when it is gone the project's, then the user's: a hook has to run somewhere. */
export const folderFor = (cwd: string, { projectDir, home }: Places): string =>
  [cwd, projectDir, home].find(isFolder) ?? '/';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
