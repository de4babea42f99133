import { z } from 'zod';
import type { PermissionMode } from '../../../src-shared/permission/event.ts';
import { defineTool } from '../../ports/tool.ts';
import { rawField } from './paths.ts';
import { toolUseError } from './read-files.ts';

const Input = z.strictObject({
  plan: z.string().trim().min(1).max(100_000).describe('The plan, as Markdown'),
});
/** A person who approves may say how to go on. */
const Approved = Input.extend({ mode: z.enum(['default', 'acceptEdits']).optional() });

type Input = z.output<typeof Input> & { readonly mode?: 'default' | 'acceptEdits' | undefined };
type Output = { readonly mode: PermissionMode };

/** Shows the plan to the person, and leaves plan mode when they approve. */
export const exitPlanModeTool = defineTool<Input, Output>({
  name: 'ExitPlanMode',
  description: 'Shows your plan to the person. When they approve it, plan mode ends and you may start with the work.',
  inputSchema: Input,
  changedSchema: Approved,
  isReadOnly: () => true,
  interruptBehavior: () => 'cancel',
  async validateInput(_input, _context, host) {
    const mode = host?.mode() ?? 'plan';
    if (mode === 'plan') return { ok: true };
    return toolUseError(`This session is not in plan mode but in mode ${mode}. There is nothing to approve: go on.`);
  },
  async call({ mode = 'default' }, _context, { host }) {
    // They may have left plan mode by hand while the question waited.
    if (host.mode() === 'plan') host.setMode(mode);
    return { output: { mode: host.mode() }, isError: false };
  },
  mapResult: ({ mode }) => ({
    content: [
      { type: 'text', text: `The person approved the plan. The permission mode is ${mode} now. Start with the work.` },
    ],
    isError: false,
  }),
  summarise: (input) => headingOf(rawField(input, 'plan')),
  suggestRule: () => undefined,
  describeQuestion: async ({ plan }) => ({
    title: 'Go on with this plan?',
    reason: '',
    risk: 'leaves plan mode',
    dangerous: false,
    plan,
  }),
});

/** The first line that says something, without the signs of Markdown. */
const headingOf = (plan: string): string =>
  plan
    .split('\n')
    .map((line) => line.replace(/^[\s#>*-]+/, '').trim())
    .find((line) => line !== '') ?? '';
