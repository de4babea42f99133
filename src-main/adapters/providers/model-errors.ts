import { z } from 'zod';
import type { Clock } from '../../ports/clock.ts';
import { ModelFailure } from '../../ports/model-provider.ts';
import { reasonOf, troubleOf } from './connection-errors.ts';
import { StreamEndedEarly } from './message-reader.ts';
import { keyVariable } from './provider-environment.ts';
import { redact } from './redact.ts';

/** What is known of a request when it fails. */
export type FailureFacts = {
  readonly provider: 'anthropic' | 'openai-compatible';
  /** Of the server: `api.anthropic.com`, `127.0.0.1:11434`. */
  readonly host: string;
  /** Where the key came from, and undefined when there was none. */
  readonly keyFrom: string | undefined;
  /** Never to be told. */
  readonly secrets: readonly string[];
  readonly clock: Pick<Clock, 'now'>;
  /** The message had started: what breaks now breaks a stream. */
  readonly hasStarted: boolean;
  /** The body of an answer with an error's status, as it came. */
  readonly refusal: string | undefined;
  /** The server has answered in this session: its address is right. */
  readonly hasAnswered: boolean;
  /** Of an answer that began well: `text/event-stream`. Empty where none came, or it did not say. */
  readonly contentType: string;
};

type Kind = ModelFailure['kind'];

const MOST_WORDS = 600;

const Words = z.string().optional().catch(undefined);
const Code = z.union([z.string(), z.number()]).optional().catch(undefined);
/** The bodies of errors that servers send: Anthropic's, OpenAI's, FastAPI's, a bare string. */
const ErrorBody = z.union([
  z.string(),
  z.object({
    error: z
      .union([z.object({ message: Words, type: Words, code: Code }), z.string()])
      .optional()
      .catch(undefined),
    message: Words,
    detail: Words,
    type: Words,
    code: Code,
  }),
]);
/** What both SDKs throw, and what fetch throws below them. */
const SdkError = z.object({
  message: z.string().catch(''),
  status: z.number().optional().catch(undefined),
  error: z.unknown().optional(),
  headers: z
    .custom<Headers>((value) => value instanceof Headers)
    .optional()
    .catch(undefined),
  cause: z.unknown().optional(),
});
type SdkError = z.output<typeof SdkError>;

/** What a server said of an error. `type` is its own word for it, or a status that it put into a stream. */
type Said = { readonly message: string; readonly type: string };

/**
 * The failure of a request in words for a person, and what may be done about it. No key is in it: neither in its message
 * nor behind it.
 */
export function failureOf(error: unknown, facts: FailureFacts): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const { host, hasStarted } = facts;
  if (!hasStarted && (error instanceof StreamEndedEarly || error instanceof SyntaxError)) {
    const stranger = noMessage(facts);
    if (stranger !== undefined) return stranger;
  }
  if (error instanceof StreamEndedEarly) {
    return hasStarted
      ? fail('broken-stream', `The connection to ${host} ended in the middle of a message.`, { retry: true })
      : fail('network', `The server at ${host} ended its answer before a message had begun.`, { retry: true });
  }
  if (error instanceof SyntaxError) {
    return fail(hasStarted ? 'broken-stream' : 'network', `The server at ${host} sent something that is no JSON.`, {
      retry: true,
    });
  }
  const sdk = SdkError.safeParse(error).data ?? { message: String(error), error: undefined, cause: undefined };
  const said = saidOf(sdk, facts);
  if (sdk.status !== undefined) return byStatus(sdk.status, said, sdk, facts);
  if (sdk.error !== undefined && sdk.error !== null) return inStream(said, sdk, facts);
  const { reason, mostRetries } = troubleOf(error, facts);
  const why = redact(reason, facts.secrets);
  if (hasStarted) {
    const message = `The connection to ${host} broke off in the middle of a message: ${why}.`;
    return fail('broken-stream', message, { retry: true });
  }
  if (mostRetries === 0)
    return fail('network', `The server at ${host} cannot be spoken with: ${why}.`, { retry: false });
  return fail(
    'network',
    `The server at ${host} could not be reached: ${why}. Check the address, and that the server runs.`,
    { retry: true, ...(mostRetries === undefined ? {} : { mostRetries }) },
  );
}

/** Whoever answered there is no model's server, and will not become one: a sign-in page, another program. */
function noMessage({ host, contentType }: FailureFacts): ModelFailure | undefined {
  const never = { retry: false };
  if (/^text\/html\b/i.test(contentType)) {
    return fail(
      'bad-request',
      `The server at ${host} answered with a web page, not with a message. Check the address; a proxy or a sign-in page may stand between.`,
      never,
    );
  }
  if (/^application\/json\b/i.test(contentType)) {
    const message = `The server at ${host} answered with something that is no message. Check the address and the kind of server.`;
    return fail('bad-request', message, never);
  }
  return undefined;
}

/** The server has sent nothing for too long. */
export const silenceOf = ({ host, hasStarted }: Pick<FailureFacts, 'host' | 'hasStarted'>): ModelFailure =>
  fail(hasStarted ? 'broken-stream' : 'network', `The server at ${host} has sent nothing for 5 minutes.`, {
    retry: true,
  });

/** There is no key for a server that wants one. */
export const noKey = (provider: FailureFacts['provider'], host: string): ModelFailure =>
  fail('auth', `There is no key for ${host}. ${howToGiveKey(provider)}`, { retry: false });

/** What no header can carry: a key that was pasted with its surroundings. */
export const oddKey = (from: string): ModelFailure =>
  fail('auth', `The key from ${from} holds characters that no key has. Copy it again.`, { retry: false });

/** The place where keys are kept does not give this one away. */
export const unreadableKey = (error: unknown): ModelFailure =>
  fail('auth', `The key that is kept in Gantry cannot be read: ${plain(reasonOf(error), [])}`, { retry: false });

const howToGiveKey = (provider: FailureFacts['provider']): string =>
  `Keep one in the settings of Gantry, or set ${keyVariable(provider)} in the environment.`;

function byStatus(status: number, said: Said, sdk: SdkError, facts: FailureFacts): ModelFailure {
  const { host, provider, keyFrom } = facts;
  const words = said.message === '' ? '' : ` The server says: ${said.message}`;
  const wait = retryAfter(sdk.headers, facts.clock);
  // The server knows best whether the same request may go well next time.
  const word = sdk.headers?.get('x-should-retry');
  const retry = (otherwise: boolean) => ({
    retry: word === 'true' ? true : word === 'false' ? false : otherwise,
    ...(wait === undefined ? {} : { afterMs: wait }),
  });
  const never = { retry: false };
  if (status === 401 || status === 403) {
    const key =
      keyFrom === undefined ? `There is no key for it. ${howToGiveKey(provider)}` : `The key comes from ${keyFrom}.`;
    const what = status === 401 ? 'does not take the key' : 'refuses access';
    return fail('auth', `The server at ${host} ${what} (${status}). ${key}${words}`, never);
  }
  if (status === 413 || isTooLong(said)) {
    return fail('too-long', `The conversation is too long for the model (${status}).${words}`, never);
  }
  if (status === 429) {
    // An empty account does not fill by waiting.
    const isEmpty = /insufficient_quota|billing/.test(said.type);
    return fail('rate-limited', `The server at ${host} limits how much may be asked (429).${words}`, retry(!isEmpty));
  }
  if (status === 529 || status === 503) {
    return fail('overloaded', `The server at ${host} is overloaded (${status}).${words}`, retry(true));
  }
  if (status >= 500) return fail('overloaded', `The server at ${host} failed (${status}).${words}`, retry(true));
  if (status === 408 || status === 409) {
    return fail('network', `The server at ${host} did not finish the request (${status}).${words}`, retry(true));
  }
  if (status === 404) {
    return fail('bad-request', `The server at ${host} does not know the model or the address (404).${words}`, never);
  }
  return fail('bad-request', `The server at ${host} refused the request (${status}).${words}`, retry(false));
}

/** An error that came as an event, behind an answer that had begun well. */
function inStream(said: Said, sdk: SdkError, facts: FailureFacts): ModelFailure {
  const status = STATUS_OF_TYPE[said.type] ?? Number(said.type);
  if (Number.isInteger(status) && status >= 400) return byStatus(status, said, sdk, facts);
  const words = said.message === '' ? '' : ` The server says: ${said.message}`;
  return fail('overloaded', `The server at ${facts.host} failed in its answer.${words}`, { retry: true });
}

/** https://docs.claude.com/en/api/errors, and OpenAI's own words. */
const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  api_error: 500,
  server_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
  context_length_exceeded: 400,
};

/** Servers have no common code for it: these are the words of Anthropic, OpenAI, vLLM, llama.cpp, Ollama, LM Studio and Gemini. */
const isTooLong = ({ message, type }: Said): boolean =>
  /context_length_exceeded|exceed_context_size|request_too_large/.test(type) ||
  /prompt is too long|input is too long|exceeds? (?:the )?(?:available |model'?s? )?(?:maximum )?context|maximum context length|context (?:length|window|limit) (?:exceeded|of)|greater than the context length|exceeds the maximum number of tokens|input length and `max_tokens` exceed/i.test(
    message,
  );

function saidOf(sdk: SdkError, { secrets, refusal }: FailureFacts): Said {
  const body = ErrorBody.safeParse(refusal === undefined ? sdk.error : jsonOr(refusal)).data ?? '';
  if (typeof body === 'string') return { message: plain(body, secrets), type: '' };
  const inner = typeof body.error === 'string' ? { message: body.error } : (body.error ?? {});
  const { message = body.message ?? body.detail ?? '', type = body.type, code = body.code } = { ...NOTHING, ...inner };
  // A code says more than a type: `invalid_request_error` with `context_length_exceeded`.
  return { message: plain(message, secrets), type: String(code ?? type ?? '') };
}

const NOTHING = { message: undefined, type: undefined, code: undefined };

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** One line without keys; pages of proxies are no words. */
function plain(text: string, secrets: readonly string[]): string {
  const line = redact(text, secrets).replace(/\s+/g, ' ').trim();
  if (line.startsWith('<')) return '';
  const short = line.length > MOST_WORDS ? `${line.slice(0, MOST_WORDS)}…` : line;
  return short === '' || /[.!?…]$/.test(short) ? short : `${short}.`;
}

/** Milliseconds that the server asks to wait: `retry-after-ms`, or `retry-after` as seconds or as a date. */
export function retryAfter(headers: Headers | undefined, clock: Pick<Clock, 'now'>): number | undefined {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const text = headers?.get('retry-after')?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}

function fail(
  kind: Kind,
  message: string,
  options: { readonly retry: boolean; readonly afterMs?: number; readonly mostRetries?: number },
): ModelFailure {
  return new ModelFailure(kind, message, options);
}
