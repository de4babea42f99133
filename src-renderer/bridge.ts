import { createStore } from 'zustand/vanilla';
import { type Failure, FailureError } from '../src-shared/failure.ts';
import {
  type PreloadBridge,
  type PushName,
  type PushPayload,
  type RequestInput,
  type RequestName,
  type RequestOutput,
  SENT_AS_TEXT,
} from '../src-shared/ipc/contract.ts';
import type { Result } from '../src-shared/result.ts';

declare global {
  interface Window {
    readonly gantry: PreloadBridge;
  }
}

/** Says why something may not be asked now, or undefined: nothing acts on a session while its past is shown. */
let guard: (name: RequestName) => string | undefined = () => undefined;
export const guardRequests = (by: typeof guard): void => {
  guard = by;
};

/** How many questions to main have no answer yet, for `idle.ts`: what they bring about has not begun to be shown. */
export const pendingRequests = createStore<{ readonly count: number }>(() => ({ count: 0 }));
const addPending = (by: 1 | -1): void => pendingRequests.setState(({ count }) => ({ count: count + by }));

/** Asks main. Fails with `FailureError`, whose `failure` holds words for a person. */
export async function request<K extends RequestName>(name: K, input: RequestInput<K>): Promise<RequestOutput<K>> {
  const why = guard(name);
  if (why !== undefined) throw new FailureError({ kind: 'stale', message: why });
  const answer = await answerOf<RequestOutput<K>>(name, input);
  if (!answer.ok) throw new FailureError(answer.error);
  const isText = SENT_AS_TEXT.has(name) && typeof answer.value === 'string';
  return (isText ? JSON.parse(answer.value as string) : answer.value) as RequestOutput<K>;
}

async function answerOf<Output>(name: RequestName, input: unknown): Promise<Result<Output | string, Failure>> {
  addPending(1);
  try {
    return (await window.gantry.invoke(name, input)) as Result<Output | string, Failure>;
  } finally {
    addPending(-1);
  }
}

/** Listens to what main pushes. Returns the way to stop. */
export function onPush<K extends PushName>(name: K, listener: (payload: PushPayload<K>) => void): () => void {
  return window.gantry.on(name, (payload) => listener(payload as PushPayload<K>));
}

/** The path of a dropped file, or undefined where it has none on disk. */
export const pathOf = (file: File): string | undefined => window.gantry.pathOf(file) || undefined;
