import { claudeCode } from './claude-code.ts';
import { claudeStreamJson } from './claude-stream-json.ts';
import { gantryJournal } from './gantry-journal.ts';
import type { Importer } from './importer.ts';

/** Every format that can be read. Order matters where two are equally likely: the richer one first. */
export const IMPORTERS: readonly Importer[] = [gantryJournal, claudeCode, claudeStreamJson];
