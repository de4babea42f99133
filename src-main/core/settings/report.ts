import { z } from 'zod';
import type { Finding } from '../../../src-shared/session/summary.ts';
import { shownText } from './words.ts';

/** Collects what is wrong in one file. `kind` is fixed by what was found, so that a list can be sorted by it. */
export class Report {
  readonly findings: Finding[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** @param line from 1. */
  add(kind: FindingKind, line: number, message: string): void {
    this.findings.push({ file: this.#file, line, kind, message });
  }
}

export type FindingKind =
  | 'settings-unreadable'
  | 'settings-broken'
  | 'settings-entry'
  | 'settings-unknown-key'
  | 'settings-twice'
  | 'hook-entry'
  | 'mcp-server';

/** What is wrong with a value, in one sentence's end: `expected string, received number`. */
export const problemOf = (error: z.ZodError): string =>
  shownText((error.issues[0]?.message ?? 'it does not fit').replace(/^Invalid (input|option): /, ''));

export const Text = z.string().regex(/\S/, 'it is empty');
