import type { CallId, SessionId } from '../../../../src-shared/ids.ts';
import type { Decision } from '../../../../src-shared/ledger/decision.ts';
import { instant } from '../../../../src-shared/units.ts';
import { NO_RULES } from '../../permission/rules.ts';
import { type Machine, redecide } from '../redecide.ts';
import { type FolderRules, loadedOf, type RuleFile } from '../rule-book.ts';

export const MACHINE: Machine = { home: '/home/u', platform: 'linux', realPath: (path) => path };
export const FOLDER = '/work';

type Lists = {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
};

const FILES = {
  user: '/home/u/.claude/settings.json',
  project: '/work/.claude/settings.json',
  local: '/work/.claude/settings.local.json',
  managed: '/etc/claude-code/managed-settings.json',
} as const;

/** The settings files of `/work`; a text is a whole file. */
export function folderRules(
  files: Partial<Record<keyof typeof FILES, Lists | string>>,
  more: Partial<FolderRules> = {},
): FolderRules {
  return {
    folder: FOLDER,
    home: MACHINE.home,
    trusted: true,
    confirms: () => true,
    files: (Object.keys(FILES) as (keyof typeof FILES)[]).map((scope): RuleFile => {
      const content = files[scope];
      const text = content === undefined || typeof content === 'string' ? content : textOf(content);
      return { scope, file: FILES[scope], text };
    }),
    ...more,
  };
}

const textOf = (permissions: Lists): string => `${JSON.stringify({ permissions }, undefined, 2)}\n`;

let made = 0;

/** A call as it was decided under these rules, in mode default unless `more` says otherwise. */
export function decision(command: string, rules?: FolderRules, more: Partial<Decision> = {}): Decision {
  const at = ++made;
  const first: Decision = {
    sessionId: 'session-1' as SessionId,
    callId: `call-${at}` as CallId,
    at: instant(at),
    tool: 'Bash',
    input: { command },
    summary: command,
    kind: 'ask',
    verdict: 'allow',
    by: 'user',
    rules: [],
    folder: FOLDER,
    situation: { mode: 'default', cwd: FOLDER, directories: [FOLDER], headless: false },
    ...more,
  };
  const decided = redecide(first, MACHINE)(rules === undefined ? NO_RULES : loadedOf(rules).rules);
  const isAsk = decided.verdict === 'ask';
  return {
    ...first,
    kind: decided.verdict,
    verdict: decided.verdict === 'deny' || (isAsk && first.situation.headless) ? 'deny' : 'allow',
    by: isAsk ? (first.situation.headless ? 'no-user' : 'user') : decided.by === 'fallback' ? 'tool' : decided.by,
    rules: decided.trace.flatMap((step) => step.rules ?? []),
  };
}
