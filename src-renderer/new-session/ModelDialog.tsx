import { Play, Sparkles } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { PermissionMode } from '../../src-shared/permission/event.ts';
import { request } from '../bridge.ts';
import { MODE_HINTS, MODE_WORDS } from '../modes/mode-words.ts';
import { failureWords, type Problem } from '../state/problem.ts';
import { sessionStore } from '../state/session-store.ts';
import { type ViewState, viewStore } from '../state/view-store.ts';
import { Button } from '../widgets/Button.tsx';
import { DialogFailure, DialogFooter, DialogForm, DialogFrame } from '../widgets/DialogFrame.tsx';
import { Menu, MenuChoices } from '../widgets/Menu.tsx';
import { changeModel, forkSession, startSession } from './actions.ts';
import { Field } from './Field.tsx';
import { FolderField } from './FolderField.tsx';
import { type Form, problemsOf, withChoice } from './form.ts';
import { changeForm, formStore, prepareForm } from './form-store.ts';
import styles from './ModelDialog.module.css';
import { ServerFields } from './ServerFields.tsx';

const close = (): void => viewStore.setState({ modelDialog: 'closed' });

type Which = Exclude<ViewState['modelDialog'], 'closed'>;

/** What the dialog is called, what its button says, and what that does. */
const WORDS: Readonly<
  Record<Which, { readonly title: string; readonly action: string; readonly run: (form: Form) => Promise<void> }>
> = {
  'new-session': { title: 'New session', action: 'Start session', run: startSession },
  'change-model': { title: 'Change the model', action: 'Use this model', run: changeModel },
  'fork-session': { title: 'Continue in a new session', action: 'Start session', run: forkSession },
};

/** The dialog that starts a session with a model, continues one in a new one, or changes the model of the one on screen. */
export function ModelDialog() {
  const which = useStore(viewStore, (view) => view.modelDialog);
  return (
    <DialogFrame
      open={which !== 'closed'}
      onClose={close}
      className={styles.dialog}
      startsAt="[data-autofocus]"
      onEscapeKeyDown={keepWhileListed}
    >
      {which === 'closed' ? null : <Content which={which} />}
    </DialogFrame>
  );
}

/** Escape closes the list of models first, and the dialog with the next press. */
function keepWhileListed(event: globalThis.KeyboardEvent): void {
  if (document.querySelector('[data-model-list]') !== null) event.preventDefault();
}

function Content({ which }: { readonly which: Which }) {
  const isNew = which !== 'change-model';
  const { title, action, run } = WORDS[which];
  const form = useStore(formStore, (view) => view.form);
  const [asked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Problem>();
  useFilledForm(which, setFailure);
  const problems = problemsOf(form, isNew);
  const submit = async (): Promise<void> => {
    setAsked(true);
    if (isBusy || Object.keys(problems).length > 0) return;
    setBusy(true);
    try {
      await run(form);
      close();
    } catch (error) {
      setFailure(failureWords(error));
    }
    setBusy(false);
  };
  const shown = asked ? problems : {};
  return (
    <DialogForm title={title} onClose={close} onSubmit={() => void submit()}>
      <div className={styles.fields}>
        {which === 'fork-session' ? <ForkNote /> : null}
        {isNew ? <FolderField problem={shown.folder} /> : null}
        <ServerFields problems={shown} />
        {isNew ? <FirstMessage form={form} /> : null}
        {isNew ? <ModeField mode={form.mode} /> : <p className={styles.note}>It answers from the next message on.</p>}
      </div>
      {failure === undefined ? null : <DialogFailure {...failure} />}
      <DialogFooter>
        <Button size="large" onClick={close}>
          Cancel
        </Button>
        <Button
          size="large"
          look="primary"
          icon={isNew ? Play : Sparkles}
          keys="Ctrl Enter"
          disabled={isBusy}
          onClick={() => void submit()}
        >
          {isNew && isBusy ? 'Starting' : action}
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}

/** Says how much of the session goes into the new one. */
function ForkNote() {
  const upTo = useStore(viewStore, (view) => view.fork?.upToMessageId);
  const what = upTo === undefined ? 'the whole conversation' : 'the conversation up to the chosen message';
  return <p className={styles.note}>The new session begins with {what}. The one it comes from stays as it is.</p>;
}

/** The last choices for a new session; the session's own model for a change of it, and its folder too for a fork. */
function useFilledForm(which: Which, onFailure: (problem: Problem) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens
  useEffect(() => {
    fillForm(which).catch((error: unknown) => onFailure(failureWords(error)));
  }, []);
}

async function fillForm(which: Which): Promise<void> {
  const session = sessionStore.getState();
  const model = session.phase === 'open' ? session.state.model : undefined;
  if (which === 'change-model' && model !== undefined) {
    formStore.setState(({ form }) => ({ form: withChoice(form, model) }));
  }
  await prepareForm();
  const { fork } = viewStore.getState();
  if (which !== 'fork-session' || fork === undefined) return;
  const options = await request('fork.options', { sessionId: fork.sessionId });
  formStore.setState(({ form }) => ({
    form: {
      ...(options.model === undefined ? form : withChoice(form, options.model)),
      folder: options.cwd ?? '',
      prompt: '',
    },
  }));
}

function FirstMessage({ form }: { readonly form: Form }) {
  return (
    <Field label="Message" hint="The session waits for one when it is left empty.">
      {(ids) => (
        <textarea
          {...ids}
          className={styles.message}
          rows={3}
          value={form.prompt}
          placeholder="What is to be done?"
          onChange={(event) => changeForm({ prompt: event.target.value })}
        />
      )}
    </Field>
  );
}

/** Modes that a session may start in from here; the others are chosen in it, where they are asked about. */
const MODES: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'auto'];

function ModeField({ mode }: { readonly mode: PermissionMode }) {
  return (
    <div className={styles.field}>
      <span className={styles.label}>Mode</span>
      <div className={styles.value}>
        <div className={styles.line}>
          <Menu
            trigger={
              <Button className={styles.mode} aria-label={`Permission mode: ${MODE_WORDS[mode]}`}>
                {MODE_WORDS[mode]}
              </Button>
            }
          >
            <MenuChoices
              label="Permission mode"
              value={mode}
              options={MODES.map((value) => ({ value, label: MODE_WORDS[value], hint: MODE_HINTS[value] }))}
              onChange={(value) => changeForm({ mode: value })}
            />
          </Menu>
          <p className={styles.hint}>{MODE_HINTS[mode]}</p>
        </div>
      </div>
    </div>
  );
}
