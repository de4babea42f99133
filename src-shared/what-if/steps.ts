/** Long work in parts of a few milliseconds each, so that a page can draw in between. */
export type Steps<T> = Generator<undefined, T, void>;

/** Does all parts at once. */
export function allSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** So many calls are looked at in one part. */
export const CALLS_A_STEP = 300;
