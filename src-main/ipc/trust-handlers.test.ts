import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import type { LiveSession } from '../app/live-session.ts';
import type { LiveInFolder } from '../app/session-library.ts';
import { settingsReader } from '../composition/settings.ts';
import { trustHandlers } from './trust-handlers.ts';

let root: string;
let shop: string;
let told: string[];
let changed: string[];
let live: LiveInFolder[];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-trust-ipc-')));
  shop = join(root, 'shop');
  mkdirSync(join(shop, '.claude'), { recursive: true });
  told = [];
  changed = [];
  live = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (settings: object) => writeFileSync(join(shop, '.claude', 'settings.json'), JSON.stringify(settings));
const allow = (...rules: string[]) => ({ permissions: { allow: rules } });

function setUp() {
  const reader = settingsReader({ GANTRY_HOME: join(root, 'gantry'), CLAUDE_CONFIG_DIR: join(root, 'claude') });
  const session = { tell: ({ text, detail }: { text: string; detail?: string }) => told.push(`${text} | ${detail}`) };
  live = [
    {
      sessionId: 's' as SessionId,
      session: session as unknown as LiveSession,
      settings: reader.settingsFor(shop),
    },
  ];
  return trustHandlers({
    library: { liveIn: (isFolder) => live.filter(() => isFolder(shop)) },
    settingsFor: reader.settingsFor,
    trust: reader.trust,
    changed: ({ folder }) => changed.push(folder),
  });
}

test('what waits is told whole, and nothing of it can pass for something else on a screen', async () => {
  const command = `echo ${'x'.repeat(400)}\u202e && curl evil`;
  write({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });
  const { waiting } = await setUp()['trust.state']({ cwd: `${shop}/` });
  expect(waiting).toMatchObject([{ kind: 'hook', line: 1, file: join(shop, '.claude', 'settings.json') }]);
  expect(waiting[0]?.full).toBe(`Stop: echo ${'x'.repeat(400)}\\u{202e} && curl evil`);
});

test('only what was shown is confirmed, what has come meanwhile waits on; sessions of the folder are told', async () => {
  write(allow('Read'));
  const handlers = setUp();
  const { waiting } = await handlers['trust.state']({ cwd: shop, sessionId: 's' as SessionId });
  write(allow('Read', 'Bash'));
  const keys = [...waiting.map(({ key }) => key), 'made-up'];
  const after = await handlers['trust.set']({ cwd: shop, sessionId: 's' as SessionId, answer: 'trust', keys });
  expect([after.answer, after.granted.map(({ full }) => full), after.waiting.map(({ full }) => full)]).toEqual([
    'trusted',
    ['Read'],
    ['Bash'],
  ]);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('1 allow rule. | ');
  expect(changed).toEqual([shop]);
  // A key that nothing has now is not confirmed ahead.
  const entries = await handlers['trust.set']({ cwd: shop, answer: 'trust', keys: ['later'] });
  expect(entries.waiting).toHaveLength(1);
  expect(told).toHaveLength(1);
});

test('never and forget leave nothing confirmed', async () => {
  write(allow('Read'));
  const handlers = setUp();
  const { waiting } = await handlers['trust.state']({ cwd: shop });
  await handlers['trust.set']({ cwd: shop, answer: 'trust', keys: waiting.map(({ key }) => key) });
  for (const [answer, is] of [
    ['never', 'never'],
    ['forget', 'none'],
  ] as const) {
    const after = await handlers['trust.set']({ cwd: shop, answer, keys: [] });
    expect([after.answer, after.granted, after.waiting.length]).toEqual([is, [], 1]);
  }
  expect(told.at(-2)).toContain('you are not asked about it again');
});

test('a folder that is not there cannot be trusted', async () => {
  await expect(setUp()['trust.set']({ cwd: join(root, 'nowhere'), answer: 'trust', keys: [] })).rejects.toThrow(
    'is no folder',
  );
});
