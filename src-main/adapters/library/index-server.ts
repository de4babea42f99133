import { type ChildProcess, fork } from 'node:child_process';
import { unusableIndex } from './library-client.ts';
import { type IndexQuestion, type LibraryRequest, type QuestionAnswer, ServedMessage } from './protocol.ts';

type Waiting = {
  readonly resolve: (answer: QuestionAnswer) => void;
  readonly reject: (error: Error) => void;
};

/** A process that answers questions from the index. Starts with the first, and anew after it has died. */
export class IndexServer {
  readonly #options: { readonly execPath: string; readonly entryPath: string; readonly indexFile: string };
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | undefined;
  #number = 0;

  constructor(options: { readonly execPath: string; readonly entryPath: string; readonly indexFile: string }) {
    this.#options = options;
  }

  /** @throws FailureError when the index cannot be used */
  async ask<K extends IndexQuestion['kind']>(
    question: Extract<IndexQuestion, { readonly kind: K }>,
  ): Promise<Extract<QuestionAnswer, { readonly kind: K }>> {
    const child = this.#child ?? this.#start();
    const number = ++this.#number;
    const answer = await new Promise<QuestionAnswer>((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      child.send({ number, question }, (error) => error && this.#settle(number)?.reject(error));
    });
    if (answer.kind === 'failed') throw unusableIndex(answer.message);
    if (answer.kind !== question.kind) throw unusableIndex('its process answers something else');
    return answer as Extract<QuestionAnswer, { readonly kind: K }>;
  }

  close(): void {
    this.#child?.kill('SIGKILL');
  }

  #start(): ChildProcess {
    const { execPath, entryPath, indexFile } = this.#options;
    const child = fork(entryPath, [], {
      execPath,
      execArgv: [],
      env: { ELECTRON_RUN_AS_NODE: '1' },
      serialization: 'advanced',
      stdio: 'ignore',
    });
    this.#child = child;
    const gone = (): void => {
      if (this.#child === child) this.#child = undefined;
      for (const [number] of this.#waiting) this.#settle(number)?.reject(unusableIndex('its process has ended'));
    };
    child.once('error', gone);
    child.once('exit', gone);
    child.on('message', (raw) => {
      const { number, answer } = ServedMessage.parse(raw);
      this.#settle(number)?.resolve(answer);
    });
    child.send({ indexFile, folders: [], ask: { kind: 'serve' } } satisfies LibraryRequest);
    return child;
  }

  #settle(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    return waiting;
  }
}
