import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where Claude Code keeps what is a person's own: `CLAUDE_CONFIG_DIR`, or `.claude` in the home folder. Absolute. */
export const claudeHome = (env: NodeJS.ProcessEnv = process.env): string =>
  env.CLAUDE_CONFIG_DIR ? resolve(env.CLAUDE_CONFIG_DIR) : join(homedir(), '.claude');

/** Where Gantry keeps its sessions: `GANTRY_HOME`, or `.gantry` in the home folder. Absolute. */
export const gantryHome = (env: NodeJS.ProcessEnv = process.env): string =>
  env.GANTRY_HOME ? resolve(env.GANTRY_HOME) : join(homedir(), '.gantry');
