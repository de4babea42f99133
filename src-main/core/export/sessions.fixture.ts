import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import { foldSession } from '../../../src-shared/session/state.ts';
import { openTranscript } from '../../adapters/transcripts/open-transcript.ts';
import type { ExportInput } from './session.ts';

const folder = join(import.meta.dirname, '../../adapters/transcripts/fixtures/claude-code-2.1.92');
export const recordings: readonly string[] = readdirSync(folder);

export const inputOf = (events: readonly SessionEvent[], more: Partial<ExportInput> = {}): ExportInput => ({
  state: foldSession(events),
  events,
  stretch: undefined,
  generator: 'Gantry 0.0.0',
  ...more,
});

export const recording = async (name: string): Promise<ExportInput> =>
  inputOf((await openTranscript(join(folder, name))).events);

export const textOf = (pieces: Iterable<string>): string => [...pieces].join('');
