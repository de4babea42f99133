import type { CallId } from '../../src-shared/ids.ts';
import type { EventFacts } from '../../src-shared/session/event.ts';
import type { ContentBlock, ToolResult } from '../../src-shared/tool-call/content.ts';
import {
  charactersOf,
  fillEmpty,
  PREVIEW_BYTES,
  preview,
  savedMessage,
  thresholdOf,
  unsavedMessage,
} from '../core/results/large-results.ts';
import type { ResultFiles } from '../ports/result-files.ts';
import type { AnyTool, ToolEnding } from '../ports/tool.ts';
import type { CallRun, Step } from './call-run.ts';

/** UTF-8 needs at most this many bytes a character, so a file beyond it is over the threshold for certain. */
const MOST_BYTES_PER_CHARACTER = 4;

/**
 * Stage 8: an empty result says so; one over the threshold goes to disk whole and the model gets a preview. A disk that
 * does not take it, or does not give it back, costs the output, never the call.
 */
export async function saveResult(
  run: CallRun,
  tool: AnyTool,
  ran: ToolEnding<unknown>,
  mapped: ToolResult,
): Promise<Step<ToolResult>> {
  const { maxResultChars = {} } = run.log.state.settings;
  const own = Object.hasOwn(maxResultChars, tool.name) ? maxResultChars[tool.name] : undefined;
  const threshold = thresholdOf(tool.maxResultSizeChars, run.saveThreshold, own);
  const told = await withShortage(run, tool, ran, mapped);
  if (ran.file === undefined) return { go: await saveText(run, tool, told, threshold) };
  try {
    return { go: await fromFile(run, tool, told, ran.file, threshold) };
  } catch (error) {
    const why = messageOf(error);
    notSaved(run, `The output of ${tool.name} could not be read.`, why);
    return { go: withOutput(told, `(The output could not be read: ${why})`) };
  }
}

/** A command writes to the disk itself: where that is full, the command fails for it and nobody else says why. */
async function withShortage(
  run: CallRun,
  tool: AnyTool,
  ran: ToolEnding<unknown>,
  mapped: ToolResult,
): Promise<ToolResult> {
  if (ran.file === undefined && ran.exit === undefined) return mapped;
  const shortage = await run.files.shortage(run.job.callId);
  if (shortage === undefined) return mapped;
  notSaved(run, `The output of ${tool.name} may not be whole.`, shortage);
  return withOutput(mapped, `(The output may not be whole, and the command may have failed for it: ${shortage})`);
}

async function fromFile(
  run: CallRun,
  tool: AnyTool,
  mapped: ToolResult,
  file: { readonly path: string; readonly bytes: number },
  threshold: number,
): Promise<ToolResult> {
  if (file.bytes <= threshold * MOST_BYTES_PER_CHARACTER) {
    const text = await run.files.text(file.path);
    const result = withOutput(mapped, text);
    if (charactersOf(result) <= threshold) {
      // A file that stays costs room, nothing else.
      await run.files.remove(file.path).catch(() => undefined);
      return fillEmpty(tool.name, result);
    }
  }
  const head = await run.files.head(file.path, PREVIEW_BYTES + 4);
  const shown = { bytes: file.bytes, preview: preview(head, file.bytes) };
  try {
    await run.files.keep(file.path);
  } catch (error) {
    const why = messageOf(error);
    notSaved(run, `The output of ${tool.name} could not be saved.`, why);
    await run.files.remove(file.path).catch(() => undefined);
    return withOutput(mapped, unsavedMessage({ ...shown, why }));
  }
  run.record({
    type: 'result-saved',
    callId: run.job.callId,
    path: file.path,
    bytes: file.bytes,
    found: true,
    limit: threshold,
  });
  return withOutput(mapped, savedMessage({ ...shown, path: file.path }));
}

/** A tool that left its output in a file maps the rest (`Exit code 2`); the text follows after it. */
function withOutput(mapped: ToolResult, text: string): ToolResult {
  const before = mapped.content.map((block) => (block.type === 'text' ? block.text : ''));
  const whole = [...before, text.trimEnd()].filter((part) => part !== '').join('\n');
  return {
    ...mapped,
    content: [{ type: 'text', text: whole }, ...mapped.content.filter(({ type }) => type !== 'text')],
  };
}

async function saveText(run: CallRun, tool: AnyTool, mapped: ToolResult, limit: number): Promise<ToolResult> {
  const result = fillEmpty(tool.name, mapped);
  if (charactersOf(result) <= limit) return result;
  const { files, record } = run;
  const content = await savedInstead({ files, record, tool: tool.name, callId: run.job.callId, limit }, result);
  return { ...result, content };
}

/**
 * Saves a result's whole text and gives what the model is shown instead: a preview with the file's path, or, where the
 * disk does not take it, a preview that says so.
 */
export async function savedInstead(
  save: {
    readonly files: ResultFiles;
    readonly record: (facts: EventFacts) => void;
    readonly tool: string;
    readonly callId: CallId;
    /** Characters a result of the tool may have, where being longer is the reason. */
    readonly limit?: number;
  },
  result: ToolResult,
): Promise<ContentBlock[]> {
  const { files, record, tool, callId, limit } = save;
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const bytes = Buffer.from(text, 'utf8');
  const others = result.content.filter((block) => block.type !== 'text');
  const shown = preview(bytes.subarray(0, PREVIEW_BYTES + 4), bytes.length);
  try {
    const { path, bytes: size } = await files.save(callId, text);
    record({ type: 'result-saved', callId, path, bytes: size, found: true, ...(limit === undefined ? {} : { limit }) });
    return [{ type: 'text', text: savedMessage({ path, bytes: size, preview: shown }) }, ...others];
  } catch (error) {
    const why = messageOf(error);
    record({ type: 'notice-given', level: 'warning', text: `The output of ${tool} could not be saved.`, detail: why });
    return [{ type: 'text', text: unsavedMessage({ bytes: bytes.length, why, preview: shown }) }, ...others];
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const notSaved = (run: CallRun, text: string, detail: string): void =>
  run.record({ type: 'notice-given', level: 'warning', text, detail });
