import { useEffect, useRef, useState } from 'react';
import type { ListedModel } from '../../src-shared/ipc/contract.ts';
import type { KeyState } from '../../src-shared/model/key-state.ts';
import { request } from '../bridge.ts';
import { failureWords, type Problem } from '../state/problem.ts';
import type { placeOf } from './form.ts';

type Place = ReturnType<typeof placeOf>;

export type KeyView = {
  /** Undefined while it is asked for, and for an address that is none. */
  readonly state: KeyState | undefined;
  readonly problem: Problem | undefined;
  readonly keep: (key: string, keep: 'stored' | 'this-run') => Promise<boolean>;
  readonly forget: () => Promise<void>;
};

/** What is known of the key for a server. */
export function useKey({ provider, baseUrl }: Place): KeyView {
  const [state, setState] = useState<KeyState>();
  const [problem, setProblem] = useState<Problem>();
  const place = baseUrl === undefined ? { provider } : { provider, baseUrl };
  const latest = useRef(place);
  latest.current = place;

  useEffect(() => {
    let isCurrent = true;
    setState(undefined);
    setProblem(undefined);
    request('keys.state', baseUrl === undefined ? { provider } : { provider, baseUrl }).then(
      (answer) => isCurrent && setState(answer),
      // The address field says what is wrong with it.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [provider, baseUrl]);

  const attempt = async (work: () => Promise<KeyState>): Promise<boolean> => {
    const asked = latest.current;
    try {
      const answer = await work();
      if (isSame(asked, latest.current)) setState(answer);
      setProblem(undefined);
      return true;
    } catch (error) {
      setProblem(failureWords(error));
      return false;
    }
  };
  return {
    state,
    problem,
    keep: (key, keep) => attempt(() => request('keys.set', { ...place, key, keep })),
    forget: async () => void (await attempt(() => request('keys.remove', place))),
  };
}

export type ModelsView =
  | { readonly phase: 'not-asked' | 'asking' }
  | { readonly phase: 'known'; readonly models: readonly ListedModel[] }
  | { readonly phase: 'failed'; readonly problem: Problem };

/** The models of a server, once they are asked for. Another address or key means that nothing is known. */
export function useModels({ provider, baseUrl }: Place, key: KeyState | undefined) {
  const [view, setView] = useState<ModelsView>({ phase: 'not-asked' });
  const asked = useRef(0);
  const about = `${provider} ${baseUrl ?? ''} ${key?.from ?? ''}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was heard of another server is not true of this one
  useEffect(() => {
    asked.current++;
    setView({ phase: 'not-asked' });
  }, [about]);
  const ask = async (): Promise<void> => {
    const mine = ++asked.current;
    setView({ phase: 'asking' });
    try {
      const { models } = await request('models.list', baseUrl === undefined ? { provider } : { provider, baseUrl });
      if (asked.current === mine) setView({ phase: 'known', models });
    } catch (error) {
      if (asked.current === mine) setView({ phase: 'failed', problem: failureWords(error) });
    }
  };
  return { view, ask };
}

const isSame = (a: Place, b: Place): boolean => a.provider === b.provider && a.baseUrl === b.baseUrl;
