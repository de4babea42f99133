import { assignments } from './assignments.ts';

/** A secret in a text: what of it is to be replaced. */
export type Find = { readonly kind: string; readonly from: number; readonly until: number };

/** Finds the secrets of some kinds in a text. All of them cost time in proportion to the text's length. */
export type Detector = (text: string) => Iterable<Find>;

type Shape = {
  readonly kind: string;
  /** A text without any of these is not looked at. */
  readonly marks: readonly string[];
  /** Group 1, where there is one, is the secret; else all of it. Flags `g` and `d`. */
  readonly pattern: RegExp;
  readonly accept?: (secret: string) => boolean;
};

const hasDigit = (secret: string): boolean => /\d/.test(secret);

/**
 * Known shapes. Where a shape begins with a mark nobody else uses, a handful of characters behind it is enough: previews
 * cut keys off. No pattern has two unbounded repeats that can match the same characters.
 */
const SHAPES: readonly Shape[] = [
  { kind: 'anthropic-key', marks: ['sk-ant-'], pattern: /sk-ant-[A-Za-z0-9_-]{4,}/dg },
  {
    kind: 'openai-key',
    marks: ['sk-'],
    pattern: /(?<![A-Za-z0-9])sk-(?:(?:proj|svcacct|admin|or)-[A-Za-z0-9_-]{6,}|[A-Za-z0-9_-]{20,})/dg,
    accept: (secret) =>
      !secret.startsWith('sk-ant-') && hasDigit(secret) && /[A-Z]|-v\d|^sk-[a-z0-9]{32,}$/.test(secret),
  },
  {
    kind: 'github-token',
    marks: ['gh', 'github_pat_'],
    pattern: /gh[pousr]_[A-Za-z0-9]{12,}|github_pat_[A-Za-z0-9_]{12,}/dg,
  },
  { kind: 'gitlab-token', marks: ['glpat-'], pattern: /glpat-[A-Za-z0-9_-]{12,}/dg },
  { kind: 'aws-key', marks: ['AKIA', 'ASIA'], pattern: /(?<![A-Za-z0-9])A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])/dg },
  {
    kind: 'google-key',
    marks: ['AIza', 'ya29.', 'GOCSPX-'],
    pattern: /AIza[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}/dg,
  },
  {
    kind: 'slack-token',
    marks: ['xox', 'xapp-', 'hooks.slack.com'],
    pattern:
      /xox[a-z]-[A-Za-z0-9-]{8,}|xapp-\d-[A-Za-z0-9-]{8,}|hooks\.slack\.com\/services\/([A-Za-z0-9]{6,}\/[A-Za-z0-9]{6,}\/[A-Za-z0-9]{8,})/dg,
  },
  { kind: 'npm-token', marks: ['npm_'], pattern: /npm_[A-Za-z0-9]{20,}/dg, accept: hasDigit },
  { kind: 'stripe-key', marks: ['_live_', '_test_'], pattern: /[spr]k_(?:live|test)_[A-Za-z0-9]{12,}/dg },
  { kind: 'huggingface-token', marks: ['hf_'], pattern: /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{24,}/dg, accept: hasDigit },
  {
    kind: 'jwt',
    marks: ['eyJ'],
    pattern:
      /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.(?:eyJ[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*)?|[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*)/dg,
  },
  {
    kind: 'authorization',
    marks: ['earer', 'EARER', 'asic', 'BASIC', 'oken '],
    pattern: /(?<![A-Za-z])(?:Bearer|Basic|Token)[ \t]{1,4}([A-Za-z0-9._~+/-]{12,}={0,2})/dgi,
    accept: hasDigit,
  },
  {
    kind: 'authorization',
    marks: ['uthorization', 'UTHORIZATION'],
    pattern:
      /authorization["'`]?[ \t]{0,3}[:=][ \t]{0,3}["'`]?(?:(?:Bearer|Basic|Token|Digest|ApiKey)[ \t]{1,4})?([A-Za-z0-9._~+/:-]{6,}={0,2})/dgi,
    accept: (secret) => !/^(?:bearer|basic|token|digest|apikey|undefined|string|required)$/i.test(secret),
  },
  {
    kind: 'cookie',
    marks: ['ookie', 'OOKIE'],
    pattern: /(?<![A-Za-z0-9])(?:set-)?cookie["'`]?[ \t]{0,3}:[ \t]{0,3}["'`]?([^"'`\r\n\\]{8,4096})/dgi,
    accept: (secret) => /^[\w.-]+=[^\s;]{6,}/.test(secret),
  },
  {
    kind: 'connection-password',
    marks: ['://'],
    pattern: /(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s:@/"'<>`]{0,100}:([^\s@/"'<>`]{1,200})@/dg,
    accept: (secret) => !/^(?:\$\{?\w+\}?|\*+|<.*>|%s|\[redacted-.*)$/.test(secret),
  },
];

/** Names of files and versions of packages look like addresses: `icon@2x.png`, `react@19.3.1`. */
const NO_DOMAIN_END =
  /\.(?:png|jpe?g|gif|webp|svg|avif|ico|css|scss|m?[jt]sx?|json|md|html?|py|rb|go|rs|lock|local|service|timer|socket)$/i;

const EMAIL =
  /(?<![A-Za-z0-9._%+-])[A-Za-z0-9_][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9-])/dg;

function* emails(text: string): Iterable<Find> {
  if (!text.includes('@')) return;
  for (const match of text.matchAll(EMAIL)) {
    const address = match[0];
    const domain = address.slice(address.indexOf('@') + 1);
    if (NO_DOMAIN_END.test(domain) || /^\d+\.\d/.test(domain)) continue;
    // Not a person: how git names a host over SSH.
    if (address.startsWith('git@') && /[:/]/.test(text[match.index + address.length] ?? '')) continue;
    yield { kind: 'email', from: match.index, until: match.index + address.length };
  }
}

const PEM_MARK = 'PRIVATE KEY';
const PEM_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const PEM_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** What the inside of a key may be made of, line breaks and their escapes included. */
const PEM_BODY = /^[A-Za-z0-9+/=\s\\:,.-]*/;
const PEM_BODY_BEFORE = /[A-Za-z0-9+/=\s\\]{16,20000}$/;
const LONGEST_PEM = 20_000;

function* privateKeys(text: string): Iterable<Find> {
  if (!text.includes(PEM_MARK)) return;
  let covered = 0;
  for (const begin of text.matchAll(PEM_BEGIN)) {
    if (begin.index < covered) continue;
    const inside = begin.index + begin[0].length;
    PEM_END.lastIndex = inside;
    const end = PEM_END.exec(text);
    // A preview may have lost the end; then as much goes as can belong to it.
    const until =
      end !== null && end.index - inside < LONGEST_PEM
        ? end.index + end[0].length
        : inside + (PEM_BODY.exec(text.slice(inside, inside + LONGEST_PEM))?.[0].length ?? 0);
    covered = until;
    yield { kind: 'private-key', from: begin.index, until };
  }
  // It goes on from where the search above has stopped.
  PEM_END.lastIndex = 0;
  for (const end of text.matchAll(PEM_END)) {
    if (end.index < covered) continue;
    const before = PEM_BODY_BEFORE.exec(text.slice(Math.max(covered, end.index - LONGEST_PEM), end.index));
    if (before !== null) {
      yield { kind: 'private-key', from: end.index - before[0].length, until: end.index + end[0].length };
    }
  }
}

const byShape = ({ kind, marks, pattern, accept }: Shape): Detector =>
  function* find(text) {
    if (!marks.some((mark) => text.includes(mark))) return;
    for (const match of text.matchAll(pattern)) {
      const [from, until] = match.indices?.[1] ?? [match.index, match.index + match[0].length];
      if (accept === undefined || accept(text.slice(from, until))) yield { kind, from, until };
    }
  };

/** Everything but home folders and a person's own patterns. Earlier ones name what several have found. */
export const DETECTORS: readonly Detector[] = [privateKeys, ...SHAPES.map(byShape), assignments, emails];

/** `/home/ann`, `/Users/ann`, `C:\Users\ann` and their like; `name` is what the person is called there. */
export const HOME_FOLDER =
  /(?<![A-Za-z0-9_.-])(?:[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2}|\/(?:mnt\/[a-z]|[a-z])\/Users\/|\/(?:home|Users|var\/home|export\/home|System\/Volumes\/Data\/Users)\/)(?<name>[^\s/\\"'`:;,<>|&()[\]{}?*$!#%=~]{1,64})/g;
