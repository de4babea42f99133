import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SessionEvent } from '../../../src-shared/session/event.ts';
import { openTranscript } from '../../adapters/transcripts/open-transcript.ts';
import { type RedactOptions, Redactor } from './redactor.ts';

const NOTHING: RedactOptions = { homes: [], own: [], advisor: false };
const SECRET = ['sk-', 'ant-', 'api03-Zx8Yw7Vu6Ts5Rq4Po3Nm2'].join('');

let seq = 0;
const event = (facts: object): SessionEvent => SessionEvent.parse({ seq: seq++, at: 0, t: 0, ...facts });
const queued = (callId: string, input: unknown, tool = 'Bash') =>
  event({
    type: 'call-queued',
    callId,
    agentId: 'main',
    messageId: 'm',
    index: 0,
    tool,
    input,
    summary: 'run it',
    safety: { safe: false, because: 'declared-unsafe' },
  });
const completed = (callId: string, text: string) =>
  event({
    type: 'call-completed',
    callId,
    outcome: 'ok',
    result: { content: [{ type: 'text', text }], isError: false },
    timing: { certainty: 'measured' },
  });
const growing = (added: string, index = 0) =>
  event({ type: 'block-growing', messageId: 'm', agentId: 'main', index, kind: 'text', added, size: 1 });

function run(events: readonly SessionEvent[], options: RedactOptions = NOTHING) {
  const redactor = new Redactor(options);
  for (const one of events) redactor.learn(one);
  const redacted = events.map((one) => redactor.redact(one));
  return { redacted, text: JSON.stringify(redacted), report: redactor.report() };
}

test('what is named a password once is gone everywhere, before and after, in keys too', () => {
  const { text, redacted } = run([
    queued('a', { command: 'echo q9W8e7R6t5Y4' }),
    queued('b', { env: { DB_PASSWORD: 'q9W8e7R6t5Y4' }, seen: { q9W8e7R6t5Y4: 1 } }),
    completed('b', 'it was q9W8e7R6t5Y4'),
  ]);
  expect(text).not.toContain('q9W8');
  expect(redacted[0]).toMatchObject({ input: { command: 'echo [redacted-password-1]' } });
  expect(redacted[1]).toMatchObject({
    input: { env: { DB_PASSWORD: '[redacted-password-1]' }, seen: { '[redacted-password-1]': 1 } },
  });
});

test('a secret that arrives in pieces is in none of them', () => {
  const whole = event({
    type: 'block-arrived',
    messageId: 'm',
    agentId: 'main',
    index: 0,
    block: { kind: 'text', text: `use ${SECRET}` },
  });
  const pieces = [growing('use sk-a'), growing(SECRET.slice(4)), growing('and ', 1), growing(SECRET, 1)];
  const { redacted, text } = run([...pieces, whole]);
  expect(text).not.toContain('Zx8Yw7');
  expect(redacted.slice(0, 4).map((one) => (one.type === 'block-growing' ? one.added : ''))).toEqual([
    '',
    '',
    '',
    'and [redacted-anthropic-key-1]',
  ]);
});

test('the report says what was found where, and never the secret', () => {
  const { report } = run([
    queued('a', { command: `x ${SECRET} ${SECRET}` }),
    completed('a', 'mail ann@mail.example.org'),
  ]);
  expect(report).toEqual({
    total: 3,
    pictures: 0,
    kinds: [
      {
        kind: 'anthropic-key',
        distinct: 1,
        count: 2,
        places: [{ callId: 'a', call: 'Bash(run it)', where: 'input', count: 2 }],
        morePlaces: 0,
      },
      {
        kind: 'email',
        distinct: 1,
        count: 1,
        places: [{ callId: 'a', call: 'Bash(run it)', where: 'output', count: 1 }],
        morePlaces: 0,
      },
    ],
  });
});

describe('what is left as it is', () => {
  test('events without secrets are the same objects', () => {
    const events = [queued('a', { command: 'ls -la' }), completed('a', 'total 0')];
    expect(run(events).redacted.every((one, at) => one === events[at])).toBe(true);
  });

  test('pictures, which are counted instead', () => {
    const picture = event({
      type: 'user-message-added',
      messageId: 'm',
      agentId: 'main',
      text: 'look',
      from: 'person',
      images: [{ mediaType: 'image/png', data: 'AKIAIOSFODNN7EXAMPLE' }],
    });
    const { redacted, report } = run([picture]);
    expect(redacted[0]).toBe(picture);
    expect(report.pictures).toBe(1);
  });

  test('twice redacted is once redacted', () => {
    const { redacted } = run([queued('a', { token: 'q9W8e7R6t5Y4', at: '/home/ann/x', to: 'a@mail.example.org' })]);
    expect(run(redacted).redacted).toEqual(redacted);
  });
});

test('answers of an advisor go where that is wanted', () => {
  const events = [queued('a', {}, 'Advisor'), completed('a', 'private thoughts'), completed('b', 'other')];
  expect(run(events).text).toContain('private thoughts');
  const { text } = run(events, { ...NOTHING, advisor: true });
  expect(text).not.toContain('private thoughts');
  expect(text).toContain('other');
});

const fixtures = join(import.meta.dirname, '../../adapters/transcripts/fixtures/claude-code-2.1.92');

test.each(readdirSync(fixtures))('ids, hashes and versions of the recording %s survive', async (name) => {
  const { events } = await openTranscript(join(fixtures, name));
  const { report, redacted } = run(events);
  expect(report.kinds.filter(({ kind }) => kind !== 'home-folder')).toEqual([]);
  const idsOf = (list: readonly SessionEvent[]) => list.map((one) => ('callId' in one ? one.callId : one.type));
  expect(idsOf(redacted)).toEqual(idsOf(events));
});
