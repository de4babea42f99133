import { refuse } from '../arguments.ts';
import type { OptionTable } from '../options.ts';
import type { ProgramTable } from './program.ts';

const about = '--help --version';

const checksum: OptionTable = {
  harmless: true,
  options: `-a:bctwzl: --algorithm: --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn ${about}`,
};

/** Programs that read text and print text. Lists follow GNU coreutils 9, with BSD letters where they are harmless. */
export const textPrograms: ProgramTable = {
  cat: {
    harmless: true,
    options: `-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting ${about}`,
  },
  head: {
    harmless: true,
    numeric: true,
    options: `-c:n:qvz --bytes: --lines: --quiet --silent --verbose --zero-terminated ${about}`,
  },
  tail: {
    harmless: true,
    numeric: true,
    options: `-c:n:qvzr --bytes: --lines: --quiet --silent --verbose --zero-terminated ${about}`,
  },
  wc: {
    harmless: true,
    options: `-cmlLw --bytes --chars --lines --words --max-line-length --files0-from: --total: ${about}`,
  },
  cut: {
    harmless: true,
    options: `-b:c:d:f:nsz --bytes: --characters: --delimiter: --fields: --complement --only-delimited --output-delimiter: --zero-terminated ${about}`,
  },
  tr: { harmless: true, options: `-cCdstu --complement --delete --squeeze-repeats --truncate-set1 ${about}` },
  nl: {
    harmless: true,
    options: `-b:d:f:h:i:l:n:ps:v:w: --body-numbering: --section-delimiter: --footer-numbering: --header-numbering: --line-increment: --join-blank-lines: --number-format: --no-renumber --number-separator: --starting-line-number: --number-width: ${about}`,
  },
  tac: { harmless: true, options: `-brs: --before --regex --separator: ${about}` },
  rev: { harmless: true, options: `-hV0 ${about}` },
  paste: { harmless: true, options: `-d:sz --delimiters: --serial --zero-terminated ${about}` },
  comm: {
    harmless: true,
    options: `-123z --check-order --nocheck-order --output-delimiter: --total --zero-terminated ${about}`,
  },
  cmp: {
    harmless: true,
    options: `-bi:ln:sv --print-bytes --ignore-initial: --verbose --bytes: --quiet --silent ${about}`,
  },
  join: {
    harmless: true,
    options: `-a:e:ij:o:t:v:1:2:z --ignore-case --check-order --nocheck-order --header --zero-terminated ${about}`,
  },
  fold: { harmless: true, options: `-bsw: --bytes --spaces --width: ${about}` },
  fmt: {
    harmless: true,
    numeric: true,
    options: `-cp:stuw:g: --crown-margin --prefix: --split-only --tagged-paragraph --uniform-spacing --width: --goal: ${about}`,
  },
  pr: {
    harmless: true,
    numeric: true,
    options: `-acdD:e?fFh:i?Jl:mn?N:o:rs?S?tTvw:W: --across --columns: --double-space --header: --length: --merge --indent: --omit-header --width: --page-width: --pages: ${about}`,
  },
  expand: { harmless: true, options: `-it: --initial --tabs: ${about}` },
  unexpand: { harmless: true, options: `-at: --all --first-only --tabs: ${about}` },
  od: {
    harmless: true,
    options: `-A:j:N:S?t:vw?abcdfilosx --address-radix: --endian: --skip-bytes: --read-bytes: --strings? --format: --output-duplicates --width? --traditional ${about}`,
  },
  hexdump: {
    harmless: true,
    options: `-bcCdoxe:f:n:s:vL? --one-byte-octal --one-byte-char --canonical --format: --length: --skip: --no-squeezing ${about}`,
  },
  hd: { harmless: true, options: '-bcCdoxe:n:s:v' },
  strings: {
    harmless: true,
    numeric: true,
    options: `-adfn:t:wos:e: --all --data --print-file-name --bytes: --radix: --include-all-whitespace --encoding: --output-separator: ${about}`,
  },
  column: {
    harmless: true,
    options: `-tn:O:N:l:E:deH:R:T:W:LJr:i:p:c:o:s:x --table --table-name: --table-order: --table-columns: --table-columns-limit: --table-noheadings --table-hide: --table-right: --table-truncate: --table-wrap: --keep-empty-lines --json --tree: --output-width: --output-separator: --separator: --fillrows ${about}`,
  },
  tsort: { harmless: true, options: about },
  look: { harmless: true, options: '-adft: --alternative --alphanum --ignore-case --terminate:' },
  md5sum: checksum,
  sha1sum: checksum,
  sha224sum: checksum,
  sha256sum: checksum,
  sha384sum: checksum,
  sha512sum: checksum,
  b2sum: checksum,
  cksum: { ...checksum, options: `${checksum.options} --length: --untagged --debug` },
  sum: { harmless: true, options: `-rs --sysv ${about}` },
  shasum: checksum,
  md5: { harmless: true, options: '-pqrtxs:' },
  diff: {
    options: `-qscC:u?U:enyW:pF:L:tTrNx:X:S:iEZbwBI:aD:dv --normal --brief --report-identical-files --context? --unified? --ed --rcs --side-by-side --width: --left-column --suppress-common-lines --show-c-function --show-function-line: --label: --expand-tabs --initial-tab --tabsize: --suppress-blank-empty --recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude: --exclude-from: --starting-file: --from-file: --to-file: --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines: --text --strip-trailing-cr --minimal --speed-large-files --color? ${about}`,
  },
  sort: {
    options: `-bdfgiMhnRrVcCk:mst:S:uz --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --random-source: --reverse --sort: --version-sort --batch-size: --check? --debug --files0-from: --key: --merge --stable --buffer-size: --field-separator: --parallel: --unique --zero-terminated ${about}`,
  },
  uniq: {
    // The second operand is the file that uniq writes.
    operands: 1,
    optionsFirst: true,
    options: `-cdDuif:s:w:z --count --repeated --all-repeated? --group? --skip-fields: --ignore-case --skip-chars: --unique --check-chars: --zero-terminated ${about}`,
  },
  shuf: {
    options: `-ei:n:rz --echo --input-range: --head-count: --random-source: --repeat --zero-terminated ${about}`,
  },
  base64: { operands: 1, optionsFirst: true, options: `-dDw: --decode --wrap: --ignore-garbage ${about}` },
  base32: { operands: 1, optionsFirst: true, options: `-dw: --decode --wrap: --ignore-garbage ${about}` },
  iconv: {
    options: '-f:t:lcs --from-code: --to-code: --list --silent --verbose --usage --help --version',
  },
  numfmt: {
    options: `-d:z --debug --delimiter: --field: --format: --from: --from-unit: --grouping --header? --invalid: --padding: --round: --suffix: --to: --to-unit: --zero-terminated ${about}`,
  },
  seq: { harmless: true, numeric: true, options: `-f:s:w --format: --separator: --equal-width ${about}` },
  factor: { harmless: true, options: about },
  bc: { operands: 0, options: '-lqsw --mathlib --quiet --standard --warn --version --help' },
  yq: { options: '-rcCMNPejyY', check: ({ operands }) => checkYqExpression(operands[0]?.text, operands[0]) },
};

/** yq has operators that read files and the environment; one of its dialects can be told to run programs. */
function checkYqExpression(expression: string | undefined, at: Parameters<typeof refuse>[1]) {
  if (expression === undefined) return refuse('yq has no expression.');
  if (!expression.startsWith('.')) return refuse('This is not a plain yq expression.', at);
  if (/\b(?:load\w*|\w*env\w*|system|eval|input\w*|import|include|filename)\b/.test(expression)) {
    return refuse('This yq expression uses more than its input.', at);
  }
  return undefined;
}
