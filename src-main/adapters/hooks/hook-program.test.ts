import { expect, test } from 'vitest';
import type { CommandHook } from '../../core/hooks/settings.ts';
import { commandOf } from './hook-program.ts';

const hook = (over: Partial<CommandHook>): CommandHook => ({
  event: 'PreToolUse',
  matcher: undefined,
  command: 'check',
  args: undefined,
  shell: 'bash',
  condition: undefined,
  timeoutMs: undefined,
  mode: 'wait',
  statusMessage: undefined,
  scope: 'user',
  file: '/home/me/.claude/settings.json',
  path: 'hooks.PreToolUse[0].hooks[0]',
  ...over,
});
const PLACEHOLDER = `\${CLAUDE_PROJECT_DIR}`;

test('a command goes to bash as it stands, also when it begins with a dash', () => {
  expect(commandOf(hook({ command: `-x "${PLACEHOLDER}"` }), '/work', '/bin/bash')).toEqual({
    file: '/bin/bash',
    args: ['-c', '--', `-x "${PLACEHOLDER}"`],
  });
});

test.each([
  ['win32', 'powershell.exe'],
  ['linux', 'pwsh'],
] as const)('H49 on %s PowerShell is %s, and its command finds the project in the environment', (platform, file) => {
  const command = `& "${PLACEHOLDER}/check.ps1"`;
  expect(commandOf(hook({ command, shell: 'powershell' }), '/work', 'bash', platform)).toEqual({
    file,
    args: ['-NoProfile', '-NonInteractive', '-Command', `& "\${env:CLAUDE_PROJECT_DIR}/check.ps1"`],
  });
});

test('H49 what the project is called is no pattern for the replacement', () => {
  const filled = commandOf(hook({ args: [`${PLACEHOLDER}/${PLACEHOLDER}`] }), '/w/$&$1', 'bash');
  expect(filled).toEqual({ file: 'check', args: ['/w/$&$1//w/$&$1'] });
});
