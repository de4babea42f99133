import { failureWords } from '../state/problem.ts';

/** What went wrong and what to do about it, as one text. */
export function failureText(error: unknown): string {
  const { message, hint } = failureWords(error);
  return hint === undefined ? message : `${message} ${hint}`;
}
