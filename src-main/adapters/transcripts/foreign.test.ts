import { cp, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspect } from '../../core/inspect/inspect.ts';
import { FOREIGN as cases, fixtures } from './foreign.fixture.ts';
import { TranscriptUnreadable } from './importer.ts';
import { faultsOf } from './invariants.ts';
import { openTranscript } from './open-transcript.ts';
import { pictureOf } from './picture-of.ts';

let scratch = '';
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'gantry-foreign-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

describe('sessions of other programs', () => {
  test.each(cases)('%s/%s reads as approved', async (format, file) => {
    const opened = await openTranscript(join(fixtures, format, file));
    expect(opened.format).toBe(format);
    expect(faultsOf(opened.events)).toEqual([]);
    const inspection = inspect(opened.events, opened.findings, { calls: true });
    expect(inspection.results + inspection.callsWithoutResult.length).toBe(inspection.calls);
    const approved = join(fixtures, format, 'approved', `${file.replaceAll('/', '-')}.txt`);
    await expect(pictureOf(opened)).toMatchFileSnapshot(approved);
  });

  test.each(cases)('%s/%s is known by its content, whatever its name', async (format, file) => {
    const copy = join(scratch, `${format}-${basename(file)}.txt`);
    await cp(join(fixtures, format, file), copy);
    expect((await openTranscript(copy)).format).toBe(format);
  });

  test.each(cases)('%s/%s reads the same with a byte order mark, Windows line ends and NULs', async (format, file) => {
    // Beside its neighbours, so that what belongs to it is found.
    const folder = join(scratch, `same-${format}-${cases.findIndex((one) => one[1] === file)}`);
    await cp(join(fixtures, format), folder, { recursive: true });
    const path = join(folder, file);
    const before = pictureOf(await openTranscript(path));
    const text = await readFile(path, 'utf8');
    await writeFile(path, `\uFEFF${text.replaceAll('\n', '\r\n')}${'\0'.repeat(64)}`);
    const after = pictureOf(await openTranscript(path));
    expect(after.replace(/finding nul-bytes.*\n/, '')).toBe(before);
  });
});

describe('folders of other programs', () => {
  test('a folder of OpenCode opens with its newest session, and says what else is there', async () => {
    const folder = join(scratch, 'opencode');
    await cp(join(fixtures, 'opencode', 'storage'), join(folder, 'storage'), { recursive: true });
    const other = join(folder, 'storage', 'session', 'prj_harbour', 'ses_7a00.json');
    await writeFile(other, JSON.stringify({ id: 'ses_7a00', projectID: 'p', directory: '/', time: { created: 1 } }));
    await utimes(other, 1000, 1000);
    const opened = await openTranscript(folder);
    expect(opened).toMatchObject({ format: 'opencode', title: 'Harbour crane', version: '1.1.4' });
    // The sub-agent's session is part of it, and none of the others.
    expect(opened.findings.map(({ kind }) => kind)).toEqual(['other-sessions', 'unknown-kind']);
    expect(opened.findings[0]?.message).toMatch(/: ses_7a00\.json$/);
  });

  test('a message or a part of OpenCode opens the session it belongs to', async () => {
    const storage = join(fixtures, 'opencode', 'storage');
    for (const file of ['message/ses_7c01/msg_02.json', 'part/msg_02/prt_04.json']) {
      expect((await openTranscript(join(storage, file))).title, file).toBe('Harbour crane');
    }
  });

  test('messages whose session is gone still make one', async () => {
    const folder = join(scratch, 'orphans');
    await cp(join(fixtures, 'opencode', 'storage'), folder, { recursive: true });
    await rm(join(folder, 'session'), { recursive: true });
    await rm(join(folder, 'message', 'ses_7c02'), { recursive: true });
    const opened = await openTranscript(folder);
    expect(opened.title).toBe('Where is the crane drawn?');
    expect(inspect(opened.events, opened.findings, { calls: false }).calls).toBe(7);
  });

  test('a task of Cline opens by its folder, from any of its files', async () => {
    const task = join(fixtures, 'cline', 'task-xml');
    const picture = pictureOf(await openTranscript(join(task, 'api_conversation_history.json')));
    expect(pictureOf(await openTranscript(task))).toBe(picture);
    expect(pictureOf(await openTranscript(join(task, 'ui_messages.json')))).toBe(picture);
  });

  test('only files that stand for a session are taken from a folder of a program, while there are any', async () => {
    const folder = join(scratch, 'project');
    await cp(join(fixtures, 'gemini-cli', 'prompt-log.json'), join(folder, 'logs.json'));
    await cp(join(fixtures, 'gemini-cli', 'checkpoint.json'), join(folder, 'checkpoints', 'one.json'));
    expect((await openTranscript(folder)).title).toBe('show the map');
    await cp(join(fixtures, 'gemini-cli', 'document.json'), join(folder, 'chats', 'session-1.json'));
    const opened = await openTranscript(folder);
    expect([opened.title, opened.findings]).toEqual(['Find out why the lighthouse test is slow', []]);
  });

  test('a folder of chats of Gemini CLI opens with a session, not with one of its sub-agents', async () => {
    const opened = await openTranscript(join(fixtures, 'gemini-cli', 'records'));
    expect(opened.title).toBe('Mapping the parser');
  });
});

describe('what is no session', () => {
  const refused = async (name: string, content: string | Buffer) => {
    const file = join(scratch, name);
    await writeFile(file, content);
    const error = await openTranscript(file).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(TranscriptUnreadable);
    return error as TranscriptUnreadable;
  };

  test('what only begins as a database does is refused', async () => {
    const error = await refused('opencode.db', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4096)]));
    expect(error.what).toBe('is a damaged SQLite database');
  });

  test.each([
    ['a package file', '{"name":"x","version":"1.0.0","dependencies":{}}'],
    ['settings', '{"theme":"dark","messages":{"greeting":"hi"}}'],
    ['a bare conversation', '[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]'],
    ['rows of numbers', '[[1,2],[3,4]]'],
    ['a list of texts', '["a","b"]'],
    [
      'traces of a web server',
      '{"resourceSpans":[{"scopeSpans":[{"spans":[{"spanId":"a","startTimeUnixNano":"1","name":"GET /"}]}]}]}',
    ],
  ])('%s is refused', async (name, content) => {
    const error = await refused(`${name}.json`, content);
    expect(error.what).toBe('is in no known format');
    expect(dirname(error.path)).toBe(scratch);
  });
});
