import { expect, test } from 'vitest';
import { SessionEvent } from '../../src-shared/session/event.ts';
import { instant, type Millis, millis } from '../../src-shared/units.ts';
import type { Clock } from '../ports/clock.ts';
import type { ExportFile } from '../ports/export-file.ts';
import { SessionExporter } from './export-session.ts';

/** Each look at the clock costs `step` ms. */
const ticking = (step: number): Clock => {
  let now = 0;
  return {
    now: () => instant(0),
    monotonic: (): Millis => {
      now += step;
      return millis(now);
    },
    schedule: () => ({ dispose: () => undefined }),
  };
};

const exporter = (step: number) =>
  new SessionExporter({ clock: ticking(step), generator: 'Gantry 0', loadPage: async () => '' });

const notices = (count: number): readonly SessionEvent[] =>
  Array.from({ length: count }, (_, seq) =>
    SessionEvent.parse({
      type: 'notice-given',
      seq,
      at: 0,
      t: seq,
      level: 'info',
      text: `n ${seq} a@mail.example.org`,
    }),
  );
const redaction = { homes: [], patterns: [], advisor: false };
const choice = { format: 'gantry', theme: 'system', stretch: undefined } as const;

class Sheet implements ExportFile {
  text = '';
  end: 'kept' | 'dropped' | undefined;
  async write(text: string): Promise<void> {
    this.text += text;
  }
  async writeBytes(): Promise<void> {}
  async keep(): Promise<void> {
    this.end = 'kept';
  }
  async drop(): Promise<void> {
    this.end = 'dropped';
  }
}

test('a session is prepared in two passes, with progress, and written as it is folded', async () => {
  const shares: (number | undefined)[] = [];
  const signal = new AbortController().signal;
  const prepared = await exporter(20).prepare(notices(50), redaction, {
    signal,
    onProgress: ({ share }) => shares.push(share),
  });
  expect(prepared.report).toMatchObject({ total: 50, kinds: [{ kind: 'email', distinct: 1, count: 50 }] });
  expect(prepared.state.entries).toHaveLength(50);
  expect(shares.length).toBeGreaterThan(3);
  expect([...shares].sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(shares);
  const sheet = new Sheet();
  await exporter(1).writeFile(prepared, choice, sheet, { signal });
  expect(sheet.end).toBe('kept');
  expect(sheet.text.split('\n')).toHaveLength(51);
  expect(sheet.text).not.toContain('mail.example.org');
});

test('what is cancelled while it is written leaves nothing', async () => {
  const controller = new AbortController();
  const prepared = await exporter(1).prepare(notices(500), undefined, { signal: controller.signal });
  const sheet = new Sheet();
  const writing = exporter(20).writeFile(prepared, choice, sheet, {
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('enough')),
  });
  await expect(writing).rejects.toThrow('enough');
  expect(sheet.end).toBe('dropped');
});

test('without redaction the events are the very same', async () => {
  const events = notices(3);
  const prepared = await exporter(1).prepare(events, undefined, { signal: new AbortController().signal });
  expect(prepared.events).toBe(events);
  expect(prepared.report).toBeUndefined();
});
