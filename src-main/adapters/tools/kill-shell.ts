import { z } from 'zod';
import { noSuchShell, statusWords } from '../../core/shells/texts.ts';
import { type AnyTool, defineTool } from '../../ports/tool.ts';
import { rawField } from './paths.ts';

/** TERM, two seconds, KILL, and the time to look for survivors (spec 3.6). */
const STOP_GRACE_MS = 10_000;

const Input = z.strictObject({
  shell_id: z.string().min(1).describe('The shell, as the call that launched it named it: bash_1'),
});
type Input = z.output<typeof Input>;
type Output = { readonly text: string };

/** KillShell ends a background shell with all it started. */
export const killShellTool: AnyTool = defineTool<Input, Output>({
  name: 'KillShell',
  description: 'Ends a command that runs in the background, and everything it started.',
  inputSchema: Input,
  stopGraceMs: STOP_GRACE_MS,
  checkPermissions: async () => ({ verdict: 'allow', because: 'It ends a command of the session itself' }),
  async call({ shell_id }, _context, { host: { shells } }) {
    const before = shells.find(shell_id);
    if (before === undefined) return { output: { text: noSuchShell(shell_id, shells.all) }, isError: true };
    if (before.end !== undefined)
      return { output: { text: `${statusWords(before)} Nothing was done.` }, isError: false };
    const shell = await shells.kill(shell_id, 'model');
    const isLeft = (shell.end?.survivors ?? []).length > 0;
    const text = isLeft ? statusWords(shell) : `${statusWords(shell)} Nothing of it is left.`;
    return { output: { text }, isError: isLeft };
  },
  mapResult: ({ text }) => ({ content: [{ type: 'text', text }], isError: false }),
  summarise: (input) => rawField(input, 'shell_id'),
  suggestRule: () => 'KillShell',
});
