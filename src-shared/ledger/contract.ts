import { z } from 'zod';
import { RuleEdits } from './edit.ts';
import { DECISIONS_PER_PAGE, DecisionQuery, DryRun, LedgerDecision, LedgerNews, LedgerOverview } from './view.ts';

/** What a page asks of the ledger; part of the one IPC contract. */
export const ledgerRequests = {
  /** Starts reading all journals, if nobody has; `ledger.changed` tells how far it has come. */
  'ledger.overview': { input: z.undefined(), output: LedgerOverview },
  /** Decisions, newest first. */
  'ledger.decisions': {
    input: z.object({
      query: DecisionQuery,
      offset: z.number().int().nonnegative(),
      limit: z.number().int().positive().max(DECISIONS_PER_PAGE),
    }),
    output: z.object({ total: z.number().int(), rows: z.array(LedgerDecision) }),
  },
  /** What past calls would have come to under changed rules. Nothing is written. */
  'ledger.dry-run': { input: z.object({ edits: RuleEdits }), output: DryRun },
  /** Writes the edits; `expected` are the texts that the dry run showed. */
  'ledger.save': {
    input: z.object({
      edits: RuleEdits,
      expected: z.array(z.object({ file: z.string(), after: z.string() })).max(500),
    }),
    output: z.object({ files: z.array(z.string()) }),
  },
} as const;

export const ledgerPushes = { 'ledger.changed': LedgerNews } as const;
