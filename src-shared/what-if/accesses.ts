import type { ToolCall } from '../tool-call/state.ts';
import type { TouchedFiles } from './touched.ts';

/** The files a call works on. Absolute paths with `/`, without `.` and `..`. */
export type Accesses = {
  readonly reads: readonly string[];
  /** Folders of which everything below is read. */
  readonly folders: readonly string[];
  readonly writes: readonly string[];
  /** It touches nothing else. */
  readonly complete: boolean;
};

const NOTHING: Accesses = { reads: [], folders: [], writes: [], complete: true };

const WRITES = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
const READS = new Set(['Read', 'NotebookRead']);
const SEARCHES = new Set(['Grep', 'Glob', 'LS']);

/**
 * What a call reads and writes, as far as its input says. Tools that name no file (web, todos, sub-agents, MCP) count as
 * touching none. Commands need what main has found out about them.
 * @param cwd where relative paths start: the session's folder. Where an agent has moved, they are not followed.
 */
export function accessesOf(call: ToolCall, cwd: string, command: TouchedFiles | undefined): Accesses {
  const { tool } = call;
  if (tool === 'Bash') return command === undefined ? { ...NOTHING, complete: false } : cleaned(command, cwd);
  const input = call.changedInput?.input ?? call.input;
  if (SEARCHES.has(tool)) {
    const path = textAt(input, 'path');
    return { ...NOTHING, folders: [absolute(path ?? '.', cwd)] };
  }
  const isWriter = WRITES.has(tool);
  if (!isWriter && !READS.has(tool)) return NOTHING;
  const named = textAt(call.observed, 'resolved_path') ?? textAt(input, 'file_path') ?? textAt(input, 'notebook_path');
  if (named === undefined) return NOTHING;
  const paths = [absolute(named, cwd)];
  return isWriter ? { ...NOTHING, writes: paths } : { ...NOTHING, reads: paths };
}

/** The command a Bash call ran; undefined for other calls. */
export const commandOf = (call: ToolCall): string | undefined =>
  call.tool === 'Bash' ? textAt(call.changedInput?.input ?? call.input, 'command') : undefined;

const cleaned = ({ reads, folders, writes, complete }: TouchedFiles, cwd: string): Accesses => ({
  reads: reads.map((path) => absolute(path, cwd)),
  folders: folders.map((path) => absolute(path, cwd)),
  writes: writes.map((path) => absolute(path, cwd)),
  complete,
});

function textAt(fields: unknown, name: string): string | undefined {
  const value = typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** One form for all: `C:\a` becomes `/C:/a`, so that whole parts can be compared. */
function absolute(path: string, cwd: string): string {
  const isAbsolute = /^(?:[A-Za-z]:)?[\\/]/.test(path);
  const parts: string[] = [];
  for (const part of (isAbsolute ? path : `${cwd}/${path}`).split(/[\\/]/)) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
