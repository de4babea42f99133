import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FailureError } from '../../src-shared/failure.ts';
import { toLine } from '../../src-shared/session/stored-line.ts';
import { openTranscript } from '../adapters/transcripts/open-transcript.ts';
import { mergeSettings } from '../core/settings/merge-settings.ts';
import { noSettings } from '../ports/settings.ts';
import { exportCommand } from './export.ts';
import { UsageError } from './io.ts';

const recording = join(import.meta.dirname, '../adapters/transcripts/fixtures/claude-code-2.1.92/cascade-stream');
const EMAIL = 'ann.lee@mail.example.org';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-export-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(args: readonly string[], patterns: readonly string[] = []) {
  const out: string[] = [];
  const err: string[] = [];
  const stream = new PassThrough();
  const piped = textOf(stream);
  mkdirSync(join(folder, 'app', 'out', 'main'), { recursive: true });
  const settings = mergeSettings({ folder, home: folder, trusted: false, claude: [], gantry: [], findings: [] });
  const redact = { patterns: patterns.map((pattern) => ({ name: 'own', pattern })), broken: 0 };
  const source = { ...noSettings(folder), current: () => ({ ...settings, redact }) };
  const code = await exportCommand(
    args,
    { stdout: (text) => void out.push(text), stderr: (text) => void err.push(text) },
    { reader: { settingsFor: () => source }, folder: join(folder, 'app', 'out', 'main'), output: stream },
  );
  stream.end();
  return { code, out: out.join(''), err: err.join(''), piped: await piped };
}

/** A journal in which an address was said. */
async function journal(): Promise<string> {
  const { events } = await openTranscript(recording);
  const path = join(folder, 'journal.jsonl');
  const notice = {
    type: 'notice-given',
    seq: events.length,
    at: 0,
    t: 0,
    level: 'info',
    text: `ask ${EMAIL}, ACME-77`,
  };
  writeFileSync(path, [...events, notice as never].map((event) => `${toLine(event)}\n`).join(''));
  return path;
}

describe('gantry export', () => {
  test('writes a file that is whole, redacted, and tells what it left out', async () => {
    const out = join(folder, 'a.md');
    const { code, err } = await run([await journal(), '--format', 'markdown', '-o', out], ['ACME-\\d+']);
    expect(code).toBe(0);
    const written = readFileSync(out, 'utf8');
    expect(written).toContain('redacted-email-1');
    expect(written).not.toContain(EMAIL);
    expect(written).not.toContain('ACME-77');
    expect(err).toContain(`Markdown written to ${out}`);
    expect(err).toContain('1 × e-mail address (1 different): notice');
    expect(err).toContain('1 × own (1 different)');
    expect(err).not.toContain(EMAIL);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('leaves everything in where that is asked for', async () => {
    const { piped, err } = await run([await journal(), '--format', 'gantry', '-o', '-', '--no-redact']);
    expect(piped).toContain(EMAIL);
    expect(err).toContain('Nothing was redacted, as asked.');
  });

  test('does not write over a file, unless it is told to', async () => {
    const out = join(folder, 'a.json');
    writeFileSync(out, 'mine');
    const args = [recording, '--format', 'perfetto', '-o', out];
    await expect(run(args)).rejects.toThrow(FailureError);
    expect(readFileSync(out, 'utf8')).toBe('mine');
    expect((await run([...args, '--force'])).code).toBe(0);
    expect(JSON.parse(readFileSync(out, 'utf8')).traceEvents.length).toBeGreaterThan(10);
  });

  test('tells programs what it did', async () => {
    const out = join(folder, 'a.svg');
    const { out: told } = await run([recording, '--format', 'svg', '-o', out, '--json']);
    expect(JSON.parse(told)).toMatchObject({ format: 'svg', path: out, calls: 7, redaction: { pictures: 0 } });
  });

  test('puts the session into the built page, or says that there is none', async () => {
    const out = join(folder, 'a.html');
    const args = [recording, '--format', 'html', '-o', out];
    await expect(run(args)).rejects.toThrow('The page for exported sessions is not built.');
    expect(existsSync(out)).toBe(false);
    mkdirSync(join(folder, 'app', 'out', 'viewer'), { recursive: true });
    writeFileSync(join(folder, 'app', 'out', 'viewer', 'viewer.html'), '<title>x</title><!--gantry:session-->end');
    expect((await run(args)).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toContain('data-events');
  });

  test.each([
    [['--format', 'svg', '-o', 'x'], 'a file or folder is missing.'],
    [['f', '--format', 'gif', '-o', 'x'], '--format is one of html'],
    [['f', '--format', 'svg'], '-o FILE is missing'],
    [['f', '--format', 'svg', '-o', 'x', '--redact', '--no-redact'], 'exclude each other'],
    [['f', '--format', 'svg', '-o', 'x', '--from', 'two'], '--from is a number of seconds.'],
    [['f', '--format', 'svg', '-o', 'x', '--from', '3', '--until', '2'], '--until has to be after --from.'],
    [['f', '--format', 'gantry', '-o', 'x', '--until', '2'], 'gantry holds sessions as a whole.'],
    [['f', '--format', 'svg', '-o', 'x', '--theme', 'pink'], '--theme is system, dark or light.'],
  ])('%j: %s', async (args, words) => {
    await expect(run(args)).rejects.toThrow(UsageError);
    await expect(run(args)).rejects.toThrow(words);
  });

  test('fails on what is no transcript, and leaves nothing behind', async () => {
    const path = join(folder, 'x.txt');
    writeFileSync(path, 'hello');
    const { code, err } = await run([path, '--format', 'svg', '-o', join(folder, 'a.svg')]);
    expect(code).toBe(1);
    expect(err).toContain(path);
    expect(readdirSync(folder).sort()).toEqual(['app', 'x.txt']);
  });

  test('writes a stretch of a session', async () => {
    const out = join(folder, 'a.md');
    await run([recording, '--format', 'markdown', '-o', out, '--from', '1.2']);
    const part = readFileSync(out, 'utf8');
    expect(part).toContain('Shown: from 1.20 s to');
    expect(part).not.toContain('sleep 4');
    await expect(run([recording, '--format', 'svg', '-o', join(folder, 'b.svg'), '--from', '900'])).rejects.toThrow(
      'The session ends at 1.35 s, before --from.',
    );
    expect(existsSync(join(folder, 'b.svg'))).toBe(false);
  });

  test('reads back its own stream', async () => {
    cpSync(recording, join(folder, 'copy'), { recursive: true });
    const out = join(folder, 'again.jsonl');
    await run([join(folder, 'copy'), '--format', 'stream-json', '-o', out]);
    expect((await openTranscript(out)).format).toBe('claude-stream-json');
  });
});
