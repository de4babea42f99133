import type { ToolResult } from '../../src-shared/tool-call/content.ts';
import {
  charactersOf,
  fillEmpty,
  PREVIEW_BYTES,
  preview,
  savedMessage,
  thresholdOf,
  unsavedMessage,
} from '../core/results/large-results.ts';
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
  const threshold = thresholdOf(tool.maxResultSizeChars, run.saveThreshold);
  if (ran.file === undefined) return { go: await saveText(run, tool, mapped, threshold) };
  try {
    return { go: await fromFile(run, tool, mapped, ran.file, threshold) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    notSaved(run, `The output of ${tool.name} could not be read.`, why);
    return { go: withOutput(mapped, `(The output could not be read: ${why})`) };
  }
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
  run.record({
    type: 'result-saved',
    callId: run.job.callId,
    path: file.path,
    bytes: file.bytes,
    found: true,
    limit: threshold,
  });
  return withOutput(mapped, savedMessage({ ...file, preview: preview(head, file.bytes) }));
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

async function saveText(run: CallRun, tool: AnyTool, mapped: ToolResult, threshold: number): Promise<ToolResult> {
  const result = fillEmpty(tool.name, mapped);
  if (charactersOf(result) <= threshold) return result;
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const bytes = Buffer.from(text, 'utf8');
  const others = result.content.filter((block) => block.type !== 'text');
  const previewed = preview(bytes.subarray(0, PREVIEW_BYTES + 4), bytes.length);
  try {
    const file = await run.files.save(run.job.callId, text);
    run.record({
      type: 'result-saved',
      callId: run.job.callId,
      path: file.path,
      bytes: file.bytes,
      found: true,
      limit: threshold,
    });
    return { ...result, content: [{ type: 'text', text: savedMessage({ ...file, preview: previewed }) }, ...others] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    notSaved(run, `The output of ${tool.name} could not be saved.`, why);
    return {
      ...result,
      content: [{ type: 'text', text: unsavedMessage({ bytes: bytes.length, why, preview: previewed }) }, ...others],
    };
  }
}

const notSaved = (run: CallRun, text: string, detail: string): void =>
  run.record({ type: 'notice-given', level: 'warning', text, detail });
