import { describe, expect, test } from 'vitest';
import { FailureError } from '../../src-shared/failure.ts';
import type { AskId, CallId } from '../../src-shared/ids.ts';
import type { Answer, RuleScope } from '../../src-shared/permission/event.ts';
import type { SourcedRule } from '../core/permission/rules.ts';
import { HandSettings } from '../ports/settings.fake.ts';
import { SessionRules } from './session-rules.ts';
import { countingIds, quiet } from './testing/bench.ts';
import { begins, ends, uses } from './testing/hand-model.ts';
import { SessionBench, type SessionBenchOptions } from './testing/session-bench.ts';

const file = '/home/u/.claude/settings.json';
const rule = (text: string, scope: SourcedRule['scope'] = 'user'): SourcedRule => ({ text, scope, file, line: 4 });
const rules = (lists: {
  readonly allow?: SourcedRule[];
  readonly deny?: SourcedRule[];
  readonly ask?: SourcedRule[];
}) => ({
  rules: { allow: [], deny: [], ask: [], ...lists },
});

/** A session whose model makes one call of a tool that is asked about. */
async function calling(settings: HandSettings, options: SessionBenchOptions = {}) {
  const bench = new SessionBench({ files: settings, ...options });
  await bench.send('Hello');
  await bench.model.now.send(begins('m1'), uses('a', 'Ask'), ends('tool-use'));
  return bench;
}
const next = async (bench: SessionBench, id: string) => {
  await bench.model.now.send(begins(`m-${id}`), uses(id, 'Ask'), ends('tool-use'));
};
const answer = (bench: SessionBench, how: Answer) =>
  bench.session.answer('a' as CallId, bench.all('permission-asked')[0]?.askId as AskId, how);
const adding = (scope: RuleScope, text = 'Ask'): Answer => ({ kind: 'allow-and-add-rule', rule: text, scope });
const notices = (bench: SessionBench) => bench.all('notice-given').map(({ text }) => text);

describe('rules of settings files', () => {
  test('decide, and the trace says where they stand', async () => {
    const bench = await calling(new HandSettings(rules({ allow: [rule('Ask')] })));
    expect(bench.tools.calls.has('a')).toBe(true);
    const [settled] = bench.all('permission-settled');
    expect(settled).toMatchObject({ verdict: 'allow', by: 'rule' });
    expect(settled?.trace.find(({ step }) => step === 'allow-rules')?.detail).toContain(`Ask · user · ${file}:4`);
  });

  test('that change count from the next decision on', async () => {
    const settings = new HandSettings(rules({ allow: [rule('Ask')] }));
    const bench = await calling(settings);
    settings.set(rules({ allow: [rule('Ask')], deny: [rule('Ask', 'managed')] }));
    bench.tools.call('a').end();
    await quiet();
    await next(bench, 'b');
    expect(bench.all('permission-settled').map(({ verdict }) => verdict)).toEqual(['allow', 'deny']);
  });
});

describe('a rule that a person adds', () => {
  test.each(['user', 'project', 'local'] as const)('to %s settings is on disk before it counts', async (scope) => {
    const settings = new HandSettings();
    const bench = await calling(settings);
    expect(answer(bench, adding(scope))).toBe(true);
    expect(settings.added).toEqual([{ scope, rule: 'Ask' }]);
    await quiet();
    bench.tools.call('a').end();
    await quiet();
    await next(bench, 'b');
    expect(bench.tools.calls.has('b')).toBe(true);
    expect(bench.all('permission-settled')[0]?.rule).toEqual({ text: 'Ask', scope });
  });

  test('to a file and taken out of it again has no effect any more', async () => {
    const settings = new HandSettings();
    const bench = await calling(settings);
    answer(bench, adding('user'));
    await quiet();
    settings.set(rules({}));
    bench.tools.call('a').end();
    await quiet();
    await next(bench, 'b');
    expect(bench.all('permission-asked')).toHaveLength(2);
  });

  test('that its file does not take leaves the question open, and nothing is allowed', async () => {
    const settings = new HandSettings();
    const bench = await calling(settings);
    settings.failure = new FailureError({ kind: 'not-writable', message: 'The file is broken.' });
    expect(() => answer(bench, adding('project'))).toThrow('The file is broken.');
    await quiet();
    expect(bench.tools.calls.has('a')).toBe(false);
    expect(answer(bench, { kind: 'allow-once' })).toBe(true);
  });

  test('for a question that is no longer open is not written', async () => {
    const settings = new HandSettings();
    const bench = await calling(settings);
    answer(bench, { kind: 'allow-once' });
    expect(answer(bench, adding('user'))).toBe(false);
    expect(settings.added).toEqual([]);
  });

  test('that its folder’s settings do not let work holds in this session, and that is said', async () => {
    const settings = new HandSettings({ trusted: false });
    settings.addedRulesCount = false;
    const bench = await calling(settings);
    answer(bench, adding('local'));
    await quiet();
    bench.tools.call('a').end();
    await quiet();
    await next(bench, 'b');
    expect(bench.tools.calls.has('b')).toBe(true);
    expect(notices(bench)).toEqual([
      'The rule Ask is saved in /local/settings.json and holds in this session. In others it holds once the folder is trusted with it: gantry trust /work',
    ]);
    const again = new SessionBench({ past: bench.store.events, newId: countingIds(1_000), files: settings });
    await again.send('More');
    await again.model.now.send(begins('m3'), uses('c', 'Ask'), ends('tool-use'));
    expect(again.tools.calls.has('c')).toBe(false);
  });

  test('answers the other questions it covers', async () => {
    const settings = new HandSettings();
    const bench = new SessionBench({ files: settings });
    await bench.send('Hello');
    await bench.model.now.send(begins('m1'), uses('a', 'Ask'), uses('b', 'Ask'), ends('tool-use'));
    answer(bench, adding('user'));
    await quiet();
    bench.tools.call('a').end();
    await quiet();
    expect(bench.all('permission-settled').map(({ by }) => by)).toContain('user');
    expect(bench.tools.calls.has('b')).toBe(true);
  });

  test('is refused where an administrator allows no others, and older ones no longer count', async () => {
    const settings = new HandSettings();
    const bench = await calling(settings);
    answer(bench, adding('session'));
    await quiet();
    settings.set({ managedRulesOnly: true });
    bench.tools.call('a').end();
    await quiet();
    await next(bench, 'b');
    const askId = bench.all('permission-asked')[1]?.askId as AskId;
    expect(() => bench.session.answer('b' as CallId, askId, adding('session', 'Ask'))).toThrow('administrator');
  });
});

describe('what settings forbid', () => {
  test('mode bypassPermissions is not chosen, and one that was chosen before asks again', async () => {
    const settings = new HandSettings();
    const bench = new SessionBench({ files: settings });
    bench.session.setMode('bypassPermissions');
    settings.set({ forbidsBypass: true });
    expect(() => bench.session.setMode('bypassPermissions')).toThrow('forbidden by settings');
    await bench.send('Hello');
    await bench.model.now.send(begins('m1'), uses('a', 'Ask'), ends('tool-use'));
    expect(bench.all('permission-asked')).toHaveLength(1);
  });
});

describe('what has no effect', () => {
  const finding = (message: string) => ({ findings: [{ file, line: 3, kind: 'settings-entry', message }] });

  test('is told once, before the first decision, and anew when it changes', async () => {
    const settings = new HandSettings(finding('It is skipped.'));
    const bench = await calling(settings);
    expect(notices(bench)).toEqual(['Settings files have 1 finding.']);
    const told = bench.log.events.findIndex(({ type }) => type === 'notice-given');
    expect(told).toBeLessThan(bench.log.events.findIndex(({ type }) => type === 'turn-started'));

    settings.set(finding('It is skipped.'));
    answer(bench, { kind: 'allow-once' });
    await quiet();
    bench.tools.call('a').end();
    await quiet();
    settings.set(finding('Something else.'));
    await next(bench, 'b');
    expect(bench.all('notice-given').map(({ detail }) => detail)).toEqual([
      `${file}:3 It is skipped.`,
      `${file}:3 Something else.`,
    ]);
  });

  test('a session that is only looked at is not written to', () => {
    const bench = new SessionBench({ files: new HandSettings(finding('It is skipped.')) });
    expect(notices(bench)).toEqual([]);
  });
});

test('nothing is made anew while nothing changes', () => {
  const { log } = new SessionBench();
  const settings = new HandSettings(rules({ allow: [rule('Ask')] }));
  const all = new SessionRules({ log, settings });
  expect(all.now).toBe(all.now);
});

test('the folders of settings are the session’s from its start', async () => {
  const bench = await calling(new HandSettings({ directories: ['/docs'], ...rules({ allow: [rule('Ask')] }) }));
  expect(bench.tools.call('a').context.directories).toEqual(['/work', '/docs']);
});
