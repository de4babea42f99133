import type { AnyTool, ReadFile, ToolContext, ToolEnding } from '../ports/tool.ts';
import type { CallRun, Ending } from './call-run.ts';

/**
 * Files that were read in this session and have another time on disk now, though the call did not say that it writes
 * them: a command changed them behind the model's back (spec 2.8). Each change is told once.
 *
 * @param mtimeOf modification time of a file in ms; undefined when it is gone.
 */
export async function staleReads(
  context: ToolContext,
  wrote: readonly string[],
  mtimeOf: (path: string) => Promise<number | undefined>,
): Promise<ReadonlyMap<string, ReadFile>> {
  const ours = new Set(wrote);
  const looked = await Promise.all(
    [...context.readFiles]
      .filter(([path]) => !ours.has(path))
      .map(async ([path, file]) => ({ path, file, mtimeMs: (await mtimeOf(path)) ?? -1 })),
  );
  return new Map(
    looked
      .filter(({ file, mtimeMs }) => mtimeMs !== file.mtimeMs && mtimeMs !== file.toldStaleAt)
      .map(({ path, file, mtimeMs }) => [path, { ...file, toldStaleAt: mtimeMs }]),
  );
}

/** Tells the model and the journal which earlier reads a call has made stale. Calls that only read make none. */
export async function noteStaleReads(
  run: CallRun,
  call: { readonly tool: AnyTool; readonly input: unknown; readonly ran: ToolEnding<unknown> },
  ending: Ending,
): Promise<Ending> {
  if (run.context.readFiles.size === 0 || call.tool.isReadOnly(call.input)) return ending;
  const stale = await staleReads(run.context, call.ran.wrote ?? [], (path) => run.files.mtimeOf(path));
  if (stale.size === 0) return ending;
  const files = [...stale.keys()];
  run.record({ type: 'reads-went-stale', callId: run.job.callId, files });
  const before = ending.modifier;
  return {
    ...ending,
    result: {
      ...ending.result,
      content: [...ending.result.content, { type: 'text', text: staleNote(files) }],
      display: { ...ending.result.display, staleReadFileStateHint: files },
    },
    modifier: (context) => {
      const now = before === undefined ? context : before(context);
      return { ...now, readFiles: new Map([...now.readFiles, ...stale]) };
    },
  };
}

const staleNote = (files: readonly string[]): string =>
  `<system-reminder>This call changed files that were read before: ${files.join(', ')}. ` +
  'What was read of them is out of date. Read them again before you rely on it or edit them.</system-reminder>';
