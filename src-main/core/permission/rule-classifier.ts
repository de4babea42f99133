import { coverCommand, NO_COMMAND_RULES } from './bash-cover.ts';
import { CallFacts } from './call-facts.ts';
import type { ClassifierWord } from './chain.ts';
import { isDangerous } from './danger.ts';
import { Ground, type World } from './ground.ts';
import { ownEditTarget } from './own-word.ts';
import { isReader, isShell } from './rules.ts';
import type { Use } from './tool-rules.ts';
import { innerWords } from './wrapped-commands.ts';

/**
 * What can be told of a call without asking anybody. `no` is for calls that nobody but a person is to allow; of an
 * `unsure` one somebody else may know more.
 */
export type RuleWord = { readonly verdict: 'allow' | 'unsure' | 'no'; readonly reason: string };

export const RULES_NAME = 'rules';

/**
 * The built-in classifier (spec 2.4): allows what is proved to do no harm. Reading in the working folders, and changes
 * there that can be seen as changes: nothing protected, nothing removed, nothing run that is not known.
 */
export function classifyByRules(use: Use, world: World): RuleWord {
  const facts = new CallFacts(use, new Ground(world));
  if (isShell(use.tool)) return commandWord(facts);
  if (isReader(use.tool)) {
    const isInside = facts.target !== undefined && facts.ground.isInside(facts.target.place);
    return isInside
      ? { verdict: 'allow', reason: 'it only reads in the working folders' }
      : { verdict: 'unsure', reason: 'it reads outside of the working folders' };
  }
  switch (ownEditTarget(facts)) {
    case 'inside':
      return { verdict: 'allow', reason: 'it edits a file in the working folders' };
    case 'outside':
      return { verdict: 'unsure', reason: 'it edits a file outside of the working folders' };
    case 'protected':
      return { verdict: 'no', reason: 'the path is or may be protected' };
    case 'none':
      return { verdict: 'unsure', reason: `nothing is known of what ${use.tool} does` };
  }
}

function commandWord(facts: CallFacts): RuleWord {
  const { bash } = facts;
  if (bash === undefined) return { verdict: 'unsure', reason: 'the call names no command' };
  const { analysis } = bash.script;
  if (!analysis.parsed) return { verdict: 'no', reason: 'the command cannot be read for certain' };
  if (isDangerous(analysis)) return { verdict: 'no', reason: 'the command is dangerous' };
  if (ownEditTarget(facts) === 'protected') return { verdict: 'no', reason: 'it may write to a protected path' };
  if (coverCommand(bash, NO_COMMAND_RULES, true) === undefined) {
    return { verdict: 'unsure', reason: analysis.readOnly ? 'it may read elsewhere' : analysis.reason };
  }
  if (removes(facts)) return { verdict: 'unsure', reason: 'it removes files' };
  return { verdict: 'allow', reason: 'every part of it reads or edits in the working folders, nothing protected' };
}

/** An edit can be undone by whoever sees it; of what is removed nothing is left to see. */
const removes = ({ bash }: CallFacts): boolean =>
  bash?.script.steps.some(({ command }) =>
    innerWords(command.argv.map((text) => ({ text }))).some(({ argv }) => /(?:^|\/)rm$/.test(argv[0]?.text ?? '')),
  ) === true;

/** As the chain takes it: whoever is unsure does not allow. */
export const ruleWord = (use: Use, world: World): ClassifierWord => {
  const { verdict, reason } = classifyByRules(use, world);
  return { name: RULES_NAME, verdict: verdict === 'allow' ? 'allow' : 'ask', reason };
};
