import { z } from 'zod';
import { PermissionMode } from '../permission/event.ts';

export const Strategy = z.enum(['streaming', 'batch', 'serial']);
export type Strategy = z.output<typeof Strategy>;

/** Whom a failing call cancels (spec 1.8). */
export const CascadePolicy = z.enum(['any-error', 'except-writes', 'bash', 'bash-mutating', 'none']);
export type CascadePolicy = z.output<typeof CascadePolicy>;

/** When the calls of sub-agents may run beside others (spec 1.2). */
export const AgentConcurrency = z.enum(['read-only', 'always', 'never']);
export type AgentConcurrency = z.output<typeof AgentConcurrency>;

/** Settings of one session, changeable between turns and recorded in its journal (spec 4.3). */
export const SessionSettings = z.object({
  strategy: Strategy,
  /** Lanes: the most calls that run at once. */
  cap: z.number().int().positive(),
  cascade: CascadePolicy,
  mode: PermissionMode,
  /** Permission rules whose calls may run beside others. Touches scheduling only (spec 1.2). */
  treatAsSafe: z.array(z.string()),
  startUnsafe: z.enum(['at-once', 'after-message']),
  /** A result over this many characters goes to disk (spec 2.8). */
  saveThreshold: z.number().int().positive(),
  /** By tool: over how many characters its results go to disk, whatever the tool and the threshold say (spec 2.8). */
  maxResultChars: z.record(z.string(), z.number().int().positive()).optional(),
  /** `read-only` where it is left out. */
  agentConcurrency: AgentConcurrency.optional(),
  /** The most characters of all results of one message together. */
  messageBudget: z.number().int().positive(),
  /** The conversation is compacted when its context is so full, in per cent; 0: never by itself. 80 where it is left out. */
  compactAt: z.number().int().min(0).max(100).optional(),
});
export type SessionSettings = z.output<typeof SessionSettings>;

export const DEFAULT_CAP = 10;

/** The defaults; `batch` and `serial` cancel nobody unless a policy is chosen (spec 1.8). */
export const defaultSettings = (strategy: Strategy = 'streaming'): SessionSettings => ({
  strategy,
  cap: DEFAULT_CAP,
  cascade: strategy === 'streaming' ? 'bash' : 'none',
  mode: 'default',
  treatAsSafe: [],
  startUnsafe: 'at-once',
  saveThreshold: 50_000,
  messageBudget: 200_000,
});
