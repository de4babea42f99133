import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FailureError } from '../../src-shared/failure.ts';
import { EditableScope } from '../../src-shared/ledger/edit.ts';
import type { DryRun, LedgerOverview, LedgerRule } from '../../src-shared/ledger/view.ts';
import { openLedger } from '../composition/ledger.ts';
import type { SettingsReader } from '../composition/settings.ts';
import { counted, shownText } from '../core/settings/words.ts';
import { type Io, wordsOrUsage } from './io.ts';

export const LEDGER_USAGE = `gantry ledger [--json]
  gantry ledger --dry-run SETTINGS_FILE [--for user|project|local] [--cwd DIR] [--json]`;

/**
 * `gantry ledger`: every rule of the settings files with its hits in all sessions, and what is wrong with it. With
 * `--dry-run` the past calls that would be decided differently if a file stood in the place of the user's settings, or of
 * a folder's. Nothing is written. Exit code 0; 1 when something would be newly allowed; 2 when the words do not fit.
 * @throws FailureError when the file cannot be read.
 */
export async function ledgerCommand(args: readonly string[], io: Io, reader: SettingsReader): Promise<number> {
  const words = parse(args);
  const ledger = openLedger(reader, () => '');
  const overview = await ledger.settled();
  if (words.file === undefined) {
    io.stdout(words.json ? `${JSON.stringify(overview)}\n` : tableOf(overview));
    return 0;
  }
  const folder = resolve(words.cwd ?? '.');
  const text = readSettings(words.file);
  const dryRun = await ledger.dryRunFile({ scope: words.scope, folder, text });
  io.stdout(words.json ? `${JSON.stringify(withoutTexts(dryRun))}\n` : differencesOf(dryRun));
  return dryRun.counts.newlyAllowed > 0 ? 1 : 0;
}

type Words = {
  readonly json: boolean;
  readonly file: string | undefined;
  readonly scope: EditableScope;
  readonly cwd: string | undefined;
};

function parse(args: readonly string[]): Words {
  const text = { type: 'string' } as const;
  return wordsOrUsage(LEDGER_USAGE, () => {
    const { values } = parseArgs({
      args: [...args],
      options: { json: { type: 'boolean', default: false }, 'dry-run': text, for: text, cwd: text },
    });
    const scope = EditableScope.safeParse(values.for ?? 'user');
    if (!scope.success) throw new Error('--for is user, project or local.');
    if (values['dry-run'] === undefined && (values.for !== undefined || values.cwd !== undefined)) {
      throw new Error('--for and --cwd belong to --dry-run.');
    }
    return { json: values.json, file: values['dry-run'], scope: scope.data, cwd: values.cwd };
  });
}

function readSettings(path: string): string {
  try {
    return readFileSync(resolve(path), 'utf8');
  } catch (cause) {
    throw new FailureError(
      { kind: 'not-readable', message: `${path} cannot be read.`, hint: 'Give the path of a settings file.' },
      { cause },
    );
  }
}

/** The texts of whole files are of no use on a terminal. */
const withoutTexts = ({ files, ...dryRun }: DryRun) => ({ ...dryRun, files: files.map(({ file }) => file) });

function tableOf({ rules, decisions, sessions, unasked, byPerson, denied, files }: LedgerOverview): string {
  const lines = rules.map((rule) => {
    const note = rule.note === undefined ? '' : `  (${rule.note.short})`;
    return `${rule.list.padEnd(5)}  ${String(rule.hits).padStart(6)}  ${shownText(rule.text)}  ${placeOf(rule)}${note}`;
  });
  const numbers = [
    `${counted(decisions, 'decision')} in ${counted(sessions, 'session')}`,
    `${unasked} without a question`,
    `${byPerson} by you`,
    `${denied} denied`,
  ].join(', ');
  return [...lines, `${numbers}. ${counted(rules.length, 'rule')} in ${counted(files, 'file')}.`, ''].join('\n');
}

const placeOf = ({ file, line, sessions }: LedgerRule): string =>
  file === undefined ? `${counted(sessions, 'session')}` : `${file}:${line ?? ''}`;

function differencesOf({ rows, moreRows, checked, changed, counts, problems }: DryRun): string {
  const lines = rows.map(({ from, to, times, tool, summary, headless }) => {
    const aside = headless ? '  (nobody to ask)' : '';
    return `${from.padEnd(5)} → ${to.padEnd(5)}  ${String(times).padStart(6)}  ${tool} ${shownText(summary)}${aside}`;
  });
  return [
    ...problems.map(({ message }) => `problem: ${message}`),
    ...lines,
    ...(moreRows === 0 ? [] : [`and ${moreRows} more kinds of calls`]),
    `${changed} of ${counted(checked, 'past call')} would be decided differently: ${counts.newlyAllowed} newly allowed, ${counts.wouldAsk} would ask, ${counts.denied} denied.`,
    '',
  ].join('\n');
}
