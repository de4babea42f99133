import { assertNever } from '../../src-shared/assert-never.ts';
import type { Situation, TraceStep } from '../../src-shared/permission/event.ts';
import type { EventOf } from '../../src-shared/session/event.ts';
import { textResult } from '../../src-shared/tool-call/content.ts';
import { type ChainInput, type ChainVerdict, decidePermission } from '../core/permission/chain.ts';
import { isQuestion } from '../core/permission/own-word.ts';
import { rejectedText } from '../core/results/texts.ts';
import type { AnyTool } from '../ports/tool.ts';
import type { AskEnd } from './ask-board.ts';
import { type CallRun, type Ending, isEnd, type Revalidate, type Step } from './call-run.ts';
import type { Hooked } from './hook-stages.ts';
import { situationOf, worldOf } from './permission-world.ts';
import { answerByHooks } from './request-hooks.ts';
import { asKept, NotKeepable, questionOf } from './tool-facts.ts';

/** Stage 5: the chain decides; where it says `ask`, a person does. Hands on the input that may run. */
export async function permit(
  run: CallRun,
  tool: AnyTool,
  { input, hook }: Hooked,
  revalidate: Revalidate,
): Promise<Step<unknown>> {
  const { facts, verdict } = await consider(run, tool, { input, hook });
  if (run.signal.aborted) return cancelled(run, facts, verdict.trace);
  switch (verdict.verdict) {
    case 'allow':
      settle(run, facts, 'allow', verdict.by === 'fallback' ? 'tool' : verdict.by, verdict.trace);
      return { go: input };
    case 'deny':
      settle(run, facts, 'deny', verdict.by === 'fallback' ? 'rule' : verdict.by, verdict.trace);
      return { end: denied(`Permission to use ${tool.name} has been denied. ${lastWords(verdict.trace)}`) };
    case 'ask':
      return askAnyone(run, tool, facts, verdict.trace, revalidate);
    default:
      return assertNever(verdict.verdict, 'verdict');
  }
}

/** What the chain looks at, but for rules and mode, which may change while a question waits. */
type ChainFacts = Omit<ChainInput, 'rules' | 'mode'> & {
  /** The same for the journal, as it was when the chain decided. */
  readonly situation: Situation;
};

async function chainFacts(run: CallRun, tool: AnyTool, { input, hook }: Hooked): Promise<ChainFacts> {
  const own = await tool.checkPermissions(input, run.context);
  const edit = await tool.editTarget(input, run.context);
  return {
    use: { tool: tool.name, input },
    original: { tool: tool.name, input: run.job.input },
    hook,
    tool: own,
    edit,
    world: worldOf(run.context),
    situation: situationOf(run, { hook, tool: own, edit }),
  };
}

type Considered = { readonly facts: ChainFacts; readonly verdict: ChainVerdict };

/** The chain's verdict; the classifier is waited for only where the chain comes to it (spec 2.5, step 6). */
async function consider(run: CallRun, tool: AnyTool, hooked: Hooked): Promise<Considered> {
  const facts = await chainFacts(run, tool, hooked);
  const verdict = decide(run, facts);
  if (!verdict.wantsClassifier) {
    run.classified.stop();
    return { facts, verdict };
  }
  const classifier = await run.classified.word(facts.use);
  if (classifier === undefined) return { facts, verdict };
  const situation = { ...facts.situation, ...situationOf(run, { ...facts, classifier }) };
  const heard = { ...facts, classifier, situation };
  // Rules and mode as they are after the wait.
  return { facts: heard, verdict: decide(run, heard) };
}

const decide = (run: CallRun, facts: ChainFacts): ChainVerdict =>
  decidePermission({ ...facts, rules: run.rules(), mode: run.mode() });

/** Hooks may answer in the person's place, unless a hook wanted the person; the chain has the last word on that. */
async function askAnyone(
  run: CallRun,
  tool: AnyTool,
  facts: ChainFacts,
  trace: readonly TraceStep[],
  revalidate: Revalidate,
): Promise<Step<unknown>> {
  if (!run.asker.hasPerson || facts.hook.verdict === 'ask') return askPerson(run, tool, facts, trace, revalidate);
  const answer = await answerByHooks(run, tool, facts.use.input, revalidate);
  if (isEnd(answer)) {
    const isNo = answer.end.outcome === 'denied';
    const text = isNo
      ? 'A PermissionRequest hook denied it'
      : 'A PermissionRequest hook changed the input, and it may not run';
    if (answer.end.stopped !== undefined) settle(run, facts, 'deny', 'cancelled', trace);
    else settle(run, facts, 'deny', 'hook', [...trace, { step: 'hook', verdict: 'deny', text }]);
    return answer;
  }
  if (answer.go === undefined) return askPerson(run, tool, facts, trace, revalidate);
  const { facts: again, verdict } = await consider(run, tool, answer.go);
  if (verdict.verdict === 'ask') return askPerson(run, tool, again, verdict.trace, revalidate);
  const by = verdict.by === 'fallback' ? 'hook' : verdict.by;
  settle(run, again, verdict.verdict, by, verdict.trace);
  if (verdict.verdict === 'allow') return { go: answer.go.input };
  return { end: denied(`Permission to use ${tool.name} has been denied. ${lastWords(verdict.trace)}`) };
}

async function askPerson(
  run: CallRun,
  tool: AnyTool,
  facts: ChainFacts,
  trace: readonly TraceStep[],
  revalidate: Revalidate,
): Promise<Step<unknown>> {
  const { input } = facts.use;
  if (run.asker.hasPerson) notify(run, tool);
  const end = await run.asker.ask({
    callId: run.job.callId,
    agentId: run.job.agentId,
    question: await questionOf(tool, input, run.context),
    trace,
    signal: run.signal,
    // The whole chain again: no allow rule passes a deny rule, an ask rule or a protected path.
    isAllowedNow: () => decide(run, facts).verdict === 'allow',
  });
  return answered(run, tool, facts, trace, end, revalidate);
}

/** Hooks that call a person to the screen. */
function notify(run: CallRun, tool: AnyTool): void {
  const { agentId } = run.job;
  const message = `Gantry needs your permission to use ${tool.name}`;
  const facts = { event: 'Notification', message, notificationType: 'permission_prompt' } as const;
  run.hooks.tell(facts, { cwd: run.context.cwd, agentId }, run.signal);
}

async function answered(
  run: CallRun,
  tool: AnyTool,
  facts: ChainFacts,
  trace: readonly TraceStep[],
  end: AskEnd,
  revalidate: Revalidate,
): Promise<Step<unknown>> {
  const { input } = facts.use;
  const by = (text: string, verdict: 'allow' | 'deny'): TraceStep[] => [...trace, { step: 'user', verdict, text }];
  switch (end.kind) {
    case 'allow-once':
      settle(run, facts, 'allow', 'user', by('You allowed it once', 'allow'));
      return { go: input };
    case 'allow-edited':
      return allowEdited(run, tool, trace, { ...facts, edited: end.input }, revalidate);
    case 'allow-and-add-rule':
      run.addRule(end.rule, end.scope);
      settle(run, facts, 'allow', 'user', by(`You allowed it and added ${end.rule}`, 'allow'), {
        rule: { text: end.rule, scope: end.scope },
      });
      return { go: input };
    case 'covered':
      settle(run, facts, 'allow', 'new-rule', by(`Covered by the new rule ${end.rule}`, 'allow'));
      return { go: input };
    case 'deny':
      settle(run, facts, 'deny', 'user', by('You denied it', 'deny'));
      return { end: rejected(undefined) };
    case 'deny-with-feedback':
      settle(run, facts, 'deny', 'user', by('You denied it with a reason', 'deny'), { feedback: end.feedback });
      return { end: rejected(end.feedback) };
    case 'closed':
      settle(run, facts, 'deny', 'closed', by('The window was closed before an answer', 'deny'));
      return { end: denied('Permission was not given: the window was closed before the question was answered.') };
    case 'no-user':
      settle(run, facts, 'deny', 'no-user', by('Nobody is there to ask', 'deny'));
      return { end: denied(nobodyWords(tool.name)) };
    case 'cancelled':
      settle(run, facts, 'deny', 'cancelled', by('The call was cancelled while it waited', 'deny'));
      return { end: run.cancelled() };
    default:
      return assertNever(end, 'answer');
  }
}

/** An edited input is checked like a new one, and a deny rule that concerns it still denies. */
async function allowEdited(
  run: CallRun,
  tool: AnyTool,
  trace: readonly TraceStep[],
  { edited, ...facts }: ChainFacts & { readonly edited: unknown },
  revalidate: Revalidate,
): Promise<Step<unknown>> {
  const refuse = (end: Ending, by: EventOf<'permission-settled'>['by'], steps: readonly TraceStep[]): Step<unknown> => {
    settle(run, facts, 'deny', by, steps);
    return { end };
  };
  // A slip of the person who edits is no failure of the call: it cancels no sibling.
  const refuseEdit = (end: Ending, why: string): Step<unknown> =>
    refuse({ ...end, failed: false }, 'user', [...trace, userStep('deny', why)]);
  const userStep = (verdict: 'allow' | 'deny', text: string): TraceStep => ({ step: 'user', verdict, text });
  const input = keptInput(edited);
  if (input === undefined) {
    const text = 'The edited input is no JSON.';
    return refuseEdit(denied(text), text);
  }
  run.record({ type: 'call-input-changed', callId: run.job.callId, by: 'user', input });
  const valid = await revalidate(run, tool, input);
  if (isEnd(valid)) return refuseEdit(valid.end, 'The edited input is not valid');
  if (run.sharesLock && !run.classify(valid.go).safe) {
    // It runs beside others already, and those were promised that nothing beside them changes anything.
    const text = 'The edited input may not run beside the calls that run now. It was not run.';
    return refuseEdit(denied(text), text);
  }
  const verdict = decide(run, await chainFacts(run, tool, { input: valid.go, hook: facts.hook }));
  if (verdict.verdict === 'deny') {
    const text = `Permission to use ${tool.name} with the edited input has been denied. ${lastWords(verdict.trace)}`;
    return refuse(denied(text), verdict.by === 'fallback' ? 'rule' : verdict.by, verdict.trace);
  }
  settle(run, facts, 'allow', 'user', [
    ...trace,
    userStep('allow', isQuestion(tool.name) ? 'You answered' : 'You allowed an edited input'),
  ]);
  return valid;
}

function keptInput(edited: unknown): unknown {
  try {
    return asKept(edited);
  } catch (error) {
    if (error instanceof NotKeepable) return undefined;
    throw error;
  }
}

/** Told to stop while the classifier was waited for. */
function cancelled(run: CallRun, facts: ChainFacts, trace: readonly TraceStep[]): Step<unknown> {
  settle(run, facts, 'deny', 'cancelled', trace);
  return { end: run.cancelled() };
}

function settle(
  run: CallRun,
  { situation }: ChainFacts,
  verdict: 'allow' | 'deny',
  by: EventOf<'permission-settled'>['by'],
  trace: readonly TraceStep[],
  more: Partial<Pick<EventOf<'permission-settled'>, 'feedback' | 'rule'>> = {},
): void {
  const { callId } = run.job;
  const askId = run.log.state.calls[run.log.state.callIndex[callId] ?? -1]?.asks.at(-1)?.askId;
  run.record({
    type: 'permission-settled',
    callId,
    verdict,
    by,
    trace: [...trace],
    situation,
    ...(askId === undefined ? {} : { askId }),
    ...more,
  });
}

const denied = (text: string): Ending => ({ outcome: 'denied', result: textResult(text, true), failed: true });

const rejected = (feedback: string | undefined): Ending => ({
  outcome: 'rejected',
  result: textResult(rejectedText(feedback), true),
  failed: false,
  endsTurn: feedback === undefined,
});

const nobodyWords = (tool: string): string =>
  isQuestion(tool)
    ? `${tool} cannot be answered: this run has nobody to ask. Decide it yourself, and say in your answer what you decided.`
    : `Permission to use ${tool} was not given: this run has nobody to ask. Allow it by a rule or a mode.`;

const lastWords = (trace: readonly TraceStep[]): string => {
  const last = trace.findLast((step) => step.verdict === 'deny');
  return last === undefined ? '' : `${last.text}${last.detail === undefined ? '' : ` (${last.detail})`}.`;
};
