import type { NamedRule, PermissionMode, TraceStep } from '../../../src-shared/permission/event.ts';
import type { Concern } from './bash-concern.ts';
import { coverCommand, NO_COMMAND_RULES } from './bash-cover.ts';
import { isBroad } from './broad-rules.ts';
import { CallFacts } from './call-facts.ts';
import { Ground, type World } from './ground.ts';
import { concernOf, coverOf } from './matching.ts';
import { type EditTarget, ownEditTarget, ownWord, type ToolPermission, writesFiles } from './own-word.ts';
import type { RuleSet, SourcedRule } from './rules.ts';
import type { Use } from './tool-rules.ts';

export type { EditTarget, ToolPermission } from './own-word.ts';

/** What the hooks before a call said, merged (spec 2.4). `none`: no hook had a say. */
export type HookVerdict = {
  readonly verdict: 'none' | 'allow' | 'ask' | 'deny';
  readonly reason: string;
};
export const NO_HOOK: HookVerdict = { verdict: 'none', reason: 'no hook is set' };

/** A classifier's word on a call (spec 2.4). `ask`: it said no, was unsure, failed, or took too long. */
export type ClassifierWord = {
  readonly name: string;
  readonly verdict: 'allow' | 'ask';
  readonly reason: string;
  /** How long it looked. */
  readonly ms?: number;
};

export type ChainInput = {
  readonly use: Use;
  /** The model's own input where a hook or a person changed it: deny and ask rules are tested on both. */
  readonly original: Use;
  readonly hook: HookVerdict;
  readonly rules: RuleSet;
  readonly mode: PermissionMode;
  readonly world: World;
  /** The word of the tool that is to run (spec 2.5, step 3). `pass`, or left out: what follows from the input alone. */
  readonly tool?: ToolPermission;
  /** Where it says its edit lands; what follows from the input can only be worse. */
  readonly edit?: EditTarget;
  /** Left out while nobody has asked it; the verdict says when its word would count. */
  readonly classifier?: ClassifierWord;
};

export type ChainVerdict = {
  readonly verdict: 'allow' | 'deny' | 'ask';
  readonly by: 'rule' | 'mode' | 'hook' | 'tool' | 'classifier' | 'fallback';
  readonly trace: readonly TraceStep[];
  /** The chain came to the classifier and had no word of it: with one the verdict may be another. Until then it asks. */
  readonly wantsClassifier: boolean;
};

/** The input with all that is worked out from it. */
type Case = Omit<ChainInput, 'use' | 'original' | 'tool' | 'edit'> & {
  readonly facts: CallFacts;
  /** Of the model's own input; the same where nobody changed it. */
  readonly originalFacts: CallFacts;
  readonly tool: ToolPermission;
  readonly edit: EditTarget;
};

type More = { readonly list: NamedRule['list']; readonly rules: readonly SourcedRule[] };
type AddStep = (
  step: TraceStep['step'],
  verdict: TraceStep['verdict'],
  text: string,
  /** A second line, or the rules that decided. */
  more?: string | More,
) => void;
type Settled = (Pick<ChainVerdict, 'verdict' | 'by'> & { readonly wantsClassifier?: true }) | undefined;

/**
 * The permission chain of spec 2.5, as a list of steps that are tried in order. Each step leaves a line in the trace,
 * whether it decided or not. A rule that may match, but cannot be told for certain to, asks. Invariant: nothing turns a
 * matching deny rule into anything but deny, and a hook's allow never skips an ask rule.
 */
export const decidePermission = (input: ChainInput): ChainVerdict => preparedDecision(input)(input.rules);

/** The same under any rules: what follows from the call itself, its command taken apart, is worked out only once. */
export function preparedDecision(input: Omit<ChainInput, 'rules'>): (rules: RuleSet) => ChainVerdict {
  let known: ReturnType<typeof caseOf> | undefined;
  const prepared = (): ReturnType<typeof caseOf> => {
    known ??= caseOf(input);
    return known;
  };
  return (rules) => decideUnder(input, (step) => decide(input, () => ({ ...prepared(), rules }), step));
}

function decideUnder(input: Omit<ChainInput, 'rules'>, decided: (step: AddStep) => NonNullable<Settled>): ChainVerdict {
  const trace: TraceStep[] = [];
  const step: AddStep = (name, verdict, text, more) => {
    trace.push({ step: name, verdict, text, ...detailOf(more) });
  };
  const settled = decided(step);
  if (settled.verdict === 'ask' && input.mode === 'dontAsk') {
    step('mode', 'deny', 'Mode dontAsk asks nobody');
    return { verdict: 'deny', by: 'mode', trace, wantsClassifier: false };
  }
  return { wantsClassifier: false, ...settled, trace };
}

function decide(input: Omit<ChainInput, 'rules'>, caseNow: () => Case, step: AddStep): NonNullable<Settled> {
  stepHook(input.hook, step);
  if (input.hook.verdict === 'deny') return { verdict: 'deny', by: 'hook' };
  const known = caseNow();
  const restricted = stepRestrictions(known, step);
  if (restricted !== undefined) return restricted;
  const settled = input.hook.verdict === 'allow' ? afterHookAllowed(known, step) : normalFlow(known, step);
  if (settled !== undefined && !(input.hook.verdict === 'ask' && settled.verdict === 'allow')) return settled;
  step('fallback', 'ask', 'So you are asked');
  const wantsClassifier = settled === undefined && isForClassifier(known) && known.classifier === undefined;
  return { verdict: 'ask', by: 'fallback', ...(wantsClassifier ? { wantsClassifier } : {}) };
}

function caseOf({ use, original, world, tool, edit, ...rest }: Omit<ChainInput, 'rules'>): Omit<Case, 'rules'> {
  const ground = new Ground(world);
  const facts = new CallFacts(use, ground);
  const isSame = use.tool === original.tool && use.input === original.input;
  return {
    ...rest,
    world,
    facts,
    originalFacts: isSame ? facts : new CallFacts(original, ground),
    tool: together(ownWord(facts, rest.mode, original), tool),
    edit: worse(ownEditTarget(facts), edit),
  };
}

const WORST_FIRST = ['protected', 'outside', 'inside', 'none'] as const;

/** A tool speaks for itself, unless it has nothing to say; what is insisted on without it stands above its word. */
const together = (known: ToolPermission, own: ToolPermission | undefined): ToolPermission =>
  own === undefined || own.verdict === 'pass' || known.verdict === 'ask' || known.verdict === 'deny' ? known : own;

const worse = (known: EditTarget, own: EditTarget | undefined): EditTarget =>
  own !== undefined && WORST_FIRST.indexOf(own) < WORST_FIRST.indexOf(known) ? own : known;

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

/** Deny and ask rules, which stand above everything that could allow. */
function stepRestrictions({ rules: { deny, ask }, facts, originalFacts }: Case, step: AddStep): Settled {
  // On the input that would run and on the model's own: what a hook or a person made of it hides nothing.
  const both = facts === originalFacts ? [facts] : [facts, originalFacts];
  const concerns = (rules: readonly SourcedRule[]) =>
    rules.map((rule) => [rule, both.map((each) => concernOf(rule, each))] as const);
  const first = (found: ReturnType<typeof concerns>, how: Concern): SourcedRule | undefined =>
    found.find(([, each]) => each.includes(how))?.[0];

  const denying = concerns(deny);
  const denied = first(denying, 'yes');
  if (denied !== undefined) {
    step('deny-rules', 'deny', 'A deny rule matches', { list: 'deny', rules: [denied] });
    return { verdict: 'deny', by: 'rule' };
  }
  const perhapsDenied = first(denying, 'perhaps');
  if (perhapsDenied !== undefined) {
    step('deny-rules', 'ask', 'A deny rule may match; it cannot be told for certain', {
      list: 'deny',
      rules: [perhapsDenied],
    });
    return { verdict: 'ask', by: 'rule' };
  }
  step('deny-rules', 'pass', 'No deny rule matches', lookedAt(deny));

  const asking = concerns(ask);
  const asked = first(asking, 'yes') ?? first(asking, 'perhaps');
  if (asked !== undefined) {
    step('ask-rules', 'ask', 'An ask rule matches', { list: 'ask', rules: [asked] });
    return { verdict: 'ask', by: 'rule' };
  }
  step('ask-rules', 'pass', 'No ask rule matches', lookedAt(ask));
  return undefined;
}

/**
 * Only what a tool itself insists on (a critical removal) stands above a hook's allow, and protected paths, which no mode
 * but bypass opens.
 */
function afterHookAllowed(known: Case, step: AddStep): Settled {
  const { verdict } = known.tool;
  if (verdict === 'ask' || verdict === 'deny') return stepTool(known, step);
  if (known.edit === 'protected' && known.mode !== 'bypassPermissions') {
    step('tool', 'ask', 'The path is protected; no hook opens it');
    return { verdict: 'ask', by: 'tool' };
  }
  return { verdict: 'allow', by: 'hook' };
}

const normalFlow = (known: Case, step: AddStep): Settled =>
  stepTool(known, step) ?? stepMode(known, step) ?? stepAllowRules(known, step) ?? stepClassifier(known, step);

function stepTool({ tool }: Case, step: AddStep): Settled {
  const { verdict, because } = tool;
  step('tool', verdict, because);
  return verdict === 'pass' ? undefined : { verdict, by: 'tool' };
}

function stepMode(known: Case, step: AddStep): Settled {
  const { mode, edit, facts } = known;
  const isFileTool = facts.bash === undefined;
  switch (mode) {
    case 'bypassPermissions':
      step('mode', 'allow', 'Mode bypassPermissions allows everything');
      return { verdict: 'allow', by: 'mode' };
    case 'plan':
      if (edit === 'none' || !isFileTool) break;
      step('mode', 'deny', 'Mode plan changes no files');
      return { verdict: 'deny', by: 'mode' };
    case 'acceptEdits':
    case 'auto':
      if (!(isFileTool ? edit === 'inside' : mode === 'acceptEdits' && isAcceptedCommand(known))) break;
      step('mode', 'allow', `Mode ${mode} allows edits in the working folders`);
      return { verdict: 'allow', by: 'mode' };
    case 'default':
    case 'dontAsk':
      break;
  }
  step('mode', 'pass', `Mode ${mode} changes nothing`);
  return undefined;
}

const isAcceptedCommand = ({ facts: { bash }, edit }: Case): boolean =>
  bash !== undefined && edit === 'none' && coverCommand(bash, NO_COMMAND_RULES, true) !== undefined;

function stepAllowRules({ rules: { allow }, mode, edit, facts }: Case, step: AddStep): Settled {
  if (edit === 'protected') {
    step('allow-rules', 'pass', 'The path is or may be protected; no allow rule opens it');
    return undefined;
  }
  if (mode === 'plan' && facts.bash !== undefined && writesFiles(facts.bash)) {
    step('allow-rules', 'pass', 'Mode plan changes no files; no allow rule covers it');
    return undefined;
  }
  const counting = mode === 'auto' ? allow.filter(({ text }) => !isBroad(text)) : allow;
  const covering = coverOf(counting, facts, mode === 'acceptEdits');
  if (covering === undefined) {
    const left = allow.length - counting.length;
    const broad = left === 0 ? '' : `; mode auto leaves out ${left} that would let anything run`;
    step('allow-rules', 'pass', 'No allow rule covers it', `${lookedAt(counting)}${broad}`);
    return undefined;
  }
  const text = covering.length === 1 ? 'An allow rule covers it' : 'Allow rules cover all parts of it';
  step('allow-rules', 'allow', text, { list: 'allow', rules: covering });
  return { verdict: 'allow', by: 'rule' };
}

/**
 * Is it a call that a classifier may let run? Not what a hook wants a person to see, and no protected path: its word
 * stands below both.
 */
const isForClassifier = ({ mode, hook, edit }: Case): boolean =>
  mode === 'auto' && hook.verdict !== 'ask' && edit !== 'protected';

function stepClassifier(known: Case, step: AddStep): Settled {
  const { mode, classifier: word } = known;
  if (mode !== 'auto') return undefined;
  if (!isForClassifier(known)) {
    step('classifier', 'pass', 'No classifier is asked about this');
    return undefined;
  }
  if (word === undefined) {
    step('classifier', 'pass', 'No classifier has looked at it');
    return undefined;
  }
  const detail = `${word.reason}${word.ms === undefined ? '' : ` · ${Math.round(word.ms)} ms`}`;
  if (word.verdict === 'allow') {
    step('classifier', 'allow', `The classifier ${word.name} allows it`, detail);
    return { verdict: 'allow', by: 'classifier' };
  }
  step('classifier', 'pass', `The classifier ${word.name} does not allow it`, detail);
  return undefined;
}

function detailOf(more: string | More | undefined): Pick<TraceStep, 'detail' | 'rules'> {
  if (more === undefined || typeof more === 'string') return more === undefined ? {} : { detail: more };
  const rules = more.rules.map(({ text, scope, file, line }) => ({
    list: more.list,
    text,
    scope,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  }));
  return { detail: more.rules.map(ruleDetail).join(', '), rules };
}

/** The rule, whose it is and where it stands: `Bash(ls:*) · project · /shop/.claude/settings.json:4`. */
const ruleDetail = ({ text, scope, file, line }: SourcedRule): string =>
  [text, scope, ...(file === undefined ? [] : [line === undefined ? file : `${file}:${line}`])].join(' · ');
const lookedAt = (rules: readonly SourcedRule[]): string =>
  `${rules.length} ${rules.length === 1 ? 'rule' : 'rules'} looked at`;
