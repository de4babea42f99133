import { expect, test } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import type { Decision } from '../../src-shared/ledger/decision.ts';
import type { RuleEdit } from '../../src-shared/ledger/edit.ts';
import type { LedgerNews } from '../../src-shared/ledger/view.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { millis } from '../../src-shared/units.ts';
import type { FolderRules } from '../core/ledger/rule-book.ts';
import { decision, FOLDER, folderRules, MACHINE } from '../core/ledger/testing/decisions.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import type { DecisionStore } from '../ports/decision-store.ts';
import type { RuleFiles } from '../ports/rule-files.ts';
import { Ledger } from './ledger.ts';
import { quiet } from './testing/bench.ts';

/** Sessions and settings files in memory. */
class Memory implements DecisionStore, RuleFiles {
  readonly journals = new Map<string, readonly Decision[]>();
  readonly reads: string[] = [];
  rules: FolderRules = folderRules({ local: { allow: ['Bash(npm run:*)', 'Bash(* lint)'] } });

  async sessions(): Promise<readonly SessionId[]> {
    return [...this.journals.keys()] as SessionId[];
  }

  async read(sessionId: SessionId) {
    this.reads.push(sessionId);
    return { sessionId, decisions: this.journals.get(sessionId) ?? [] };
  }

  of(folder: string): FolderRules {
    return folder === FOLDER ? this.rules : { ...folderRules({}), folder, files: [] };
  }

  write({ scope, before, after }: Parameters<RuleFiles['write']>[0]): void {
    const files = this.rules.files.map((file) => {
      if (file.scope !== scope) return file;
      expect(file.text ?? '').toBe(before);
      return { ...file, text: after };
    });
    this.rules = { ...this.rules, files };
  }

  /** Adds a session with these commands, decided under the rules of now. */
  add(id: string, ...commands: readonly string[]): void {
    const more = { sessionId: id as SessionId };
    const before = this.journals.get(id) ?? [];
    this.journals.set(id, [...before, ...commands.map((command) => decision(command, this.rules, more))]);
  }
}

function bench() {
  const memory = new Memory();
  const clock = new ManualClock();
  const ledger = new Ledger({
    store: memory,
    files: memory,
    machine: MACHINE,
    clock,
    titleOf: (id) => `Title of ${id}`,
  });
  const news: LedgerNews[] = [];
  ledger.onChanged((one) => news.push(one));
  return { memory, clock, ledger, news };
}

const edit = (before: string | undefined, ...after: readonly string[]): RuleEdit => ({
  scope: 'local',
  folder: FOLDER,
  list: 'allow',
  ...(before === undefined ? {} : { before }),
  after: [...after],
});
const settledEvent = [{ type: 'permission-settled' } as SessionEvent];

test('knows all decisions of all sessions, and works out in the background what shadows rules without hits', async () => {
  const { memory, ledger, news } = bench();
  memory.add('a', 'npm run lint', 'ls');
  memory.add('b', 'npm run lint', 'make');
  const overview = await ledger.settled();
  expect(overview).toMatchObject({
    sessions: 2,
    decisions: 4,
    unasked: 3,
    byPerson: 1,
    unread: 0,
    files: 1,
    folders: [FOLDER],
  });
  expect(overview.rules.map(({ text, hits, note }) => [text, hits, note?.short])).toEqual([
    ['Bash(npm run:*)', 2, undefined],
    ['Bash(* lint)', 0, 'shadowed by Bash(npm run:*)'],
  ]);
  expect(news.at(-1)).toEqual({ decisions: 4, sessions: 2, unread: 0 });
});

test('a running session’s decisions come a little later, and only when somebody has looked', async () => {
  const { memory, clock, ledger, news } = bench();
  memory.add('a', 'ls');
  ledger.heed('a' as SessionId, settledEvent);
  clock.advance(millis(1_000));
  await quiet();
  expect([memory.reads, clock.pending]).toEqual([[], 0]);
  await ledger.read();
  memory.add('a', 'npm run build');
  ledger.heed('a' as SessionId, [{ type: 'turn-started' } as SessionEvent]);
  expect(clock.pending).toBe(0);
  ledger.heed('a' as SessionId, settledEvent);
  ledger.heed('a' as SessionId, settledEvent);
  expect(clock.pending).toBe(1);
  clock.advance(millis(300));
  await quiet();
  expect(news.at(-1)?.decisions).toBe(2);
});

test('news are told once, so that whoever looks at each of them comes to rest', async () => {
  const { memory, ledger, news } = bench();
  memory.add('a', 'npm run lint');
  await ledger.settled();
  const before = news.length;
  for (let round = 0; round < 3; round++) await ledger.settled();
  expect(news.length).toBe(before);
});

test('a session that was deleted is forgotten', async () => {
  const { memory, ledger } = bench();
  memory.add('a', 'ls');
  memory.add('b', 'ls');
  await ledger.read();
  memory.journals.delete('a');
  expect(await ledger.settled()).toMatchObject({ sessions: 1, decisions: 1 });
});

test('decisions are found by words, kind and rule, newest first and page by page', async () => {
  const { memory, ledger } = bench();
  memory.add('a', 'npm run lint', 'npm run build', 'make', 'ls src');
  const { rules } = await ledger.settled();
  const find = (query: Parameters<Ledger['decisions']>[0], page = { offset: 0, limit: 10 }) => {
    const { total, rows } = ledger.decisions(query, page);
    return [total, ...rows.map(({ summary }) => summary)];
  };
  expect(find({})).toEqual([4, 'ls src', 'make', 'npm run build', 'npm run lint']);
  expect(find({}, { offset: 1, limit: 2 })).toEqual([4, 'make', 'npm run build']);
  expect(find({ text: 'MAKE' })).toEqual([1, 'make']);
  expect(find({ text: 'title of a', kind: 'ask' })).toEqual([1, 'make']);
  expect(find({ rule: rules[0]?.key ?? '' })).toEqual([2, 'npm run build', 'npm run lint']);
  expect(ledger.decisions({ text: 'make' }, { offset: 0, limit: 1 }).rows[0]).toMatchObject({
    sessionId: 'a',
    title: 'Title of a',
    kind: 'ask',
    by: 'user',
  });
});

test('a dry run shows the differences and the file; saving writes what was shown and nothing else', async () => {
  const { memory, ledger } = bench();
  memory.add('a', 'npm run lint', 'npm run build');
  await ledger.settled();
  const before = memory.rules.files[2]?.text ?? '';
  const edits = [edit('Bash(npm run:*)', 'Bash(npm run build)')];
  const dry = await ledger.dryRun(edits);
  expect(dry).toMatchObject({ checked: 2, changed: 0, problems: [] });
  expect(dry.gains).toEqual([
    { text: 'Bash(npm run build)', hits: 1 },
    { text: 'Bash(* lint)', hits: 1 },
  ]);
  expect(memory.rules.files[2]?.text).toBe(before);
  const [file] = dry.files;
  expect(file).toMatchObject({ before, after: before.replace('npm run:*', 'npm run build') });
  expect(ledger.save(edits, dry.files)).toEqual([file?.file]);
  expect(memory.rules.files[2]?.text).toBe(file?.after);
});

test('nothing is saved when an edit cannot be made, or the file is not what was shown', async () => {
  const { memory, ledger } = bench();
  memory.add('a', 'ls');
  await ledger.settled();
  const dry = await ledger.dryRun([edit(undefined, 'Bash(make)')]);
  memory.write({ scope: 'local', folder: FOLDER, before: dry.files[0]?.before ?? '', after: '{}\n', allowed: [] });
  expect(() => ledger.save([edit(undefined, 'Bash(make)')], dry.files)).toThrow('was changed meanwhile');
  expect(() => ledger.save([edit('Bash(gone)')], [])).toThrow('Bash(gone) does not stand in permissions.allow');
  expect(memory.rules.files[2]?.text).toBe('{}\n');
});

test('only settings of folders in which sessions have worked can be edited', async () => {
  const { memory, ledger } = bench();
  memory.add('a', 'ls');
  await ledger.settled();
  const stray = { ...edit(undefined, 'Bash(make)'), folder: '/etc' };
  await expect(ledger.dryRun([stray])).rejects.toThrow('/etc is the folder of no session.');
  expect(() => ledger.save([stray], [])).toThrow('/etc is the folder of no session.');
});
