import { join } from 'node:path';

/** Made-up sessions of other programs, and beside them what was approved of each. */
export const fixtures = join(import.meta.dirname, 'fixtures');

/** One of each shape of each format, with the folder it lies in: a session may be many files. */
export const FOREIGN: readonly (readonly [format: string, file: string])[] = [
  ['gemini-cli', 'document.json'],
  ['gemini-cli', 'records/session-2026-03-02T09-00-b7c1d2e3.jsonl'],
  ['gemini-cli', 'checkpoint.json'],
  ['gemini-cli', 'prompt-log.json'],
  ['opencode', 'storage/session/prj_harbour/ses_7c01.json'],
  ['opencode', 'export.json'],
  ['cline', 'task-xml/api_conversation_history.json'],
  ['cline', 'task-native/api_conversation_history.json'],
  ['cline', 'shown-only/ui_messages.json'],
  ['cline', 'sdk-session.json'],
  ['otel-genai', 'gen-ai.json'],
  ['otel-genai', 'openinference.jsonl'],
  ['otel-genai', 'events.jsonl'],
  ['atif', 'trajectory.json'],
  ['atif', 'no-times.json'],
  ['goose', 'export.json'],
  ['goose', 'records.jsonl'],
];
