import { assertNever } from '../../../src-shared/assert-never.ts';
import type { ExportTheme, FileFormat } from '../../../src-shared/export/formats.ts';
import { exportGantry } from './gantry.ts';
import { exportHtml } from './html.ts';
import { exportMarkdown } from './markdown.ts';
import { exportOtlp } from './otlp.ts';
import { exportPerfetto } from './perfetto.ts';
import type { ExportInput } from './session.ts';
import { exportStreamJson } from './stream-json.ts';
import { exportSvg } from './svg.ts';

export type ExportChoice = {
  readonly format: FileFormat;
  /** Of the formats that have colours; a picture for `system` is dark, as the app is. */
  readonly theme: ExportTheme;
  /** The built page for `html`; nothing else asks for it. */
  readonly page: string;
};

/** A session in a format, as pieces of text in order. */
export function exported(input: ExportInput, { format, theme, page }: ExportChoice): Iterable<string> {
  switch (format) {
    case 'html':
      return exportHtml(input, page, theme);
    case 'perfetto':
      return exportPerfetto(input);
    case 'otlp':
      return exportOtlp(input);
    case 'svg':
      return exportSvg(input, theme === 'light' ? 'light' : 'dark');
    case 'markdown':
      return exportMarkdown(input);
    case 'stream-json':
      return exportStreamJson(input);
    case 'gantry':
      return exportGantry(input);
    default:
      return assertNever(format, 'export format');
  }
}
