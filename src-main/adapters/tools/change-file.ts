import { stat } from 'node:fs/promises';
import type { EditTarget } from '../../core/permission/own-word.ts';
import type { RunEnvironment, ToolContext, ToolEnding, Validation } from '../../ports/tool.ts';
import { editTargetAt, locate, realPath, resolvePath, shownPath } from './paths.ts';
import { rememberPlace } from './permitted-path.ts';
import { hashOf, remember, toolUseError } from './read-files.ts';
import { writeWhole } from './write-whole.ts';

/**
 * What tools that change a file that is there have in common: where they land, what may be changed, and what is known
 * of the file afterwards.
 */

/** The file behind the path as the model wrote it, or why there is none to change. */
export async function existingFile(
  path: string,
  context: ToolContext,
): Promise<{ readonly ok: true; readonly path: string; readonly real: string } | Extract<Validation, { ok: false }>> {
  const absolute = resolvePath(path, context);
  const found = await stat(absolute).catch(() => undefined);
  if (found === undefined) {
    return { ok: false, message: `File does not exist. Note: your current working directory is ${context.cwd}.` };
  }
  if (!found.isFile()) return toolUseError(`${absolute} is not a file.`);
  return { ok: true, path: absolute, real: (await realPath(absolute)) ?? absolute };
}

/** Where an edit lands; remembers it for the call, which works there and nowhere else. */
export async function landing(input: object, path: string, context: ToolContext): Promise<EditTarget> {
  const place = await locate(resolvePath(path, context), context);
  rememberPlace(input, place);
  return editTargetAt(place);
}

/**
 * Writes the changed file. From now on it counts as read, since its content is known.
 * @param real where it was permitted, free of links.
 */
export async function writeChanged<O>(
  change: { readonly path: string; readonly real: string; readonly bytes: Buffer; readonly output: O },
  context: ToolContext,
  run: RunEnvironment,
): Promise<ToolEnding<O>> {
  const { path, real, bytes, output } = change;
  const { mtimeMs } = await writeWhole(real, bytes);
  return {
    output,
    isError: false,
    modifier: remember(real, {
      mtimeMs,
      size: bytes.length,
      hash: hashOf(bytes),
      callId: run.callId,
      by: 'write',
      range: 'whole',
    }),
    changes: [`changed ${shownPath(path, context)}`],
    wrote: [real],
  };
}
