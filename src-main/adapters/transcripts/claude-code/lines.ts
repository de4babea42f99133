import { z } from 'zod';
import { type Fields, fieldsOf } from '../common/fields.ts';
import { blocksIn, flag, maybe, number, text } from '../common/loose.ts';

/** What is known of one line of a Claude Code transcript or stream. Nothing is required, everything else is kept. */
export const Line = z.looseObject({
  type: text,
  subtype: text,
  uuid: text,
  parentUuid: maybe(z.string().nullable()),
  sessionId: text,
  session_id: text,
  /** ISO text; numbers in converted files. */
  timestamp: maybe(z.union([z.string(), z.number()])),
  version: text,
  claude_code_version: text,
  cwd: text,
  isSidechain: flag,
  isMeta: flag,
  isCompactSummary: flag,
  isApiErrorMessage: flag,
  agentId: text,
  permissionMode: text,
  requestId: text,
  toolUseID: text,
  parentToolUseID: text,
  parent_tool_use_id: maybe(z.string().nullable()),
  sourceToolUseID: text,
  toolDenialKind: text,
  origin: maybe(z.looseObject({ kind: text })),
  durationMs: number,
  operation: text,
  reason: text,
});
export type Line = z.output<typeof Line>;

type Fits = (value: unknown) => boolean;
const isText: Fits = (value) => value === undefined || typeof value === 'string';
const isTextOrNull: Fits = (value) => value === null || isText(value);
const isNumber: Fits = (value) => value === undefined || (typeof value === 'number' && Number.isFinite(value));
const isFlag: Fits = (value) => value === undefined || typeof value === 'boolean';
const isTextOrNumber: Fits = (value) => isText(value) || isNumber(value);

/** Does every field have the type it should? Then parsing it would give the same again, at many times the cost. */
const fitter = (fields: Readonly<Record<string, Fits>>): ((value: Fields) => boolean) => {
  const checks = Object.entries(fields);
  return (value) => checks.every(([key, fits]) => fits(value[key]));
};

const isLine = fitter({
  ...{ type: isText, subtype: isText, uuid: isText, parentUuid: isTextOrNull, sessionId: isText, session_id: isText },
  ...{ timestamp: isTextOrNumber, version: isText, claude_code_version: isText, cwd: isText, isSidechain: isFlag },
  ...{ isMeta: isFlag, isCompactSummary: isFlag, isApiErrorMessage: isFlag, agentId: isText, permissionMode: isText },
  ...{ requestId: isText, toolUseID: isText, parentToolUseID: isText, parent_tool_use_id: isTextOrNull },
  ...{ sourceToolUseID: isText, toolDenialKind: isText, durationMs: isNumber, operation: isText, reason: isText },
  origin: (value) => value === undefined,
});

/** A line of which odd fields are left out. */
export const lineOf = (fields: Fields): Line => (isLine(fields) ? (fields as Line) : Line.parse(fields));

export const Usage = z.looseObject({
  input_tokens: number,
  output_tokens: number,
  cache_read_input_tokens: number,
  cache_creation_input_tokens: number,
});
export type Usage = z.output<typeof Usage>;

export const Message = z.looseObject({
  id: text,
  role: text,
  model: text,
  stop_reason: maybe(z.string().nullable()),
  usage: maybe(Usage),
  content: z.unknown().optional(),
});
export type Message = z.output<typeof Message>;

const isUsage = fitter({
  ...{ input_tokens: isNumber, output_tokens: isNumber },
  ...{ cache_read_input_tokens: isNumber, cache_creation_input_tokens: isNumber },
});
const isMessage = fitter({
  ...{ id: isText, role: isText, model: isText, stop_reason: isTextOrNull },
  usage: (value) => value === undefined || (fieldsOf(value) !== undefined && isUsage(value as Fields)),
});

/** A message of which odd fields are left out. */
export const messageOf = (fields: Fields): Message => (isMessage(fields) ? (fields as Message) : Message.parse(fields));

export const Block = z.looseObject({
  type: z.string().catch('unknown'),
  id: text,
  name: text,
  text,
  thinking: text,
  tool_use_id: text,
  is_error: flag,
});
export type Block = z.output<typeof Block>;

const isBlock = fitter({
  ...{ id: isText, name: isText, text: isText, thinking: isText, tool_use_id: isText, is_error: isFlag },
  type: (value) => typeof value === 'string',
});

/** The blocks of a content; see `blocksIn`. */
export function blocksOf(content: unknown): readonly Block[] {
  const fits = Array.isArray(content) && content.every((one) => fieldsOf(one) !== undefined && isBlock(one));
  return fits ? (content as Block[]) : blocksIn(Block, content);
}
