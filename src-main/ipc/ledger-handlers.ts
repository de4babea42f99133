import type { Handlers } from '../../src-shared/ipc/contract.ts';
import type { Ledger } from '../app/ledger.ts';

type LedgerRequest = Extract<keyof Handlers, `ledger.${string}`>;

/** Requests about the permission ledger. */
export const ledgerHandlers = (ledger: Ledger): Pick<Handlers, LedgerRequest> => ({
  'ledger.overview': async () => {
    // What is there is shown at once; what is read meanwhile is told.
    void ledger.read();
    return ledger.overview();
  },
  'ledger.decisions': async ({ query, offset, limit }) => {
    const { total, rows } = ledger.decisions(query, { offset, limit });
    return { total, rows: [...rows] };
  },
  'ledger.dry-run': async ({ edits }) => ledger.dryRun(edits),
  'ledger.save': async ({ edits, expected }) => ({ files: [...ledger.save(edits, expected)] }),
});
