import { z } from 'zod';
import { err, ok, type Result } from '../result.ts';
import { SessionEvent } from './event.ts';

/** Version of the journal's line format. Raise it with a step in `upgrades`. */
export const JOURNAL_VERSION = 1;

type RawLine = { readonly v: number; readonly [key: string]: unknown };

/** Entry n turns a line of version n+1 into version n+2. Append only: old journals stay readable. */
const upgrades: readonly ((line: RawLine) => RawLine)[] = [];

const AnyLine = z.looseObject({ v: z.number().int().min(1) });

/** One line of a journal, without its line break. */
export const toLine = (event: SessionEvent): string => JSON.stringify({ v: JOURNAL_VERSION, ...event });

/** Parses one journal line of any known version. The error is one sentence for a person. */
export function parseLine(text: string): Result<SessionEvent, string> {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return err('is not JSON');
  }
  const versioned = AnyLine.safeParse(raw);
  if (!versioned.success) return err('has no version number `v`');
  let line: RawLine = versioned.data;
  if (line.v > JOURNAL_VERSION) return err(`was written by a newer Gantry (format ${line.v})`);
  while (line.v < JOURNAL_VERSION) {
    const upgrade = upgrades[line.v - 1];
    if (upgrade === undefined) return err(`has the unknown format ${line.v}`);
    line = { ...upgrade(line), v: line.v + 1 };
  }
  const { v: _, ...event } = line;
  const parsed = SessionEvent.safeParse(event);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return err(`is not an event: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
  }
  return ok(parsed.data);
}
