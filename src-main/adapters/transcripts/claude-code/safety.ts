import { analyseBash } from '../../../core/bash/analyse-bash.ts';
import { type Fields, fieldsOf, textAt } from '../common/fields.ts';

/** Tools that may run beside others whatever their input, as recordings of the program show. */
const SAFE_TOOLS: ReadonlySet<string> = new Set([
  'Read',
  'Glob',
  'Grep',
  'LS',
  'WebFetch',
  'WebSearch',
  'NotebookRead',
  'TodoRead',
  'Task',
  'Agent',
  'TaskGet',
  'TaskList',
  'TaskOutput',
  'BashOutput',
  'AgentOutputTool',
  'ToolSearch',
  'ListMcpResourcesTool',
  'ReadMcpResourceTool',
]);
const SHELL_TOOLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell']);
const EDIT_TOOLS: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const FILE_READERS: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead']);
/** Tools whose whole point is to ask, in any mode. */
const ASKING_TOOLS: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

export const isShell = (tool: string): boolean => SHELL_TOOLS.has(tool);
export const isAgentTool = (tool: string): boolean => tool === 'Task' || tool === 'Agent';

/** Might this call run beside others? The file does not say; tool and input do, as far as they go. */
export function mayRunBeside(tool: string, input: unknown): boolean {
  if (SAFE_TOOLS.has(tool)) return true;
  const command = textAt(fieldsOf(input), 'command');
  return tool === 'Bash' && command !== undefined && isReadOnly(command);
}

/** Sessions run the same commands again and again, and files are read again when they grow. */
const known = new Map<string, boolean>();
const MOST_KNOWN = 10_000;
const LONGEST_KNOWN = 2_000;

function isReadOnly(command: string): boolean {
  const before = known.get(command);
  if (before !== undefined) return before;
  const { readOnly } = analyseBash(command);
  if (known.size >= MOST_KNOWN) known.clear();
  if (command.length <= LONGEST_KNOWN) known.set(command, readOnly);
  return readOnly;
}

const INSTANT_COMMAND = /^\s*(?:\S+ (?:--version|-v|-V)|echo\b[^|&;]*|pwd|whoami|date|true|which \S+)\s*$/;
const INSTANT_MS = 2000;

/** A command that ends at once and had not answered after this long was not running, whatever it may run beside. */
export function wouldHaveAnswered(tool: string, input: unknown, waitedMs: number): boolean {
  const command = textAt(fieldsOf(input), 'command');
  return isShell(tool) && waitedMs >= INSTANT_MS && command !== undefined && INSTANT_COMMAND.test(command);
}

/** Would the program have asked a person about this call? Decides whether a refusal came from a dialog or from Esc. */
export function needsDialog(
  call: { readonly tool: string; readonly input: unknown },
  mode: string,
  cwd: string,
): boolean {
  if (ASKING_TOOLS.has(call.tool)) return true;
  if (mode === 'bypassPermissions' || mode === 'dontAsk') return false;
  if (mode === 'acceptEdits' && EDIT_TOOLS.has(call.tool)) return false;
  if (FILE_READERS.has(call.tool)) return isOutside(fieldsOf(call.input), cwd);
  if (call.tool === 'WebFetch' || call.tool === 'WebSearch') return true;
  if (/^Todo|^Task/.test(call.tool)) return false;
  return !mayRunBeside(call.tool, call.input);
}

function isOutside(input: Fields | undefined, cwd: string): boolean {
  const path = textAt(input, 'file_path') ?? textAt(input, 'path') ?? textAt(input, 'notebook_path');
  if (path === undefined || cwd === '' || !/^(?:\/|[A-Za-z]:[\\/])/.test(path)) return false;
  return path !== cwd && !path.startsWith(`${cwd.replace(/[\\/]$/, '')}${cwd.includes('\\') ? '\\' : '/'}`);
}

/**
 * Does a culprit's description, as a cancelled sibling quotes it, fit this call? It reads `Tool` or `Tool(start of the
 * telling input)`, cut to 40 characters with `…`.
 */
export function fitsDescription(
  call: { readonly tool: string; readonly input: unknown },
  description: string,
): boolean {
  const open = description.indexOf('(');
  if (open === -1) return description === call.tool;
  if (description.slice(0, open) !== call.tool) return false;
  const quoted = squeeze(description.slice(open + 1).replace(/\)$/, ''));
  const isCut = quoted.endsWith('…');
  const start = isCut ? quoted.slice(0, -1) : quoted;
  return Object.values(fieldsOf(call.input) ?? {}).some((value) => {
    if (typeof value !== 'string') return false;
    const text = squeeze(value.slice(0, 1000));
    return isCut ? text.startsWith(start) : text === start;
  });
}

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim();
