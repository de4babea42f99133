import { appendFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionEvent } from '../../../../src-shared/session/event.ts';
import { toLine } from '../../../../src-shared/session/stored-line.ts';
import { startProcessHost } from '../../../adapters/process/process-host-client.ts';
import { SessionFolders } from '../../../adapters/storage/session-folders.ts';
import type { EventStore } from '../../../ports/event-log.ts';
import type { SessionPlace } from '../../../ports/session-store.ts';
import type { LiveSession } from '../../live-session.ts';
import { modelAt, openLibrary, type Place } from './library.ts';
import { BEGIN, COMPACTED_AT_CALL, IMAGE, SUMMARY_WANTED, TYPED, TYPED_AT_CALL } from './story.ts';

/** Where the process dies. `told` is left to the parent, which counts what it hears. */
export type Death =
  | { readonly how: 'told' }
  /** Around the write of the event with this number: before it, within its bytes, after it and before anybody was told. */
  | { readonly how: 'before-write' | 'torn-write' | 'after-write'; readonly seq: number; readonly share: number };

export type KilledSession = Place & { readonly hostPath: string; readonly death: Death };

/** Lines for the parent: `host PID`, `event LINE` for each event that everybody was told of, `over` when nothing more comes. */
const PIPE = 3;
const say = (line: string): void => {
  const bytes = Buffer.from(`${line}\n`);
  for (let written = 0; written < bytes.length; ) written += writeSync(PIPE, bytes, written);
};
const die = (): void => void process.kill(process.pid, 'SIGKILL');

const options = JSON.parse(process.argv[2] as string) as KilledSession;

/** A journal in whose writing the process dies. */
function deadlyStore(place: SessionPlace, death: Exclude<Death, { how: 'told' }>): EventStore {
  const { store, journalPath } = place;
  return {
    write(events: readonly SessionEvent[]): void {
      const isNow = events.some(({ seq }) => seq === death.seq);
      if (isNow && death.how === 'before-write') die();
      if (isNow && death.how === 'torn-write') {
        const bytes = Buffer.from(events.map((event) => `${toLine(event)}\n`).join(''));
        appendFileSync(journalPath, bytes.subarray(0, Math.floor(death.share * bytes.length)));
        die();
      }
      store.write(events);
      if (isNow) die();
    },
    sync: () => store.sync(),
    close: () => store.close(),
  };
}

class DeadlyFolders extends SessionFolders {
  override async create(...args: Parameters<SessionFolders['create']>): Promise<SessionPlace> {
    const place = await super.create(...args);
    return options.death.how === 'told' ? place : { ...place, store: deadlyStore(place, options.death) };
  }
}

const processes = startProcessHost({ execPath: process.execPath, entryPath: options.hostPath, env: process.env });
const library = openLibrary(options, processes, new DeadlyFolders(join(options.root, 'sessions')));

/** Does what a person at the window does: answers questions, types in the middle of a turn, has it compacted. */
function actOn(session: LiveSession, event: SessionEvent): void {
  if (event.type === 'permission-asked') session.answer(event.callId, event.askId, { kind: 'allow-once' });
  if (event.type === 'call-started' && event.callId === TYPED_AT_CALL) session.send(TYPED);
  if (event.type === 'call-started' && event.callId === COMPACTED_AT_CALL) session.compact(SUMMARY_WANTED);
}

let session: LiveSession | undefined;
let news: SessionEvent[] = [];
function act(): void {
  if (session === undefined) return;
  const all = news;
  news = [];
  for (const event of all) actOn(session, event);
}
library.onEvents((_, events) => {
  for (const event of events) say(`event ${toLine(event)}`);
  news.push(...events);
  queueMicrotask(act);
});

// The host has a pid as soon as it is there, which is before anything can have begun.
await processes.listTree('nothing');
say(`host ${processes.hostPid}`);
const sessionId = await library.startSession({
  cwd: options.cwd,
  model: modelAt(options.url),
  prompt: BEGIN,
  images: [IMAGE],
  mode: 'acceptEdits',
});
session = await library.live(sessionId);
act();
await session.idle;
say('over');
// Dies when its parent wants it.
setInterval(() => undefined, 60_000);
