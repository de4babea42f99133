import { type Concern, commandConcern, fileConcern, strongest } from './bash-concern.ts';
import { type CommandRules, coverCommand } from './bash-cover.ts';
import { CallFacts } from './call-facts.ts';
import { Ground, type World, worldWithoutLinks } from './ground.ts';
import { anyPath, matchesFolder, matchesPlace, type PathPattern, pathPattern } from './path-rules.ts';
import { isEditor, isReader, isShell, parseRule, type Rule, ruleProblem, type SourcedRule, toolName } from './rules.ts';
import {
  allowsTool,
  field,
  matchesAgent,
  matchesDomain,
  matchesParameter,
  matchesSkill,
  restrictsTool,
  type Use,
} from './tool-rules.ts';

/**
 * Does a deny or ask rule concern this call? Doubt is `perhaps`, which asks. Rules that have no effect (`ruleProblem`)
 * concern nothing.
 */
export function concernOf(rule: SourcedRule, facts: CallFacts): Concern {
  const parsed = parseRule(rule.text);
  if (parsed === undefined || ruleProblem(rule.text, 'deny')?.skipped === true) return 'no';
  return strongest([ownConcern(parsed, facts), pathConcern(parsed, rule, facts)]);
}

/** A rule for the tool itself. */
function ownConcern({ tool, specifier }: Rule, facts: CallFacts): Concern {
  const { use } = facts;
  if (!restrictsTool(tool, use.tool)) return 'no';
  if (specifier === undefined || specifier.trim() === '') return 'yes';
  if (matchesParameter(specifier, use)) return 'yes';
  const sure = (is: boolean): Concern => (is ? 'yes' : 'no');
  if (isShell(use.tool)) {
    return facts.bash === undefined ? 'perhaps' : commandConcern(specifier, facts.bash);
  }
  switch (toolName(use.tool)) {
    case 'WebFetch':
      return field(use.input, 'url') === undefined
        ? 'perhaps'
        : sure(matchesDomain(specifier, field(use.input, 'url')));
    case 'Agent':
      return sure(matchesAgent(specifier, use.input));
    case 'Skill':
      return sure(matchesSkill(specifier, use.input, 'restrict'));
    default:
      return 'no';
  }
}

/** A rule for paths, which binds all tools that open files. */
function pathConcern({ tool, specifier }: Rule, rule: SourcedRule, facts: CallFacts): Concern {
  if (tool !== 'Read' && tool !== 'Edit') return 'no';
  const { use, ground, target, bash } = facts;
  const binds = tool === 'Edit' ? isEditor(use.tool) : isReader(use.tool) || editsWhatItReads(use.tool);
  if (!binds && !isShell(use.tool)) return 'no';
  if (binds && (specifier === undefined || specifier.trim() === '')) return 'yes';
  // A bare rule is about the tools; of commands it means whatever opens files.
  const pattern =
    specifier === undefined || specifier.trim() === ''
      ? anyPath('restrict', ground)
      : pathPattern(specifier, rule, 'restrict', ground);
  if (pattern === undefined) return 'no';
  if (isShell(use.tool)) {
    return bash === undefined ? 'perhaps' : fileConcern(pattern, tool === 'Edit' ? 'write' : 'read', bash);
  }
  if (target === undefined) return 'perhaps';
  if (target.folder ? matchesFolder(pattern, target.place) : matchesPlace(pattern, target.place)) return 'yes';
  return target.place.certain ? 'no' : 'perhaps';
}

/** Whoever may not read a file may not change it; notebooks are the known exception (reference, section 3). */
const editsWhatItReads = (tool: string): boolean => isEditor(tool) && tool !== 'NotebookEdit';

/** The allow rules that cover this call, for a command perhaps several together; nothing when a part is left over. */
export function coverOf(
  rules: readonly SourcedRule[],
  facts: CallFacts,
  acceptsEdits = false,
): readonly SourcedRule[] | undefined {
  const sorted = new Map<SourcedRule, Rule>();
  for (const rule of rules) {
    const parsed = parseRule(rule.text);
    if (parsed !== undefined && ruleProblem(rule.text, 'allow')?.skipped !== true) sorted.set(rule, parsed);
  }
  for (const [rule, parsed] of sorted) if (coversAlone(parsed, rule, facts)) return [rule];
  if (facts.bash === undefined) return undefined;
  const covering = coverCommand(facts.bash, commandRules(sorted, facts), acceptsEdits);
  // Commands that only read need no rule, and are not what these rules are about.
  return covering === undefined || covering.length === 0 ? undefined : covering;
}

/**
 * Does one allow rule cover a call by itself? For rules about scheduling, which are about words and names: no link is
 * followed here.
 */
export const allowCovers = (text: string, use: Use): boolean =>
  coverOf([{ text, scope: 'session' }], new CallFacts(use, new Ground(worldWithoutLinks('/')))) !== undefined;

/**
 * Is this a call that the rule means? As deny rules are read: any part of a command counts, and doubt does too. For
 * breakpoints and faults, which permit nothing.
 */
export const ruleMeans = (text: string, use: Use, world: World): boolean =>
  concernOf({ text, scope: 'session' }, new CallFacts(use, new Ground(world))) !== 'no';

function coversAlone(parsed: Rule, rule: SourcedRule, facts: CallFacts): boolean {
  const { use } = facts;
  const { tool, specifier } = parsed;
  if (specifier === undefined && allowsTool(tool, use.tool) && !isWholeFileRule(parsed, rule)) return true;
  if (specifier?.trim() === '') return false;
  if (isEditor(use.tool) || isReader(use.tool)) return coversFile(parsed, rule, facts);
  if (specifier === undefined || !allowsTool(tool, use.tool)) return false;
  switch (toolName(use.tool)) {
    case 'WebFetch':
      return matchesDomain(specifier, field(use.input, 'url'));
    case 'Agent':
      return matchesAgent(specifier, use.input);
    case 'Skill':
      return matchesSkill(specifier, use.input, 'allow');
    default:
      return false;
  }
}

/** `Edit(*)` is a pattern, other than `Bash(*)`: the files in the working folder. */
const isWholeFileRule = ({ tool }: Rule, { text }: SourcedRule): boolean =>
  (tool === 'Edit' || tool === 'Read') && text.includes('(');

function coversFile(parsed: Rule, rule: SourcedRule, { use, ground, target }: CallFacts): boolean {
  const { tool } = parsed;
  if (tool !== 'Edit' && (tool !== 'Read' || !isReader(use.tool))) return false;
  // Who may change a file may read it, where the rule says which.
  if (isReader(use.tool) && isBareEdit(parsed, rule)) return false;
  const pattern = allowPattern(parsed, rule, ground);
  // A tool that names no file works on whatever it likes.
  if (target === undefined) return pattern === 'all';
  if (pattern === 'all') return true;
  if (pattern === undefined) return false;
  return target.folder ? matchesFolder(pattern, target.place) : matchesPlace(pattern, target.place);
}

const isBareEdit = ({ tool }: Rule, { text }: SourcedRule): boolean => tool === 'Edit' && !text.includes('(');

function allowPattern(
  { specifier }: Rule,
  rule: SourcedRule,
  ground: CallFacts['ground'],
): PathPattern | 'all' | undefined {
  if (specifier === undefined && !rule.text.includes('(')) return 'all';
  return pathPattern(specifier ?? '*', rule, 'allow', ground);
}

function commandRules(rules: ReadonlyMap<SourcedRule, Rule>, { ground, use }: CallFacts): CommandRules {
  const all = [...rules];
  const patterns = (isMeant: (parsed: Rule, rule: SourcedRule) => boolean) =>
    all.flatMap(([rule, parsed]) => {
      if (!isMeant(parsed, rule) || parsed.specifier?.trim() === '') return [];
      const pattern = allowPattern(parsed, rule, ground);
      return pattern === undefined ? [] : [{ rule, pattern: pattern === 'all' ? anyPath('allow', ground) : pattern }];
    });
  return {
    words: all.flatMap(([rule, { tool, specifier }]) =>
      specifier !== undefined && specifier.trim() !== '' && allowsTool(tool, use.tool) ? [{ specifier, rule }] : [],
    ),
    edits: patterns(({ tool }) => tool === 'Edit'),
    reads: patterns((parsed, rule) => parsed.tool === 'Read' || (parsed.tool === 'Edit' && !isBareEdit(parsed, rule))),
  };
}
