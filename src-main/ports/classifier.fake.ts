import type { Classifier, ClassifierInput } from './classifier.ts';

type Word = Awaited<ReturnType<Classifier['classify']>>;
type Look = {
  readonly input: ClassifierInput;
  readonly signal: AbortSignal;
  readonly say: (verdict: Word['verdict'], reason?: string) => void;
  readonly fail: (error: unknown) => void;
};

/** A classifier in the test's hand: each look goes on until it is told what it says. */
export class HandClassifier implements Classifier {
  readonly name = 'hand';
  readonly looks: Look[] = [];

  classify(input: ClassifierInput, signal: AbortSignal): Promise<Word> {
    return new Promise((resolve, reject) => {
      this.looks.push({
        input,
        signal,
        say: (verdict, reason = 'it says so') => resolve({ verdict, reason }),
        fail: reject,
      });
    });
  }

  /** The newest look. */
  get now(): Look {
    const look = this.looks.at(-1);
    if (look === undefined) throw new Error('nobody has asked the classifier');
    return look;
  }
}

/** Says the same of everything at once. */
export const fixedClassifier = (verdict: Word['verdict'] | 'fails'): Classifier => ({
  name: 'fixed',
  classify: async () => {
    if (verdict === 'fails') throw new Error('it is broken');
    return { verdict, reason: 'it always says so' };
  },
});
