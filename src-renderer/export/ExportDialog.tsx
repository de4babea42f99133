import { Download, FolderOpen } from 'lucide-react';
import { useStore } from 'zustand';
import { ExportFormat, type ExportTheme, FORMATS } from '../../src-shared/export/formats.ts';
import { formatBytes, formatCount, formatMillis } from '../../src-shared/timeline/words.ts';
import { Button } from '../widgets/Button.tsx';
import { DialogFailure, DialogFooter, DialogForm, DialogFrame } from '../widgets/DialogFrame.tsx';
import styles from './ExportDialog.module.css';
import { choose, closeExport, exportStore, type OpenExport, reveal, save, themeOf } from './export-store.ts';
import { ReportView } from './ReportView.tsx';

/** The dialog that writes the session on screen in another format. */
export function ExportDialog() {
  const view = useStore(exportStore);
  return (
    <DialogFrame
      open={view.phase !== 'closed'}
      onClose={closeExport}
      className={styles.dialog}
      startsAt='input[name="format"]:checked'
    >
      {view.phase === 'closed' ? null : <Content view={view} />}
    </DialogFrame>
  );
}

type Props = { readonly view: OpenExport };

function Content({ view }: Props) {
  return (
    <DialogForm title="Export the session" onClose={closeExport} onSubmit={() => void save()}>
      <div className={styles.body}>
        <Formats view={view} />
        <div className={styles.options}>
          <Scope view={view} />
          <Themes view={view} />
          <Redaction view={view} />
        </div>
      </div>
      {view.failure === undefined ? null : <DialogFailure {...view.failure} />}
      <Footer view={view} />
    </DialogForm>
  );
}

function Formats({ view }: Props) {
  return (
    <fieldset className={styles.formats}>
      <legend className="visually-hidden">Format</legend>
      {ExportFormat.options.map((format) => (
        <label key={format} className={styles.format}>
          <input
            type="radio"
            name="format"
            value={format}
            checked={view.choices.format === format}
            disabled={view.phase === 'writing'}
            onChange={() => choose({ format })}
          />
          <span className={styles.formatName}>{FORMATS[format].name}</span>
          <span className={styles.about}>{FORMATS[format].about}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Scope({ view }: Props) {
  const { visible, choices } = view;
  const canCut = FORMATS[choices.format].stretch;
  const length = visible === undefined ? '' : `, ${formatMillis(visible.until - visible.from)}`;
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>What</legend>
      <Choice
        name="scope"
        label="The whole session"
        checked={!canCut || visible === undefined || choices.scope === 'whole'}
        disabled={view.phase === 'writing'}
        onChoose={() => choose({ scope: 'whole' })}
      />
      <Choice
        name="scope"
        label={`What the chart shows now${length}`}
        checked={canCut && visible !== undefined && choices.scope === 'visible'}
        disabled={!canCut || visible === undefined || view.phase === 'writing'}
        onChoose={() => choose({ scope: 'visible' })}
      />
      {canCut ? null : <p className={styles.note}>This format holds sessions as a whole.</p>}
    </fieldset>
  );
}

const THEME_WORDS: Readonly<Record<ExportTheme, string>> = {
  system: 'As the reader’s system',
  dark: 'Dark',
  light: 'Light',
};

function Themes({ view }: Props) {
  const { themes } = FORMATS[view.choices.format];
  if (themes.length === 0) return null;
  const current = themeOf(view.choices);
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>Colours</legend>
      <div className={styles.row}>
        {themes.map((theme) => (
          <Choice
            key={theme}
            name="theme"
            label={THEME_WORDS[theme]}
            checked={current === theme}
            disabled={view.phase === 'writing'}
            onChoose={() => choose({ theme })}
          />
        ))}
      </div>
    </fieldset>
  );
}

type ChoiceProps = {
  readonly name: string;
  readonly label: string;
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly onChoose: () => void;
};

const Choice = ({ name, label, checked, disabled, onChoose }: ChoiceProps) => (
  <label className={styles.choice}>
    <input type="radio" name={name} checked={checked} disabled={disabled} onChange={onChoose} />
    {label}
  </label>
);

function Redaction({ view }: Props) {
  const { choices, preview, phase } = view;
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>Secrets</legend>
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={choices.redact}
          disabled={phase === 'writing'}
          onChange={(event) => choose({ redact: event.target.checked })}
        />
        Replace keys, passwords, e-mail addresses and home folders
      </label>
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={!choices.advisor}
          disabled={!choices.redact || phase === 'writing'}
          onChange={(event) => choose({ advisor: !event.target.checked })}
        />
        Leave out what advisors have answered
      </label>
      {choices.redact ? null : (
        <p className={styles.warning} role="status">
          The file will hold everything the session holds, secrets too.
        </p>
      )}
      {choices.redact && preview?.report !== undefined ? <ReportView report={preview.report} /> : null}
      {choices.redact && preview === undefined && view.failure === undefined ? <Looking view={view} /> : null}
      {preview === undefined || preview.unusablePatterns === 0 ? null : (
        <p className={styles.warning} role="status">
          {preview.unusablePatterns === 1 ? 'A pattern' : `${formatCount(preview.unusablePatterns)} patterns`} of
          export.redact in your settings cannot be used and found nothing.
        </p>
      )}
    </fieldset>
  );
}

const Looking = ({ view }: Props) => (
  <p className={styles.note} role="status">
    Looking for secrets{view.progress?.share === undefined ? '' : `, ${Math.round(view.progress.share * 100)} %`}
  </p>
);

function Footer({ view }: Props) {
  const { phase, path, preview } = view;
  return (
    <DialogFooter>
      <p className={styles.outcome} role="status">
        {phase === 'saved' && path !== undefined ? (
          <>
            Saved to <span className={styles.path}>{path}</span>
          </>
        ) : phase === 'writing' ? (
          progressWords(view)
        ) : (
          ''
        )}
      </p>
      {phase === 'saved' ? (
        <Button size="large" icon={FolderOpen} onClick={reveal}>
          Show in folder
        </Button>
      ) : null}
      <Button size="large" onClick={closeExport}>
        {phase === 'saved' ? 'Close' : 'Cancel'}
      </Button>
      <Button
        size="large"
        look={phase === 'saved' ? 'plain' : 'primary'}
        icon={Download}
        keys="Ctrl Enter"
        disabled={phase === 'writing' || preview === undefined}
        onClick={() => void save()}
      >
        {phase === 'saved' ? 'Save another' : 'Save'}
      </Button>
    </DialogFooter>
  );
}

const progressWords = ({ progress }: OpenExport): string =>
  progress?.phase === 'writing' ? `Writing, ${formatBytes(progress.written)}` : 'Writing';
