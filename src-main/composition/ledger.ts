import { homedir } from 'node:os';
import { join } from 'node:path';
import type { SessionId } from '../../src-shared/ids.ts';
import { DecisionFiles } from '../adapters/storage/decision-files.ts';
import { Ledger } from '../app/ledger.ts';
import { realPathNow } from '../app/permission-world.ts';
import { clock } from './compose.ts';
import { gantryHome } from './gantry-home.ts';
import type { SettingsReader } from './settings.ts';

/** The ledger over all sessions of this home. */
export const openLedger = (reader: SettingsReader, titleOf: (sessionId: SessionId) => string): Ledger =>
  new Ledger({
    store: new DecisionFiles(join(gantryHome(), 'sessions')),
    files: reader.ruleFiles,
    machine: { home: homedir(), platform: process.platform, realPath: realPathNow },
    clock,
    titleOf,
  });
