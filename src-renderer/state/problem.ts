import { FailureError } from '../../src-shared/failure.ts';

/** What went wrong and what to do about it, for a person. */
export type Problem = { readonly message: string; readonly hint: string | undefined };

/** The words of whatever was thrown. Only a `FailureError` was written for people; others give their message. */
export const failureWords = (error: unknown): Problem =>
  error instanceof FailureError
    ? { message: error.failure.message, hint: error.failure.hint }
    : { message: error instanceof Error ? error.message : String(error), hint: undefined };
