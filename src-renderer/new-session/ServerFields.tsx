import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { contextWindowOf } from '../../src-shared/model/prices.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { classes } from '../widgets/classes.ts';
import { Field } from './Field.tsx';
import {
  type Form,
  LOCAL_SERVERS,
  type NetworkProvider,
  OWN_ADDRESS,
  PROVIDER_NAMES,
  type Problems,
  placeOf,
  serverOf,
  withServer,
} from './form.ts';
import { changeForm, formStore } from './form-store.ts';
import { KeyField } from './KeyField.tsx';
import styles from './ModelDialog.module.css';
import { ModelField } from './ModelField.tsx';
import { useKey, useModels } from './server.ts';

const change = (next: Form): void => formStore.setState({ form: next });

/** Which model answers: provider, address, key, name, and the numbers that few people need. */
export function ServerFields({ problems }: { readonly problems: Problems }) {
  const form = useStore(formStore, (view) => view.form);
  const { address, model } = serverOf(form);
  const place = placeOf(form);
  const key = useKey(place);
  const { view, ask } = useModels(place, key.state);
  return (
    <>
      <ProviderChoice value={form.provider} />
      <Field label="Address" problem={problems.address} hint={undefined}>
        {(ids) => (
          <>
            <input
              {...ids}
              type="text"
              inputMode="url"
              className={styles.input}
              value={address}
              spellCheck={false}
              placeholder={OWN_ADDRESS[form.provider]}
              onChange={(event) => change(withServer(form, { address: event.target.value }))}
            />
            {form.provider === 'openai-compatible' ? (
              <ul className={styles.chips} aria-label="Servers on this machine">
                {LOCAL_SERVERS.map((server) => (
                  <li key={server.name}>
                    <button
                      type="button"
                      className={styles.chip}
                      title={server.address}
                      onClick={() => change(withServer(form, { address: server.address }))}
                    >
                      {server.name}
                    </button>
                  </li>
                ))}
              </ul>
            ) : null}
          </>
        )}
      </Field>
      <KeyField key={`${place.provider} ${place.baseUrl ?? ''}`} view={key} />
      <ModelField
        value={model}
        problem={problems.model}
        models={view}
        onAsk={() => void ask()}
        onChange={(name) => change(withServer(form, { model: name }))}
      />
      <More problems={problems} />
    </>
  );
}

function ProviderChoice({ value }: { readonly value: NetworkProvider }) {
  return (
    <fieldset className={classes(styles.field, styles.fieldset)}>
      <legend className={styles.label}>Provider</legend>
      <div className={styles.segments}>
        {(Object.keys(PROVIDER_NAMES) as NetworkProvider[]).map((provider) => (
          <label key={provider} className={styles.segment}>
            <input
              type="radio"
              name="provider"
              value={provider}
              checked={provider === value}
              onChange={() => changeForm({ provider })}
            />
            {PROVIDER_NAMES[provider]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function More({ problems }: { readonly problems: Problems }) {
  const form = useStore(formStore, (view) => view.form);
  const wrong = problems.maxTokens ?? problems.thinkingTokens ?? problems.contextWindow;
  const [wanted, setOpen] = useState(false);
  const isOpen = wanted || wrong !== undefined;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const known = contextWindowOf(serverOf(form).model);
  const fields = [
    ['maxTokens', 'Longest answer', 'Tokens. What the model allows when left empty.'],
    ['thinkingTokens', 'Thinking', 'Tokens before an answer. None when left empty.'],
    [
      'contextWindow',
      'Window',
      known === undefined ? 'Tokens. Not known for this model.' : `Tokens. ${formatCount(known)} when left empty.`,
    ],
  ] as const;
  return (
    <div className={styles.more}>
      <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Chevron aria-hidden="true" size={14} /> Limits and thinking
      </button>
      {isOpen
        ? fields.map(([name, label, hint]) => (
            <Field key={name} label={label} problem={problems[name]} hint={hint}>
              {(ids) => (
                <input
                  {...ids}
                  type="text"
                  inputMode="numeric"
                  className={classes(styles.input, styles.number)}
                  value={form[name]}
                  onChange={(event) => changeForm({ [name]: event.target.value })}
                />
              )}
            </Field>
          ))
        : null}
    </div>
  );
}
