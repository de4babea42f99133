/** What another try depends on. */
export type Whereabouts = {
  /** `api.anthropic.com`, `127.0.0.1:11434`, `[::1]:8080`. */
  readonly host: string;
  /** The server has answered in this session: its address is right. */
  readonly hasAnswered: boolean;
};

/** Why there was no connection, in words; and how many more tries may help, undefined for as many as with any failure. */
export type Trouble = { readonly reason: string; readonly mostRetries: number | undefined };

/** A server on this machine may be starting just now: three tries are 3.5 s. */
const RETRIES_AT_HOME = 3;
/** Each of these takes its time by itself before it fails. */
const RETRIES_OF_SILENCE = 1;

/**
 * What of a connection that failed before anything came. What the next try will meet too is not tried again: a certificate, a
 * proxy that wants a password, and at an address that has never answered a name that nobody knows or a port where nobody
 * listens.
 */
export function troubleOf(error: unknown, { host, hasAnswered }: Whereabouts): Trouble {
  const { code, words } = deepest(error);
  if (code === undefined) {
    const reason = FOR_EVER_IN_WORDS[words];
    return reason === undefined ? { reason: words || UNKNOWN, mostRetries: undefined } : { reason, mostRetries: 0 };
  }
  const forever = foreverReason(code);
  if (forever !== undefined) return { reason: forever, mostRetries: 0 };
  const reason = REASONS[code] ?? code;
  if (hasAnswered) return { reason, mostRetries: undefined };
  if (code === 'ECONNREFUSED') {
    return isOwnMachine(host)
      ? { reason, mostRetries: RETRIES_AT_HOME }
      : { reason: `${reason}: nothing listens at this port. ${CHECK}, and that the server runs`, mostRetries: 0 };
  }
  if (code === 'ENOTFOUND') return { reason: `${reason}. ${CHECK} and the connection to the network`, mostRetries: 0 };
  return { reason, mostRetries: SLOW.has(code) ? RETRIES_OF_SILENCE : undefined };
}

/** The deepest reason that an error knows, in words where it is a known one. */
export function reasonOf(error: unknown): string {
  const { code, words } = deepest(error);
  if (code !== undefined) return REASONS[code] ?? foreverReason(code) ?? code;
  return FOR_EVER_IN_WORDS[words] ?? (words || UNKNOWN);
}

const UNKNOWN = 'no reason is known';
const CHECK = 'Check the address';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it did not go on in time',
  EHOSTUNREACH: 'no way leads to it',
  ENETUNREACH: 'no way leads to it',
  EPIPE: 'it closed the connection',
};

const SLOW: ReadonlySet<string> = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

const UNTRUSTED =
  'nobody whom this machine trusts has signed its certificate. For one of your own, start Gantry with its file in NODE_EXTRA_CA_CERTS';
const NO_TLS = 'it does not speak TLS as https needs it. Check whether the address begins with http://';

/** Reasons that another try does not change. */
const FOR_EVER: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_UNTRUSTED: UNTRUSTED,
  INVALID_CA: UNTRUSTED,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet. Check the clock of this machine',
  CERT_REVOKED: 'its certificate has been revoked',
  CERT_REJECTED: 'its certificate does not count',
  HOSTNAME_MISMATCH: 'its certificate is made out to another name. Check the address',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is made out to another name. Check the address',
  EPROTO: NO_TLS,
};

const foreverReason = (code: string): string | undefined =>
  FOR_EVER[code] ??
  (code.startsWith('ERR_SSL_')
    ? NO_TLS
    : code.startsWith('HPE_')
      ? 'it does not speak HTTP. Check the address and its port'
      : undefined);

/** What Node's fetch says in words alone. Of a proxy's status 407 it says nothing at all. */
const FOR_EVER_IN_WORDS: Readonly<Record<string, string>> = {
  'fetch failed':
    'the connection failed and nothing says why. A proxy that wants a name and a password (407) looks like this; Gantry sends none. Sign in to it, or choose an address that needs none',
  'bad port': 'its port is one that no web server may have. Check the address',
  'redirect count exceeded': 'it leads from one address to the next without end. Check the address',
};

/** The deepest code, else the deepest words. */
function deepest(error: unknown): { readonly code: string | undefined; readonly words: string } {
  let now: unknown = error;
  let words = '';
  for (let depth = 0; depth < 5 && now instanceof Error; depth++) {
    const { code } = now as { code?: unknown };
    if (typeof code === 'string') return { code, words };
    words = now.message || words;
    now = now.cause;
  }
  return { code: undefined, words: words.replace(/\.$/, '') };
}

/** Of a server that is reached without leaving the machine. */
const isOwnMachine = (host: string): boolean =>
  /^(?:(?:[^:]+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|host\.docker\.internal)(?::\d+)?$/i.test(host);
