import { z } from 'zod';
import type { HookEventName } from '../../../src-shared/hook/event.ts';

/** Identity is kept: what a hook puts in place of an input goes on exactly as it stands. */
const PlainObject = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected an object',
);

/** What a `PermissionRequest` hook may answer in the user's place. */
export const RequestDecision = z.discriminatedUnion('behavior', [
  z
    .object({
      behavior: z.literal('allow'),
      updatedInput: PlainObject.optional(),
      /** Permission update entries, as the protocol has them; whoever applies them checks them. */
      updatedPermissions: z.array(PlainObject).readonly().optional(),
    })
    .readonly(),
  z
    .object({
      behavior: z.literal('deny'),
      message: z.string().optional(),
      interrupt: z.boolean().optional(),
    })
    .readonly(),
]);
export type RequestDecision = z.output<typeof RequestDecision>;

/** All fields that `hookSpecificOutput` may have, event by event (HR#decision-control). */
const SpecificOutput = z.object({
  hookEventName: z.string(),
  additionalContext: z.string().optional(),
  permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
  permissionDecisionReason: z.string().optional(),
  updatedInput: PlainObject.optional(),
  decision: RequestDecision.optional(),
  updatedToolOutput: z.unknown().optional(),
  updatedMCPToolOutput: z.unknown().optional(),
  sessionTitle: z.string().optional(),
  initialUserMessage: z.string().optional(),
  suppressOriginalPrompt: z.boolean().optional(),
});
export type SpecificOutput = z.output<typeof SpecificOutput>;

const Name = SpecificOutput.pick({ hookEventName: true });
const WithContext = SpecificOutput.pick({ hookEventName: true, additionalContext: true });

/** Only the fields of the event itself are checked: what it does not know cannot be wrong. */
const SPECIFIC: { readonly [E in HookEventName]: z.ZodType<SpecificOutput> } = {
  PreToolUse: WithContext.extend(
    SpecificOutput.pick({ permissionDecision: true, permissionDecisionReason: true, updatedInput: true }).shape,
  ),
  PostToolUse: WithContext.extend(SpecificOutput.pick({ updatedToolOutput: true, updatedMCPToolOutput: true }).shape),
  PostToolUseFailure: WithContext,
  PermissionRequest: SpecificOutput.pick({ hookEventName: true, decision: true }),
  UserPromptSubmit: WithContext.extend(SpecificOutput.pick({ sessionTitle: true, suppressOriginalPrompt: true }).shape),
  Stop: WithContext,
  SubagentStop: WithContext,
  SessionStart: WithContext.extend(SpecificOutput.pick({ sessionTitle: true, initialUserMessage: true }).shape),
  SessionEnd: Name,
  Notification: Name,
  PreCompact: Name,
};

/** The JSON object that a hook may print (HR#json-output). What it does not know it leaves alone. */
const HookJson = z.object({
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  suppressOutput: z.boolean().optional(),
  systemMessage: z.string().optional(),
  terminalSequence: z.string().optional(),
  /** `approve` is the old word of `PreToolUse`; elsewhere it says nothing. */
  decision: z.enum(['approve', 'block']).optional(),
  reason: z.string().optional(),
  suppressOriginalPrompt: z.boolean().optional(),
  /** Of another event it only has to have a name; it is not used then. */
  hookSpecificOutput: Name.optional(),
});
export type HookJson = Omit<z.output<typeof HookJson>, 'hookSpecificOutput'> & {
  /** Of the event that runs. */
  readonly own: SpecificOutput | undefined;
  /** The event it names, where that is another one than runs. */
  readonly foreign: string | undefined;
};

/** What a program wrote to one stream, as far as it was kept. */
export type Captured = {
  readonly text: string;
  /** Bytes that were written; more than `text` has when it was cut. */
  readonly bytes: number;
  readonly cut: boolean;
};

export type Stdout =
  | { readonly kind: 'empty' }
  /** `hidesJson`: there is an object in it, but not alone, and so it was not looked at. */
  | { readonly kind: 'text'; readonly text: string; readonly hidesJson: boolean }
  /** Begins like an object and is none. */
  | { readonly kind: 'broken'; readonly text: string; readonly why: string }
  /** An object, but not as the protocol has it. */
  | { readonly kind: 'invalid'; readonly why: string }
  | { readonly kind: 'json'; readonly json: HookJson; readonly raw: Readonly<Record<string, unknown>> };

/**
 * The first character decides, blanks aside: with `{` it is JSON and has to be one object and nothing else; all the rest
 * is plain text, lists and strings in JSON among it (HR#exit-code-0).
 */
export function readStdout(event: HookEventName, { text, bytes, cut }: Captured): Stdout {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'empty' };
  if (!trimmed.startsWith('{')) return { kind: 'text', text: trimmed, hidesJson: holdsObject(trimmed) };
  if (cut) return { kind: 'broken', text: trimmed, why: `It is ${bytes} bytes long, more than is read.` };
  const raw = parseObject(trimmed);
  if (typeof raw === 'string') return { kind: 'broken', text: trimmed, why: raw };
  const parsed = HookJson.safeParse(raw);
  if (!parsed.success) return { kind: 'invalid', why: explain(parsed.error) };
  const { hookSpecificOutput: named, ...general } = parsed.data;
  if (named?.hookEventName !== event) {
    return { kind: 'json', json: { ...general, own: undefined, foreign: named?.hookEventName }, raw };
  }
  const own = SPECIFIC[event].safeParse(raw.hookSpecificOutput);
  if (!own.success) return { kind: 'invalid', why: explain(own.error, 'hookSpecificOutput.') };
  return { kind: 'json', json: { ...general, own: own.data, foreign: undefined }, raw };
}

/** The object, or what is wrong with the text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | string {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A line that is an object by itself: noise of a shell profile around it is the usual reason for text. */
const holdsObject = (text: string): boolean =>
  text.split('\n').some((line) => line.trimStart().startsWith('{') && typeof parseObject(line) !== 'string');

const explain = (error: z.ZodError, under = ''): string =>
  error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${under}${path.join('.')}: ${message.replace(/^Invalid (?:input|option): /, '')}`)
    .join('; ');

/** Fields that only mean something inside of `hookSpecificOutput`; at the top people believe they work. */
const NESTED_ONLY = [
  'permissionDecision',
  'permissionDecisionReason',
  'updatedInput',
  'additionalContext',
  'updatedToolOutput',
  'updatedMCPToolOutput',
] as const;

export const misplacedFields = (raw: Readonly<Record<string, unknown>>): readonly string[] =>
  NESTED_ONLY.filter((name) => Object.hasOwn(raw, name));

/** What a background hook may still say when it has ended. */
export type BackgroundJson = {
  readonly additionalContext: string | undefined;
  readonly systemMessage: string | undefined;
  /** Fields that were dropped for their type or place. */
  readonly dropped: readonly string[];
};

/** Nothing waits for a background hook's answer, so its fields are taken one by one instead of all or none. */
export function readBackgroundJson(event: HookEventName, stdout: Captured): BackgroundJson {
  const text = stdout.text.trim();
  const raw = text.startsWith('{') && !stdout.cut ? parseObject(text) : '';
  if (typeof raw === 'string') return { additionalContext: undefined, systemMessage: undefined, dropped: [] };
  const nested: Readonly<Record<string, unknown>> = PlainObject.safeParse(raw.hookSpecificOutput).data ?? {};
  const dropped: string[] = [];
  const take = (value: unknown, name: string, isMeant = true): string | undefined => {
    if (value === undefined) return undefined;
    if (typeof value === 'string' && isMeant) return value;
    dropped.push(name);
    return undefined;
  };
  return {
    systemMessage: take(raw.systemMessage, 'systemMessage'),
    additionalContext: take(nested.additionalContext, 'additionalContext', nested.hookEventName === event),
    dropped,
  };
}
