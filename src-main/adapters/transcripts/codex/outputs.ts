import type { ContentBlock, ToolResult } from '../../../../src-shared/tool-call/content.ts';
import { type Fields, fieldsOf, numberAt, textAt } from '../common/fields.ts';
import { parseJson } from '../json-scan.ts';

/** What the output of a call says about how it went. */
export type Output = {
  readonly result: ToolResult;
  /** How long the tool ran, in ms. */
  readonly wallMs: number | undefined;
  readonly exitCode: number | undefined;
  /** The command goes on under this number; a later call brings its end. */
  readonly runningAs: string | undefined;
  readonly ending: 'ok' | 'error' | 'never-ran' | 'rejected' | 'aborted';
};

const WALL = /^Wall time:? ([\d.]+) seconds?/m;
const EXIT = /^(?:Process exited with code|Exit code:) (-?\d+)/m;
const RUNNING = /^Process running with session ID (\S+)/m;
const CELL = /^Script running with cell ID (\S+)/m;
const ABORTED = /^aborted by user(?: after ([\d.]+)s)?/;
const REJECTED = /^(?:exec command|patch|command|tool call)?\s*rejected by user/i;
const NEVER_RAN = /^(?:failed to parse function arguments|unsupported (?:custom tool )?call)/i;
const FAILED =
  /^(?:collab|agent|mcp|tool)\b[^\n]{0,60}? failed:|^(?:execution error|apply_patch verification failed|tool call error)/i;
const SCRIPT_FAILED = /^Script (?:failed|threw|errored)/m;
/** What the tool says of itself stands before the first of its own output. */
const HEAD_CHARS = 2000;

/** Reads an output in any of its shapes: text, JSON text with the exit code, a list of blocks, an object. */
export function readOutput(output: unknown, status?: string): Output {
  const wrapped = fieldsOf(output) ?? (typeof output === 'string' ? jsonOutput(output) : undefined);
  const content = contentOf(wrapped === undefined ? output : (wrapped.output ?? wrapped.content ?? output));
  const metadata = fieldsOf(wrapped?.metadata);
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const [head = ''] = text.slice(0, HEAD_CHARS).split(/^Output:$/m);
  const seconds = numberAt(metadata, 'duration_seconds') ?? numberIn(WALL, head) ?? numberIn(ABORTED, head);
  const exitCode = numberAt(metadata, 'exit_code') ?? numberIn(EXIT, head);
  const ending = endingOf(head, exitCode, wrapped?.success === false || status === 'failed');
  return {
    result: { content, isError: ending !== 'ok' },
    wallMs: seconds === undefined ? undefined : seconds * 1000,
    exitCode,
    runningAs: RUNNING.exec(head)?.[1] ?? CELL.exec(head)?.[1],
    ending,
  };
}

function endingOf(head: string, exitCode: number | undefined, failed: boolean): Output['ending'] {
  if (ABORTED.test(head)) return 'aborted';
  if (REJECTED.test(head)) return 'rejected';
  if (NEVER_RAN.test(head)) return 'never-ran';
  if (exitCode !== undefined) return exitCode === 0 ? 'ok' : 'error';
  return failed || FAILED.test(head) || SCRIPT_FAILED.test(head) ? 'error' : 'ok';
}

const numberIn = (pattern: RegExp, text: string): number | undefined => {
  const found = pattern.exec(text)?.[1];
  return found === undefined || !Number.isFinite(Number(found)) ? undefined : Number(found);
};

/** Old shells put the output and its exit code into a JSON text. */
function jsonOutput(text: string): Fields | undefined {
  if (!text.startsWith('{')) return undefined;
  const fields = fieldsOf(parseJson(text));
  return fields !== undefined && 'output' in fields && 'metadata' in fields ? fields : undefined;
}

/** Text, a list of blocks, or something of another kind that is kept as it came. */
export function contentOf(value: unknown): ContentBlock[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (Array.isArray(value)) return value.flatMap(contentOf);
  const fields = fieldsOf(value);
  const text = textAt(fields, 'text');
  if (text !== undefined) return [{ type: 'text', text }];
  const image = /^data:([^;,]+);base64,(.*)$/s.exec(textAt(fields, 'image_url') ?? '');
  if (image !== null) return [{ type: 'image', mediaType: image[1] ?? 'image/png', data: image[2] ?? '' }];
  return [{ type: 'other', raw: value }];
}

/** All text in a message's content. */
export const textOf = (content: unknown): string =>
  contentOf(content)
    .map((block) => (block.type === 'text' ? block.text : ''))
    .filter((text) => text !== '')
    .join('\n');
