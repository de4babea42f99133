import type { Decision } from '../../../src-shared/ledger/decision.ts';
import { type ChainVerdict, NO_HOOK, preparedDecision } from '../permission/chain.ts';
import type { World } from '../permission/ground.ts';
import type { RuleSet } from '../permission/rules.ts';

/** What of this machine a decision is made again with. */
export type Machine = Pick<World, 'home' | 'platform' | 'realPath'>;

/**
 * The chain's verdict on a call of the past under other rules: with its input, mode, folders, and what its hooks, its tool
 * and its classifier said then. Links are those of now. Rules that were added for its session count again.
 */
export function redecide(decision: Decision, machine: Machine): (rules: RuleSet) => ChainVerdict {
  const { tool, input, situation, sessionRules = [] } = decision;
  const { mode, cwd, directories, hook, edit, classifier } = situation;
  const use = { tool, input };
  const added = sessionRules.map((text) => ({ text, scope: 'session' as const }));
  const decide = preparedDecision({
    use,
    original: decision.original === undefined ? use : { tool, input: decision.original },
    hook: hook ?? NO_HOOK,
    mode,
    world: { ...machine, cwd, directories, startedIn: directories[0] ?? cwd, projectRoot: directories[0] ?? cwd },
    ...(situation.tool === undefined ? {} : { tool: situation.tool }),
    ...(edit === undefined ? {} : { edit }),
    ...(classifier === undefined ? {} : { classifier }),
  });
  return (rules) => decide(added.length === 0 ? rules : { ...rules, allow: [...added, ...rules.allow] });
}
