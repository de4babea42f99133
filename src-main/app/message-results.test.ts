import { describe, expect, test } from 'vitest';
import { type CallId, MAIN_AGENT, type MessageId } from '../../src-shared/ids.ts';
import { textResult } from '../../src-shared/tool-call/content.ts';
import { MEASURED } from '../../src-shared/tool-call/timing.ts';
import { apiMessages } from '../core/conversation/api-messages.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import { MemoryEventStore } from '../ports/event-log.fake.ts';
import { MessageResults } from './message-results.ts';
import { SessionLog } from './session-log.ts';
import { MemoryResultFiles } from './testing/bench.ts';

const id = (name: string): CallId => name as CallId;
const tools = {
  all: [],
  find: (name: string) => (name === 'Read' ? ({ maxResultSizeChars: Infinity } as never) : undefined),
};

/** A session with one message per list of calls, each ended with its text. */
class Story {
  readonly store = new MemoryEventStore();
  readonly files = new MemoryResultFiles();
  log = new SessionLog({ store: this.store, clock: new ManualClock() });
  results = new MessageResults({ log: this.log, tools, files: this.files, agentId: MAIN_AGENT });
  #messages = 0;

  constructor(budget: number) {
    this.log.append({ type: 'settings-changed', settings: { ...this.log.state.settings, messageBudget: budget } });
  }

  async message(calls: Readonly<Record<string, string>>, tool = 'Bash'): Promise<void> {
    const messageId = `m${this.#messages++}` as MessageId;
    const { log } = this;
    log.append({ type: 'message-started', requestId: messageId as never, messageId, agentId: MAIN_AGENT, model: 'x' });
    for (const [index, [name, text]] of Object.entries(calls).entries()) {
      const callId = id(name);
      log.append({
        type: 'block-arrived',
        messageId,
        agentId: MAIN_AGENT,
        index,
        block: { kind: 'tool-use', callId, tool },
      });
      const safety = { safe: true, because: 'declared-safe' } as const;
      const summary = `do ${name}`;
      log.append({
        type: 'call-queued',
        callId,
        agentId: MAIN_AGENT,
        messageId,
        index,
        tool,
        input: {},
        summary,
        safety,
      });
      log.append({ type: 'call-completed', callId, outcome: 'ok', result: textResult(text), timing: MEASURED });
    }
    await this.results.settle(Object.keys(calls).map(id));
    log.flush();
  }

  /** The same session read from its journal. */
  reopen(): void {
    this.log = new SessionLog({ store: this.store, clock: new ManualClock(), past: [...this.store.events] });
    this.results = new MessageResults({ log: this.log, tools, files: this.files, agentId: MAIN_AGENT });
  }

  sent(name: string): string {
    const blocks = apiMessages(this.log.state, MAIN_AGENT).flatMap(({ content }) => content);
    const block = blocks.find((each) => each.type === 'tool_result' && each.tool_use_id === name);
    if (block?.type !== 'tool_result') throw new Error(`${name} was not sent`);
    return block.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  }
}

const long = (letter: string, length: number): string => `${letter.repeat(99)}\n`.repeat(length / 100);

describe('the results of a message', () => {
  test('over the budget lose the largest to disk, and the model gets its preview', async () => {
    const story = new Story(30_000);
    await story.message({ small: long('a', 5_000), big: long('b', 40_000) });
    expect(story.sent('small')).toBe(long('a', 5_000));
    expect(story.sent('big')).toMatch(
      /^<persisted-output>\nOutput too large \(39\.1KB\)\. Full output saved to: \/results\/big\.txt\n/,
    );
    expect(story.files.files.get('/results/big.txt')).toBe(long('b', 40_000));
  });

  test('of a tool that bounds itself stay whole', async () => {
    const story = new Story(10_000);
    await story.message({ read: long('a', 50_000) }, 'Read');
    expect(story.sent('read')).toBe(long('a', 50_000));
  });

  test('that cannot be saved are cut with a note, and the journal says why', async () => {
    const story = new Story(10_000);
    story.files.refuses = 'the disk is full';
    await story.message({ big: long('b', 40_000) });
    expect(story.sent('big')).toContain('could not be saved: the disk is full');
    expect(story.log.events.some((event) => event.type === 'notice-given' && event.detail === 'the disk is full')).toBe(
      true,
    );
  });

  test('equal to an earlier one point to it, by name, also after the session was reopened', async () => {
    const story = new Story(200_000);
    await story.message({ first: long('a', 5_000) });
    await story.message({ second: long('a', 5_000) });
    story.reopen();
    await story.message({ third: long('a', 5_000), other: long('c', 5_000) });
    for (const name of ['second', 'third']) expect(story.sent(name)).toContain('earlier call Bash(do first) (id first');
    expect(story.sent('first')).toBe(long('a', 5_000));
    expect(story.sent('other')).toBe(long('c', 5_000));
  });

  test('once sent are sent in exactly that form ever after, whatever comes', async () => {
    const story = new Story(30_000);
    let before = '';
    for (let turn = 0; turn < 30; turn++) {
      const text = long(String.fromCharCode(97 + (turn % 7)), 2_000 + 6_000 * (turn % 5));
      await story.message({ [`a${turn}`]: text, [`b${turn}`]: `${text}${turn}`, [`c${turn}`]: 'short' });
      if (turn % 10 === 9) story.reopen();
      const now = JSON.stringify(apiMessages(story.log.state, MAIN_AGENT)).slice(0, -1);
      expect(now.startsWith(before)).toBe(true);
      before = now;
    }
  });
});
