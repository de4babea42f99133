import { type Failure, FailureError } from '../src-shared/failure.ts';
import type { PushName, PushPayload, RequestInput, RequestName, RequestOutput } from '../src-shared/ipc/contract.ts';
import { err, ok } from '../src-shared/result.ts';

type Answers = {
  readonly [K in RequestName]?: (input: RequestInput<K>) => RequestOutput<K> | Promise<RequestOutput<K>>;
};

/** A stand-in for main in tests: answers from a table, remembers what was asked, pushes when told to. */
export type FakeBridge = {
  readonly asked: { readonly name: RequestName; readonly input: unknown }[];
  push<K extends PushName>(name: K, payload: PushPayload<K>): void;
  /** Inputs of one kind of request, in the order asked. */
  inputsOf<K extends RequestName>(name: K): readonly RequestInput<K>[];
};

export const failing = (failure: Failure): never => {
  throw new FailureError(failure);
};

/** Puts a fake `window.gantry` in place. A request without an answer in the table fails as `unsupported`. */
export function installFakeBridge(answers: Answers, paths: ReadonlyMap<File, string> = new Map()): FakeBridge {
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  const asked: FakeBridge['asked'] = [];
  const bridge = {
    async invoke(name: string, input: unknown) {
      asked.push({ name: name as RequestName, input });
      const answer = answers[name as RequestName] as ((input: unknown) => unknown) | undefined;
      if (answer === undefined) return err({ kind: 'unsupported', message: `Nobody answers ${name}.` });
      try {
        return ok(await answer(input));
      } catch (error) {
        if (error instanceof FailureError) return err(error.failure);
        throw error;
      }
    },
    on(name: string, listener: (payload: unknown) => void) {
      const known = listeners.get(name) ?? new Set();
      listeners.set(name, known.add(listener));
      return () => known.delete(listener);
    },
    pathOf: (file: File) => paths.get(file) ?? '',
  };
  Object.defineProperty(globalThis.window, 'gantry', { value: bridge, configurable: true, writable: true });
  return {
    asked,
    push: (name, payload) => {
      for (const listener of listeners.get(name) ?? []) listener(payload);
    },
    inputsOf: <K extends RequestName>(name: K) =>
      asked.filter((one) => one.name === name).map((one) => one.input as RequestInput<K>),
  };
}
