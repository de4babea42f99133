import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CallId, MAIN_AGENT, type SessionId } from '../../src-shared/ids.ts';
import type { ModelChoice } from '../../src-shared/model/choice.ts';
import { systemClock } from '../adapters/process/system-clock.ts';
import { SessionFolders } from '../adapters/storage/session-folders.ts';
import { apiMessages } from '../core/conversation/api-messages.ts';
import { SessionLibrary } from './session-library.ts';
import { countingIds, quiet } from './testing/bench.ts';
import { begins, ends, HandModel, says, uses } from './testing/hand-model.ts';
import { HandTools } from './testing/hand-tools.ts';

const MODEL: ModelChoice = { provider: 'anthropic', model: 'claude-x' };
const OUTPUT = `${'line of a long output\n'.repeat(4_000)}its end`;
const CALL = 'call a' as CallId;

let root: string;
let model: HandModel;
let tools: HandTools;
let library: SessionLibrary;
let first: SessionId;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'gantry-fork-outputs-'));
  model = new HandModel();
  tools = new HandTools();
  library = new SessionLibrary({
    store: new SessionFolders(root),
    clock: systemClock,
    newId: countingIds(),
    readTranscript: async (path) => ({ path, findings: [], events: [] }),
    toolsFor: () => tools,
    scriptedProvider: () => model,
    providerFor: () => model,
    prepareScenario: async (_scenario, scratch) => scratch,
    app: 'test',
  });
  first = await library.startSession({ cwd: root, model: MODEL, prompt: 'Go' });
  await quiet();
  await model.now.send(begins('m1'), uses(CALL, 'Look'), ends('tool-use'));
  tools.call(CALL).end(OUTPUT);
  while (model.streams.length < 2) await quiet();
  await model.now.send(begins('m2'), says('Seen.'), ends());
  await (await library.live(first)).idle;
});
afterEach(async () => {
  await library.closeAll('closed');
  rmSync(root, { recursive: true, force: true });
});

const fork = (sessionId: SessionId): Promise<SessionId> => library.forkSession({ sessionId, cwd: root, model: MODEL });
const sentBy = async (sessionId: SessionId): Promise<string> =>
  JSON.stringify(apiMessages((await library.live(sessionId)).log.state, MAIN_AGENT));
const savedIn = async (sessionId: SessionId): Promise<string> => (await library.savedOutput(sessionId, CALL)).path;
const contentOf = (path: string): string => readFileSync(path, 'utf8');

test('a fork has the outputs of its history, and its model is told the same bytes', async () => {
  const path = await savedIn(first);
  const second = await fork(first);
  expect(await sentBy(second)).toBe(await sentBy(first));
  expect(await sentBy(second)).toContain(path);
  const own = await savedIn(second);
  expect(own.startsWith(join(root, second))).toBe(true);
  expect(contentOf(own)).toBe(OUTPUT);
});

test('when the first session is removed, what the fork’s model was told still leads to the output', async () => {
  const path = await savedIn(first);
  writeFileSync(join(dirname(path), 'of-another-call.txt'), 'nobody needs it');
  const second = await fork(first);
  const third = await fork(second);
  await library.remove(first);
  expect(readdirSync(join(root, first)).sort()).toEqual(['removed', 'tool-results']);
  expect(readdirSync(dirname(path))).toEqual([path.slice(dirname(path).length + 1)]);
  expect(contentOf(path)).toBe(OUTPUT);
  for (const one of [second, third]) expect(contentOf(await savedIn(one))).toBe(OUTPUT);

  const again = new SessionFolders(root);
  expect((await again.list()).map(({ sessionId }) => sessionId)).not.toContain(first);

  await library.remove(second);
  expect(existsSync(join(root, second))).toBe(false);
  expect(contentOf(path)).toBe(OUTPUT);
  await library.remove(third);
  expect(readdirSync(root)).toEqual([]);
});

test('a session without forks is removed whole, and one that only has copies too', async () => {
  const second = await fork(first);
  await library.remove(second);
  expect(readdirSync(root)).toEqual([first]);
  await library.remove(first);
  expect(readdirSync(root)).toEqual([]);
});

test('an output that has gone does not keep a session from being forked', async () => {
  const path = await savedIn(first);
  rmSync(path);
  const second = await fork(first);
  expect(await savedIn(second)).toBe(path);
  expect((await library.live(second)).log.state.entries.filter(({ kind }) => kind === 'notice')).toEqual([]);
});

test('an output that cannot be copied is told', async () => {
  const path = await savedIn(first);
  const second = `session-blocked` as SessionId;
  const place = await new SessionFolders(root).create(second, undefined);
  writeFileSync(join(root, second, 'tool-results'), 'in the way');
  const { paths, problem } = await place.adopt([{ callId: CALL, path }]);
  expect([...paths]).toEqual([]);
  expect(problem).toMatch(/\w/);
  place.store.close();
  await place.release();
});
