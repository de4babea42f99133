import type { Find } from './detectors.ts';

/** Names whose values are secret, as the end of a longer name: `DB_PASSWORD`, `githubToken`, `x-api-key`. */
const NAME =
  /(pass(?:word|wd|phrase)|(?<=[_-])pass|pwd|secret(?:[_-]?(?:access[_-]?)?key(?:[_-]?base)?)?|token|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|auth[_-]?key|signing[_-]?key|encryption[_-]?key|credentials?)(["'`]?[ \t]{0,3}(?:=>|:=|=|:)[ \t]{0,3}|["'`]?[ \t]{1,3}(?=["'`]))(["'`]?)/gi;

/** `--token abc`, `-p secret` is too common for other things; only long options with these names. */
const OPTION = /--?(?:pass(?:word|wd|phrase)?|secret|token|api-?key|access-?key|auth-?token)[ \t]{1,3}(["'`]?)/gi;

const MARKS = /pass|pwd|secret|token|key|credential/i;

const BARE = /[^\s"'`,;&|<>(){}[\]\\]{1,4096}/y;

/** What stands behind such names without being a secret: types, words of schemas, references to where the secret is. */
const NO_VALUE =
  /^(?:string|str|number|int|bool|boolean|undefined|null|none|nil|true|false|any|unknown|void|never|bytes|buffer|object|required|optional|default|text|password|passwd|token|secret|key|value|input|hidden|type|ok|missing|invalid|expired|yes|no)$/i;
const REFERENCE = /^(?:[$%<{*#@~]|\.\.\.|process\.|os\.|env\.|self\.|this\.|import|await|new\b|\[?redacted)/i;
/** `user.passwordHash`, `getToken`: a name in a program, not a value. */
const IDENTIFIER = /^(?=.*[A-Z_.$])[A-Za-z_$]+(?:[.?][A-Za-z_$]+)*$/;

/** `password=…`, `"apiKey": "…"`, `TOKEN: …`: the value behind a name that says it is one. */
export function* assignments(text: string): Iterable<Find> {
  if (!MARKS.test(text)) return;
  for (const match of text.matchAll(NAME)) {
    const [all, name = '', separator = '', quote = ''] = match;
    yield* valueAt(text, match.index + all.length, { name, quote, isTight: /^["'`]?(?:=)$/.test(separator) });
  }
  if (!text.includes('-')) return;
  for (const match of text.matchAll(OPTION)) {
    const [all, quote = ''] = match;
    yield* valueAt(text, match.index + all.length, { name: all, quote, isTight: true });
  }
}

type Context = { readonly name: string; readonly quote: string; readonly isTight: boolean };

function* valueAt(text: string, from: number, { name, quote, isTight }: Context): Iterable<Find> {
  const isPassword = /^-*(?:pass|pwd)/i.test(name);
  const kind = isPassword ? 'password' : 'secret';
  if (quote !== '') {
    const until = endOfQuoted(text, from, quote);
    const value = text.slice(from, until);
    if (isQuotedSecret(value, isPassword)) yield { kind, from, until };
    return;
  }
  BARE.lastIndex = from;
  const value = BARE.exec(text)?.[0].replace(/[.:!?]+$/, '') ?? '';
  if (isBareSecret(value, { name, isPassword, isTight })) yield { kind, from, until: from + value.length };
}

const LONGEST_QUOTED = 1024;

function endOfQuoted(text: string, from: number, quote: string): number {
  const most = Math.min(text.length, from + LONGEST_QUOTED);
  for (let at = from; at < most; at++) {
    const character = text[at];
    if (character === '\n') return at;
    if (character === quote) return at;
    // `\"` ends a value in a text that is JSON in a string; `\\` and the rest belong to it.
    if (character === '\\' && text[at + 1] === quote) return at;
  }
  return most;
}

const isQuotedSecret = (value: string, isPassword: boolean): boolean => {
  if (value.length < 3 || NO_VALUE.test(value) || REFERENCE.test(value)) return false;
  if (/\s/.test(value)) return isPassword && value.length < 100 && /[\d!@#$%^&*]/.test(value);
  return isPassword || value.length >= 8 || /\d/.test(value);
};

function isBareSecret(value: string, { name, isPassword, isTight }: Omit<Context, 'quote'> & { isPassword: boolean }) {
  if (value.length < 4 || NO_VALUE.test(value) || REFERENCE.test(value)) return false;
  // `PWD=/home/ann` is a folder.
  if (/^pwd$/i.test(name) && /^[/\\]/.test(value)) return false;
  if (/^[\d.]+$/.test(value)) return isPassword;
  if (/\d/.test(value) && /[A-Za-z]/.test(value)) return true;
  if (isTight && !/[.]/.test(value)) return isPassword || value.length >= 8;
  return isPassword && value.length >= 6 && !IDENTIFIER.test(value);
}

const SECRET_KEYS =
  /(?:password|passwd|passphrase|secret|secretkey|apikey|accesskey|privatekey|accountkey|authkey|token|credentials?|authorization|connectionstring)$/;

/** Is the value under this key of an object a secret? `max_tokens` and `tokenCount` are none. */
export function isSecretKey(key: string): boolean {
  if (key.length > 200) return false;
  const plain = key.toLowerCase().replace(/[^a-z0-9]/g, '');
  return plain === 'pwd' || plain === 'cookie' || plain === 'setcookie' || SECRET_KEYS.test(plain);
}

/** The same for the value: a type, a word or a reference is none. */
export const isSecretValue = (value: string): boolean =>
  value.length >= 4 && !NO_VALUE.test(value) && !REFERENCE.test(value) && !/\s.*\s.*\s/.test(value.trim());
