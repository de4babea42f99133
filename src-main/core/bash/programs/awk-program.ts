type TokenKind = 'name' | 'number' | 'string' | 'regex' | 'newline' | 'punctuation';
type Token = { readonly kind: TokenKind; readonly text: string };

/** Names that run something, open something, or let the program choose what to call or read. */
const forbidden = new Set(
  'system getline close fflush ARGV ARGC SYMTAB FUNCTAB include load namespace eval'.split(' '),
);

const punctuation = /^(?:\*\*=|\*\*|\+\+|--|&&|\|\||\|&|>>|[<>=!+\-*/%^]=|[!]~|[{}()[\];,+\-*/%^!<>|?:~$=])/;

/**
 * Why an awk program may do more than print to standard output, or nothing when it cannot. The program is cut into
 * tokens; `print … > file`, pipes, `getline`, `system`, `@` and whatever is not understood are refused. Where it
 * depends on the grammar whether a slash divides or starts a pattern, the program is refused if that could matter.
 */
export function findAwkTrouble(program: string): string | undefined {
  const tokens = tokenize(program);
  if (typeof tokens === 'string') return tokens;
  let printDepth: number | undefined;
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'name') {
      if (forbidden.has(token.text)) return `The awk program uses ${token.text}.`;
      if (token.text === 'print' || token.text === 'printf') printDepth = depth;
    }
    if (token.kind !== 'punctuation') continue;
    if (token.text === '|' || token.text === '|&') return 'The awk program uses a pipe.';
    if (token.text === '(' || token.text === '[') depth += 1;
    if (token.text === ')' || token.text === ']') depth -= 1;
    if (depth < 0 || (printDepth !== undefined && depth < printDepth)) return 'The awk program is not understood.';
    // A newline does not always end a print statement, so only these do.
    if (token.text === ';' || token.text === '}' || token.text === '{') printDepth = undefined;
    const redirects = token.text === '>' || token.text === '>>';
    if (redirects && printDepth === depth) return 'The awk program prints to a file.';
    if (token.text === '>>') return 'The awk program is not understood.';
  }
  return undefined;
}

function tokenize(program: string): readonly Token[] | string {
  const tokens: Token[] = [];
  let at = 0;
  while (at < program.length) {
    const rest = program.slice(at);
    const blank = /^(?:[ \t]+|#[^\n]*)/.exec(rest)?.[0];
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const token = nextToken(rest, tokens.at(-1));
    if (typeof token === 'string') return token;
    const ambiguous = token.text === '/' && slashAfter(tokens.at(-1)) === 'either';
    if (ambiguous && rest.indexOf('/', 1) !== -1) return 'A slash of the awk program can be read in two ways.';
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function nextToken(rest: string, before: Token | undefined): Token | string {
  if (rest.startsWith('\n')) return { kind: 'newline', text: '\n' };
  const name = /^[A-Za-z_]\w*/.exec(rest)?.[0];
  if (name !== undefined) return { kind: 'name', text: name };
  const number = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/.exec(rest)?.[0];
  if (number !== undefined) return { kind: 'number', text: number };
  if (rest.startsWith('"')) {
    const string = /^"(?:\\[^\n]|[^"\\\n])*"/.exec(rest)?.[0];
    return string === undefined ? 'A string of the awk program is not closed.' : { kind: 'string', text: string };
  }
  if (rest.startsWith('/') && slashAfter(before) === 'pattern') {
    const regex = readRegex(rest);
    return regex === undefined ? 'A pattern of the awk program is not understood.' : { kind: 'regex', text: regex };
  }
  const mark = punctuation.exec(rest)?.[0];
  return mark === undefined ? 'The awk program is not understood.' : { kind: 'punctuation', text: mark };
}

/** A pattern up to its closing slash. With a slash inside square brackets, versions of awk differ. */
function readRegex(rest: string): string | undefined {
  const naive = /^\/(?:\\[^\n]|[^/\\\n])*\//.exec(rest)?.[0];
  const escaping = /^\/(?:\\[^\n]|\[\^?\]?(?:\[:\w+:\]|\[(?!:)|\\[^\n]|[^[\]\\\n])*\]|[^/\\[\n])*\//.exec(rest)?.[0];
  const literal = /^\/(?:\\[^\n]|\[\^?\]?(?:\[:\w+:\]|\[(?!:)|[^[\]\n])*\]|[^/\\[\n])*\//.exec(rest)?.[0];
  return naive === escaping && naive === literal ? naive : undefined;
}

const keywords = new Set(
  'print printf in return delete do else if while for BEGIN END case default exit next nextfile break continue switch'.split(
    ' ',
  ),
);

/** Functions that may stand without brackets. */
const bareFunctions = new Set(['length']);

function slashAfter(before: Token | undefined): 'pattern' | 'division' | 'either' {
  if (before === undefined) return 'pattern';
  switch (before.kind) {
    case 'number':
    case 'string':
      return 'division';
    case 'name':
      if (bareFunctions.has(before.text)) return 'either';
      return keywords.has(before.text) ? 'pattern' : 'division';
    case 'regex':
      return 'either';
    case 'newline':
      return 'pattern';
    case 'punctuation':
      if (before.text === ')' || before.text === '++' || before.text === '--') return 'either';
      return before.text === ']' ? 'division' : 'pattern';
  }
}
