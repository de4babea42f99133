import { FolderOpen, ListChecks, Trash2, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { EditableScope, RuleList } from '../../src-shared/ledger/edit.ts';
import type { LedgerOverview, LedgerRule } from '../../src-shared/ledger/view.ts';
import { appStore } from '../state/app-store.ts';
import { counted, shortPath, tildePath } from '../state/format.ts';
import { Button } from '../widgets/Button.tsx';
import { IconButton } from '../widgets/IconButton.tsx';
import { Menu, MenuChoices } from '../widgets/Menu.tsx';
import { Choice } from './Choice.tsx';
import type { Change, RulePlace } from './draft.ts';
import { textsIn } from './draft.ts';
import styles from './Ledger.module.css';
import { ledgerStore, look, makeChange, select } from './ledger-store.ts';

const LISTS: readonly { readonly value: RuleList; readonly label: string }[] = [
  { value: 'deny', label: 'deny' },
  { value: 'ask', label: 'ask' },
  { value: 'allow', label: 'allow' },
];
const SCOPES: readonly { readonly value: EditableScope; readonly label: string }[] = [
  { value: 'local', label: 'Local' },
  { value: 'project', label: 'Project' },
  { value: 'user', label: 'User' },
];
const SCOPE_HINTS: Readonly<Record<EditableScope, string>> = {
  local: 'You, in this folder.',
  project: 'Everybody who works in this folder.',
  user: 'You, in every folder.',
};

/** What is known of the rule that is looked at, and the way to change it; or a new one. */
export function RuleEditor({ overview }: { readonly overview: LedgerOverview }) {
  const { selected, draft } = useStore(ledgerStore);
  const rule = overview.rules.find(({ key }) => key === selected);
  if (selected === undefined || (selected !== 'new' && rule === undefined)) return null;
  const change = draft.find((one) => one.rule?.key === selected);
  return (
    <section className={styles.editor} aria-label={rule === undefined ? 'A new rule' : `Rule ${rule.text}`}>
      <header className={styles.editorHead}>
        <h3 className={styles.editorTitle}>{rule === undefined ? 'A new rule' : 'The rule'}</h3>
        <IconButton icon={X} name="Close the rule" onClick={() => select(undefined)} />
      </header>
      {rule === undefined ? null : <About rule={rule} />}
      {rule !== undefined && rule.editable === undefined ? (
        <p className={styles.hint}>{whyFixed(rule)}</p>
      ) : (
        <Form key={`${selected} ${change === undefined}`} rule={rule} change={change} folders={overview.folders} />
      )}
    </section>
  );
}

function About({ rule }: { readonly rule: LedgerRule }) {
  const home = useStore(appStore, (app) => app.info?.home);
  const { file, line, note, hits, sessions } = rule;
  return (
    <>
      {file === undefined ? null : (
        <p className={styles.hint} title={`${file}:${line ?? ''}`}>
          {shortPath(tildePath(file, home), 56)}
          {line === undefined ? '' : `:${line}`}
        </p>
      )}
      {note === undefined ? null : <p className={styles.noteText}>{note.text}</p>}
      {hits === 0 ? null : (
        <Button
          icon={ListChecks}
          onClick={() => look({ tab: 'decisions', text: '', kind: 'all', ofRule: { key: rule.key, text: rule.text } })}
        >
          {counted(hits, 'decision')} in {counted(sessions, 'session')}
        </Button>
      )}
    </>
  );
}

const whyFixed = ({ scope }: LedgerRule): string =>
  scope === 'managed'
    ? 'An administrator set it. It cannot be changed here.'
    : 'It was added for single sessions and ends with them. Add a rule to keep it in a file.';

type FormProps = {
  readonly rule: LedgerRule | undefined;
  readonly change: Change | undefined;
  readonly folders: readonly string[];
};

function Form({ rule, change, folders }: FormProps) {
  const first = placeOf(rule, change, folders);
  const [list, setList] = useState(first.list);
  const [scope, setScope] = useState(first.scope);
  const [folder, setFolder] = useState(first.folder);
  const [typed, setTyped] = useState((change?.texts ?? (rule === undefined ? [] : [rule.text])).join('\n'));
  const field = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  useEffect(() => {
    if (rule === undefined) field.current?.focus();
  }, [rule]);
  const texts = textsIn(typed);
  const submit = (): void => {
    makeChange({ rule, place: { list, scope, folder }, texts });
    if (rule === undefined) setTyped('');
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        ref={field}
        className={styles.rules}
        aria-label="Rules, one a line"
        aria-describedby={hint}
        rows={Math.min(6, Math.max(2, typed.split('\n').length))}
        value={typed}
        spellCheck={false}
        placeholder="Bash(npm test:*)"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          submit();
        }}
      />
      <p className={styles.hint} id={hint}>
        One rule a line. Ctrl Enter tries it.
      </p>
      <div className={styles.places}>
        <Choice name="Effect" value={list} options={LISTS} onChange={setList} />
        <Choice name="Settings file" value={scope} options={SCOPES} onChange={setScope} />
      </div>
      <p className={styles.hint}>{SCOPE_HINTS[scope]}</p>
      {scope === 'user' || rule?.folder !== undefined ? null : (
        <FolderMenu folder={folder} folders={folders} onChange={setFolder} />
      )}
      <div className={styles.answers}>
        <Button look="primary" type="submit" disabled={rule === undefined && texts.length === 0}>
          Try it
        </Button>
        {rule === undefined ? null : (
          <Button
            icon={Trash2}
            onClick={() =>
              makeChange({ rule, place: { list: rule.list, scope: rule.editable ?? scope, folder }, texts: [] })
            }
          >
            Remove
          </Button>
        )}
      </div>
    </form>
  );
}

function placeOf(rule: LedgerRule | undefined, change: Change | undefined, folders: readonly string[]): RulePlace {
  if (change !== undefined) return change.place;
  const folder = rule?.folder ?? folders[0] ?? '/';
  return { list: rule?.list ?? 'allow', scope: rule?.editable ?? (folders.length === 0 ? 'user' : 'local'), folder };
}

type FolderMenuProps = {
  readonly folder: string;
  readonly folders: readonly string[];
  readonly onChange: (folder: string) => void;
};

function FolderMenu({ folder, folders, onChange }: FolderMenuProps) {
  const home = useStore(appStore, (app) => app.info?.home);
  const shown = (path: string): string => shortPath(tildePath(path, home), 44);
  return (
    <Menu
      trigger={
        <Button icon={FolderOpen} aria-label={`Folder: ${folder}`}>
          {shown(folder)}
        </Button>
      }
    >
      <MenuChoices
        label="Folder of the settings"
        value={folder}
        options={folders.map((value) => ({ value, label: shown(value) }))}
        onChange={onChange}
      />
    </Menu>
  );
}
