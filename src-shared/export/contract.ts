import { z } from 'zod';
import type { Poster } from '../chart/poster.ts';
import { SessionId } from '../ids.ts';
import { ExportFormat, ExportStretch, ExportTheme } from './formats.ts';
import { RedactionReport } from './redaction.ts';

const nothing = z.void();

/** Names one opened export dialog, so that its progress is told to it alone. */
const exportId = z.string().min(1).max(100);

/** What is written of a session. `advisor`: answers of advisors too. */
const exportChoice = z.object({ exportId, sessionId: SessionId, redact: z.boolean(), advisor: z.boolean() });

/** The most characters of a picture, as base64. */
export const MOST_PICTURE = 60_000_000;

/** Requests about writing a session in another format. Main asks where to; a page names no file. */
export const exportRequests = {
  /** What redaction finds, before anything is written. */
  'export.preview': {
    input: exportChoice,
    output: z.object({
      calls: z.number().int(),
      /** Absent where nothing is redacted. */
      report: RedactionReport.optional(),
      /** Patterns of the person's own that cannot be used. */
      unusablePatterns: z.number().int(),
    }),
  },
  /** The chart as strokes, redacted, for the window to paint as PNG. */
  'export.picture': {
    input: exportChoice.extend({
      stretch: ExportStretch.optional(),
      width: z.number().int().min(320).max(8_000),
    }),
    output: z.custom<Poster>(),
  },
  /** Asks with the system's dialog where to, and writes. Not saved: it was closed without a choice. */
  'export.write': {
    input: exportChoice.extend({
      format: ExportFormat,
      theme: ExportTheme,
      stretch: ExportStretch.optional(),
      /** The painted picture, as base64. */
      png: z.string().max(MOST_PICTURE).optional(),
    }),
    output: z.object({ saved: z.boolean(), path: z.string().optional() }),
  },
  /** Stops what the dialog has started, and forgets what it has prepared. */
  'export.cancel': { input: z.object({ exportId }), output: nothing },
  /** Shows the file that was written last in the system's file manager. */
  'export.reveal': { input: z.object({ exportId }), output: nothing },
} as const;

export const exportPushes = {
  /** How far an export has come: the share of the events that is read, or the characters written. */
  'export.progress': z.object({
    exportId,
    phase: z.enum(['reading', 'writing']),
    share: z.number().optional(),
    written: z.number(),
  }),
} as const;
