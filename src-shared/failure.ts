import { z } from 'zod';

/** An expected failure as it crosses IPC: what happened, where, and what to do, in words for a person. */
export const Failure = z.object({
  kind: z.enum([
    'bad-input',
    'not-found',
    'not-readable',
    'not-writable',
    'locked',
    'stale',
    'busy',
    'unsupported',
    'internal',
  ]),
  message: z.string(),
  hint: z.string().optional(),
});
export type Failure = z.output<typeof Failure>;

/** The same failure where it is thrown, up to the place that can act on it. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
  readonly failure: Failure;

  constructor(failure: Failure, options?: { readonly cause?: unknown }) {
    super(failure.message, options);
    this.failure = failure;
  }
}
