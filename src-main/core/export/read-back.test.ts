import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTranscript } from '../../adapters/transcripts/open-transcript.ts';
import { inspect } from '../inspect/inspect.ts';
import { exportGantry } from './gantry.ts';
import { recording, recordings, textOf } from './sessions.fixture.ts';
import { exportStreamJson } from './stream-json.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-export-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function readBack(name: string, text: string) {
  const path = join(folder, name);
  await writeFile(path, text);
  return openTranscript(path);
}

test.each(recordings)('the journal of %s is the same session again', async (name) => {
  const input = await recording(name);
  const { events, findings, format } = await readBack(`${name}.gantry.jsonl`, textOf(exportGantry(input)));
  expect(format).toBe('gantry-journal');
  expect(findings).toEqual([]);
  expect(events).toEqual(input.events);
});

test.each(recordings)('the stream of %s is read back with the same calls, results and outcomes', async (name) => {
  const input = await recording(name);
  const { events, findings, format } = await readBack(`${name}.jsonl`, textOf(exportStreamJson(input)));
  expect(format).toBe('claude-stream-json');
  expect(findings).toEqual([]);
  const facts = (all: Parameters<typeof inspect>[0]) => {
    const {
      calls,
      results,
      outcomes,
      cancelledBySibling,
      subagents,
      callList = [],
    } = inspect(all, [], { calls: true });
    const list = callList.map(({ id, tool, agent, outcome, started }) => ({ id, tool, agent, outcome, started }));
    return {
      calls,
      results,
      outcomes,
      cancelledBySibling,
      subagents,
      list: list.sort((a, b) => (a.id < b.id ? -1 : 1)),
    };
  };
  expect(facts(events)).toEqual(facts(input.events));
});

test('a stream is lines of JSON that end in the result', async () => {
  const lines = textOf(exportStreamJson(await recording('mixed-stream')))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ type: 'system', subtype: 'init', claude_code_version: '2.1.92' });
  expect(lines.at(-1)).toMatchObject({ type: 'result', subtype: 'success', is_error: false });
  expect(new Set(lines.map(({ session_id }) => session_id)).size).toBe(1);
  expect(new Set(lines.map(({ uuid }) => uuid)).size).toBe(lines.length);
});
