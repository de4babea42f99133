import { Ground, type World, worldWithoutLinks } from '../permission/ground.ts';
import { matchesPlace, type PathPattern, pathPattern } from '../permission/path-rules.ts';
import { isEditor, isReader, isShell, parseRule, type Rule, type SourcedRule, toolName } from '../permission/rules.ts';
import { allowsTool, matchesAgent, matchesDomain, restrictsTool } from '../permission/tool-rules.ts';
import { mayMatch, wordPatterns } from '../permission/wildcard.ts';

type List = 'allow' | 'ask' | 'deny';
export type ListedText = { readonly list: List; readonly rule: SourcedRule };

/** In which world the paths of rules are compared; `folder` is the one of the narrower rule, if it has one. */
const worldOf = (folder: string | undefined, home: string): World => worldWithoutLinks(folder ?? '/-', { home });

/**
 * Does `first` decide whenever `then` would have a say, by their texts alone? Where `first` stands in a list that is
 * looked at before, or before it in the same list, the other one never decides (but in mode auto, which leaves out broad
 * allow rules). Errs towards no.
 */
export function alwaysDecidesBefore(
  first: ListedText,
  then: ListedText,
  where: { readonly folder: string | undefined; readonly home: string },
): boolean {
  const [broad, narrow] = [parseRule(first.rule.text), parseRule(then.rule.text)];
  if (broad === undefined || narrow === undefined) return false;
  if (first.list === 'allow' && then.list !== 'allow') return false;
  if (isWhole(broad, first.rule)) {
    if (readsToo(first, then)) return false;
    return first.list === 'allow' ? allowsTool(broad.tool, narrow.tool) : restrictsTool(broad.tool, narrow.tool);
  }
  if (narrow.specifier === undefined || broad.specifier === undefined) return false;
  if (isShell(narrow.tool)) return isShell(broad.tool) && coversWords(broad.specifier, narrow.specifier, first.list);
  const isPath = (rule: Rule): boolean => rule.tool === 'Read' || rule.tool === 'Edit';
  if (isPath(narrow)) return broad.tool === narrow.tool && !readsToo(first, then) && coversPaths(first, then, where);
  if (toolName(broad.tool) !== toolName(narrow.tool)) return false;
  return coversSpecifier(toolName(broad.tool), broad.specifier, narrow.specifier);
}

/** An allow rule for edits lets the files be read too; a restriction of edits says nothing of that. */
const readsToo = (first: ListedText, then: ListedText): boolean =>
  first.list !== 'allow' && then.list === 'allow' && parseRule(then.rule.text)?.tool === 'Edit';

/** A bare name: every use of the tool. `Read(*)` is a pattern. */
const isWhole = ({ tool, specifier }: Rule, { text }: SourcedRule): boolean =>
  specifier === undefined && !((isEditor(tool) || isReader(tool)) && text.includes('('));

/** Stands for anything that a star may be. No command can hold it, and no pattern spells it out. */
const ANYTHING = '\uE020';

/**
 * Every command that the narrow words mean is one that the broad ones mean. A star is replaced by a sign that only a star
 * can match, so what matches it matches whatever the star may be.
 */
function coversWords(broad: string, narrow: string, list: List): boolean {
  const side = list === 'allow' ? 'allow' : 'restrict';
  const wide = wordPatterns(broad, side);
  return wordPatterns(narrow, 'allow').every((pattern) =>
    wide.some((one) => mayMatch(one, pattern.replaceAll('*', ANYTHING))),
  );
}

function coversPaths(
  first: ListedText,
  then: ListedText,
  { folder, home }: { readonly folder: string | undefined; readonly home: string },
): boolean {
  const specifier = parseRule(then.rule.text)?.specifier?.trim() ?? '';
  const wide = parseRule(first.rule.text)?.specifier ?? '';
  if (specifier === wide.trim() && isSameAnchor(first.rule, then.rule, specifier)) return true;
  // What is not spelled out plainly is not compared.
  if (/[?[\]\\!{}]/.test(specifier)) return false;
  const ground = new Ground(worldOf(folder, home));
  const pattern = pathPattern(wide, first.rule, first.list === 'allow' ? 'allow' : 'restrict', ground);
  const samples = pathPattern(specifier, then.rule, 'allow', ground);
  if (pattern === undefined || samples === undefined) return false;
  return samplesOf(samples).every((path) => matchesPlace(pattern, ground.place(path)));
}

/** `/x` and `x` depend on where the rule stands. */
const isSameAnchor = (a: SourcedRule, b: SourcedRule, specifier: string): boolean =>
  /^(?:\/\/|~\/)/.test(specifier) || (a.scope === b.scope && a.file === b.file);

/** Paths that stand for all that a pattern means: each star a name nobody spells out, each `**` no folder, one and two. */
function samplesOf({ anchor, parts, everything }: PathPattern): readonly string[] {
  const base = anchor.names[0] ?? '';
  if (everything) return [`${base}/${ANYTHING}`, `${base}/${ANYTHING}/${ANYTHING}`];
  let ways: readonly string[] = [base === '/' ? '' : base];
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1;
    const names =
      part === '**'
        ? [...(isLast ? [] : ['']), `/${ANYTHING}`, `/${ANYTHING}/${ANYTHING}`]
        : [`/${part.replaceAll('*', ANYTHING)}`];
    ways = ways.flatMap((way) => names.map((name) => way + name));
  }
  // What lies in a folder of that name is meant too.
  return ways.flatMap((way) => [way, `${way}/${ANYTHING}`]);
}

function coversSpecifier(tool: string, broad: string, narrow: string): boolean {
  switch (tool) {
    case 'WebFetch': {
      const domain = /^\s*domain:([\s\S]*)$/.exec(narrow)?.[1]?.trim();
      // A star may be several names, of which the first is enough to see whether the other rule takes them all.
      return domain !== undefined && sampleHosts(domain).every((host) => matchesDomain(broad, `https://${host}/`));
    }
    case 'Agent':
      return !narrow.includes(':') && matchesAgent(broad, { subagent_type: narrow.trim().replaceAll('*', ANYTHING) });
    case 'Skill':
      return broad.trim() === narrow.trim();
    default:
      return broad.trim() === narrow.trim();
  }
}

const sampleHosts = (domain: string): readonly string[] =>
  domain.startsWith('*.')
    ? [`any.${domain.slice(2).replaceAll('*', 'any')}`, `any.more.${domain.slice(2).replaceAll('*', 'any')}`]
    : domain === '*'
      ? ['any', 'any.more', 'any.more.names']
      : [domain.replaceAll('*', 'any')];
