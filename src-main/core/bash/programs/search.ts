import { refuse } from '../arguments.ts';
import type { ProgramTable, TableProgram } from './program.ts';

const grep: TableProgram = {
  harmless: true,
  numeric: true,
  options:
    '-EFGPe:f:iywxzsvVm:bnHhoqaId:D:rRLlcTZB:A:C:U --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp: --file: --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages --invert-match --max-count: --byte-offset --line-number --line-buffered --with-filename --no-filename --label: --only-matching --quiet --silent --binary-files: --text --directories: --devices: --recursive --dereference-recursive --include: --exclude: --exclude-from: --exclude-dir: --files-without-match --files-with-matches --count --initial-tab --null --before-context: --after-context: --context? --group-separator: --no-group-separator --color? --colour? --binary --help --version',
};

/** Programs that search in files. `find` has its own file. */
export const searchPrograms: ProgramTable = {
  grep,
  egrep: grep,
  fgrep: grep,
  rg: {
    // Left out for what they run: --pre, --hostname-bin, -z/--search-zip, --hyperlink-format.
    options:
      '-niISswxvcluLoFPUaNHhqp0A:B:C:m:e:f:g:t:T:j:r:M:E:d:V.b --line-number --no-line-number --ignore-case --smart-case --case-sensitive --word-regexp --line-regexp --invert-match --count --count-matches --files-with-matches --files-without-match --follow --no-follow --only-matching --fixed-strings --no-fixed-strings --pcre2 --multiline --multiline-dotall --text --unrestricted --with-filename --no-filename --heading --no-heading --quiet --pretty --null --null-data --after-context: --before-context: --context: --max-count: --regexp: --file: --glob: --iglob: --type: --type-not: --threads: --replace: --max-columns: --max-columns-preview --encoding: --max-depth: --maxdepth: --max-filesize: --files --type-list --json --stats --sort: --sortr: --hidden --no-hidden --no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-dot --no-ignore-global --no-ignore-exclude --no-ignore-files --no-messages --no-config --color: --colors: --column --no-column --byte-offset --trim --passthru --crlf --debug --engine: --one-file-system --ignore-file: --type-add: --line-buffered --block-buffered --no-mmap --mmap --vimgrep --include-zero --context-separator: --no-context-separator --path-separator: --no-unicode --help --version',
    check: ({ operands, options }) =>
      operands.length === 0 && options.length === 0 ? refuse('rg has no pattern.') : undefined,
  },
  fd: { options: fdOptions() },
  fdfind: { options: fdOptions() },
};

/** Left out for what they run: -x, -X, --exec, --exec-batch, and -l, which starts ls. */
function fdOptions(): string {
  return '-e:t:HIugFisaLp0d:E:S:c:j:o:1qV --extension: --type: --hidden --no-ignore --no-ignore-vcs --unrestricted --glob --regex --fixed-strings --ignore-case --case-sensitive --absolute-path --follow --full-path --print0 --max-depth: --min-depth: --exact-depth: --exclude: --size: --color: --threads: --owner: --changed-within: --changed-before: --max-results: --quiet --base-directory: --strip-cwd-prefix --one-file-system --prune --and: --help --version';
}
