import type { Breakpoint, Fault } from '../../src-shared/debugger/event.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { callName, formatMillis } from '../../src-shared/timeline/words.ts';
import { isPaused, type ToolCall } from '../../src-shared/tool-call/state.ts';
import { inputOf } from '../permissions/asks.ts';

const textOf = (input: unknown, key: string): string | undefined => {
  const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** The words of a command up to its first option or operand that looks like one: `git push`, `npm run test`. */
function commandPrefix(command: string): string {
  const words = command.trim().split(/\s+/);
  const plain = words.findIndex((word) => !/^[a-z][\w:-]*$/i.test(word));
  return words.slice(0, plain === -1 ? 3 : Math.min(Math.max(plain, 1), 3)).join(' ');
}

/** A permission rule that means calls like this one, for a breakpoint or a fault: `Bash(npm run test:*)`, `Edit(src/a.ts)`. */
export function ruleFor(call: ToolCall): string {
  const input = inputOf(call);
  const command = textOf(input, 'command');
  if (call.tool === 'Bash' && command !== undefined) return `Bash(${commandPrefix(command)}:*)`;
  const path = textOf(input, 'file_path') ?? textOf(input, 'notebook_path');
  if (path === undefined) return call.tool;
  // Rules for files are Read and Edit; `//` is an absolute path.
  const tool = call.tool === 'Read' ? 'Read' : 'Edit';
  return `${tool}(${path.startsWith('/') ? `/${path}` : path})`;
}

/** `before Bash(git push:*)` · `when any call fails` · `before any cascade` */
export function breakpointWords(breakpoint: Breakpoint): string {
  switch (breakpoint.kind) {
    case 'before':
      return `before ${breakpoint.rule}`;
    case 'failure':
      return breakpoint.rule === undefined ? 'when any call fails' : `when ${breakpoint.rule} fails`;
    case 'cascade':
      return breakpoint.rule === undefined ? 'before any cascade' : `before a cascade of ${breakpoint.rule}`;
  }
}

/** `delay Bash by 2.0 s` · `make Read fail` */
export function faultWords(fault: Fault): string {
  switch (fault.kind) {
    case 'delay':
      return `delay ${fault.rule} by ${formatMillis(fault.ms)}`;
    case 'fail':
      return `make ${fault.rule} fail`;
    case 'hang':
      return `make ${fault.rule} hang`;
    case 'break-stream':
      return `break the stream behind ${fault.rule}`;
    case 'slow-permission':
      return `slow permission of ${fault.rule} by ${formatMillis(fault.ms)}`;
  }
}

/** `struck 1 of 2` · `not yet` */
export function struckWords(fault: Fault, struck: number): string {
  if (fault.times !== undefined) return struck >= fault.times ? 'used up' : `struck ${struck} of ${fault.times}`;
  return struck === 0 ? 'not yet' : `struck ${struck} ×`;
}

/** The calls that wait at a breakpoint, the longest first. */
export const pausedCalls = (state: SessionState): readonly ToolCall[] =>
  state.ended !== undefined || state.origin?.kind === 'imported'
    ? []
    : state.calls
        .filter((call) => call.phase === 'executing' && isPaused(call))
        .sort((a, b) => (a.pauses.at(-1)?.from ?? 0) - (b.pauses.at(-1)?.from ?? 0));

/** `Bash(npm test) stopped before it runs.` */
export function pauseSentence(call: ToolCall): string {
  switch (call.pauses.at(-1)?.why) {
    case 'failure':
      return `${callName(call)} has failed. Nobody has heard of it yet.`;
    case 'cascade':
      return `${callName(call)} has failed and is about to cancel its siblings.`;
    default:
      return `${callName(call)} stopped before it runs.`;
  }
}
