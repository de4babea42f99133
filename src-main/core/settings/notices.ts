import { quote } from 'shell-quote';
import type { EventFacts } from '../../../src-shared/session/event.ts';
import type { FolderEntry, LoadedSettings } from './settings.ts';
import { counted, shownText, visibleText } from './words.ts';

export type SettingsNotice = Omit<Extract<EventFacts, { type: 'notice-given' }>, 'type'> & { readonly detail: string };

/** More lines than this are counted, not listed. */
const MOST_LINES = 30;

/** What a person is told of settings that do not do what their author meant. */
export function settingsNotices(loaded: LoadedSettings): readonly SettingsNotice[] {
  const { findings, inert } = loaded;
  const untrusted = inert.filter(({ why }) => why === 'folder-not-trusted');
  const managed = inert.filter(({ why }) => why === 'managed-rules-only');
  const bypass = inert.filter(({ why }) => why === 'bypass-from-folder');
  return [
    notice(
      findings.map(({ file, line, message }) => `${place(file, line)} ${message}`),
      `Settings files have ${counted(findings.length, 'finding')}.`,
    ),
    notice(untrusted.map(entryLine), notTrustedText(loaded, untrusted)),
    notice(
      managed.map(entryLine),
      `An administrator’s settings allow no other allow rules. ${counted(managed.length, 'allow rule')} of other files ${managed.length === 1 ? 'has' : 'have'} no effect.`,
    ),
    notice(
      bypass.map(entryLine),
      'Mode bypassPermissions is not taken from the settings of a folder. Choose it yourself, or put it in your own settings.',
    ),
  ].flat();
}

const notice = (lines: readonly string[], text: string): readonly SettingsNotice[] => {
  if (lines.length === 0) return [];
  const left = lines.length - MOST_LINES;
  const listed = left > 0 ? [...lines.slice(0, MOST_LINES), `and ${left} more`] : lines;
  return [{ level: 'warning', text, detail: listed.join('\n') }];
};

function notTrustedText({ folder, trusted }: LoadedSettings, entries: readonly FolderEntry[]): string {
  const why = trusted
    ? `Settings have come with ${shownText(folder)} since it was trusted. They have no effect`
    : `${shownText(folder)} is not trusted, so settings that come with it have no effect`;
  return `${why}: ${countedKinds(entries)}. Its deny and ask rules count. Read the list, then trust the folder, here or with: ${trustCommand(folder)}`;
}

/** What a session is told when its person has trusted the folder: just this is in effect from now on. */
export const trustedNotice = (folder: string, entries: readonly FolderEntry[]): SettingsNotice => ({
  level: 'info',
  text: `You have trusted ${shownText(folder)}. From now on these settings of it have their effect: ${countedKinds(entries)}.`,
  detail: entries.map(entryLine).join('\n'),
});

/** What a session is told when its person has taken the trust back, or does not want to be asked. */
export const notTrustedNotice = (folder: string, answer: 'never' | 'forget'): SettingsNotice => ({
  level: 'info',
  text: `Nothing that comes with ${shownText(folder)} has an effect from now on${answer === 'never' ? ', and you are not asked about it again' : ''}. Its deny and ask rules count.`,
  detail: `To change that: ${trustCommand(folder)}`,
});

/** The line to type in a terminal. */
export const trustCommand = (folder: string): string => `gantry trust ${shownText(quote([folder]))}`;

/** A notice in a terminal: its text, and each line of its list in a line of its own. */
export const toldOnTerminal = ({ text, detail }: SettingsNotice): string =>
  [text, ...detail.split('\n').map((line) => `  ${line}`)].join('\n');

/** `2 allow rules, 1 hook`. */
export function countedKinds(entries: readonly FolderEntry[]): string {
  const counts = new Map<FolderEntry['kind'], number>();
  for (const { kind } of entries) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => counted(count, kind)).join(', ');
}

/** `/shop/.claude/settings.json:4 allow rule Bash(make:*)`. */
export const entryLine = ({ kind, text, file, line }: FolderEntry): string =>
  `${place(file, line)} ${kind} ${shownText(text)}`;

/** The same with everything of it: what a person reads before they trust it must not end in `…`. */
export const wholeEntryLine = ({ kind, full, file, line }: FolderEntry): string =>
  `${place(file, line)} ${kind} ${visibleText(full)}`;

/** A line makes no sense for a file that cannot be read. */
const place = (file: string, line: number): string => (line === 0 ? `${file}:` : `${file}:${line}`);
