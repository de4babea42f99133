import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FailureError } from '../../src-shared/failure.ts';
import type { FoundSession, Hit, TextKind } from '../../src-shared/library/session.ts';
import { cutTo, formatMillis } from '../../src-shared/timeline/words.ts';
import type { SearchAnswer, SearchQuery } from '../adapters/library/protocol.ts';
import type { Library } from '../composition/library.ts';
import { counted, shownText } from '../core/settings/words.ts';
import { type Io, wordsOrUsage } from './io.ts';

export const SESSIONS_USAGE = 'gantry sessions [--project TEXT] [--folder DIR] [--json]';
export const SEARCH_USAGE =
  'gantry search TEXT [--in prompts|answers|inputs|outputs] [--project TEXT] [--newest] [--limit N] [--json]';

const KINDS: Readonly<Record<string, TextKind>> = {
  prompts: 'prompt',
  answers: 'answer',
  inputs: 'input',
  outputs: 'output',
};
const HITS_SHOWN = 3;
const USUAL_LIMIT = 100;
const MOST_HITS = 1_000;

/**
 * `gantry sessions`: every session found on this machine, newest first; with `--folder` those below that folder. With `--json` one line of JSON each. Exit code 0.
 * @throws FailureError when the index cannot be used, or there is no such folder.
 */
export async function sessionsCommand(args: readonly string[], io: Io, library: Library): Promise<number> {
  const { values } = wordsOrUsage(SESSIONS_USAGE, () =>
    parseArgs({
      args: [...args],
      options: { json: { type: 'boolean' }, project: { type: 'string' }, folder: { type: 'string' } },
    }),
  );
  const folder = values.folder === undefined ? undefined : await ensureFolder(values.folder);
  const result = await library({ kind: 'list' }, progressTo(io), folder);
  const all = result.kind === 'sessions' ? result.sessions : [];
  const wanted = (values.project ?? '').toLowerCase();
  const sessions = all.filter(({ cwd }) => cwd.toLowerCase().includes(wanted));
  if (values.json === true) {
    for (const session of sessions) io.stdout(`${JSON.stringify(session)}\n`);
    return 0;
  }
  for (const session of sessions) io.stdout(`${lineOf(session)}\n  ${shownText(session.path)}\n`);
  io.stdout(`${counted(sessions.length, 'session')}.\n`);
  return 0;
}

async function ensureFolder(folder: string): Promise<string> {
  const path = resolve(folder);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return path;
  throw new FailureError({
    kind: 'not-found',
    message: `${path} ${found === undefined ? 'does not exist' : 'is no folder'}.`,
    hint: 'Is the disk connected?',
  });
}

/**
 * `gantry search TEXT`: where a text stands in prompts, answers, inputs and outputs of all sessions. With `--json` one line
 * of JSON for each session. Exit code 0; 1 when it stands nowhere.
 * @throws FailureError when the index cannot be used.
 */
export async function searchCommand(args: readonly string[], io: Io, library: Library): Promise<number> {
  const { query, json } = wordsOrUsage(SEARCH_USAGE, () => searchWords(args));
  const result = await library({ kind: 'search', query }, progressTo(io));
  if (result.kind !== 'hits') return 1;
  const { answer } = result;
  if (json) for (const found of answer.sessions) io.stdout(`${JSON.stringify(found)}\n`);
  else io.stdout(hitsOf(answer));
  return answer.hits === 0 ? 1 : 0;
}

function searchWords(args: readonly string[]): { readonly query: SearchQuery; readonly json: boolean } {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { in: text, project: text, limit: text, newest: flag, json: flag },
  });
  const kind = values.in === undefined ? undefined : KINDS[values.in];
  if (values.in !== undefined && kind === undefined)
    throw new Error(`--in is one of ${Object.keys(KINDS).join(', ')}.`);
  const limit = values.limit === undefined ? USUAL_LIMIT : Number(values.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_HITS) throw new Error(`--limit is 1 to ${MOST_HITS}.`);
  const wanted = positionals.join(' ').trim();
  if (wanted === '') throw new Error('Say what to search for.');
  const order = values.newest ? 'newest' : 'best';
  const kinds = kind === undefined ? [] : [kind];
  return { query: { text: wanted, kinds, project: values.project ?? '', order, limit }, json: values.json };
}

/** A line whenever another tenth of the files is read; none where there are few. */
function progressTo(io: Io): (done: number, total: number) => void {
  let told = 0;
  return (done, total) => {
    const tenth = Math.floor((done / total) * 10);
    if (total < 50 || tenth <= told) return;
    told = tenth;
    io.stderr(`gantry: ${done} of ${total} files read\n`);
  };
}

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

function lineOf(session: FoundSession): string {
  const { title, cwd, calls, errors, durationMs, startedAt, problem } = session;
  const source = [session.format, session.version].filter((word) => word !== '').join(' ');
  const facts = [
    counted(calls, 'call'),
    ...(errors === 0 ? [] : [counted(errors, 'error')]),
    ...(durationMs === 0 ? [] : [formatMillis(durationMs)]),
  ];
  const words = problem === '' ? facts.join(', ') : problem;
  return [dateOf(startedAt), shownText(cutTo(title, 60)), source, shownText(cwd), words]
    .filter((word) => word !== '')
    .join('  ');
}

function hitsOf({ sessions, hits, more, ms }: SearchAnswer): string {
  const lines = sessions.flatMap(({ session, hits: own }) => [
    lineOf(session),
    `  ${shownText(session.path)}`,
    ...own.slice(0, HITS_SHOWN).map(hitLine),
    ...(own.length > HITS_SHOWN ? [`    ${counted(own.length - HITS_SHOWN, 'more hit')}`] : []),
  ]);
  const total = `${more ? 'The first ' : ''}${counted(hits, 'hit')} in ${counted(sessions.length, 'session')}`;
  return [...lines, `${total}, ${formatMillis(ms)}.`, ''].join('\n');
}

const hitLine = ({ kind, tool, t, snippet }: Hit): string =>
  `    ${formatMillis(t).padStart(7)}  ${[tool, kind].filter((word) => word !== '').join(' ')}: ${shownText(snippet)}`;
