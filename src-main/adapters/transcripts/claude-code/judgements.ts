import type { JudgedMessage } from '../common/judged.ts';
import type { CallStory, MessageStory } from '../common/story.ts';
import { type JudgeInput, judgeMessage, type PreparedMessage, type PrepareInput, prepareMessage } from './judge.ts';

type Known = {
  readonly marks: readonly unknown[];
  readonly prepared: PreparedMessage;
  judged: { readonly input: JudgeInput; readonly message: JudgedMessage } | undefined;
};

/**
 * What was decided about each message, for tellings that follow each other while a file grows. Playing a message again
 * costs most of a telling; what has nothing new in it is decided once.
 */
export class Judgements {
  readonly #known = new WeakMap<MessageStory, Known>();
  readonly #ofPrepared = new WeakMap<PreparedMessage, Known>();

  prepare(message: MessageStory, input: PrepareInput): PreparedMessage {
    const marks = marksOf(message, input);
    const before = this.#known.get(message);
    if (before !== undefined && isSame(before.marks, marks)) return before.prepared;
    const known: Known = { marks, prepared: prepareMessage(message, input), judged: undefined };
    this.#known.set(message, known);
    this.#ofPrepared.set(known.prepared, known);
    return known.prepared;
  }

  judge(prepared: PreparedMessage, input: JudgeInput): JudgedMessage {
    const known = this.#ofPrepared.get(prepared);
    const before = known?.judged;
    if (before !== undefined && isSameInput(before.input, input)) return before.message;
    const message = judgeMessage(prepared, input);
    if (known !== undefined) known.judged = { input, message };
    return message;
  }
}

/** All that a judgement rests on and that can change while files grow. */
function marksOf(message: MessageStory, input: PrepareInput): readonly unknown[] {
  const marks: unknown[] = [message.mode, message.version, message.calls.length];
  for (const call of message.calls) {
    marks.push(call.result, call.hookDenial, input.denied.has(call.id), call.queued.at);
    const { bashStart, mcpStart, agentStart, hookEnd } = call.evidence;
    marks.push(bashStart, mcpStart, agentStart, hookEnd);
    marks.push(...endMarks(call, input));
  }
  return marks;
}

function endMarks(call: CallStory, input: PrepareInput): readonly unknown[] {
  if (call.result !== undefined) return [call.result.place.at];
  const { moment, interrupted } = input.openEnd(call);
  return [moment.at, moment.ord, interrupted];
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, at) => Object.is(one, b[at]));

const isSameInput = (a: JudgeInput, b: JudgeInput): boolean =>
  a.usual === b.usual && a.cwd === b.cwd && a.orderOnly === b.orderOnly;
