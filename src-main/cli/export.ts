import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type ExportStretch, ExportTheme, FileFormat, FORMATS } from '../../src-shared/export/formats.ts';
import { kindWords, type RedactionReport } from '../../src-shared/export/redaction.ts';
import { FailureError } from '../../src-shared/failure.ts';
import { formatCount, formatMoment } from '../../src-shared/timeline/words.ts';
import { openExportFile } from '../adapters/storage/export-file.ts';
import { exportPage } from '../adapters/storage/export-page.ts';
import { openTranscript } from '../adapters/transcripts/open-transcript.ts';
import { type Prepared, SessionExporter } from '../app/export-session.ts';
import { clock } from '../composition/compose.ts';
import type { SettingsReader } from '../composition/settings.ts';
import { type Io, wordsOrUsage } from './io.ts';
import { tellUnreadable } from './over-transcripts.ts';

export const EXPORT_USAGE = `gantry export FILE|DIR --format ${FileFormat.options.join('|')} -o OUT
                [--no-redact] [--no-advisor] [--from SECONDS] [--until SECONDS]
                [--theme system|dark|light] [--force] [--json]`;

export type ExportSurroundings = {
  readonly reader: Pick<SettingsReader, 'settingsFor'>;
  /** Of the bundled programs; the page for html lies beside it. */
  readonly folder: string;
  /** For `-o -`. */
  readonly output: Writable;
};

/**
 * `gantry export`: writes a transcript or journal in another format. What is secret is replaced unless `--no-redact` says
 * otherwise; the report goes to stderr, or with `--json` as one object to stdout (to stderr with `-o -`). Exit code 0; 1
 * when it cannot be read or written; 2 when the words do not fit.
 */
export async function exportCommand(args: readonly string[], io: Io, around: ExportSurroundings): Promise<number> {
  const words = parse(args);
  const stop = new AbortController();
  const onInterrupt = (): void =>
    stop.abort(new FailureError({ kind: 'busy', message: 'Interrupted. Nothing was written.' }));
  process.once('SIGINT', onInterrupt);
  try {
    return await tellUnreadable('export', io, () => writeExport(words, io, around, stop.signal));
  } finally {
    process.removeListener('SIGINT', onInterrupt);
  }
}

async function writeExport(words: Words, io: Io, around: ExportSurroundings, signal: AbortSignal): Promise<number> {
  const exporter = new SessionExporter({
    clock,
    generator: `Gantry ${versionBeside(around.folder)}`,
    loadPage: exportPage(join(around.folder, '..', 'viewer', 'viewer.html')),
  });
  // Before anything is read: reading may take long.
  const file = words.out === '-' ? undefined : await openExportFile(resolve(words.out), { replace: words.force });
  try {
    const { events } = await openTranscript(words.path, { signal });
    const { patterns, broken } = around.reader.settingsFor(homedir()).current().redact;
    const redaction = words.redact ? { homes: [homedir()], patterns, advisor: !words.advisor } : undefined;
    const prepared = await exporter.prepare(events, redaction, { signal });
    const choice = { format: words.format, theme: words.theme, stretch: stretchOf(words, prepared.state.now) };
    const characters =
      file === undefined
        ? await exporter.write(prepared, choice, (text) => toStream(around.output, text), { signal })
        : await exporter.writeFile(prepared, choice, file, { signal });
    tell(words, prepared, { characters, broken: words.redact ? broken : 0 }, io);
    return 0;
  } catch (error) {
    await file?.drop();
    throw error;
  }
}

const PackageFile = z.object({ version: z.string() });

/** The version of the package that the bundled programs belong to. */
export function versionBeside(folder: string): string {
  try {
    return PackageFile.parse(JSON.parse(readFileSync(join(folder, '..', '..', 'package.json'), 'utf8'))).version;
  } catch {
    return 'of unknown version';
  }
}

type Words = {
  readonly path: string;
  readonly format: FileFormat;
  readonly out: string;
  readonly redact: boolean;
  /** Advisors' answers are written too. */
  readonly advisor: boolean;
  readonly theme: ExportTheme;
  /** Session time in ms; undefined: from the start, to the end. */
  readonly from: number | undefined;
  readonly until: number | undefined;
  readonly force: boolean;
  readonly json: boolean;
};

function parse(args: readonly string[]): Words {
  const flag = { type: 'boolean', default: false } as const;
  return wordsOrUsage(EXPORT_USAGE, () => {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        format: { type: 'string' },
        output: { type: 'string', short: 'o' },
        redact: flag,
        'no-redact': flag,
        'no-advisor': flag,
        theme: { type: 'string', default: 'system' },
        from: { type: 'string' },
        until: { type: 'string' },
        force: flag,
        json: flag,
      },
      allowPositionals: true,
    });
    const [path, ...more] = positionals;
    if (path === undefined) throw new Error('a file or folder is missing.');
    if (more.length > 0) throw new Error(`one file or folder at a time, not ${positionals.length}.`);
    const format = FileFormat.safeParse(values.format);
    if (!format.success) throw new Error(`--format is one of ${FileFormat.options.join(', ')}.`);
    const theme = ExportTheme.safeParse(values.theme);
    if (!theme.success) throw new Error('--theme is system, dark or light.');
    if (values.output === undefined || values.output === '')
      throw new Error('-o FILE is missing; - is the standard output.');
    if (values.redact && values['no-redact']) throw new Error('--redact and --no-redact exclude each other.');
    const from = seconds('--from', values.from);
    const until = seconds('--until', values.until);
    if ((from ?? until) !== undefined && !FORMATS[format.data].stretch) {
      throw new Error(`--from and --until do not fit: ${format.data} holds sessions as a whole.`);
    }
    if (from !== undefined && until !== undefined && until <= from) throw new Error('--until has to be after --from.');
    return {
      path,
      from,
      until,
      format: format.data,
      theme: theme.data,
      out: values.output,
      redact: !values['no-redact'],
      advisor: !values['no-advisor'],
      force: values.force,
      json: values.json,
    };
  });
}

/** Seconds of the command line as ms of session time. */
function seconds(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new Error(`${name} is a number of seconds.`);
  return value * 1000;
}

function stretchOf({ from, until }: Words, end: number): ExportStretch | undefined {
  if (from === undefined && until === undefined) return undefined;
  const stretch = { from: from ?? 0, until: until ?? end };
  if (stretch.until <= stretch.from) {
    throw new FailureError({ kind: 'bad-input', message: `The session ends at ${formatMoment(end)}, before --from.` });
  }
  return stretch;
}

/** Waits for a reader that is slower than we are. */
async function toStream(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}

type Outcome = { readonly characters: number; readonly broken: number };

function tell(words: Words, { report, state }: Prepared, { characters, broken }: Outcome, io: Io): void {
  const place = words.out === '-' ? undefined : resolve(words.out);
  if (words.json) {
    const facts = {
      format: words.format,
      path: place ?? null,
      calls: state.calls.length,
      characters,
      redaction: report ?? null,
      unusablePatterns: broken,
    };
    const tellFacts = place === undefined ? io.stderr : io.stdout;
    tellFacts(`${JSON.stringify(facts)}\n`);
    return;
  }
  if (place !== undefined) io.stderr(`${FORMATS[words.format].name} written to ${place}\n`);
  io.stderr(report === undefined ? 'Nothing was redacted, as asked.\n' : reportText(report));
  if (broken > 0) {
    io.stderr(
      `${broken === 1 ? 'A pattern' : `${broken} patterns`} of export.redact cannot be used and found nothing.\n`,
    );
  }
}

const MOST_SHOWN = 5;

/** What was found where, a line a kind; the secrets themselves never. */
export function reportText({ total, kinds, pictures }: RedactionReport): string {
  const lines = [total === 0 ? 'Redaction found nothing.' : `Redacted ${formatCount(total)}:`];
  for (const { kind, count, distinct, places, morePlaces } of kinds) {
    const where = places
      .slice(0, MOST_SHOWN)
      .map(({ call, where: part }) => (call === undefined ? part : `${part} of ${call}`));
    const rest = places.length - where.length + morePlaces;
    if (rest > 0) where.push(`${formatCount(rest)} more`);
    lines.push(
      `  ${formatCount(count)} × ${kindWords(kind)} (${formatCount(distinct)} different): ${where.join(', ')}`,
    );
  }
  if (pictures > 0)
    lines.push(`  ${formatCount(pictures)} ${pictures === 1 ? 'picture was' : 'pictures were'} not looked into.`);
  return `${lines.join('\n')}\n`;
}
