import { Copy } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { request } from '../bridge.ts';
import { failureText } from '../conversation/failure-text.ts';
import { announce } from '../state/view-store.ts';
import { Button } from '../widgets/Button.tsx';
import { Part, Pre } from './Facts.tsx';
import styles from './InputTab.module.css';
import { TextLines } from './output/ModelSaw.tsx';

const json = (value: unknown): string => JSON.stringify(value, undefined, 2) ?? 'undefined';

/** What a call was asked to do: as it is worth reading, and as the model sent it. */
export function InputTab({ call }: { readonly call: ToolCall }) {
  const copy = (): void => {
    request('clipboard.write', { text: json(call.input) }).then(
      () => announce('The input is copied.'),
      (error: unknown) => announce(failureText(error)),
    );
  };
  return (
    <div className={styles.tab}>
      {call.changedInput === undefined ? null : (
        <Part
          title={
            call.changedInput.by === 'user' ? 'What it ran with, after your edit' : 'What it ran with, after a hook'
          }
        >
          <Fields value={call.changedInput.input} />
        </Part>
      )}
      <Part title={call.changedInput === undefined ? 'Input' : 'What the model asked for'}>
        <Fields value={call.input} />
      </Part>
      {Object.keys(call.observed).length === 0 ? null : (
        <Part title="Added for the screen. The model does not see it">
          <Fields value={call.observed} />
        </Part>
      )}
      <Part
        title="Raw, as the model sent it"
        note={
          <Button look="quiet" icon={Copy} onClick={copy}>
            Copy
          </Button>
        }
      >
        <div className={styles.raw}>
          <TextLines text={json(call.input)} />
        </div>
      </Part>
    </div>
  );
}

/** An object field by field, texts with their line breaks; anything else as JSON. */
function Fields({ value }: { readonly value: unknown }) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return <Pre>{json(value)}</Pre>;
  const fields = Object.entries(value);
  if (fields.length === 0) return <p className={styles.none}>No fields.</p>;
  return (
    <dl className={styles.fields}>
      {fields.map(([name, field]) => (
        <div key={name} className={styles.field}>
          <dt>{name}</dt>
          <dd>
            <FieldText text={typeof field === 'string' ? field : json(field)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const FIELD_LIMIT = 20_000;

function FieldText({ text }: { readonly text: string }) {
  const [whole, setWhole] = useState(false);
  const isCut = !whole && text.length > FIELD_LIMIT;
  return (
    <>
      <Pre>{isCut ? text.slice(0, FIELD_LIMIT) : text}</Pre>
      {isCut ? <Button onClick={() => setWhole(true)}>Show all {formatCount(text.length)} characters</Button> : null}
    </>
  );
}
