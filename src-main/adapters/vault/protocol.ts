import { z } from 'zod';
import { Failure } from '../../../src-shared/failure.ts';
import { VaultOutcome, VaultStatus } from '../../../src-shared/vault/view.ts';

const Source = z.object({ program: z.string(), path: z.string(), onlyTranscripts: z.boolean() });

export const VaultRequest = z.object({
  /** The vault's folder, absolute. */
  folder: z.string(),
  sources: z.array(Source),
  ask: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('start') }),
    z.object({ kind: z.literal('status') }),
    z.object({ kind: z.literal('run'), calm: z.boolean() }),
    z.object({ kind: z.literal('verify') }),
    z.object({ kind: z.literal('restore'), path: z.string(), to: z.string().optional() }),
  ]),
});
export type VaultRequest = z.output<typeof VaultRequest>;

/** What a process that is at work is told. */
export const StopMessage = z.object({ kind: z.literal('stop') });

const number = z.number();
export const VaultMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), files: number, ofFiles: number, bytes: number, ofBytes: number }),
  z.object({ kind: z.literal('started') }),
  z.object({ kind: z.literal('status'), status: VaultStatus }),
  z.object({ kind: z.literal('done'), outcome: VaultOutcome }),
  z.object({ kind: z.literal('failed'), failure: Failure }),
]);
export type VaultMessage = z.output<typeof VaultMessage>;
