import { z } from 'zod';

/** Where answers come from. `scripted` plays a scenario and needs neither network nor key. */
export const ProviderName = z.enum(['scripted', 'anthropic', 'openai-compatible']);
export type ProviderName = z.output<typeof ProviderName>;

/** The address of a server, as it is typed: `http://127.0.0.1:11434/v1`. */
export const BaseUrl = z.string().max(2_000);

/** The model of a session, as it is chosen and kept. Holds no key: keys are asked for when a request is made. */
export const ModelChoice = z.object({
  provider: ProviderName,
  /** As the server names it. */
  model: z.string().min(1).max(200),
  /** The server's address where it is not the provider's own: `http://127.0.0.1:11434/v1`. */
  baseUrl: BaseUrl.optional(),
  /** The most tokens of one answer. */
  maxTokens: z.number().int().positive().optional(),
  /** Tokens the model may think before it answers; absent where it is not asked to. */
  thinkingTokens: z.number().int().positive().optional(),
  /** Tokens that fit into a conversation, where the model is not one whose window is known. */
  contextWindow: z.number().int().positive().optional(),
});
export type ModelChoice = z.output<typeof ModelChoice>;
