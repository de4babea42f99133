import { z } from 'zod';
import { PermissionMode, type TraceStep } from '../../../src-shared/permission/event.ts';
import { type ChainVerdict, type ClassifierWord, decidePermission, type HookVerdict } from './chain.ts';
import { hooksOf } from './explain-hooks.ts';
import type { World } from './ground.ts';
import { RULES_NAME, ruleWord } from './rule-classifier.ts';
import { type RuleSet, ruleProblem, type SourcedRule } from './rules.ts';
import type { Use } from './tool-rules.ts';
import { virtualRealPath } from './virtual-links.ts';

const Rules = z.array(z.string()).nullish();
/** One settings file: its rules as they stand there, or below `permissions`. */
const Settings = z.object({
  source: z.string().default('project'),
  allow: Rules,
  ask: Rules,
  deny: Rules,
  additionalDirectories: Rules,
  permissions: z.object({ allow: Rules, ask: Rules, deny: Rules, additionalDirectories: Rules }).nullish(),
  /** The file, where the source is one given with `--settings`. */
  file: z.string().optional(),
});
type Settings = z.output<typeof Settings>;

/**
 * What a classifier says in mode auto: its verdict, or `rules` for the built-in one. Whatever is not `allow` asks, as it
 * does when a classifier fails. Without one the chain asks where it would have been heard.
 */
const Classifier = z.union([
  z
    .string()
    .transform((verdict) => ({ name: verdict === RULES_NAME ? RULES_NAME : 'given', verdict, reason: 'as given' })),
  z.object({ name: z.string().default('given'), verdict: z.string(), reason: z.string().default('as given') }),
]);

/** A question to the chain, as `gantry explain-permission` reads it. Field names as in the collected cases. */
export const Question = z.object({
  settings: Settings.nullish(),
  other_settings: z.array(Settings).nullish(),
  mode: PermissionMode.default('default'),
  hook: z.unknown().optional(),
  classifier: Classifier.nullish(),
  cwd: z.string().optional(),
  project_root: z.string().optional(),
  home: z.string().optional(),
  platform: z.string().optional(),
  tool: z.string().min(1),
  input: z.unknown().optional(),
  /** The links there are; without it those of this machine count, where it is of the same platform. */
  fs: z.object({ symlinks: z.record(z.string(), z.string()).optional() }).nullish(),
});
export type Question = z.output<typeof Question>;

/** The machine the question is asked on, for what it leaves open. */
export type Here = Pick<World, 'cwd' | 'home' | 'platform' | 'realPath'>;

export type Explanation = {
  readonly decision: ChainVerdict['verdict'];
  readonly by: ChainVerdict['by'];
  readonly trace: readonly TraceStep[];
  /** Rules and hooks that do less than their author means. */
  readonly warnings: readonly string[];
};

/** What the chain says to a question, hooks included, and everything it looked at. */
export function explainPermission(question: Question, here: Here): Explanation {
  const sources = [question.settings, ...(question.other_settings ?? [])].flatMap((one) => one ?? []);
  const world = worldOf(question, sources, here);
  const rules = rulesOf(sources);
  const original = { tool: question.tool, input: question.input };
  const hooks = hooksOf(question.hook, original, { world, mode: question.mode });
  const decide = (input: unknown, hook: HookVerdict): ChainVerdict => {
    const chain = { use: { ...original, input }, original, hook, rules, mode: question.mode, world };
    const verdict = decidePermission(chain);
    // As in a session: heard only where the chain comes to it.
    const word = verdict.wantsClassifier ? classifierWord(question, chain.use, world) : undefined;
    return word === undefined ? verdict : decidePermission({ ...chain, classifier: word });
  };

  const before = hooks.before;
  const input = before.updatedInput ?? question.input;
  const verdict = decide(input, before.verdict);
  const warnings = [...problemsOf(sources), ...before.warnings];
  if (verdict.verdict !== 'ask' || before.verdict.verdict === 'ask') return explanation(verdict, warnings);
  const answer = hooks.request({ ...original, input });
  if (answer === undefined) return explanation(verdict, warnings);
  const all = [...warnings, ...answer.warnings];
  if (answer.verdict.verdict === 'deny') {
    const step = { step: 'hook', verdict: 'deny', text: 'A PermissionRequest hook denies it' } as const;
    return explanation({ ...verdict, verdict: 'deny', by: 'hook', trace: [...verdict.trace, step] }, all);
  }
  // A hook that answers the question allows no more than one that spoke before it.
  return explanation(decide(answer.updatedInput ?? input, answer.verdict), all);
}

function classifierWord({ classifier }: Question, use: Use, world: World): ClassifierWord | undefined {
  if (classifier === undefined || classifier === null) return undefined;
  if (classifier.name === RULES_NAME && classifier.verdict === RULES_NAME) return ruleWord(use, world);
  return { ...classifier, verdict: classifier.verdict === 'allow' ? 'allow' : 'ask' };
}

const explanation = ({ verdict, by, trace }: ChainVerdict, warnings: readonly string[]): Explanation => ({
  decision: verdict,
  by,
  trace,
  warnings,
});

function worldOf(question: Question, sources: readonly Settings[], here: Here): World {
  const platform = question.platform ?? here.platform;
  const cwd = question.cwd ?? here.cwd;
  const home = question.home ?? here.home;
  const links = question.fs?.symlinks;
  const added = sources.flatMap((one) => [
    ...(one.additionalDirectories ?? []),
    ...(one.permissions?.additionalDirectories ?? []),
  ]);
  return {
    cwd,
    startedIn: cwd,
    projectRoot: question.project_root ?? cwd,
    home,
    platform,
    directories: added,
    realPath: links !== undefined || platform !== here.platform ? virtualRealPath(links ?? {}) : here.realPath,
  };
}

const LISTS = ['allow', 'ask', 'deny'] as const;

function rulesOf(sources: readonly Settings[]): RuleSet {
  const of = (list: (typeof LISTS)[number]): readonly SourcedRule[] =>
    sources.flatMap((one) => textsOf(one, list).map((text) => sourced(text, one)));
  return { allow: of('allow'), ask: of('ask'), deny: of('deny') };
}

const textsOf = (one: Settings, list: (typeof LISTS)[number]): readonly string[] => [
  ...(one[list] ?? []),
  ...(one.permissions?.[list] ?? []),
];

function sourced(text: string, { source, file }: Settings): SourcedRule {
  const place = file === undefined ? {} : { file, root: folderOf(file) };
  switch (source) {
    case 'user':
    case 'project':
    case 'local':
    case 'managed':
    case 'session':
      return { text, scope: source, ...(file === undefined ? {} : { file }) };
    default:
      return { text, scope: 'cli', ...place };
  }
}

const folderOf = (file: string): string => file.replace(/[\\/][^\\/]*$/, '') || '/';

const problemsOf = (sources: readonly Settings[]): readonly string[] =>
  sources.flatMap((one) =>
    LISTS.flatMap((list) =>
      textsOf(one, list).flatMap((text) => {
        const problem = ruleProblem(text, list);
        return problem === undefined ? [] : [`${text} (${list}, ${one.source}): ${problem.what}`];
      }),
    ),
  );
