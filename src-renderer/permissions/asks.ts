import type { AskId } from '../../src-shared/ids.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { agentKind, agentName } from '../../src-shared/timeline/agent-tree.ts';
import type { Ask, ToolCall } from '../../src-shared/tool-call/state.ts';

/** A question that waits for a person. `number` (from 1) stands on its card and at its bar. */
export type OpenAsk = {
  readonly number: number;
  readonly ask: Ask;
  readonly call: ToolCall;
  /** `main agent`, or the sub-agent's name. */
  readonly agentName: string;
};

/** All waiting questions of all agents, in the order they were asked. Files and ended sessions ask nothing. */
export function openAsks(state: SessionState): readonly OpenAsk[] {
  if (state.origin?.kind === 'imported' || state.ended !== undefined) return [];
  const found: { readonly ask: Ask; readonly call: ToolCall }[] = [];
  for (const call of state.calls) {
    if (call.phase === 'completed' || call.phase === 'yielded') continue;
    const ask = call.asks.at(-1);
    if (ask !== undefined && ask.until === undefined) found.push({ ask, call });
  }
  return found
    .sort((a, b) => a.ask.from - b.ask.from)
    .map(({ ask, call }, at) => ({ number: at + 1, ask, call, agentName: agentOf(state, call) }));
}

/** The agent of a call, with its kind where the name does not say it: `Find the tests (explore)`. */
export function agentOf(state: SessionState, call: ToolCall): string {
  const agent = state.agents.find((known) => known.agentId === call.agentId);
  if (agent === undefined) return 'main agent';
  const kind = agentKind(agent);
  return kind === undefined ? agentName(agent) : `${agentName(agent)} (${kind})`;
}

/** The question whose card is open: the chosen one while it waits, else the first. */
export const openedAsk = (asks: readonly OpenAsk[], chosen: AskId | undefined): OpenAsk | undefined =>
  asks.find(({ ask }) => ask.askId === chosen) ?? asks[0];

/** Is it permission that is asked for, and not an answer to a question or a word on a plan? */
export const asksForPermission = ({ ask }: OpenAsk): boolean =>
  ask.question.choices === undefined && ask.question.plan === undefined;

/**
 * Does the call only read? Only what its own tool declared counts: a `treatAsSafe` setting says that a call may run
 * beside others, not that it changes nothing.
 */
export const onlyReads = (open: OpenAsk): boolean => {
  const { call, ask } = open;
  return (
    asksForPermission(open) &&
    call.safety.safe &&
    call.safety.because === 'declared-safe' &&
    !ask.question.dangerous &&
    ask.question.diff === undefined &&
    call.tool !== 'Agent' &&
    call.tool !== 'Task'
  );
};

const textOf = (input: unknown, key: string): string | undefined => {
  const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[key] : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** The shell command of a call, or undefined where its input has none. Spans of a question count from its start. */
export const commandOf = (call: ToolCall): string | undefined => textOf(inputOf(call), 'command');

/** What the call will run with: the model's input, or what a hook made of it. */
export const inputOf = (call: ToolCall): unknown => call.changedInput?.input ?? call.input;

/** What is asked about: the command, the one thing the input names, or the input as JSON. */
export const shownText = (call: ToolCall): string =>
  commandOf(call) ?? onlyField(inputOf(call)) ?? JSON.stringify(inputOf(call), undefined, 2);

/** An input of one text field needs no braces round it: the path of a Read. */
function onlyField(input: unknown): string | undefined {
  const fields = typeof input === 'object' && input !== null ? Object.values(input) : [];
  return fields.length === 1 && typeof fields[0] === 'string' ? fields[0] : undefined;
}

/** The same in one line, for the card: `pattern Rounds, path ../neighbours`. */
export function shownLine(call: ToolCall): string {
  const input = inputOf(call);
  const only = commandOf(call) ?? onlyField(input);
  if (only !== undefined || typeof input !== 'object' || input === null) return only ?? String(JSON.stringify(input));
  return Object.entries(input)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

export type EditableInput =
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'json'; readonly text: string };

/** What `Edit, then allow` puts into its field. */
export function editableInput(call: ToolCall): EditableInput {
  const command = commandOf(call);
  if (command !== undefined) return { kind: 'command', text: command };
  return { kind: 'json', text: JSON.stringify(inputOf(call), undefined, 2) };
}

/** The input that an edited text stands for, or a sentence saying what is wrong with it. */
export function editedInput(
  call: ToolCall,
  edited: EditableInput,
): { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly message: string } {
  if (edited.kind === 'command') {
    if (edited.text.trim() === '') return { ok: false, message: 'The command is empty.' };
    return { ok: true, input: { ...(inputOf(call) as object), command: edited.text } };
  }
  try {
    const input: unknown = JSON.parse(edited.text);
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      return { ok: false, message: 'The input must be a JSON object.' };
    }
    return { ok: true, input };
  } catch (error) {
    return { ok: false, message: `This is not JSON: ${(error as Error).message}` };
  }
}
