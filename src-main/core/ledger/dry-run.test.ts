import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../src-shared/ledger/decision.ts';
import type { RuleEdit } from '../../../src-shared/ledger/edit.ts';
import { draftOf, rulesUnder } from './draft.ts';
import { DryRunner } from './dry-run.ts';
import type { FolderRules } from './rule-book.ts';
import { decision, FOLDER, folderRules, MACHINE } from './testing/decisions.ts';

const edit = (list: RuleEdit['list'], before: string | undefined, ...after: readonly string[]): RuleEdit => ({
  scope: 'local',
  folder: FOLDER,
  list,
  ...(before === undefined ? {} : { before }),
  after: [...after],
});

function dryRun(rules: FolderRules, decisions: readonly Decision[], ...edits: readonly RuleEdit[]) {
  const of = (folder: string) => ({ ...rules, folder });
  const draft = draftOf(edits, of);
  const runner = new DryRunner(rulesUnder(draft, of), MACHINE);
  for (const one of decisions) runner.take(one);
  const { rows, ...result } = runner.result;
  const words = rows.map(
    ({ summary, from, to, times, headless }) => `${summary}: ${from} → ${to} ×${times}${headless ? ' headless' : ''}`,
  );
  return { ...result, rows: words, draft };
}

const RULES = folderRules({
  local: { allow: ['Bash(npm run:*)', 'Bash(npm test:*)', 'Bash(npm run lint:*)'], deny: ['Bash(curl:*)'] },
});
const headless: Partial<Decision> = {
  situation: { mode: 'default', cwd: FOLDER, directories: [FOLDER], headless: true },
};

describe('a dry run', () => {
  const decisions = [
    ...[1, 2, 3].map(() => decision('npm run deploy', RULES)),
    decision('npm run build', RULES),
    decision('npm run release', RULES, headless),
    decision('npm run lint', RULES),
    decision('npm test', RULES),
    decision('curl x', RULES),
    decision('make', RULES),
    decision('ls', RULES),
  ];

  test('of no edits changes nothing', () => {
    expect(dryRun(RULES, decisions)).toMatchObject({ checked: 10, changed: 0, rows: [] });
  });

  test('shows which past calls would be decided differently, and how often', () => {
    const result = dryRun(RULES, decisions, edit('allow', 'Bash(npm run:*)', 'Bash(npm run build)'));
    expect(result.rows).toEqual(['npm run deploy: allow → ask ×3', 'npm run release: allow → deny ×1 headless']);
    expect(result).toMatchObject({
      checked: 10,
      changed: 4,
      counts: { newlyAllowed: 0, wouldAsk: 3, denied: 1, deniedHeadless: 1 },
      gains: [
        { text: 'Bash(npm run build)', hits: 1 },
        { text: 'Bash(npm run lint:*)', hits: 1 },
      ],
    });
  });

  test('lists first what would be allowed from now on', () => {
    const result = dryRun(
      RULES,
      decisions,
      edit('deny', 'Bash(curl:*)'),
      edit('allow', undefined, 'Bash(make)', 'Bash(curl x)'),
      edit('deny', undefined, 'Bash(npm run deploy)'),
    );
    expect(result.rows).toEqual(['curl x: deny → allow ×1', 'make: ask → allow ×1', 'npm run deploy: allow → deny ×3']);
    expect(result.counts).toEqual({ newlyAllowed: 2, wouldAsk: 0, denied: 3, deniedHeadless: 0 });
  });

  test('takes a person’s answer for an ask, whatever it was', () => {
    const denied = { ...decision('make', RULES), verdict: 'deny' } as const;
    expect(dryRun(RULES, [denied], edit('ask', undefined, 'Bash(make)')).changed).toBe(0);
    expect(dryRun(RULES, [denied], edit('allow', undefined, 'Bash(make)')).rows).toEqual(['make: ask → allow ×1']);
  });

  test('remembers hooks, modes, folders and rules of the session as they were', () => {
    const hooked = decision('make', RULES, {
      situation: {
        mode: 'default',
        cwd: FOLDER,
        directories: [FOLDER],
        headless: false,
        hook: { verdict: 'allow', reason: 'h' },
      },
    });
    const bypass = decision('make', RULES, {
      situation: { mode: 'bypassPermissions', cwd: FOLDER, directories: [FOLDER], headless: false },
    });
    const added = decision('make', RULES, { sessionRules: ['Bash(make)'] });
    expect([hooked, bypass, added].map(({ kind }) => kind)).toEqual(['allow', 'allow', 'allow']);
    const all = [hooked, bypass, added];
    expect(dryRun(RULES, all, edit('allow', undefined, 'Bash(make)')).changed).toBe(0);
    expect(dryRun(RULES, all, edit('ask', undefined, 'Bash(make)')).rows).toEqual(['make: allow → ask ×3']);
  });

  test('looks only at sessions of the folder whose settings are edited', () => {
    const elsewhere = decision('make', RULES, { folder: '/other' });
    const of = (folder: string): FolderRules => (folder === FOLDER ? RULES : { ...folderRules({}), folder, files: [] });
    const draft = draftOf([edit('allow', undefined, 'Bash(make)')], of);
    const runner = new DryRunner(rulesUnder(draft, of), MACHINE);
    runner.take(elsewhere);
    runner.take(decision('make', RULES));
    expect(runner.result).toMatchObject({ checked: 2, changed: 1 });
  });

  test('counts a new allow rule of a folder as confirmed, since its person writes it', () => {
    const untrusted = { ...RULES, trusted: false, confirms: () => false };
    const result = dryRun(untrusted, [decision('make', untrusted)], edit('allow', undefined, 'Bash(make)'));
    expect(result.rows).toEqual(['make: ask → allow ×1']);
  });
});

describe('a draft', () => {
  test('holds the files as they would be, and nothing for those that stay as they are', () => {
    const { draft } = dryRun(
      RULES,
      [],
      edit('allow', 'Bash(npm run:*)', 'Bash(npm run build)'),
      edit('deny', 'Bash(curl:*)', 'Bash(curl:*)'),
    );
    expect(draft.problems).toEqual([]);
    expect(draft.files).toHaveLength(1);
    const [file] = draft.files;
    expect(file?.after).toBe(file?.before.replace('npm run:*', 'npm run build'));
    expect(file?.allowed).toEqual(['Bash(npm run build)']);
  });

  test('says which edits cannot be made', () => {
    const { draft } = dryRun(
      RULES,
      [],
      edit('allow', 'Bash(gone)'),
      edit('allow', undefined, 'Bash(x'),
      edit('allow', undefined, 'Bash(ok)'),
    );
    expect(draft.problems).toEqual([
      { edit: 0, message: '/work/.claude/settings.local.json:3: Bash(gone) does not stand in permissions.allow.' },
      { edit: 1, message: 'Bash(x: This is no rule. One looks like Bash(npm test:*) or Read(./src/**).' },
    ]);
    expect(draft.files).toHaveLength(1);
  });

  test('makes a file that is not there', () => {
    const { draft } = dryRun(folderRules({}), [], edit('deny', undefined, 'Read(.env)'));
    expect(draft.files[0]).toMatchObject({ before: '', file: '/work/.claude/settings.local.json' });
    expect(JSON.parse(draft.files[0]?.after ?? '')).toEqual({ permissions: { deny: ['Read(.env)'] } });
  });
});
