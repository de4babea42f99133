import { z } from 'zod';

/** What a session can be written as (spec 6.4), in the order of the dialog. */
export const ExportFormat = z.enum(['html', 'perfetto', 'otlp', 'svg', 'png', 'markdown', 'stream-json', 'gantry']);
export type ExportFormat = z.output<typeof ExportFormat>;

/** Formats that are made from the session alone. A picture of the window needs a window. */
export const FileFormat = ExportFormat.exclude(['png']);
export type FileFormat = z.output<typeof FileFormat>;

export const ExportTheme = z.enum(['system', 'dark', 'light']);
export type ExportTheme = z.output<typeof ExportTheme>;

/** A stretch of session time, in ms. What lies in it, even partly, is written. */
export const ExportStretch = z
  .object({ from: z.number().finite(), until: z.number().finite() })
  .refine(({ from, until }) => until > from, 'the stretch ends before it begins');
export type ExportStretch = z.output<typeof ExportStretch>;

export type FormatFacts = {
  readonly name: string;
  /** One line: what it is good for. */
  readonly about: string;
  readonly extension: string;
  /** Whether a part of the session can be written. The rest is read back whole. */
  readonly stretch: boolean;
  /** The themes it can be drawn in; none where it has no colours. */
  readonly themes: readonly ExportTheme[];
};

export const FORMATS: Readonly<Record<ExportFormat, FormatFacts>> = {
  html: {
    name: 'Web page',
    about: 'Timeline and inspector in one file. Opens in any browser, asks no network.',
    extension: 'html',
    stretch: false,
    themes: ['system', 'dark', 'light'],
  },
  perfetto: {
    name: 'Perfetto trace',
    about: 'Lanes, waits and cascades for ui.perfetto.dev and Chrome’s trace viewer.',
    extension: 'perfetto.json',
    stretch: true,
    themes: [],
  },
  otlp: {
    name: 'OpenTelemetry',
    about: 'Spans with GenAI attributes as OTLP JSON, for any tracing backend.',
    extension: 'otlp.json',
    stretch: true,
    themes: [],
  },
  svg: {
    name: 'SVG picture',
    about: 'The chart as shapes and text, sharp at any size.',
    extension: 'svg',
    stretch: true,
    themes: ['dark', 'light'],
  },
  png: {
    name: 'PNG picture',
    about: 'The chart in pixels, twice as sharp as a screen.',
    extension: 'png',
    stretch: true,
    themes: ['dark', 'light'],
  },
  markdown: {
    name: 'Markdown',
    about: 'The conversation with every call, its outcome and its time, to read or to paste.',
    extension: 'md',
    stretch: true,
    themes: [],
  },
  'stream-json': {
    name: 'stream-json',
    about: 'The lines that Claude Code prints, for programs that read those.',
    extension: 'stream.jsonl',
    stretch: false,
    themes: [],
  },
  gantry: {
    name: 'Gantry journal',
    about: 'Every event. Opens in Gantry again as the same session.',
    extension: 'gantry.jsonl',
    stretch: false,
    themes: [],
  },
};
