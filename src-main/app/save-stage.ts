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
 * Stages 7 and 8: the output becomes blocks; an empty one says so; one over the threshold goes to disk whole and the
 * model gets a preview. A disk that does not take it costs the rest of the output, never the call.
 */
export async function mapAndSave(run: CallRun, tool: AnyTool, ran: ToolEnding<unknown>): Promise<Step<ToolResult>> {
  const threshold = thresholdOf(tool.maxResultSizeChars, run.saveThreshold);
  if (ran.file === undefined) return { go: await saveText(run, tool, tool.mapResult(ran.output), threshold) };
  const { file } = ran;
  if (file.bytes <= threshold * MOST_BYTES_PER_CHARACTER) {
    const text = await run.files.text(file.path);
    const result = withOutput(tool.mapResult(ran.output), text);
    if (charactersOf(result) <= threshold) {
      await run.files.remove(file.path);
      return { go: fillEmpty(tool.name, result) };
    }
  }
  const head = await run.files.head(file.path, PREVIEW_BYTES + 4);
  run.log.append({ type: 'result-saved', callId: run.job.callId, ...file, found: true });
  const message = savedMessage({ ...file, preview: preview(head, file.bytes) });
  return { go: withOutput(tool.mapResult(ran.output), message) };
}

/** A tool that left its output in a file maps the rest (`Exit code 2`); the text follows after it. */
function withOutput(mapped: ToolResult, text: string): ToolResult {
  const before = mapped.content.map((block) => (block.type === 'text' ? block.text : '')).filter((part) => part !== '');
  return {
    ...mapped,
    content: [{ type: 'text', text: [...before, text.replace(/\s+$/, '')].filter((part) => part !== '').join('\n') }],
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
    run.log.append({ type: 'result-saved', callId: run.job.callId, ...file, found: true });
    return { ...result, content: [{ type: 'text', text: savedMessage({ ...file, preview: previewed }) }, ...others] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    run.log.append({
      type: 'notice-given',
      level: 'warning',
      text: `The output of ${tool.name} could not be saved.`,
      detail: why,
    });
    return {
      ...result,
      content: [{ type: 'text', text: unsavedMessage({ bytes: bytes.length, why, preview: previewed }) }, ...others],
    };
  }
}
