import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Interpretation } from '../../core/hooks/interpret.ts';
import { MOST_HOOK_CHARACTERS, shortenedText } from '../../core/hooks/texts.ts';

/**
 * Puts texts that are too long into files and says so in their place; the person hears of it too.
 * @param name begins the names of the files.
 */
export async function saveLongTexts(said: Interpretation, folder: string, name: string): Promise<Interpretation> {
  const warnings: string[] = [];
  const short = async (text: string | undefined, what: string): Promise<string | undefined> => {
    if (text === undefined || text.length <= MOST_HOOK_CHARACTERS) return text;
    const saved = await save(join(folder, `${name}-${what}.txt`), text);
    const place = 'path' in saved ? `The whole text is in ${saved.path}.` : `It could not be saved: ${saved.why}.`;
    warnings.push(`Its ${what} has ${text.length} characters and was shortened. ${place}`);
    return shortenedText(text, saved);
  };
  const { permission, stop, request } = said;
  const shortened = {
    permission: permission && { ...permission, reason: await short(permission.reason, 'reason') },
    block: await short(said.block, 'reason'),
    feedback: await short(said.feedback, 'feedback'),
    context: await short(said.context, 'context'),
    systemMessage: await short(said.systemMessage, 'message'),
    stop: stop && { reason: await short(stop.reason, 'stop-reason') },
    request: request?.behavior === 'deny' ? { ...request, message: await short(request.message, 'denial') } : request,
  };
  return {
    ...said,
    ...shortened,
    warnings: [...said.warnings, ...warnings],
  };
}

async function save(path: string, text: string): Promise<{ readonly path: string } | { readonly why: string }> {
  try {
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600 });
    return { path };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}
