import { z } from 'zod';
import { FailureError } from '../../../src-shared/failure.ts';
import type { Detector, Find } from './detectors.ts';

/** A pattern of the person's own, from `export.redact` of their settings. */
export type OwnPattern = { readonly name: string; readonly pattern: string };

const Name = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9 _-]{0,39}$/, 'a name of letters, digits, spaces, - and _ is expected');

const Pattern = z
  .string()
  .min(1)
  .max(500)
  .superRefine((pattern, context) => {
    const trouble = whyRefused(pattern);
    if (trouble !== undefined) context.addIssue({ code: 'custom', message: trouble });
  });

/** One entry of the settings: a pattern alone, or with a name that placeholders and reports use. */
export const OwnPatternEntry = z
  .union(
    [z.string(), z.strictObject({ name: Name, pattern: z.string() })],
    'a pattern, or a name with a pattern, is expected',
  )
  .transform((entry, context): OwnPattern => {
    const { name, pattern } = typeof entry === 'string' ? { name: 'own pattern', pattern: entry } : entry;
    const checked = Pattern.safeParse(pattern);
    if (!checked.success) {
      context.addIssue({ code: 'custom', message: checked.error.issues[0]?.message ?? 'the pattern cannot be used' });
    }
    return { name, pattern };
  });

/** Unbounded repeats of a pattern that are let through: each one more multiplies its worst time by a text's length. */
const MOST_REPEATS = 3;
/** `{n,m}` with more than this counts as unbounded. */
const MANY = 50;

/**
 * Why a pattern is not used, as the end of a sentence; undefined for one that is. Repeats within repeats and choices
 * within repeats can take for ever on the wrong text, so they are refused by their looks; what is left is watched by the
 * clock.
 */
export function whyRefused(pattern: string): string | undefined {
  let compiled: RegExp;
  try {
    compiled = new RegExp(pattern, 'u');
  } catch {
    try {
      compiled = new RegExp(pattern);
    } catch (error) {
      return `it is no regular expression: ${error instanceof Error ? (error.message.split(': ').at(-1) ?? '') : ''}`;
    }
  }
  if (compiled.test('')) return 'it matches the empty text';
  if (/\\[1-9]|\\k</.test(pattern)) return 'it refers back to a group';
  return repeatTrouble(pattern);
}

type Group = { hasRepeat: boolean; hasChoice: boolean };

function repeatTrouble(pattern: string): string | undefined {
  const groups: Group[] = [{ hasRepeat: false, hasChoice: false }];
  let closed: Group | undefined;
  let repeats = 0;
  for (let at = 0; at < pattern.length; at++) {
    const top = groups.at(-1) as Group;
    const before = closed;
    closed = undefined;
    switch (pattern[at]) {
      case '\\':
        at++;
        break;
      case '[':
        at = endOfClass(pattern, at);
        break;
      case '(':
        groups.push({ hasRepeat: false, hasChoice: false });
        break;
      case ')':
        closed = groups.pop() ?? top;
        if (closed.hasRepeat && groups.length > 0) (groups.at(-1) as Group).hasRepeat = true;
        break;
      case '|':
        top.hasChoice = true;
        break;
      default: {
        const repeat = /^(?:[*+]|\{(\d+)(,?)(\d*)\})\??/.exec(pattern.slice(at));
        if (repeat === null) break;
        at += repeat[0].length - 1;
        if (!isMany(repeat)) break;
        if (before?.hasRepeat === true) return 'it repeats something that repeats itself';
        if (before?.hasChoice === true) return 'it repeats a choice';
        top.hasRepeat = true;
        if (++repeats > MOST_REPEATS) return `it has more than ${MOST_REPEATS} unlimited repeats`;
      }
    }
  }
  return undefined;
}

/** `*`, `+`, `{3,}` and `{0,5000}`; a repeat of a few only multiplies what it repeats. */
const isMany = ([all, least, comma, most]: RegExpExecArray): boolean =>
  all.startsWith('*') || all.startsWith('+') || Number(most === '' && comma === '' ? least : most || Infinity) > MANY;

function endOfClass(pattern: string, from: number): number {
  for (let at = from + 1; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === ']' && at > from + 1) return at;
  }
  return pattern.length;
}

/** Texts are looked at in pieces of this length, so that even a slow pattern comes back to the clock. */
const PIECE = 2_000;
const OVERLAP = 400;
/** All the time a pattern may take for a session, in ms. */
const MOST_MS = 5_000;

/**
 * A detector for a person's own pattern. Long lines are searched in overlapping pieces.
 * @param now a clock in ms.
 * @throws FailureError from the detector when the pattern has taken too long: half a redaction would be none.
 */
export function ownDetector({ name, pattern }: OwnPattern, now: () => number): Detector {
  const regex = compile(pattern);
  const kind = name.toLowerCase().replaceAll(/[ _]+/g, '-');
  let spent = 0;
  return function* find(text): Iterable<Find> {
    for (const { from, until } of piecesOf(text)) {
      const startedAt = now();
      const matches = [...text.slice(from, until).matchAll(regex)];
      spent += now() - startedAt;
      if (spent > MOST_MS) throw tooSlow(name);
      for (const match of matches) {
        if (match[0] !== '') yield { kind, from: from + match.index, until: from + match.index + match[0].length };
      }
    }
  };
}

const compile = (pattern: string): RegExp => {
  try {
    return new RegExp(pattern, 'gu');
  } catch {
    return new RegExp(pattern, 'g');
  }
};

const tooSlow = (name: string): FailureError =>
  new FailureError({
    kind: 'unsupported',
    message: `The pattern ${name} takes too long on this session. Nothing was written.`,
    hint: 'Make it simpler in export.redact of your settings: fewer * and +.',
  });

function* piecesOf(text: string): Iterable<{ readonly from: number; readonly until: number }> {
  if (text.length <= PIECE) {
    yield { from: 0, until: text.length };
    return;
  }
  for (let from = 0; from < text.length; from += PIECE - OVERLAP) {
    yield { from, until: Math.min(text.length, from + PIECE) };
    if (from + PIECE >= text.length) return;
  }
}
