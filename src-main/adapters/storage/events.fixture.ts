import fc from 'fast-check';
import type { EventFacts, SessionEvent } from '../../../src-shared/session/event.ts';
import { defaultSettings } from '../../../src-shared/session/settings.ts';

/** Facts as a session has them, with texts that have broken line formats before. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('a\nb', '\r\n', '\u2028', '\0', '\uFEFF', '{"v":1}', '}{', 'é😀', '"\\', ''),
);
const id = fc.stringMatching(/^[a-z]{1,8}$/);

const facts = fc.oneof(
  fc.record({ type: fc.constant('notice-given'), level: fc.constantFrom('info', 'warning', 'error'), text }),
  fc.record({ type: fc.constant('user-message-added'), messageId: id, agentId: id, text, from: fc.constant('person') }),
  fc.record({
    type: fc.constant('call-queued'),
    callId: id,
    agentId: id,
    messageId: id,
    index: fc.nat(9),
    tool: text,
    input: fc.jsonValue(),
    summary: text,
    safety: fc.constant({ safe: true, because: 'declared-safe' }),
  }),
  fc.record({ type: fc.constant('call-progressed'), callId: id, bytes: fc.nat(), lines: fc.nat(), tail: text }),
  fc.record({ type: fc.constant('result-saved'), callId: id, path: text, bytes: fc.nat(), found: fc.boolean() }),
);

/** Events numbered from 0, at times that do not go back, as a session writes them. */
export const someEvents = (maxLength = 12): fc.Arbitrary<SessionEvent[]> =>
  fc.array(facts, { maxLength }).map((all) => all.map((each, seq) => eventOf(each as EventFacts, seq)));

export const eventOf = (facts: EventFacts, seq: number): SessionEvent =>
  // A negative zero does not survive JSON; no input that came as JSON has one.
  JSON.parse(JSON.stringify({ seq, at: 1_767_225_600_000 + seq, t: seq, ...facts })) as SessionEvent;

/** The first events of every session. */
export const openingEvents = (sessionId: string, title: string): SessionEvent[] => [
  eventOf(
    {
      type: 'session-started',
      sessionId: sessionId as never,
      title,
      cwd: '/work',
      origin: { kind: 'live', provider: 'scripted', scenario: 'cascade' },
      app: 'test',
      settings: defaultSettings(),
    },
    0,
  ),
  eventOf({ type: 'turn-started', turnId: 'turn' as never, agentId: 'main' as never }, 1),
  eventOf(
    {
      type: 'call-queued',
      callId: 'call' as never,
      agentId: 'main' as never,
      messageId: 'msg' as never,
      index: 0,
      tool: 'Bash',
      input: { command: 'ls' },
      summary: 'ls',
      safety: { safe: true, because: 'declared-safe' },
    },
    2,
  ),
];
