import type { PermissionMode, TraceStep } from '../../../src-shared/permission/event.ts';
import type { Concern } from './bash-rules.ts';
import { concernOf, coverOf, type RuleSet, type SourcedRule, type Use } from './rules.ts';

/** The tool's own word, step 3 of the normal flow (spec 2.5). */
export type ToolPermission = { readonly verdict: 'allow' | 'deny' | 'ask' | 'pass'; readonly because: string };

/**
 * What a call does to files, and where: `none` changes none; `inside` and `outside` are meant of the session's folders;
 * `protected` paths let something run or decide later and are opened by no rule and by no mode but bypass (spec 2.5).
 */
export type EditTarget = 'none' | 'inside' | 'outside' | 'protected';

/** What the hooks before a call said, merged (spec 2.4). `none`: no hook had a say. */
export type HookVerdict = {
  readonly verdict: 'none' | 'allow' | 'ask' | 'deny';
  readonly reason: string;
};
export const NO_HOOK: HookVerdict = { verdict: 'none', reason: 'no hook is set' };

export type ChainInput = {
  readonly use: Use;
  /** The model's own input where a hook or a person changed it: deny and ask rules are tested on both. */
  readonly original: Use;
  readonly hook: HookVerdict;
  readonly rules: RuleSet;
  /** The tool's own word (spec 2.5, step 3). */
  readonly tool: ToolPermission;
  readonly mode: PermissionMode;
  readonly edit: EditTarget;
};

export type ChainVerdict = {
  readonly verdict: 'allow' | 'deny' | 'ask';
  readonly by: 'rule' | 'mode' | 'hook' | 'tool' | 'fallback';
  readonly trace: readonly TraceStep[];
};

/**
 * The permission chain of spec 2.5, as a list of steps that are tried in order. Each step leaves a line in the trace,
 * whether it decided or not. A rule that may match, but cannot be told for certain to, asks. Invariant: nothing turns a matching deny rule into anything but deny, and a hook's allow
 * never skips an ask rule.
 */
export function decidePermission(input: ChainInput): ChainVerdict {
  const trace: TraceStep[] = [];
  const step = (step: TraceStep['step'], verdict: TraceStep['verdict'], text: string, detail?: string): void => {
    trace.push({ step, verdict, text, ...(detail === undefined ? {} : { detail }) });
  };
  const end = (verdict: ChainVerdict['verdict'], by: ChainVerdict['by']): ChainVerdict => ({ verdict, by, trace });

  stepHook(input.hook, step);
  if (input.hook.verdict === 'deny') return end('deny', 'hook');

  const denied = firstConcerned(input.rules.deny, input, 'yes');
  if (denied !== undefined) {
    step('deny-rules', 'deny', 'A deny rule matches', ruleDetail(denied));
    return end('deny', 'rule');
  }
  const perhapsDenied = firstConcerned(input.rules.deny, input, 'perhaps');
  if (perhapsDenied !== undefined) {
    step('deny-rules', 'ask', 'A deny rule may match; it cannot be told for certain', ruleDetail(perhapsDenied));
    return end('ask', 'rule');
  }
  step('deny-rules', 'pass', 'No deny rule matches', lookedAt(input.rules.deny));

  const { ask } = input.rules;
  const asked = firstConcerned(ask, input, 'yes') ?? firstConcerned(ask, input, 'perhaps');
  if (asked !== undefined) {
    step('ask-rules', 'ask', 'An ask rule matches', ruleDetail(asked));
    return end('ask', 'rule');
  }
  step('ask-rules', 'pass', 'No ask rule matches', lookedAt(ask));

  const settled = input.hook.verdict === 'allow' ? afterHookAllowed(input, step) : normalFlow(input, step);
  if (settled !== undefined && !(input.hook.verdict === 'ask' && settled.verdict === 'allow')) {
    return end(settled.verdict, settled.by);
  }
  step('fallback', 'ask', 'So you are asked');
  return end('ask', 'fallback');
}

/** Only what a tool itself insists on (a critical removal) stands above a hook's allow. */
function afterHookAllowed(input: ChainInput, step: AddStep): Settled {
  const { verdict } = input.tool;
  return verdict === 'ask' || verdict === 'deny' ? stepTool(input, step) : { verdict: 'allow', by: 'hook' };
}

const normalFlow = (input: ChainInput, step: AddStep): Settled =>
  stepTool(input, step) ?? stepMode(input, step) ?? stepAllowRules(input, step);

type AddStep = (step: TraceStep['step'], verdict: TraceStep['verdict'], text: string, detail?: string) => void;
type Settled = Pick<ChainVerdict, 'verdict' | 'by'> | undefined;

function stepHook(hook: HookVerdict, step: AddStep): void {
  switch (hook.verdict) {
    case 'none':
      step('hook', 'pass', 'No hook had a say', hook.reason);
      return;
    case 'allow':
      step('hook', 'allow', 'A hook allows it', hook.reason);
      return;
    case 'ask':
      step('hook', 'ask', 'A hook wants you to be asked', hook.reason);
      return;
    case 'deny':
      step('hook', 'deny', 'A hook denies it', hook.reason);
  }
}

function stepTool(input: ChainInput, step: AddStep): Settled {
  const { verdict, because } = input.tool;
  step('tool', verdict, because);
  return verdict === 'pass' ? undefined : { verdict, by: 'tool' };
}

function stepMode(input: ChainInput, step: AddStep): Settled {
  switch (input.mode) {
    case 'bypassPermissions':
      step('mode', 'allow', 'Mode bypassPermissions allows everything');
      return { verdict: 'allow', by: 'mode' };
    case 'plan':
      if (input.edit === 'none') break;
      step('mode', 'deny', 'Mode plan changes no files');
      return { verdict: 'deny', by: 'mode' };
    case 'acceptEdits':
      if (input.edit !== 'inside') break;
      step('mode', 'allow', 'Mode acceptEdits allows edits in the working folders');
      return { verdict: 'allow', by: 'mode' };
    case 'default':
    case 'auto':
    case 'dontAsk':
      break;
  }
  step('mode', 'pass', `Mode ${input.mode} changes nothing`);
  return undefined;
}

function stepAllowRules(input: ChainInput, step: AddStep): Settled {
  if (input.edit === 'protected') {
    step('allow-rules', 'pass', 'The path is protected; no allow rule opens it');
    return undefined;
  }
  const { allow } = input.rules;
  const texts = coverOf(
    allow.map((rule) => rule.text),
    input.use,
  );
  if (texts === undefined) {
    step('allow-rules', 'pass', 'No allow rule covers it', lookedAt(allow));
    return undefined;
  }
  const covering = allow.filter((rule) => texts.includes(rule.text));
  const text = texts.length === 1 ? 'An allow rule covers it' : 'Allow rules cover all parts of it';
  step('allow-rules', 'allow', text, covering.map(ruleDetail).join(', '));
  return { verdict: 'allow', by: 'rule' };
}

/** On the input that would run and on the model's own: what a hook or a person made of it hides nothing. */
const firstConcerned = (rules: readonly SourcedRule[], input: ChainInput, how: Concern): SourcedRule | undefined =>
  rules.find((rule) => concernOf(rule.text, input.use) === how || concernOf(rule.text, input.original) === how);

/** The rule, whose it is and where it stands: `Bash(ls:*) · project · /shop/.claude/settings.json:4`. */
const ruleDetail = ({ text, scope, file, line }: SourcedRule): string =>
  [text, scope, ...(file === undefined ? [] : [line === undefined ? file : `${file}:${line}`])].join(' · ');
const lookedAt = (rules: readonly SourcedRule[]): string =>
  `${rules.length} ${rules.length === 1 ? 'rule' : 'rules'} looked at`;
