import { expect, test } from 'vitest';
import { NO_FILTER, PROBLEMS, testOf } from '../../src-shared/filter/call-filter.ts';
import { Matching } from '../../src-shared/filter/matching.ts';
import { apply, emptySession } from '../../src-shared/session/state.ts';
import { RowBook } from './row-book.ts';
import { conversationRows, type RowOptions } from './rows.ts';
import { asksStory, pricesStory, troubledStory } from './samples.ts';

const all: RowOptions = { openAgents: new Set(), calls: 'all' };

test('after every event the rows are those made anew', () => {
  for (const story of [pricesStory(), asksStory(), troubledStory()]) {
    for (const calls of ['all', new Matching(testOf({ ...NO_FILTER, outcomes: PROBLEMS })), 'none'] as const) {
      const book = new RowBook();
      const state = emptySession();
      const options = { ...all, calls };
      for (const event of story.events) {
        apply(state, event);
        if (typeof calls !== 'string') calls.update(state);
        expect(book.rowsOf(state, options)).toEqual(conversationRows(state, options));
      }
    }
  }
});

test('news that change no row keep the very same rows', () => {
  const story = pricesStory();
  const state = story.state();
  const book = new RowBook();
  const rows = book.rowsOf(state, all);
  const told = story.events.length;
  story.add({ type: 'call-progressed', callId: 'cart' as never, bytes: 1, lines: 1, tail: 'x' });
  for (const event of story.events.slice(told)) apply(state, event);
  expect(book.rowsOf(state, all)).toBe(rows);
  story.add({ type: 'notice-given', level: 'info', text: 'News' });
  apply(state, story.events.at(-1)!);
  expect(book.rowsOf(state, all)).not.toBe(rows);
});
