import { COMPARE_USAGE } from './compare.ts';
import { EXPLAIN_BASH_USAGE } from './explain-bash.ts';
import { EXPLAIN_PERMISSION_USAGE } from './explain-permission.ts';
import { EXPORT_USAGE } from './export.ts';
import { INSPECT_USAGE } from './inspect.ts';
import { LEDGER_USAGE } from './ledger.ts';
import { LEFTOVERS_USAGE } from './leftovers.ts';
import { RUN_USAGE } from './run-words.ts';
import { SEARCH_USAGE, SESSIONS_USAGE } from './sessions.ts';
import { SIMULATE_USAGE } from './simulate.ts';
import { TRUST_USAGE } from './trust.ts';
import { VAULT_USAGE } from './vault.ts';

/** How each command is written, in the order of the help. */
const USAGES: ReadonlyMap<string, string> = new Map([
  ['inspect', INSPECT_USAGE],
  ['run', RUN_USAGE],
  ['trust', TRUST_USAGE],
  ['leftovers', LEFTOVERS_USAGE],
  ['explain-bash', EXPLAIN_BASH_USAGE],
  ['explain-permission', EXPLAIN_PERMISSION_USAGE],
  ['ledger', LEDGER_USAGE],
  ['simulate', SIMULATE_USAGE],
  ['compare', COMPARE_USAGE],
  ['export', EXPORT_USAGE],
  ['sessions', SESSIONS_USAGE],
  ['search', SEARCH_USAGE],
  ['vault', VAULT_USAGE],
]);

/** All commands. */
export const USAGE = `usage:
${[...USAGES.values()].map((usage) => `  ${usage}\n`).join('')}  gantry COMMAND --help, gantry --version
`;

/**
 * The help that these words ask for: `--help`, `help`, `help export`, `export --help`. Undefined: they ask for something else.
 * What comes after `--` is no option of ours.
 */
export function helpFor([command, ...rest]: readonly string[]): string | undefined {
  const isHelp = command === 'help' || command === '--help' || command === '-h';
  const about = isHelp ? rest[0] : command;
  const usage = about === undefined ? undefined : USAGES.get(about);
  if (isHelp) return usage === undefined ? USAGE : `usage: ${usage}\n`;
  const end = rest.indexOf('--');
  const options = end === -1 ? rest : rest.slice(0, end);
  return usage !== undefined && options.some((word) => word === '--help' || word === '-h')
    ? `usage: ${usage}\n`
    : undefined;
}
