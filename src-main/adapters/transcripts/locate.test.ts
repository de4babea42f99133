import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claudeCode } from './claude-code.ts';
import { claudeStreamJson } from './claude-stream-json.ts';
import { gantryJournal } from './gantry-journal.ts';
import { TranscriptUnreadable } from './importer.ts';
import { openTranscript } from './open-transcript.ts';
import { readTranscript } from './read-transcript.ts';
import { Writer } from './write-transcript.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-locate-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const lay = async (files: Readonly<Record<string, string | Writer>>) => {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content.toString());
  }
};
const session = (text = 'go') => new Writer().says(0, text).answers(10, 'm', 'Hello.');
const agent = new Writer({ isSidechain: true, agentId: 'a1' }).says(5, 'sub').answers(8, 'x', 'Hi.');
const stream = `${JSON.stringify({ type: 'system', subtype: 'init', session_id: 's', cwd: '/w' })}\n`;

const open = async (path = '') => {
  const opened = await openTranscript(join(folder, path));
  const told = opened.findings.map(({ kind, message }) => `${kind}: ${message}`);
  return {
    format: opened.format,
    path: opened.path.slice(folder.length + 1),
    title: opened.title,
    told,
    events: opened.events,
  };
};

describe('what a folder holds', () => {
  test('a session with its sub-agents, named by its file or by its folder', async () => {
    await lay({ 'id.jsonl': session(), 'id/subagents/agent-a1.jsonl': agent });
    for (const path of ['id.jsonl', 'id', '']) {
      const { path: main, events } = await open(path);
      expect([path, main]).toEqual([path, 'id.jsonl']);
      expect(events.filter((event) => event.type === 'agent-started')).toHaveLength(1);
    }
  });

  test('the session itself, rather than a stream of it that lies beside', async () => {
    await lay({ 'stream.jsonl': stream, 'id.jsonl': session() });
    expect(await open()).toMatchObject({ path: 'id.jsonl', format: 'claude-code', told: [] });
    expect(await open('stream.jsonl')).toMatchObject({ format: 'claude-stream-json' });
  });

  test('several sessions: the newest, and the others are named', async () => {
    await lay({ 'old.jsonl': session('old'), 'new.jsonl': session('new') });
    await utimes(join(folder, 'old.jsonl'), 1000, 1000);
    const { title, told } = await open();
    expect(title).toBe('new');
    expect(told).toEqual(['other-sessions: The folder holds other sessions too, which were not read: old.jsonl']);
  });

  test('a session one folder further down', async () => {
    await lay({ 'project/id.jsonl': session() });
    expect(await open()).toMatchObject({ path: 'project/id.jsonl' });
  });

  test('only files of sub-agents, the session itself gone', async () => {
    await lay({ 'id/subagents/agent-a1.jsonl': agent });
    for (const path of ['id', '']) {
      const { told, events } = await open(path);
      expect(told).toEqual(['no-main-file: Only files of sub-agents are here']);
      expect(events.filter((event) => event.type === 'agent-started')).toHaveLength(1);
    }
  });
});

describe('what cannot be read is said in words', () => {
  const refusal = async (path: string) => {
    const error: unknown = await openTranscript(join(folder, path)).catch((cause: unknown) => cause);
    return error instanceof TranscriptUnreadable ? error.what : error;
  };

  test('each trouble has its own', async () => {
    await lay({ 'empty.jsonl': '', 'prose.txt': 'Dear diary,\nnothing happened.\n', 'folder/notes.md': '# x' });
    await lay({ 'foreign.jsonl': '{"timestamp":"2026-01-01T00:00:00Z","kind":"row","row":{"id":"x"}}\n' });
    expect(await refusal('none.jsonl')).toBe('does not exist');
    expect(await refusal('empty.jsonl')).toBe('is empty');
    expect(await refusal('prose.txt')).toBe('is in no known format');
    expect(await refusal('foreign.jsonl')).toBe('is in no known format');
    expect(await refusal('folder')).toBe('holds no transcript');
  });

  test('to the app as a failure', async () => {
    await expect(readTranscript(join(folder, 'none'), new AbortController().signal)).rejects.toMatchObject({
      failure: { kind: 'not-readable', message: expect.stringContaining('does not exist.') },
    });
  });
});

test('reading stops when it is told to, and says how far it is', async () => {
  await lay({ 'id.jsonl': session(), 'id/subagents/agent-a1.jsonl': agent });
  const progress: { bytes: number; totalBytes: number }[] = [];
  await openTranscript(join(folder, 'id.jsonl'), { onProgress: (now) => progress.push(now) });
  const { totalBytes } = progress.at(-1) ?? { totalBytes: 0 };
  expect(progress.at(-1)?.bytes).toBe(totalBytes);
  expect(totalBytes).toBe(session().toString().length + agent.toString().length);
  const reason = new Error('closed');
  await expect(openTranscript(join(folder, 'id.jsonl'), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

describe('formats are told by their content', () => {
  const heads = {
    'claude-code': session().lines,
    'claude-stream-json': [
      { type: 'system', subtype: 'init', session_id: 's' },
      { type: 'assistant', message: {}, parent_tool_use_id: null, session_id: 's' },
    ],
    'gantry-journal': [{ v: 1, seq: 0, type: 'session-started', at: 0, t: 0 }],
    codex: [{ timestamp: '2026-01-01T00:00:00Z', type: 'response_item', payload: {} }],
    text: ['a', 1, null],
  };
  test.each(Object.entries(heads))('%s', (format, head) => {
    const importers = [claudeCode, claudeStreamJson, gantryJournal];
    const sure = importers.filter((importer) => importer.sniff(head) >= 0.5).map((importer) => importer.name);
    expect(sure).toEqual(importers.some((importer) => importer.name === format) ? [format] : []);
  });
});
