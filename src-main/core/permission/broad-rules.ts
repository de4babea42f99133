import { parseRule, toolName } from './rules.ts';

/** Programs that run whatever code they are given, as names and as first words of commands. */
const INTERPRETERS =
  /^(?:python|ipython|node|deno|bun|ruby|perl|php|lua|bash|sh|zsh|dash|ksh|fish|pwsh|osascript|eval|exec|env|sudo|xargs|ssh|awk|find)[\d.]*$/;
/** Package managers with the words that make them run something. */
const RUNNERS =
  /^(?:npx|bunx|uvx|pipx|make|just|task|(?:npm|pnpm|yarn|bun|deno|cargo|go|poetry|uv|pipenv|rye|hatch|composer|bundle|mix|rake|gradle|gradlew|mvn|dotnet|nx|turbo|docker|podman|devbox|mise|direnv|nix)(?: (?:run|run-script|exec|x|dlx|task|tool))?)$/;

/**
 * Allow rules that would let anything run. Mode auto leaves them out, so that whatever they cover is looked at first
 * (reference, section 5).
 */
export function isBroad(text: string): boolean {
  const rule = parseRule(text);
  if (rule === undefined) return false;
  const tool = toolName(rule.tool);
  if (tool === 'Agent' || tool === 'Monitor') return true;
  if (tool !== 'Bash' && tool !== 'PowerShell') return false;
  const { specifier } = rule;
  if (specifier === undefined) return true;
  if (!specifier.includes('*')) return false;
  const words = specifier.trim().replace(/:\*$/, '').split('*')[0]?.trim().replace(/\s+/g, ' ');
  return words === undefined || words === '' || INTERPRETERS.test(words) || RUNNERS.test(words);
}
