import { useEffect, useRef, useState } from 'react';
import { callById, type SessionState } from '../../src-shared/session/state.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import type { OpenAsk } from './asks.ts';

/** How long a card that a new rule has answered says so before it goes, in ms. */
const COVERED_MS = 2_000;

/** A question that needs no answer any more, and the rule that has answered it. */
export type Covered = { readonly open: OpenAsk; readonly rule: string };

/** The rule that allowed a call, in settings syntax, as far as its trace tells. */
export function coveringRule(call: ToolCall | undefined): string | undefined {
  if (call?.permission?.by !== 'new-rule') return undefined;
  const step = call.permission.trace.findLast((one) => one.step === 'allow-rules' && one.verdict === 'allow');
  return step?.detail?.split(' · ', 1)[0] ?? 'a new rule';
}

/** Questions that a rule has just answered. Each is kept for two seconds, so that nothing vanishes without a word. */
export function useCovered(state: SessionState | undefined, asks: readonly OpenAsk[]): readonly Covered[] {
  const [covered, setCovered] = useState<readonly Covered[]>([]);
  const before = useRef<readonly OpenAsk[]>([]);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const still = new Set(asks.map(({ ask }) => ask.askId));
    const gone = before.current.filter(({ ask }) => !still.has(ask.askId));
    before.current = asks;
    if (state === undefined) return;
    const found = gone.flatMap((open): readonly Covered[] => {
      const rule = coveringRule(callById(state, open.call.callId));
      return rule === undefined ? [] : [{ open, rule }];
    });
    if (found.length === 0) return;
    setCovered((now) => [...now, ...found]);
    const timer = setTimeout(() => {
      timers.current.delete(timer);
      setCovered((now) => now.filter((one) => !found.includes(one)));
    }, COVERED_MS);
    timers.current.add(timer);
  }, [state, asks]);
  useEffect(() => {
    const running = timers.current;
    return () => {
      for (const timer of running) clearTimeout(timer);
      running.clear();
    };
  }, []);
  return covered;
}
