import { expect, test } from 'vitest';
import type { Choice } from '../../src-shared/permission/event.ts';
import {
  answersOf,
  choiceKey,
  emptyChoices,
  goTo,
  missing,
  moveCursor,
  pick,
  pickedAt,
  writeOther,
} from './choices.ts';
import type { KeyPress } from './guard.ts';

const option = (label: string) => ({ label, description: '' });
const store: Choice = {
  question: 'Which store?',
  header: 'Store',
  options: [option('SQLite'), option('A file')],
  multiSelect: false,
};
const parts: Choice = {
  question: 'Which parts?',
  header: '',
  options: [option('API'), option('Docs'), option('Tests')],
  multiSelect: true,
};
const both = [store, parts];
const OTHER = 2;

test('one of several is chosen, and another takes its place', () => {
  const once = pick(emptyChoices([store]), store, 0);
  expect(pickedAt(pick(once, store, 1), 0).chosen).toEqual([1]);
  expect(answersOf([store], pick(once, store, 1))).toEqual({ 'Which store?': 'A file' });
});

test('several are chosen and taken back, and come in the order of the list', () => {
  let draft = emptyChoices([parts]);
  for (const at of [2, 0, 1, 1]) draft = pick(draft, parts, at);
  expect(answersOf([parts], draft)).toEqual({ 'Which parts?': 'API, Tests' });
  expect(answersOf([parts], writeOther(draft, parts, 'and the site'))).toEqual({
    'Which parts?': 'API, Tests, and the site',
  });
});

test('an answer in own words takes the place of a choice, and an empty one is none', () => {
  const chosen = pick(emptyChoices([store]), store, 0);
  expect(answersOf([store], writeOther(chosen, store, ' In the cloud '))).toEqual({ 'Which store?': 'In the cloud' });
  expect(missing(writeOther(writeOther(chosen, store, 'x'), store, ''))).toBe('Choose an answer first.');
  expect(missing(pick(chosen, store, OTHER))).toBe('Write your answer first.');
});

test('nothing is answered before it is chosen, and not before all are', () => {
  const first = pick(emptyChoices(both), store, 0);
  expect(missing(emptyChoices(both))).toBe('Choose an answer first.');
  expect(missing(first)).toBeUndefined();
  expect(answersOf(both, first)).toBeUndefined();
  expect(answersOf(both, pick(goTo(first, 1), parts, 0))).toEqual({ 'Which store?': 'SQLite', 'Which parts?': 'API' });
});

test('going back and forth loses nothing', () => {
  const draft = goTo(goTo(pick(emptyChoices(both), store, 1), 1), 0);
  expect(draft).toMatchObject({ step: 0, cursor: -1 });
  expect(pickedAt(draft, 0).chosen).toEqual([1]);
});

test('arrows go through the options and the own words, then to the next card', () => {
  let draft = emptyChoices([store]);
  expect(moveCursor(draft, store, -1)).toBeUndefined();
  for (const at of [0, 1, OTHER]) {
    draft = moveCursor(draft, store, 1) ?? draft;
    expect(draft.cursor).toBe(at);
  }
  expect(moveCursor(draft, store, 1)).toBeUndefined();
  expect(pickedAt(moveCursor(draft, store, -1) ?? draft, 0)).toMatchObject({ chosen: [1], isOther: false });
});

test('where several may be chosen the arrows choose nothing', () => {
  const moved = moveCursor(emptyChoices([parts]), parts, 1);
  expect(moved?.cursor).toBe(0);
  expect(moved === undefined ? [] : pickedAt(moved, 0).chosen).toEqual([]);
});

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  repeat: false,
  composing: false,
  modified: false,
  place: 'card',
  ...more,
});

test('keys typed into a field or elsewhere mean nothing, nor do held ones', () => {
  expect(choiceKey(press('2'))).toEqual({ type: 'pick', at: 1 });
  expect(choiceKey(press('Enter'))).toEqual({ type: 'go-on' });
  for (const place of ['field', 'button', 'elsewhere'] as const) {
    for (const key of ['1', 'Enter', 'd', 'ArrowDown', ' ']) expect(choiceKey(press(key, { place }))).toBeUndefined();
  }
  for (const key of ['1', 'Enter', ' ', 'd']) expect(choiceKey(press(key, { repeat: true }))).toBeUndefined();
  expect(choiceKey(press('1', { modified: true }))).toBeUndefined();
  expect(choiceKey(press('Enter', { composing: true }))).toBeUndefined();
  expect(choiceKey(press('0'))).toBeUndefined();
});
