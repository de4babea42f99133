import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileFormat } from '../../../src-shared/export/formats.ts';
import { SessionEvent } from '../../../src-shared/session/event.ts';
import { Redactor } from '../redact/redactor.ts';
import { exported } from './exporters.ts';
import { inputOf, textOf } from './sessions.fixture.ts';

/*
 * Secrets are planted where they hurt: in inputs, outputs, thoughts, titles, paths and keys, plain, escaped and nested.
 * `mark` is the part that must be nowhere in any file; it is long enough not to be there by chance.
 */
const letters = (characters: string, length: number) =>
  fc.array(fc.constantFrom(...characters), { minLength: length, maxLength: length }).map((list) => list.join(''));
const ALPHANUMERIC = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const mark = letters(ALPHANUMERIC, 14).map((text) => `${text.slice(0, 6)}Q7z${text.slice(6)}9K`);

type Planted = { readonly text: string; readonly mark: string };
const whole = (parts: readonly string[]): string => parts.join('');
const secret: fc.Arbitrary<Planted> = fc.tuple(fc.nat(11), mark).map(([kind, m]): Planted => {
  const upper = m.toUpperCase().slice(0, 16).padEnd(16, 'X');
  const forms: readonly string[] = [
    whole(['sk-', 'ant-', 'api03-', m, m]),
    whole(['sk-', 'proj-', m, m]),
    whole(['gh', 'p_', m, m]),
    whole(['xox', 'b-1234-', m]),
    whole(['npm', '_', m, m]),
    `Authorization: Bearer ${m}`,
    `password=${m}`,
    `"api_key": "${m}"`,
    `postgres://app:${m}@db/shop`,
    `${m}@mail.example.org`,
    whole(['-----BEGIN RSA ', 'PRIVATE KEY-----\n', m, '\n', m, '\n-----END RSA ', 'PRIVATE KEY-----']),
    whole(['AK', 'IA', upper]),
  ];
  return { text: forms[kind] as string, mark: kind === 11 ? upper : m };
});

const escapedLetters = (text: string): string =>
  [...text]
    .map((c, n) => (n % 3 === 0 && /[A-Za-z0-9]/.test(c) ? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}` : c))
    .join('');

/** Ways for a secret to lie in a text. */
const disguise: fc.Arbitrary<(text: string) => string> = fc.constantFrom(
  (text: string) => text,
  (text: string) => JSON.stringify(text),
  (text: string) => JSON.stringify(JSON.stringify({ a: [text] })),
  (text: string) => `{"x":"${escapedLetters(JSON.stringify(text).slice(1, -1))}"}`,
  (text: string) => `line one\n${text}\nline three`,
  (text: string) => `</script><script>${text}</script>`,
  (text: string) => `\`\`\`\n${text}\n\`\`\``,
);

function session(planted: string, place: number): readonly SessionEvent[] {
  const at = (n: number) => (n === place ? planted : `plain ${n}`);
  const facts: readonly object[] = [
    {
      type: 'session-started',
      sessionId: 's',
      title: at(0),
      cwd: `/work/${at(1)}`,
      origin: { kind: 'live', provider: 'scripted' },
      app: 'test',
      settings: inputOf([]).state.settings,
    },
    { type: 'turn-started', turnId: 't', agentId: 'main' },
    { type: 'user-message-added', messageId: 'u', agentId: 'main', text: at(2), from: 'person' },
    {
      type: 'request-started',
      requestId: 'r',
      agentId: 'main',
      turnId: 't',
      attempt: 1,
      timing: { certainty: 'measured' },
    },
    { type: 'message-started', requestId: 'r', messageId: 'm', agentId: 'main', model: 'model' },
    ...[at(3).slice(0, 5), at(3).slice(5)].map((added) => ({
      type: 'block-growing',
      messageId: 'm',
      agentId: 'main',
      index: 0,
      kind: 'thinking',
      added,
      size: 1,
    })),
    { type: 'block-arrived', messageId: 'm', agentId: 'main', index: 0, block: { kind: 'thinking', text: at(3) } },
    { type: 'block-arrived', messageId: 'm', agentId: 'main', index: 1, block: { kind: 'text', text: at(4) } },
    {
      type: 'block-arrived',
      messageId: 'm',
      agentId: 'main',
      index: 2,
      block: { kind: 'tool-use', callId: 'c', tool: 'Bash' },
    },
    {
      type: 'call-queued',
      callId: 'c',
      agentId: 'main',
      messageId: 'm',
      index: 0,
      tool: 'Bash',
      input: { command: at(5), nested: [{ [at(6)]: at(7) }] },
      summary: at(5).slice(0, 60),
      safety: { safe: false, because: 'declared-unsafe' },
    },
    { type: 'call-started', callId: 'c', lane: 0, batchId: 'b', timing: { certainty: 'measured' } },
    { type: 'call-progressed', callId: 'c', bytes: 1, lines: 1, tail: at(8) },
    {
      type: 'hook-started',
      runId: 'h',
      callId: 'c',
      hookEvent: 'PostToolUse',
      command: at(9),
      timing: { certainty: 'measured' },
    },
    { type: 'hook-ended', runId: 'h', outcome: 'ok', stdout: at(10), stderr: '', effects: [] },
    {
      type: 'call-completed',
      callId: 'c',
      outcome: 'error',
      result: { content: [{ type: 'text', text: at(11) }], isError: true, display: { file: at(12) } },
      timing: { certainty: 'measured' },
    },
    { type: 'result-saved', callId: 'c', path: `/out/${at(13)}.txt`, bytes: 3, found: true },
    { type: 'call-yielded', callId: 'c' },
    { type: 'message-completed', messageId: 'm', requestId: 'r', stopReason: 'tool-use', usage: {} },
    { type: 'turn-ended', turnId: 't', agentId: 'main', reason: 'error', message: at(14) },
  ];
  return facts.map((one, seq) => SessionEvent.parse({ seq, at: seq, t: seq, ...one }));
}
const PLACES = 15;

test('no planted secret survives in any format (seed 2026)', () => {
  fc.assert(
    fc.property(secret, disguise, fc.nat(PLACES - 1), ({ text, mark: forbidden }, hide, place) => {
      const events = session(hide(text), place);
      expect(JSON.stringify(events)).toMatch(/./);
      const redactor = new Redactor({ homes: [], own: [], advisor: false });
      for (const event of events) redactor.learn(event);
      const shown = events.map((event) => redactor.redact(event));
      expect(redactor.report().total).toBeGreaterThan(0);
      for (const format of FileFormat.options) {
        const file = textOf(exported(inputOf(shown), { format, theme: 'dark', page: '<!--gantry:session-->' }));
        const decoded = file.replaceAll(/\\+u([0-9a-f]{4})/g, (_, hex) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
        expect({ format, leaks: file.includes(forbidden) || decoded.includes(forbidden) }).toEqual({
          format,
          leaks: false,
        });
      }
      expect(JSON.stringify(redactor.report())).not.toContain(forbidden);
    }),
    { seed: 2026, numRuns: 400 },
  );
});

test('every place of the made-up session can hold a secret', () => {
  for (let place = 0; place < PLACES; place++) {
    expect(JSON.stringify(session('PLANTED-HERE', place))).toContain('PLANTED-HERE');
  }
});
