import { withCost } from '../../src-shared/model/prices.ts';
import { millis } from '../../src-shared/units.ts';
import type { ClassifierWord } from '../core/permission/chain.ts';
import { isShell } from '../core/permission/rules.ts';
import type { Use } from '../core/permission/tool-rules.ts';
import type { Classifier } from '../ports/classifier.ts';
import type { Spending } from '../ports/tool.ts';
import type { CallRun } from './call-run.ts';
import { worldOf } from './permission-world.ts';

/** A classifier that has said nothing until then has no say (spec 2.4). */
export const MOST_CLASSIFIER_MS = 10_000;

type Run = Pick<CallRun, 'job' | 'record' | 'clock' | 'signal' | 'context' | 'mode' | 'classifier' | 'log'>;
/** One look at one input. Its word never fails: trouble of any kind is an `ask`. */
type Look = { readonly use: Use; readonly word: Promise<ClassifierWord>; readonly stop: (why: string) => void };

/**
 * What a classifier makes of one call. For commands it begins before anybody has asked, beside the hooks, so that its
 * word is there when the chain comes to it; a changed input is looked at anew. Only in mode auto, where its word counts.
 */
export class CallClassifier {
  readonly #run: Run;
  #look: Look | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Begins early, for what is worth it: commands. */
  begin(use: Use): void {
    if (isShell(use.tool) && this.#run.mode() === 'auto') this.#lookAt(use);
  }

  /** Its word on this input; undefined when there is no classifier. Waits for the look that is going on, or begins one. */
  async word(use: Use): Promise<ClassifierWord | undefined> {
    return this.#lookAt(use)?.word;
  }

  /** Nobody will ask any more. */
  stop(): void {
    this.#look?.stop('nobody waits for it any more');
    this.#look = undefined;
  }

  #lookAt(use: Use): Look | undefined {
    const { classifier } = this.#run;
    if (classifier === undefined) return undefined;
    if (this.#look !== undefined && isSame(this.#look.use, use)) return this.#look;
    this.#look?.stop('the input was changed');
    this.#look = startLook(this.#run, classifier, use);
    return this.#look;
  }
}

const isSame = (a: Use, b: Use): boolean =>
  a.tool === b.tool && (a.input === b.input || JSON.stringify(a.input) === JSON.stringify(b.input));

type End = {
  readonly verdict: 'allow' | 'ask' | 'stopped';
  readonly reason: string;
  readonly spent?: Spending | undefined;
};

function startLook(run: Run, classifier: Classifier, use: Use): Look {
  const { clock, record, signal } = run;
  const { name } = classifier;
  const { callId } = run.job;
  const controller = new AbortController();
  const from = clock.monotonic();
  record({ type: 'classifier-started', callId, name });
  let settle: (word: ClassifierWord) => void = () => undefined;
  const word = new Promise<ClassifierWord>((resolve) => {
    settle = resolve;
  });
  let over = false;
  const end = ({ verdict, reason, spent }: End): void => {
    if (over) return;
    over = true;
    timer.dispose();
    signal.removeEventListener('abort', onAbort);
    const ms = clock.monotonic() - from;
    record({ type: 'classifier-ended', callId, name, verdict, reason, ms, ...cost(spent) });
    settle({ name, verdict: verdict === 'allow' ? 'allow' : 'ask', reason, ms });
    controller.abort();
  };
  const onAbort = (): void => end({ verdict: 'stopped', reason: 'the call was stopped' });
  const timer = clock.schedule(millis(MOST_CLASSIFIER_MS), () => end({ verdict: 'ask', reason: TOO_LONG }));
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  void said(run, classifier, { use, signal: controller.signal }).then(end);
  return { use, word, stop: (reason) => end({ verdict: 'stopped', reason }) };
}

const cost = (spent: Spending | undefined) =>
  spent === undefined ? {} : { model: spent.model, usage: withCost(spent.usage, spent.model) };

const TOO_LONG = `it said nothing within ${MOST_CLASSIFIER_MS / 1_000} s`;

/** Only the very word `allow` allows; what fails, or says anything else, asks. */
async function said(
  run: Run,
  classifier: Classifier,
  { use, signal }: { readonly use: Use; readonly signal: AbortSignal },
): Promise<End> {
  try {
    const input = { use, world: worldOf(run.context), asked: lastAsked(run) };
    const { verdict, reason, spent } = await classifier.classify(input, signal);
    return { verdict: verdict === 'allow' ? 'allow' : 'ask', reason: String(reason), spent };
  } catch (error) {
    return { verdict: 'ask', reason: `it failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function lastAsked({ log }: Run): string | undefined {
  const entry = log.state.entries.findLast((one) => one.kind === 'user' && one.from === 'person');
  return entry?.kind === 'user' ? entry.text : undefined;
}
