/** What looks like a key of a provider, or is sent as one: `sk-ant-api03-…`, `Bearer …`. */
const KEY_LIKE = /\bsk-[A-Za-z0-9_-]{8,}|\bBearer\s+[^\s"',]{8,}/g;

/**
 * Words of a server or a library, without keys: those that were sent, and whatever else looks like one. Everything that
 * leaves a provider as an error goes through here.
 */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, '[key]');
  return clean.replace(KEY_LIKE, '[key]');
}
