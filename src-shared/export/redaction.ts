import { z } from 'zod';

/** Where in a session something was found. */
export const FoundIn = z.enum([
  'input',
  'output',
  'answer',
  'thinking',
  'prompt',
  'permission',
  'hook',
  'process',
  'file name',
  'title or folder',
  'notice',
  'other',
]);
export type FoundIn = z.output<typeof FoundIn>;

const FoundPlace = z.object({
  /** The call it belongs to; absent for what belongs to none. */
  callId: z.string().optional(),
  /** The call in a few words, itself redacted. */
  call: z.string().optional(),
  where: FoundIn,
  count: z.number().int().positive(),
});

/** One kind of secret. The secrets themselves are never part of a report. */
export const FoundKind = z.object({
  /** `anthropic-key`, `email`, `home-folder`, or the name of a pattern of the person's own. */
  kind: z.string(),
  /** Different ones. */
  distinct: z.number().int().nonnegative(),
  /** How often something was replaced. */
  count: z.number().int().positive(),
  /** By call, in the order of the session; at most `MOST_PLACES`. */
  places: z.array(FoundPlace),
  morePlaces: z.number().int().nonnegative(),
});
export type FoundKind = z.output<typeof FoundKind>;

export const MOST_PLACES = 50;

/** What redaction has found and replaced (spec 6.4), the most frequent kind first. */
export const RedactionReport = z.object({
  total: z.number().int().nonnegative(),
  kinds: z.array(FoundKind),
  /** Pictures are not looked into. */
  pictures: z.number().int().nonnegative(),
});
export type RedactionReport = z.output<typeof RedactionReport>;

/** `openai-key` as words: `OpenAI key`. */
const KIND_WORDS: Readonly<Record<string, string>> = {
  'anthropic-key': 'Anthropic key',
  'openai-key': 'OpenAI key',
  'github-token': 'GitHub token',
  'gitlab-token': 'GitLab token',
  'aws-key': 'AWS key',
  'google-key': 'Google key',
  'slack-token': 'Slack token',
  'npm-token': 'npm token',
  'stripe-key': 'Stripe key',
  'huggingface-token': 'Hugging Face token',
  jwt: 'JSON web token',
  'private-key': 'private key',
  authorization: 'authorization header',
  password: 'password',
  secret: 'token or secret',
  'connection-password': 'password in an address',
  cookie: 'cookie',
  email: 'e-mail address',
  'home-folder': 'home folder',
  advisor: 'advisor’s answer',
};

export const kindWords = (kind: string): string => KIND_WORDS[kind] ?? kind;
