import { ArrowRight, MessageSquare, Pencil } from 'lucide-react';
import { type MouseEvent, type Ref, useId } from 'react';
import type { Answer, RuleScope } from '../../src-shared/permission/event.ts';
import { formatMoment } from '../../src-shared/timeline/words.ts';
import { DiffView } from '../inspector/DiffView.tsx';
import { Trace } from '../inspector/Trace.tsx';
import { Button } from '../widgets/Button.tsx';
import { classes } from '../widgets/classes.ts';
import styles from './AskDetail.module.css';
import { type EditableInput, editableInput, editedInput, inputOf, type OpenAsk, shownText } from './asks.ts';
import { ChoiceDetail } from './ChoiceDetail.tsx';
import { CommandText } from './CommandText.tsx';
import { answersOf, type ChoiceDraft, emptyChoices, goTo, missing } from './choices.ts';
import { DetailHead } from './DetailHead.tsx';
import type { AnswerAction, Guard } from './guard.ts';
import { PlanDetail } from './PlanDetail.tsx';

/** What the person has written for a question so far. */
export type AskDraft = {
  readonly rule: string;
  readonly scope: RuleScope;
  readonly feedback: string;
  /** Set while the input is being edited. */
  readonly edited: EditableInput | undefined;
  /** What was chosen where the person is asked for answers. */
  readonly choices: ChoiceDraft | undefined;
  readonly problem: string | undefined;
};

export const emptyDraft = (open: OpenAsk | undefined): AskDraft => ({
  rule: open?.ask.question.proposedRule ?? '',
  scope: 'session',
  feedback: '',
  edited: undefined,
  choices: open?.ask.question.choices === undefined ? undefined : emptyChoices(open.ask.question.choices),
  problem: undefined,
});

export type AskDetailProps = {
  readonly open: OpenAsk;
  readonly cwd: string;
  readonly draft: AskDraft;
  readonly guard: Guard;
  readonly feedbackField: Ref<HTMLTextAreaElement>;
  readonly onDraft: (change: Partial<AskDraft>) => void;
  /** `byKey`: the click was made with a key, so the guard has a say. */
  readonly onAction: (action: AnswerAction, byKey: boolean) => void;
};

/** The answer that an action stands for with this draft, or what is missing for it. */
export function answerOf(
  open: OpenAsk,
  draft: AskDraft,
  action: AnswerAction,
): { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly message: string } {
  switch (action) {
    case 'allow-always':
      if (draft.rule.trim() === '') return { ok: false, message: 'Write a rule first.' };
      return { ok: true, answer: { kind: 'allow-and-add-rule', rule: draft.rule.trim(), scope: draft.scope } };
    case 'allow-edited': {
      const edited = editedInput(open.call, draft.edited ?? editableInput(open.call));
      return edited.ok ? { ok: true, answer: { kind: 'allow-edited', input: edited.input } } : edited;
    }
    case 'deny-with-reason':
      if (draft.feedback.trim() === '') return { ok: false, message: 'Write the reason first.' };
      return { ok: true, answer: { kind: 'deny-with-feedback', feedback: draft.feedback.trim() } };
    case 'deny':
    case 'deny-all':
      return { ok: true, answer: { kind: 'deny' } };
    case 'allow-accepting-edits': {
      const input = { ...(inputOf(open.call) as object), mode: 'acceptEdits' };
      return { ok: true, answer: { kind: 'allow-edited', input } };
    }
    case 'allow-once':
      return open.ask.question.choices === undefined
        ? { ok: true, answer: { kind: 'allow-once' } }
        : chosen(open, draft);
    case 'allow-all-reads':
      return { ok: true, answer: { kind: 'allow-once' } };
  }
}

/** The answers that were chosen, in the input that the tool takes. */
function chosen(open: OpenAsk, draft: AskDraft): ReturnType<typeof answerOf> {
  const answers = draft.choices && answersOf(open.ask.question.choices ?? [], draft.choices);
  if (answers === undefined) return { ok: false, message: 'Answer every question first.' };
  return { ok: true, answer: { kind: 'allow-edited', input: { ...(inputOf(open.call) as object), answers } } };
}

/**
 * Where several questions are asked in a row: what becomes of the draft instead of sending it. Undefined when this was
 * the last one, or nothing of that kind is asked.
 */
export function nextQuestion(open: OpenAsk, { choices: draft }: AskDraft): Partial<AskDraft> | undefined {
  const { choices } = open.ask.question;
  if (choices === undefined || draft === undefined) return undefined;
  const problem = missing(draft);
  if (problem !== undefined) return { problem };
  return draft.step < choices.length - 1 ? { choices: goTo(draft, draft.step + 1), problem: undefined } : undefined;
}

/** The open question: what it is about, and the answers. */
export function AskDetail(props: AskDetailProps) {
  const { choices, plan } = props.open.ask.question;
  if (choices !== undefined) return <ChoiceDetail {...props} choices={choices} />;
  if (plan !== undefined) return <PlanDetail {...props} plan={plan} />;
  return <PermissionDetail {...props} />;
}

/** What would run, why it is asked, and the answers. */
function PermissionDetail(props: AskDetailProps) {
  const { open, cwd, draft } = props;
  const { question, trace } = open.ask;
  // What the tool insists on, the removal of a whole home for instance, says more than why a command is not proved harmless.
  const insisted = question.dangerous
    ? trace.find(({ step, verdict }) => step === 'tool' && verdict === 'ask')
    : undefined;
  const reason = insisted?.text ?? question.reason;
  return (
    <div className={styles.detail}>
      <div className={styles.scrolls}>
        <div className={styles.main}>
          <DetailHead open={open} cwd={cwd} />
          {draft.edited === undefined ? <WhatRuns open={open} /> : <Editor draft={draft} onDraft={props.onDraft} />}
          {reason === '' ? null : (
            <p className={styles.reason}>
              <ArrowRight aria-hidden="true" size={16} />
              <span>{reason}</span>
            </p>
          )}
          <RuleBox draft={draft} onDraft={props.onDraft} />
          <label className={styles.feedback}>
            <MessageSquare aria-hidden="true" size={15} />
            <textarea
              ref={props.feedbackField}
              rows={1}
              aria-label="Reason for the model"
              placeholder="Tell the model why (sent only if you deny)"
              value={draft.feedback}
              onChange={(event) => props.onDraft({ feedback: event.target.value, problem: undefined })}
            />
          </label>
          {draft.problem === undefined ? null : (
            <p role="alert" className={styles.problem}>
              {draft.problem}
            </p>
          )}
        </div>
        <aside className={styles.why} aria-label="Why it asks">
          <h3>Why it asks</h3>
          <Trace steps={withLastStep(open)} />
          <p className={styles.note}>If you deny without a reason, the turn ends.</p>
        </aside>
      </div>
      <Answers {...props} />
    </div>
  );
}

function withLastStep({ ask }: OpenAsk): OpenAsk['ask']['trace'] {
  const last = ask.trace.at(-1);
  if (last?.step === 'user' || last?.step === 'fallback') return ask.trace;
  return [
    ...ask.trace,
    { step: 'user', verdict: 'ask', text: 'So you are asked', detail: `asked at ${formatMoment(ask.from)}` },
  ];
}

function WhatRuns({ open }: { readonly open: OpenAsk }) {
  const { diff, span } = open.ask.question;
  if (diff !== undefined) return <DiffView change={{ ...diff, isWhole: true }} />;
  return (
    <CommandText text={shownText(open.call)} span={span} isCommand={editableInput(open.call).kind === 'command'} />
  );
}

type DraftProps = { readonly draft: AskDraft; readonly onDraft: (change: Partial<AskDraft>) => void };

function Editor({ draft, onDraft }: DraftProps) {
  const { edited } = draft;
  if (edited === undefined) return null;
  return (
    <textarea
      className={styles.editor}
      aria-label={edited.kind === 'command' ? 'Command to allow' : 'Input to allow, as JSON'}
      // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit; the caret belongs here
      autoFocus
      spellCheck={false}
      rows={Math.min(12, Math.max(3, edited.text.split('\n').length))}
      value={edited.text}
      onChange={(event) => onDraft({ edited: { ...edited, text: event.target.value }, problem: undefined })}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onDraft({ edited: undefined, problem: undefined });
      }}
    />
  );
}

const SCOPES: readonly (readonly [RuleScope, string])[] = [
  ['session', 'This session'],
  ['local', 'Local'],
  ['project', 'Project'],
  ['user', 'User'],
];

/** The rule that would make this not ask again, and where it would be kept. */
function RuleBox({ draft, onDraft }: DraftProps) {
  const name = useId();
  return (
    <div className={styles.rule}>
      <div className={styles.ruleHead}>
        <h4 id={`${name}-title`}>Not ask again for</h4>
        <fieldset className={styles.scopes}>
          <legend className={styles.legend}>Save in</legend>
          {SCOPES.map(([scope, label]) => (
            <label key={scope} className={classes(styles.scope, draft.scope === scope && styles.chosen)}>
              <input
                type="radio"
                name={name}
                className="visually-hidden"
                checked={draft.scope === scope}
                onChange={() => onDraft({ scope, problem: undefined })}
              />
              {label}
            </label>
          ))}
        </fieldset>
      </div>
      <label className={styles.ruleField}>
        <input
          type="text"
          aria-label="Rule"
          aria-describedby={`${name}-title`}
          placeholder="A rule, such as Bash(npm run test:*)"
          spellCheck={false}
          value={draft.rule}
          onChange={(event) => onDraft({ rule: event.target.value, problem: undefined })}
        />
        <Pencil aria-hidden="true" size={14} />
      </label>
    </div>
  );
}

/** A click that a key made has no pointer behind it. */
const isByKey = (event: MouseEvent): boolean => event.detail === 0;

function Answers({ draft, guard, onDraft, onAction, open }: AskDetailProps) {
  const label = (action: AnswerAction, text: string): string =>
    guard.mode === 'confirming' && guard.action === action ? 'Press Enter again to allow' : text;
  const act = (action: AnswerAction) => (event: MouseEvent) => onAction(action, isByKey(event));
  const isEditing = draft.edited !== undefined;
  return (
    <footer className={classes(styles.answers, guard.mode === 'arming' && styles.arming)}>
      {isEditing ? (
        <>
          <Button look="primary" size="large" onClick={act('allow-edited')}>
            {label('allow-edited', 'Allow edited')}
          </Button>
          <Button size="large" onClick={() => onDraft({ edited: undefined, problem: undefined })}>
            Stop editing
          </Button>
        </>
      ) : (
        <>
          <Button look="primary" size="large" keys="↵" onClick={act('allow-once')}>
            {label('allow-once', 'Allow once')}
          </Button>
          <Button size="large" onClick={act('allow-always')}>
            {label('allow-always', 'Allow always')}
          </Button>
          <Button size="large" icon={Pencil} onClick={() => onDraft({ edited: editableInput(open.call) })}>
            Edit, then allow
          </Button>
        </>
      )}
      <span className={styles.space} />
      <Button size="large" keys="D" onClick={act('deny')}>
        Deny
      </Button>
      <Button size="large" onClick={act('deny-with-reason')}>
        Deny with reason
      </Button>
    </footer>
  );
}
