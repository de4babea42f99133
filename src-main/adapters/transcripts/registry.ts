import { atif } from './atif.ts';
import { claudeCode } from './claude-code.ts';
import { claudeStreamJson } from './claude-stream-json.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { gantryJournal } from './gantry-journal.ts';
import { geminiCli } from './gemini-cli.ts';
import { goose } from './goose.ts';
import type { Importer } from './importer.ts';
import { opencode } from './opencode.ts';
import { otelGenai } from './otel-genai.ts';
import { pi } from './pi.ts';

/** Every format that can be read. Order matters where two are equally likely: the richer one first. */
export const IMPORTERS: readonly Importer[] = [
  gantryJournal,
  claudeCode,
  claudeStreamJson,
  codex,
  copilotCli,
  geminiCli,
  opencode,
  otelGenai,
  atif,
  goose,
  cline,
  pi,
];
