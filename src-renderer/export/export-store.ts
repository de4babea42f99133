import { createStore } from 'zustand/vanilla';
import { shownStretch } from '../../src-shared/chart/viewport.ts';
import { type ExportFormat, type ExportStretch, type ExportTheme, FORMATS } from '../../src-shared/export/formats.ts';
import type { SessionId } from '../../src-shared/ids.ts';
import type { PushPayload, RequestInput, RequestOutput } from '../../src-shared/ipc/contract.ts';
import { onPush, request } from '../bridge.ts';
import { failureWords, type Problem } from '../state/problem.ts';
import { sessionStore } from '../state/session-store.ts';
import { currentTheme } from '../theme/theme-switch.ts';
import { timelineActions } from '../timeline/actions.ts';
import { paintPicture } from './picture.ts';

export type Preview = RequestOutput<'export.preview'>;

/** What the person has chosen. */
export type ExportChoices = {
  readonly format: ExportFormat;
  readonly redact: boolean;
  /** Answers of advisors are written too. */
  readonly advisor: boolean;
  /** Undefined: what fits the format. */
  readonly theme: ExportTheme | undefined;
  readonly scope: 'whole' | 'visible';
};

export type ExportView =
  | { readonly phase: 'closed' }
  | {
      readonly phase: 'choosing' | 'writing' | 'saved';
      readonly exportId: string;
      readonly sessionId: SessionId;
      readonly choices: ExportChoices;
      /** What the chart showed when the dialog opened. */
      readonly visible: ExportStretch | undefined;
      /** Undefined while it is looked for. */
      readonly preview: Preview | undefined;
      readonly progress: PushPayload<'export.progress'> | undefined;
      readonly failure: Problem | undefined;
      /** Where it was saved. */
      readonly path: string | undefined;
    };
export type OpenExport = Exclude<ExportView, { phase: 'closed' }>;

export const exportStore = createStore<ExportView>(() => ({ phase: 'closed' }));

const CHOICES: ExportChoices = { format: 'html', redact: true, advisor: true, theme: undefined, scope: 'whole' };
const PICTURE_WIDTH = 1_600;

/** The last format is proposed again; what is redacted is decided anew each time. */
let lastFormat: ExportFormat = CHOICES.format;
let opened = 0;

/** Opens the dialog for the session on screen. */
export function openExport(): void {
  const session = sessionStore.getState();
  if (session.phase !== 'open' || exportStore.getState().phase !== 'closed') return;
  const look = timelineActions.look();
  exportStore.setState(
    {
      phase: 'choosing',
      exportId: `export-${++opened}-${Math.round(performance.timeOrigin)}`,
      sessionId: session.sessionId,
      choices: { ...CHOICES, format: lastFormat },
      visible: look === undefined ? undefined : stretchOf(shownStretch(look.axis, look.view), session.state.now),
      preview: undefined,
      progress: undefined,
      failure: undefined,
      path: undefined,
    },
    true,
  );
  void preview();
}

/** The part of the view that holds something; undefined where that is nothing. */
function stretchOf({ from, until }: ExportStretch, now: number): ExportStretch | undefined {
  const stretch = { from: Math.max(0, from), until: Math.min(now, until) };
  return stretch.until > stretch.from ? stretch : undefined;
}

/** Closes the dialog; what it has begun is stopped, and leaves no file. */
export function closeExport(): void {
  const view = exportStore.getState();
  if (view.phase === 'closed') return;
  exportStore.setState({ phase: 'closed' }, true);
  void request('export.cancel', { exportId: view.exportId }).catch(() => undefined);
}

export function choose(change: Partial<ExportChoices>): void {
  const view = exportStore.getState();
  if (view.phase === 'closed' || view.phase === 'writing') return;
  const choices = { ...view.choices, ...change };
  lastFormat = choices.format;
  exportStore.setState({ ...view, phase: 'choosing', choices, failure: undefined, path: undefined }, true);
  if (change.redact !== undefined || change.advisor !== undefined) void preview();
}

/** The theme a format is drawn in: the chosen one where it has it; a page follows the system, a picture the window. */
export function themeOf({ format, theme }: ExportChoices): ExportTheme {
  const { themes } = FORMATS[format];
  if (theme !== undefined && themes.includes(theme)) return theme;
  return themes.includes('system') || themes.length === 0 ? 'system' : currentTheme();
}

/** Only some formats can hold a part of a session. */
export const stretchFor = ({ choices, visible }: OpenExport): ExportStretch | undefined =>
  choices.scope === 'visible' && FORMATS[choices.format].stretch ? visible : undefined;

const isStill = (view: OpenExport): boolean => {
  const now = exportStore.getState();
  return now.phase !== 'closed' && now.exportId === view.exportId;
};

async function preview(): Promise<void> {
  const view = exportStore.getState();
  if (view.phase === 'closed') return;
  exportStore.setState({ ...view, preview: undefined, progress: undefined }, true);
  const { exportId, sessionId, choices } = view;
  const { redact, advisor } = choices;
  const isWanted = (): boolean => {
    const now = exportStore.getState();
    return isStill(view) && now.phase !== 'closed' && now.choices.redact === redact && now.choices.advisor === advisor;
  };
  try {
    const found = await request('export.preview', { exportId, sessionId, redact, advisor });
    if (isWanted()) exportStore.setState({ preview: found, progress: undefined });
  } catch (error) {
    if (isWanted()) exportStore.setState({ failure: failureWords(error) });
  }
}

/** Writes the file. The system's dialog asks where to; closing that leaves this one as it was. */
export async function save(): Promise<void> {
  const view = exportStore.getState();
  if (view.phase === 'closed' || view.phase === 'writing' || view.preview === undefined) return;
  exportStore.setState({ phase: 'writing', failure: undefined, progress: undefined, path: undefined });
  const { exportId, sessionId, choices } = view;
  const { format, redact, advisor } = choices;
  const stretch = stretchFor(view);
  const theme = themeOf(choices);
  const what = { exportId, sessionId, redact, advisor, ...(stretch === undefined ? {} : { stretch }) };
  try {
    const png = format === 'png' ? { png: await picture(what, theme) } : {};
    const { saved, path } = await request('export.write', { ...what, format, theme, ...png });
    if (isStill(view)) exportStore.setState({ phase: saved ? 'saved' : 'choosing', path, progress: undefined });
  } catch (error) {
    if (isStill(view)) exportStore.setState({ phase: 'choosing', failure: failureWords(error), progress: undefined });
  }
}

async function picture(what: Omit<RequestInput<'export.picture'>, 'width'>, theme: ExportTheme): Promise<string> {
  const poster = await request('export.picture', { ...what, width: PICTURE_WIDTH });
  return paintPicture(poster, theme === 'light' ? 'light' : 'dark');
}

/** Shows the file that was written in the system's file manager. */
export function reveal(): void {
  const view = exportStore.getState();
  if (view.phase === 'closed') return;
  void request('export.reveal', { exportId: view.exportId }).catch(() => undefined);
}

/** Follows what main tells of the dialog's work. Called once by the composition of the renderer. */
export const startExportStore = (): (() => void) =>
  onPush('export.progress', (progress) => {
    const view = exportStore.getState();
    if (view.phase !== 'closed' && view.exportId === progress.exportId) exportStore.setState({ progress });
  });
