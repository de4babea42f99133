import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foldSession } from '../../../src-shared/session/state.ts';
import { openTranscript } from './open-transcript.ts';
import { Writer } from './write-transcript.ts';

/** A reader of another project died three times of lines above its buffer of 64 MB. */
test('a line of 70 MB in the middle of a session costs no other line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-long-'));
  try {
    const before = new Writer().says(0, 'go').calls(10, 'm', 'long', 'Bash', { command: 'cat all' });
    const after = new Writer().calls(40, 'n', 'short', 'Read', {}).result(50, 'short', 'x');
    const [start = '', end = ''] = JSON.stringify(before.result(20, 'long', 'MIDDLE').lines.at(-1)).split('MIDDLE');
    const path = join(folder, 'session-1.jsonl');
    const file = await open(path, 'w');
    await file.write(before.toString().split('\n').slice(0, -2).join('\n'));
    await file.write(`\n${start}`);
    for (let n = 0; n < 70; n++) await file.write('x'.repeat(1_000_000));
    await file.write(`${end}\n${after}`);
    await file.close();
    const { events } = await openTranscript(path);
    const calls = new Map(foldSession(events).calls.map((call) => [String(call.callId), call]));
    expect(calls.get('long')).toMatchObject({ end: { at: 20, outcome: 'ok' } });
    expect(calls.get('short')).toMatchObject({ end: { at: 50, outcome: 'ok' } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
