import { useState } from 'react';
import type { KeyState } from '../../src-shared/model/key-state.ts';
import { Button } from '../widgets/Button.tsx';
import { Field } from './Field.tsx';
import styles from './ModelDialog.module.css';
import type { KeyView } from './server.ts';

/** The key of a server: where it comes from, or a field to type one. What was typed is never shown again. */
export function KeyField({ view }: { readonly view: KeyView }) {
  const { state } = view;
  const [isTyping, setTyping] = useState(false);
  if (state === undefined) return null;
  if (state.from === 'none' || isTyping) {
    return <NewKey state={state} view={view} onDone={() => setTyping(false)} />;
  }
  const isOurs = state.from !== 'environment';
  return (
    <div className={styles.field}>
      <span className={styles.label}>Key</span>
      <div className={styles.value}>
        <div className={styles.line}>
          <p className={styles.fact} data-testid="key-state">
            {knownWords(state)}
          </p>
          {isOurs ? (
            <>
              <Button look="quiet" onClick={() => setTyping(true)}>
                Replace
              </Button>
              <Button look="quiet" onClick={() => void view.forget()}>
                Forget
              </Button>
            </>
          ) : null}
        </div>
        {view.problem === undefined ? null : <p className={styles.problem}>{view.problem.message}</p>}
      </div>
    </div>
  );
}

function knownWords({ from, variable, protection }: KeyState): string {
  switch (from) {
    case 'environment':
      return `From the environment, ${variable ?? ''}.`;
    case 'this-run':
      return 'Kept until Gantry ends.';
    case 'stored':
      return protection === 'system' ? 'Kept, encrypted by the system.' : 'Kept, weakly guarded.';
    case 'none':
      return 'None.';
  }
}

type NewKeyProps = { readonly state: KeyState; readonly view: KeyView; readonly onDone: () => void };

function NewKey({ state, view, onDone }: NewKeyProps) {
  const [key, setKey] = useState('');
  const [isStored, setStored] = useState(state.protection === 'system');
  const keep = async (): Promise<void> => {
    if (key.trim() === '') return;
    if (await view.keep(key.trim(), isStored ? 'stored' : 'this-run')) {
      setKey('');
      onDone();
    }
  };
  const problem = view.problem && [view.problem.message, view.problem.hint].filter(Boolean).join(' ');
  return (
    <Field label="Key" problem={problem} hint={noteOf(state)}>
      {(ids) => (
        <>
          <div className={styles.line}>
            <input
              {...ids}
              type="password"
              className={styles.input}
              value={key}
              autoComplete="off"
              spellCheck={false}
              placeholder={state.isOptional ? 'None needed by most' : 'Type or paste the key'}
              onChange={(event) => setKey(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
                event.preventDefault();
                void keep();
              }}
            />
            <Button disabled={key.trim() === ''} onClick={() => void keep()}>
              Keep key
            </Button>
          </div>
          {state.protection === 'none' ? null : (
            <label className={styles.check}>
              <input type="checkbox" checked={isStored} onChange={(event) => setStored(event.target.checked)} />
              {state.protection === 'system'
                ? 'Keep it after Gantry ends, encrypted by the system'
                : 'Keep it after Gantry ends, though it is weakly guarded here'}
            </label>
          )}
        </>
      )}
    </Field>
  );
}

/** What a person should know before they type a key. */
function noteOf({ protection, unusedVariable }: KeyState): string | undefined {
  const notes = [
    unusedVariable === undefined
      ? ''
      : `${unusedVariable} of the environment is not sent to this address. To use it here, name the address in the environment too.`,
    protection === 'weak'
      ? 'This system has no keyring. Whoever can read your files could read a key that is kept.'
      : protection === 'none'
        ? 'The system cannot encrypt it, so it is kept until Gantry ends.'
        : '',
  ].filter(Boolean);
  return notes.length === 0 ? undefined : notes.join(' ');
}
