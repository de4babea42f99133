import fc from 'fast-check';

/** How a call goes once its tool has begun. Times in ms of the virtual clock. */
export type RunPlan = {
  readonly end:
    | 'ok'
    | 'fails'
    | 'throws'
    | 'throws-at-once'
    | 'throws-no-error'
    /** Its output cannot be kept. */
    | 'unkeepable'
    /** Goes on telling of progress after its end. */
    | 'talks-on'
    /** Never ends by itself. */
    | 'hangs';
  readonly runs: number;
  /** What it does when it is told to stop: ends soon, by an error of its own, or not at all. */
  readonly stop: 'aborts' | 'keeps-output' | 'fails' | 'deaf';
  readonly stopsAfter: number;
  readonly modifies: boolean;
  /** Its result is so long that it goes to disk. */
  readonly long: boolean;
};

export type HookPlan = {
  readonly says: 'nothing' | 'allow' | 'ask' | 'deny' | 'changes' | 'stops-turn';
  readonly after: number;
};

export type CallPlan = RunPlan & {
  readonly tool: 'Look' | 'Change' | 'Bash' | 'Ask' | 'Unknown';
  /** A Bash command that only reads, so that it may run beside others. */
  readonly readsOnly: boolean;
  /** Its input fits no schema. */
  readonly invalid: boolean;
  /** It was cut off: it never starts. */
  readonly broken: boolean;
  /** After the block before it. */
  readonly gap: number;
  readonly hook: HookPlan | undefined;
  readonly answer: 'allow-once' | 'deny-with-feedback' | 'deny' | 'never';
  readonly answerAfter: number;
  /** What the classifier says in mode auto. */
  readonly classifier: { readonly says: 'allow' | 'ask' | 'fails' | 'nothing'; readonly after: number };
};

export type Input = { readonly at: number; readonly do: 'interrupt' | 'escape' | 'shutdown' | 'discard' };

export type MessagePlan = {
  readonly calls: readonly CallPlan[];
  readonly inputs: readonly Input[];
  readonly end: { readonly at: number; readonly how: 'well' | 'refused' | 'cut-off' };
  readonly strategy: 'streaming' | 'batch' | 'serial';
  readonly cap: number;
  readonly cascade: 'any-error' | 'except-writes' | 'bash' | 'bash-mutating' | 'none';
  readonly startUnsafe: 'at-once' | 'after-message';
  readonly mode: 'default' | 'auto' | 'bypassPermissions';
};

const rarely = <T>(often: T, seldom: fc.Arbitrary<T>, weight = 6): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(often) }, { weight: 1, arbitrary: seldom });
const ms = fc.constantFrom(0, 0, 10, 10, 30, 70);

const runPlan = {
  end: fc.constantFrom<RunPlan['end'][]>(
    ...(['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'fails', 'fails', 'throws', 'throws-at-once'] as const),
    ...(['throws-no-error', 'unkeepable', 'talks-on', 'hangs'] as const),
  ),
  runs: ms,
  stop: fc.constantFrom<RunPlan['stop'][]>('aborts', 'aborts', 'keeps-output', 'fails', 'deaf'),
  stopsAfter: fc.constantFrom(0, 10, 500),
  modifies: fc.boolean(),
  long: rarely(false, fc.constant(true)),
};

const callPlan: fc.Arbitrary<CallPlan> = fc.record({
  ...runPlan,
  tool: fc.constantFrom<CallPlan['tool'][]>('Look', 'Look', 'Look', 'Change', 'Bash', 'Bash', 'Ask', 'Unknown'),
  readsOnly: fc.boolean(),
  invalid: rarely(false, fc.constant(true), 12),
  broken: rarely(false, fc.constant(true), 20),
  gap: fc.constantFrom(0, 0, 0, 10, 40),
  hook: rarely<HookPlan | undefined>(
    undefined,
    fc.record({
      says: fc.constantFrom<HookPlan['says'][]>('nothing', 'allow', 'ask', 'deny', 'changes', 'stops-turn'),
      after: ms,
    }),
    3,
  ),
  answer: fc.constantFrom<CallPlan['answer'][]>('allow-once', 'allow-once', 'deny-with-feedback', 'deny', 'never'),
  answerAfter: ms,
  classifier: fc.record({
    says: fc.constantFrom<CallPlan['classifier']['says'][]>('allow', 'allow', 'ask', 'fails', 'nothing'),
    after: ms,
  }),
});

const input: fc.Arbitrary<Input> = fc.record({
  at: fc.integer({ min: 0, max: 20 }).map((tens) => tens * 10),
  do: fc.constantFrom<Input['do'][]>('interrupt', 'interrupt', 'escape', 'shutdown', 'discard'),
});

export const messagePlan: fc.Arbitrary<MessagePlan> = fc.record({
  calls: fc.array(callPlan, { maxLength: 9 }),
  inputs: rarely<readonly Input[]>([], fc.array(input, { minLength: 1, maxLength: 2 }), 1),
  end: fc.record({
    at: fc.constantFrom(0, 50, 150),
    how: fc.constantFrom<MessagePlan['end']['how'][]>('well', 'well', 'well', 'refused', 'cut-off'),
  }),
  strategy: fc.constantFrom<MessagePlan['strategy'][]>('streaming', 'streaming', 'batch', 'serial'),
  cap: fc.constantFrom(1, 2, 3, 10),
  cascade: fc.constantFrom<MessagePlan['cascade'][]>('any-error', 'except-writes', 'bash', 'bash-mutating', 'none'),
  startUnsafe: rarely<MessagePlan['startUnsafe']>('at-once', fc.constant('after-message'), 3),
  mode: fc.constantFrom<MessagePlan['mode'][]>('default', 'auto', 'bypassPermissions'),
});

/** Messages in which nobody stops anything from outside: what then differs between strategies is theirs alone. */
export const undisturbedPlan: fc.Arbitrary<MessagePlan> = messagePlan.map((plan) => ({
  ...plan,
  inputs: [],
  end: { ...plan.end, how: 'well' },
  calls: plan.calls.map((call) => ({
    ...call,
    // A refusal without a word ends the turn, and what hangs is ended from outside.
    answer: call.answer === 'deny' || call.answer === 'never' ? 'deny-with-feedback' : call.answer,
    end: call.end === 'hangs' ? 'ok' : call.end,
  })),
}));
