import { homedir } from 'node:os';
import { join } from 'node:path';
import { app, dialog, shell } from 'electron';
import { type FileFormat, FORMATS } from '../../src-shared/export/formats.ts';
import { FailureError } from '../../src-shared/failure.ts';
import type { Handlers, PushPayload, RequestInput } from '../../src-shared/ipc/contract.ts';
import type { Prepared, SessionExporter } from '../app/export-session.ts';
import type { SessionLibrary } from '../app/session-library.ts';
import type { RedactChoice } from '../core/settings/settings.ts';
import type { OpenExportFile } from '../ports/export-file.ts';

type ExportRequest = Extract<keyof Handlers, `export.${string}`>;

export type ExportHandlerDeps = {
  readonly library: Pick<SessionLibrary, 'eventsFrom' | 'wholeEvents' | 'titleOf'>;
  readonly exporter: SessionExporter;
  /** The person's own patterns, as they are now. */
  readonly redact: () => RedactChoice;
  readonly openFile: OpenExportFile;
  readonly onProgress: (progress: PushPayload<'export.progress'>) => void;
};

type Wanted = Pick<RequestInput<'export.preview'>, 'exportId' | 'sessionId' | 'redact' | 'advisor'>;

/** One open dialog: what it has prepared, what it does, where it has written. */
type Work = {
  readonly stop: AbortController;
  prepared?: { readonly key: string; readonly it: Promise<Prepared> };
  path?: string;
};

/** Requests about exports (spec 6.4). Where a file goes is asked here: a page names only format and options. */
export function exportHandlers(deps: ExportHandlerDeps): Pick<Handlers, ExportRequest> {
  const works = new Map<string, Work>();
  const workOf = (exportId: string): Work => {
    const work = works.get(exportId) ?? { stop: new AbortController() };
    works.set(exportId, work);
    return work;
  };
  const prepared = (wanted: Wanted): Promise<Prepared> => prepare(deps, workOf(wanted.exportId), wanted);
  return {
    'export.preview': async (wanted) => {
      const { report, state } = await prepared(wanted);
      return {
        calls: state.calls.length,
        unusablePatterns: wanted.redact ? deps.redact().broken : 0,
        ...(report === undefined ? {} : { report }),
      };
    },
    'export.picture': async ({ width, stretch, ...wanted }) =>
      deps.exporter.picture(await prepared(wanted), { width, stretch }),
    'export.write': async (wanted) => {
      const work = workOf(wanted.exportId);
      const path = await choosePlace(deps.library.titleOf(wanted.sessionId), wanted.format);
      if (path === undefined) return { saved: false };
      await write(deps, work, { ...wanted, path }, () => prepare(deps, work, wanted));
      work.path = path;
      return { saved: true, path };
    },
    'export.cancel': async ({ exportId }) => {
      works.get(exportId)?.stop.abort(CANCELLED);
      works.delete(exportId);
    },
    'export.reveal': async ({ exportId }) => {
      const path = works.get(exportId)?.path;
      if (path !== undefined) shell.showItemInFolder(path);
    },
  };
}

const CANCELLED = new FailureError({ kind: 'busy', message: 'The export was cancelled. Nothing was written.' });

/** The report that was shown belongs to what is written: the same events are not gone through twice. */
async function prepare(deps: ExportHandlerDeps, work: Work, wanted: Wanted): Promise<Prepared> {
  const { sessionId, redact, advisor, exportId } = wanted;
  const { total } = await deps.library.eventsFrom(sessionId, 0, 0);
  const key = `${sessionId} ${total} ${redact} ${advisor}`;
  if (work.prepared?.key === key) return work.prepared.it;
  const redaction = redact ? { homes: [homedir()], patterns: deps.redact().patterns, advisor: !advisor } : undefined;
  const it = deps.library.wholeEvents(sessionId).then((events) =>
    deps.exporter.prepare(events, redaction, {
      signal: work.stop.signal,
      onProgress: (progress) => deps.onProgress({ exportId, ...progress }),
    }),
  );
  work.prepared = { key, it };
  // What failed is tried again.
  it.catch(() => {
    if (work.prepared?.it === it) delete work.prepared;
  });
  return it;
}

async function write(
  deps: ExportHandlerDeps,
  work: Work,
  wanted: RequestInput<'export.write'> & { readonly path: string },
  prepared: () => Promise<Prepared>,
): Promise<void> {
  const { exportId, format, theme, stretch, path } = wanted;
  // The system's dialog has asked whether a file may be replaced.
  const file = await deps.openFile(path, { replace: true });
  try {
    if (format === 'png') {
      await file.writeBytes(pictureIn(wanted.png));
      await file.keep();
      return;
    }
    const choice = { format: format satisfies FileFormat, theme, stretch };
    await deps.exporter.writeFile(await prepared(), choice, file, {
      signal: work.stop.signal,
      onProgress: (progress) => deps.onProgress({ exportId, ...progress }),
    });
  } catch (error) {
    await file.drop();
    throw error;
  }
}

const PNG_MARK = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The page paints the picture; that it is one is looked at here. */
function pictureIn(base64: string | undefined): Uint8Array {
  const bytes = Buffer.from(base64 ?? '', 'base64');
  if (!bytes.subarray(0, PNG_MARK.length).equals(PNG_MARK)) {
    throw new FailureError({ kind: 'bad-input', message: 'The window has made no picture.', hint: 'Try SVG instead.' });
  }
  return bytes;
}

async function choosePlace(title: string, format: RequestInput<'export.write'>['format']): Promise<string | undefined> {
  const { name, extension } = FORMATS[format];
  const { canceled, filePath } = await dialog.showSaveDialog({
    title: `Save as ${name}`,
    defaultPath: join(app.getPath('documents'), `${fileName(title)}.${extension}`),
    filters: [
      { name, extensions: [extension] },
      { name: 'All files', extensions: ['*'] },
    ],
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  });
  return canceled || filePath === '' ? undefined : filePath;
}

/** A title as a name that every file system takes. */
export const fileName = (title: string): string =>
  title
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '')
    .slice(0, 60)
    .trim() || 'session';
