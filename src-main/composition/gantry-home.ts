import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where Gantry keeps its sessions: `GANTRY_HOME`, or `.gantry` in the home folder. Absolute. */
export const gantryHome = (env: NodeJS.ProcessEnv = process.env): string =>
  env.GANTRY_HOME ? resolve(env.GANTRY_HOME) : join(homedir(), '.gantry');
