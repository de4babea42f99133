import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { ListedModel } from '../../src-shared/ipc/contract.ts';
import { contextWindowOf } from '../../src-shared/model/prices.ts';
import { short } from '../state/format.ts';
import { classes } from '../widgets/classes.ts';
import { IconButton } from '../widgets/IconButton.tsx';
import { Field, type FieldIds } from './Field.tsx';
import styles from './ModelDialog.module.css';
import type { ModelsView } from './server.ts';

export type ModelFieldProps = {
  readonly value: string;
  readonly problem: string | undefined;
  readonly models: ModelsView;
  /** Asks the server. */
  readonly onAsk: () => void;
  readonly onChange: (model: string) => void;
};

/** The model's name: typed, or chosen from what the server says it has. */
export function ModelField(props: ModelFieldProps) {
  const { models, problem } = props;
  const failed =
    models.phase === 'failed' ? [models.problem.message, models.problem.hint].filter(Boolean).join(' ') : undefined;
  return (
    <Field label="Model" problem={problem ?? failed} hint={hintOf(models)}>
      {(ids) => <ModelBox {...props} ids={ids} />}
    </Field>
  );
}

function hintOf(models: ModelsView): string | undefined {
  if (models.phase === 'asking') return 'Asking the server what it has.';
  if (models.phase === 'known' && models.models.length === 0) return 'The server has no models.';
  return undefined;
}

function ModelBox({ value, models, ids, onAsk, onChange }: ModelFieldProps & { readonly ids: FieldIds }) {
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const all = models.phase === 'known' ? models.models : [];
  const shown = matching(all, value);
  const isShown = isOpen && shown.length > 0;

  useEffect(() => {
    if (isShown) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [isShown, active]);

  const open = (): void => {
    if (models.phase === 'not-asked' || models.phase === 'failed') onAsk();
    setActive(
      Math.max(
        0,
        shown.findIndex(({ id }) => id === value),
      ),
    );
    setOpen(true);
  };
  const choose = (model: ListedModel | undefined): void => {
    if (model !== undefined) onChange(model.id);
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isShown) open();
      else setActive((at) => (at + (event.key === 'ArrowDown' ? 1 : shown.length - 1)) % shown.length);
    } else if (event.key === 'Enter' && isShown && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      choose(shown[active]);
    } else if (event.key === 'Escape' && isShown) {
      setOpen(false);
    }
  };
  return (
    <div className={styles.combo}>
      <div className={styles.line}>
        <input
          {...ids}
          type="text"
          role="combobox"
          aria-expanded={isShown}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isShown ? `${listId}-${active}` : undefined}
          className={styles.input}
          value={value}
          spellCheck={false}
          placeholder="Name of the model"
          onChange={(event) => {
            onChange(event.target.value);
            setActive(0);
            if (models.phase === 'known') setOpen(true);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setOpen(false)}
        />
        <IconButton
          icon={ChevronDown}
          name="List the server’s models"
          // The field keeps the focus, so that the list answers to its keys.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => (isShown ? setOpen(false) : open())}
        />
      </div>
      {isShown ? (
        <div ref={list} id={listId} role="listbox" aria-label="Models" className={styles.models} data-model-list>
          {shown.map((model, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which keeps the focus
            <div
              key={model.id}
              id={`${listId}-${at}`}
              role="option"
              aria-selected={at === active}
              tabIndex={-1}
              className={classes(styles.model, at === active && styles.active)}
              onMouseDown={(event) => event.preventDefault()}
              onMouseEnter={() => setActive(at)}
              onClick={() => choose(model)}
            >
              <span className={styles.modelId}>{model.id}</span>
              <span className={styles.modelNote}>{noteOf(model)}</span>
            </div>
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** Those that hold every word that is typed; all of them for a name that is whole. */
function matching(models: readonly ListedModel[], typed: string): readonly ListedModel[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (models.some(({ id }) => id === typed)) return models;
  return models.filter(({ id, name }) => words.every((word) => `${id} ${name ?? ''}`.toLowerCase().includes(word)));
}

function noteOf({ id, name, contextWindow }: ListedModel): string {
  const window = contextWindow ?? contextWindowOf(id);
  return [name === id ? undefined : name, window === undefined ? undefined : `${short(window)} tokens`]
    .filter(Boolean)
    .join(' · ');
}
