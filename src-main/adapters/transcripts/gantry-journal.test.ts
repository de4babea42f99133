import { describe, expect, test } from 'vitest';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import { toLine } from '../../../src-shared/session/stored-line.ts';
import { opened, Writer } from './write-transcript.ts';

/** The events of a small session, as a journal's lines. */
const journal = async (): Promise<{ events: readonly SessionEvent[]; lines: string[] }> => {
  const { events } = await opened(
    new Writer()
      .says(0, 'go')
      .calls(10, 'm', 'a', 'Read', { file_path: '/x' })
      .result(20, 'a', 'x')
      .answers(30, 'n', 'Done.'),
  );
  return { events, lines: events.map(toLine) };
};

const read = async (lines: readonly string[]) => {
  const { events, findings, format } = await opened({ 'journal.jsonl': lines.join('\n') });
  expect(format).toBe('gantry-journal');
  return { events, told: findings.map(({ line, kind, message }) => `${line} ${kind}: ${message}`) };
};

describe('a journal of ours', () => {
  test('comes back as it was written', async () => {
    const { events, lines } = await journal();
    expect(await read([...lines, ''])).toEqual({ events, told: [] });
  });

  test('loses only its torn last line', async () => {
    const { events, lines } = await journal();
    const torn = lines.with(-1, (lines.at(-1) ?? '').slice(0, 20));
    expect(await read(torn)).toEqual({
      events: events.slice(0, -1),
      told: [`${lines.length} torn-tail: The last line is not JSON; it was left out`],
    });
  });

  test('gives up whole events from a damaged line, and tells which are missing', async () => {
    const { events, lines } = await journal();
    const glued = `${(lines[2] ?? '').slice(0, 15)}${lines[3]}`;
    const { events: saved, told } = await read([...lines.slice(0, 2), glued, ...lines.slice(4)]);
    expect(saved.map((event) => event.type)).toEqual(events.toSpliced(2, 1).map((event) => event.type));
    expect(saved.map((event) => event.seq)).toEqual(saved.map((_, index) => index));
    expect(told).toEqual([
      '3 damaged-line: The line is not JSON; 1 whole events in it were read',
      '3 missing-events: Event 2 is missing; event 3 stands in its place',
    ]);
  });

  test('of a newer Gantry is read as far as it is known', async () => {
    const { events, lines } = await journal();
    const newer = lines.with(1, '{"v":99,"seq":1,"type":"something-new"}');
    const { events: known, told } = await read(newer);
    expect(known).toHaveLength(events.length - 1);
    expect(told[0]).toBe('2 damaged-line: The line was written by a newer Gantry (format 99); it was left out');
  });
});
