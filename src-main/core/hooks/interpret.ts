import type { HookEventName, HookOutcome } from '../../../src-shared/hook/event.ts';
import {
  type Captured,
  type HookJson,
  misplacedFields,
  type RequestDecision,
  readStdout,
  type SpecificOutput,
  type Stdout,
} from './output.ts';

/** How the program of a hook ended. Only the first two are its own doing. */
export type HookEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timed-out'; readonly limitMs: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'never-started'; readonly reason: string };

export type EndedHook = { readonly end: HookEnd; readonly stdout: Captured; readonly stderr: Captured };

/** Everything one hook has said, in Gantry's terms. */
export type Said = {
  /** `PreToolUse`. The reason goes to the model for a deny, otherwise to the user. */
  readonly permission: { readonly verdict: 'allow' | 'ask' | 'deny'; readonly reason: string | undefined } | undefined;
  readonly updatedInput: Readonly<Record<string, unknown>> | undefined;
  /** `UserPromptSubmit`, `Stop`, `SubagentStop`, `PreCompact`: a no, and why. */
  readonly block: string | undefined;
  readonly hidesPrompt: boolean;
  /** `PermissionRequest`. */
  readonly request: RequestDecision | undefined;
  /** `PostToolUse` and `PostToolUseFailure`: told to the model beside the result. */
  readonly feedback: string | undefined;
  readonly context: string | undefined;
  readonly updatedOutput: { readonly value: unknown } | undefined;
  /** `continue: false`. */
  readonly stop: { readonly reason: string | undefined } | undefined;
  readonly systemMessage: string | undefined;
  readonly sessionTitle: string | undefined;
  readonly initialUserMessage: string | undefined;
};

export type Interpretation = Said & {
  readonly outcome: HookOutcome;
  /** The hook failed; a sentence for the user, to stand behind the hook's name. */
  readonly failure: string | undefined;
  /** What its author should know, in sentences. */
  readonly warnings: readonly string[];
  /** What it changed, in words. */
  readonly effects: readonly string[];
};

export const NOTHING_SAID: Said = {
  permission: undefined,
  updatedInput: undefined,
  block: undefined,
  hidesPrompt: false,
  request: undefined,
  feedback: undefined,
  context: undefined,
  updatedOutput: undefined,
  stop: undefined,
  systemMessage: undefined,
  sessionTitle: undefined,
  initialUserMessage: undefined,
};

/** What a hook's end means for its event. Total: any output gives an answer, and silence or rubbish never a yes. */
export function interpret(event: HookEventName, ended: EndedHook): Interpretation {
  const { end } = ended;
  switch (end.kind) {
    case 'cancelled':
      return { ...NOTHING_SAID, outcome: 'cancelled', failure: undefined, warnings: [], effects: [] };
    case 'timed-out':
      return failed(`ran longer than ${end.limitMs / 1000} s and was ended. What it said is not used.`, 'timed-out');
    case 'signalled':
      return failed(`was ended by ${end.signal} and decided nothing.`);
    case 'never-started':
      return failed(`could not be started and decided nothing: ${end.reason}`);
    case 'exited':
      return interpretExit(event, end.code, readStdout(event, ended.stdout), ended.stderr.text.trim());
  }
}

const failed = (failure: string, outcome: HookOutcome = 'error'): Interpretation => ({
  ...NOTHING_SAID,
  outcome,
  failure,
  warnings: [],
  effects: [],
});

function interpretExit(event: HookEventName, code: number, stdout: Stdout, stderr: string): Interpretation {
  const warnings: string[] = [];
  const spoken = stdout.kind === 'json' ? readJson(event, stdout.json, stdout.raw, warnings) : undefined;
  if (stdout.kind === 'text' && stdout.hidesJson) {
    warnings.push('It printed text before or after its JSON, so that the JSON was not looked at.');
  }
  if (code === 2) return exit2(event, spoken, stdout, stderr, warnings);
  // A valid object decides alone, whatever the exit code is (HR#other-exit-codes).
  if (spoken !== undefined) return finish(event, spoken, undefined, warnings);
  const said = code === 0 ? plainText(event, stdout) : NOTHING_SAID;
  return finish(event, said, failureOf(code, stdout, stderr), warnings);
}

/** Text for the model without any JSON, where the protocol has it (HR#exit-code-0). */
function plainText(event: HookEventName, stdout: Stdout): Said {
  if (event !== 'UserPromptSubmit' && event !== 'SessionStart') return NOTHING_SAID;
  return stdout.kind === 'text' || stdout.kind === 'broken' ? { ...NOTHING_SAID, context: stdout.text } : NOTHING_SAID;
}

function failureOf(code: number, stdout: Stdout, stderr: string): string | undefined {
  if (stdout.kind === 'invalid')
    return `printed JSON that is not as the protocol has it, so it was not used. ${stdout.why}`;
  const broken =
    stdout.kind === 'broken' ? ` It printed what begins like JSON and is not one object: ${stdout.why}` : '';
  if (code === 0) return broken === '' ? undefined : `decided nothing.${broken}`;
  const said = firstLine(stderr);
  // 126: not executable. 127: not found. Then a guard that someone relies on is not there at all.
  const what = code === 126 || code === 127 ? `could not be run (exit code ${code})` : `failed with exit code ${code}`;
  return `${what} and decided nothing${said === '' ? '.' : `: ${said}`}${broken}`;
}

const firstLine = (text: string): string => text.split('\n', 1)[0]?.trim() ?? '';

/** What exit code 2 does (HR#exit-code-2-behavior-per-event). */
const EXIT_2: { readonly [E in HookEventName]: 'deny' | 'block' | 'tell-model' | 'tell-user' | 'nothing' } = {
  PreToolUse: 'deny',
  PostToolUse: 'tell-model',
  PostToolUseFailure: 'tell-model',
  PermissionRequest: 'nothing',
  UserPromptSubmit: 'block',
  Stop: 'block',
  SubagentStop: 'block',
  SessionStart: 'tell-user',
  SessionEnd: 'tell-user',
  Notification: 'nothing',
  PreCompact: 'block',
};

/** Exit code 2 is the one word that no JSON takes back. A reason in the JSON goes before standard error. */
function exit2(
  event: HookEventName,
  spoken: Said | undefined,
  stdout: Stdout,
  stderr: string,
  warnings: string[],
): Interpretation {
  const said = spoken ?? NOTHING_SAID;
  const reason = stderr === '' ? 'The hook exited with code 2 and gave no reason.' : stderr;
  if (stdout.kind === 'invalid')
    warnings.push(`Its JSON is not as the protocol has it and was not used. ${stdout.why}`);
  if (stdout.kind === 'broken') warnings.push(`Its output begins like JSON and is not one object. ${stdout.why}`);
  switch (EXIT_2[event]) {
    case 'deny': {
      const own = said.permission?.verdict === 'deny' ? said.permission.reason : undefined;
      const permission = { verdict: 'deny', reason: own ?? reason } as const;
      return finish(event, { ...said, permission, updatedInput: undefined }, undefined, warnings);
    }
    case 'block':
      return finish(event, { ...said, block: said.block ?? reason }, undefined, warnings);
    case 'tell-model':
      return finish(event, { ...said, feedback: said.feedback ?? reason }, undefined, warnings);
    case 'tell-user':
      return finish(event, said, `exited with code 2: ${reason}`, warnings);
    case 'nothing':
      if (event === 'PermissionRequest' && said.request === undefined) {
        warnings.push('Exit code 2 decides nothing here; deny with hookSpecificOutput.decision.');
      }
      return finish(event, said, undefined, warnings);
  }
}

/** These have nothing to say about the session; what they print is for nobody (HR#notification, #precompact, #sessionend). */
const DISCARDS: ReadonlySet<HookEventName> = new Set(['Notification', 'PreCompact', 'SessionEnd']);

function readJson(
  event: HookEventName,
  json: HookJson,
  raw: Readonly<Record<string, unknown>>,
  warnings: string[],
): Said {
  if (event === 'SessionEnd') return NOTHING_SAID;
  const misplaced = misplacedFields(raw);
  if (misplaced.length > 0) {
    warnings.push(`At the top level ${misplaced.join(' and ')} has no effect. It belongs into hookSpecificOutput.`);
  }
  if (json.foreign !== undefined) {
    warnings.push(`Its hookSpecificOutput is for ${json.foreign} and this is ${event}, so it was not used.`);
  }
  const general: Said = DISCARDS.has(event)
    ? NOTHING_SAID
    : {
        ...NOTHING_SAID,
        stop: json.continue === false ? { reason: json.stopReason } : undefined,
        systemMessage: unlessBlank(json.systemMessage),
      };
  return { ...general, ...ownWords(event, json, warnings) };
}

function ownWords(event: HookEventName, json: HookJson, warnings: string[]): Partial<Said> {
  const { own } = json;
  const context = unlessBlank(own?.additionalContext);
  const block = json.decision === 'block' ? (unlessBlank(json.reason) ?? 'The hook gave no reason.') : undefined;
  switch (event) {
    case 'PreToolUse':
      return permissionWords(json, warnings);
    case 'PostToolUse':
      return { context, feedback: block, updatedOutput: outputIn(own) };
    case 'PostToolUseFailure':
      return { context, feedback: block };
    case 'PermissionRequest':
      return { request: own?.decision };
    case 'UserPromptSubmit':
      return {
        context,
        block,
        hidesPrompt: own?.suppressOriginalPrompt ?? json.suppressOriginalPrompt ?? false,
        sessionTitle: own?.sessionTitle,
      };
    case 'Stop':
    case 'SubagentStop':
      return { context, block };
    case 'SessionStart':
      return { context, sessionTitle: own?.sessionTitle, initialUserMessage: own?.initialUserMessage };
    case 'PreCompact':
      return { block };
    case 'Notification':
    case 'SessionEnd':
      return {};
  }
}

/** `approve` and `block` at the top are the words of before `permissionDecision` (HR#pretooluse-decision-control). */
function permissionWords(json: HookJson, warnings: string[]): Partial<Said> {
  const { own } = json;
  if (own?.permissionDecision === 'defer') {
    warnings.push('Gantry cannot defer a call. The call takes the usual way; what else the hook said is not used.');
    return {};
  }
  const old = json.decision === undefined ? undefined : json.decision === 'approve' ? 'allow' : 'deny';
  const verdict = own?.permissionDecision ?? old;
  const reason = own?.permissionDecision === undefined ? json.reason : own.permissionDecisionReason;
  return {
    permission: verdict === undefined ? undefined : { verdict, reason: unlessBlank(reason) },
    updatedInput: verdict === 'deny' ? undefined : own?.updatedInput,
    context: unlessBlank(own?.additionalContext),
  };
}

const unlessBlank = (text: string | undefined): string | undefined => (text?.trim() === '' ? undefined : text);

function outputIn(own: SpecificOutput | undefined): Said['updatedOutput'] {
  const value = own?.updatedToolOutput ?? own?.updatedMCPToolOutput;
  return value === undefined ? undefined : { value };
}

function finish(
  event: HookEventName,
  said: Said,
  failure: string | undefined,
  warnings: readonly string[],
): Interpretation {
  return { ...said, outcome: outcomeOf(said, failure), failure, warnings, effects: effectsOf(event, said) };
}

function outcomeOf(said: Said, failure: string | undefined): HookOutcome {
  if (said.stop !== undefined) return 'stopped';
  if (said.permission !== undefined) return said.permission.verdict;
  if (said.request !== undefined) return said.request.behavior;
  if (said.block !== undefined) return 'deny';
  return failure === undefined ? 'ok' : 'error';
}

const BLOCKED: { readonly [E in HookEventName]?: string } = {
  UserPromptSubmit: 'blocked the prompt',
  Stop: 'kept the turn going',
  SubagentStop: 'kept the turn going',
  PreCompact: 'blocked the compaction',
};

function effectsOf(event: HookEventName, said: Said): readonly string[] {
  const effects: readonly (readonly [boolean, string])[] = [
    [said.permission?.verdict === 'deny', 'denied the call'],
    [said.permission?.verdict === 'ask', 'asked for your permission'],
    [said.permission?.verdict === 'allow', 'allowed the call'],
    [said.request?.behavior === 'allow', 'allowed the call for you'],
    [said.request?.behavior === 'deny', 'denied the call for you'],
    [said.updatedInput !== undefined, 'changed the input'],
    [said.request?.behavior === 'allow' && said.request.updatedInput !== undefined, 'changed the input'],
    [said.block !== undefined, BLOCKED[event] ?? 'said no'],
    [said.feedback !== undefined, 'gave feedback to the model'],
    [said.context !== undefined, 'added context'],
    [said.updatedOutput !== undefined, 'replaced the output'],
    [said.stop !== undefined, 'stopped the turn'],
    [said.systemMessage !== undefined, 'showed a message'],
    [said.sessionTitle !== undefined, 'named the session'],
  ];
  return effects.flatMap(([is, what]) => (is ? [what] : []));
}
