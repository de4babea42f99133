import { describe, expect, test } from 'vitest';
import type { SessionId } from '../../../src-shared/ids.ts';
import type { Decision } from '../../../src-shared/ledger/decision.ts';
import type { LedgerRule } from '../../../src-shared/ledger/view.ts';
import { countDecisions, ledgerRules } from './overview.ts';
import { type FolderRules, listRules } from './rule-book.ts';
import { decision, FOLDER, folderRules, MACHINE } from './testing/decisions.ts';
import { UnusedRules } from './unused-rules.ts';

const rows = (rules: FolderRules, decisions: readonly Decision[] = []) =>
  ledgerRules(listRules([rules]), decisions, MACHINE.home);
/** `deny Bash(x) :3 2 hits, a note`. */
const shown = ({ list, text, line, hits, note }: LedgerRule): string =>
  [
    `${list} ${text}`,
    line === undefined ? '' : `:${line}`,
    ` ${hits}`,
    note === undefined ? '' : ` (${note.short})`,
  ].join('');

describe('hits', () => {
  const rules = folderRules({
    user: { ask: ['Bash(git push:*)'] },
    local: { allow: ['Bash(npm test:*)', 'Bash(npm run lint)', 'Bash(make)'], deny: ['Bash(rm:*)'] },
  });
  const decisions = [
    decision('npm test', rules),
    decision('npm test -- --watch', rules, { sessionId: 'session-2' as SessionId }),
    decision('npm test && npm run lint', rules),
    decision('rm a', rules),
    decision('git push', rules),
    decision('ls', rules),
    decision('npm install', rules),
  ];

  test('are counted for each rule that decided, also together with others', () => {
    expect(rows(rules, decisions).map(shown)).toEqual(
      [
        'deny Bash(rm:*) :9 1',
        'ask Bash(git push:*) :4 1',
        'allow Bash(npm test:*) :4 3',
        'allow Bash(npm run lint) :5 1',
        'allow Bash(make) :6 0',
      ].map((text) => text.replace(' :', ':')),
    );
  });

  test('know their sessions and when a rule was used last', () => {
    const row = rows(rules, decisions).find(({ text }) => text === 'Bash(npm test:*)');
    expect(row).toMatchObject({ hits: 3, sessions: 2, lastUsed: decisions[2]?.at, editable: 'local', folder: FOLDER });
  });

  test('of rules that were added for sessions stand behind those of files, once for all sessions', () => {
    const added = (sessionId: string) =>
      decision('cargo build', rules, { sessionId: sessionId as SessionId, sessionRules: ['Bash(cargo:*)'] });
    const [last] = rows(rules, [added('a'), added('b')]).slice(-1);
    expect(last).toMatchObject({ list: 'allow', text: 'Bash(cargo:*)', scope: 'session', hits: 2, sessions: 2 });
    expect(last?.editable).toBeUndefined();
  });

  test('add up to the numbers above the table', () => {
    expect(countDecisions([...decisions, { ...(decisions[6] as Decision), waitedMs: 4_000 }])).toEqual({
      sessions: 2,
      decisions: 8,
      unasked: 4,
      byPerson: 3,
      denied: 1,
      waitedMs: 4_000,
    });
  });
});

describe('a rule that does less than is meant', () => {
  test('is shown with what comes before it', () => {
    const rules = folderRules({
      user: { deny: ['Bash(git push:*)'], allow: ['Bash(docker:*)'] },
      project: { ask: ['WebFetch'], allow: ['WebFetch(domain:a.com)'] },
      local: {
        allow: ['Bash(git push origin dev)', 'Bash(docker ps)', 'Bash(make:*)', 'Bash(make all)', 'Bash(make:*)'],
      },
    });
    expect(rows(rules).map(shown)).toEqual([
      'deny Bash(git push:*):4 0',
      'ask WebFetch:4 0',
      'allow Bash(docker:*):7 0',
      'allow WebFetch(domain:a.com):7 0 (dead: line 4 asks)',
      'allow Bash(git push origin dev):4 0 (dead: user line 4 denies)',
      'allow Bash(docker ps):5 0 (shadowed by user line 7)',
      'allow Bash(make:*):6 0',
      'allow Bash(make all):7 0 (shadowed by line 6)',
      'allow Bash(make:*):8 0 (stands twice)',
    ]);
  });

  test('is shown when it is none, with the others of its file in order', () => {
    const local = '{ "permissions": { "allow": [\n  "Bash(pnpm i",\n  7,\n  "*",\n  "Bsh(ls)",\n  "Bash(ls)"\n] } }';
    expect(rows(folderRules({ local })).map(shown)).toEqual([
      'allow Bash(pnpm i:2 0 (broken, skipped)',
      'allow 7:3 0 (broken, skipped)',
      'allow *:4 0 (broken, skipped)',
      'allow Bsh(ls):5 0 (broken, skipped)',
      'allow Bash(ls):6 0',
    ]);
  });

  test('is shown when its folder is not trusted, or an administrator’s rules are the only ones', () => {
    const untrusted = folderRules({ local: { allow: ['Bash(a)'], deny: ['Bash(b)'] } }, { confirms: () => false });
    expect(rows(untrusted).map(shown)).toEqual(['deny Bash(b):7 0', 'allow Bash(a):4 0 (no effect: not trusted)']);
    const managed = '{ "allowManagedPermissionRulesOnly": true, "permissions": { "allow": ["Bash(c)"] } }';
    expect(rows(folderRules({ user: { allow: ['Bash(a)'] }, managed })).map(shown)).toEqual([
      'allow Bash(a):4 0 (no effect: managed)',
      'allow Bash(c):1 0',
    ]);
  });

  test('of a broken file still shows its deny rules', () => {
    const broken = '{ "permissions": { "deny": ["Bash(b)"], "allow": ["Bash(a)"] ';
    expect(rows(folderRules({ local: broken })).map(shown)).toEqual([
      'deny Bash(b):1 0',
      'allow Bash(a):1 0 (file is broken)',
    ]);
  });

  test('cannot be changed when an administrator set it', () => {
    const [row] = rows(folderRules({ managed: { deny: ['Bash(a)'] } }));
    expect(row?.editable).toBeUndefined();
  });
});

describe('a rule without hits, by what became of the calls it means', () => {
  const notes = (rules: FolderRules, decisions: readonly Decision[]) => {
    const unused = new UnusedRules(rows(rules, decisions), MACHINE);
    for (const one of decisions) unused.take(one);
    return [...unused.notes.values()].map(({ short, text }) => `${short}: ${text}`);
  };

  test('is shadowed when rules that are still there decided all of them', () => {
    const rules = folderRules({ local: { allow: ['Bash(npm run:*)', 'Bash(* lint)'] } });
    expect(
      notes(rules, [decision('npm run lint', rules), decision('npm run lint', rules), decision('ls', rules)]),
    ).toEqual(['shadowed by Bash(npm run:*): The one call that it means was decided by other rules: Bash(npm run:*).']);
  });

  test('is not when a person or a rule that is gone decided one', () => {
    const rules = folderRules({ local: { allow: ['Bash(npm run:*)', 'Bash(* lint)'] } });
    const then = folderRules({ local: { allow: ['Bash(yarn:*)'] } });
    expect(notes(rules, [decision('npm run lint', rules), decision('make lint')])).toEqual([]);
    expect(notes(rules, [decision('yarn lint', then)])).toEqual([]);
    expect(notes(rules, [])).toEqual([]);
  });
});
