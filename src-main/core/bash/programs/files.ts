import { type Arg, type Refusal, refuse } from '../arguments.ts';
import { readOptions } from '../options.ts';
import type { ProgramTable } from './program.ts';

const about = '--help --version';

const listing = `-aAbBcCdDfFgGhHiI:klLmnNopqQrRsStT:uUvw:xXZ1 --all --almost-all --author --escape --block-size: --ignore-backups --color? --directory --dired --classify? --file-type --format: --full-time --group-directories-first --no-group --human-readable --si --dereference-command-line --dereference-command-line-symlink-to-dir --hide: --hyperlink? --indicator-style: --inode --ignore: --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --quoting-style: --reverse --recursive --size --sort: --time: --time-style: --tabsize: --width: --context --zero ${about}`;

/** Programs that look at files and folders without changing them. */
export const filePrograms: ProgramTable = {
  ls: { harmless: true, options: listing },
  dir: { harmless: true, options: listing },
  vdir: { harmless: true, options: listing },
  stat: {
    harmless: true,
    options: `-Lfc:txrnqst:F --dereference --file-system --cached: --format: --printf: --terse ${about}`,
  },
  du: {
    harmless: true,
    options: `-0aB:bcDd:HhklLmPSst:xX:I:g --null --all --apparent-size --block-size: --bytes --total --dereference-args --max-depth: --summarize --files0-from: --human-readable --inodes --dereference --count-links --no-dereference --separate-dirs --si --threshold: --time? --time-style: --exclude-from: --exclude: --one-file-system ${about}`,
  },
  df: {
    options: `-aB:hHiklPt:Tx:vmgIn --all --block-size: --human-readable --si --inodes --local --no-sync --output? --portability --total --type: --print-type --exclude-type: ${about}`,
  },
  basename: { harmless: true, options: `-as:z --multiple --suffix: --zero ${about}` },
  dirname: { harmless: true, options: `-z --zero ${about}` },
  realpath: {
    harmless: true,
    options: `-emLPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to: --relative-base: --strip --no-symlinks --zero ${about}`,
  },
  readlink: {
    harmless: true,
    options: `-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero ${about}`,
  },
  pathchk: { harmless: true, options: `-pP --portability ${about}` },
  namei: { harmless: true, options: '-lmnovx --long --modes --nosymlinks --owners --vertical --mountpoints' },
  getfacl: { options: '-acdeEsRLPtpn --access --omit-header --default --numeric --recursive --absolute-names' },
  lsattr: { options: '-RVadlpv' },
  tree: {
    // -o writes, and -R writes an 00Tree.html at every level.
    options: `-L:I:P:adfishDpugCnFJXtrvcUAQNlqx --dirsfirst --filesfirst --noreport --gitignore --prune --du --filelimit: --timefmt: --sort? --matchdirs --ignore-case --charset: --inodes --device --si --metafirst ${about}`,
  },
  // -C compiles a magic file, -m and -f read more files, -z unpacks, -p sets times back.
  file: {
    options: `-biIkLhrN0slvF:e: --brief --mime --mime-type --mime-encoding --extension --keep-going --dereference --no-dereference --raw --no-pad --print0 --special-files --separator: --exclude: ${about}`,
  },
  nm: {
    options: `-aABCDgnoprSsufvP --debug-syms --print-file-name --demangle? --dynamic --extern-only --numeric-sort --no-sort --reverse-sort --print-size --size-sort --undefined-only --defined-only --portability --special-syms ${about}`,
  },
  objdump: {
    options: `-adDfhpPrRstTxC --archive-headers --file-headers --headers --section-headers --private-headers --disassemble --disassemble-all --full-contents --syms --dynamic-syms --reloc --dynamic-reloc --all-headers --demangle? --no-show-raw-insn ${about}`,
  },
  readelf: {
    options: `-aehlSgtsnrudVAIW --all --file-header --program-headers --segments --section-headers --sections --symbols --syms --dyn-syms --notes --relocs --unwind --dynamic --version-info --headers --wide ${about}`,
  },
  size: { options: `-ABdoxt --format: --radix: --totals --common ${about}` },
  xxd: { judge: judgeXxd },
  tar: { judge: judgeTar },
  unzip: {
    optionsFirst: true,
    options: '-lvtpcqzhCaLZ1',
    check: ({ options, operands }) => {
      if (operands.length === 0) return undefined;
      const looks = options.some(({ name }) => '-l -v -t -p -c -z -Z'.split(' ').includes(name));
      return looks ? undefined : refuse('Without -l, -t or -p this unpacks files.', operands[0]);
    },
  },
  zipinfo: { options: '-12lsmvhtTz' },
  zcat: { options: '-fqv --force' },
  gzcat: { options: '-fqv --force' },
  bzcat: { options: '-s' },
  xzcat: { options: '-q' },
  zstdcat: { options: '-q' },
  gzip: {
    optionsFirst: true,
    options: '-cdfklqtvN123456789 --stdout --to-stdout --decompress --list --test --quiet --verbose',
    check: printsOnly,
  },
  gunzip: {
    optionsFirst: true,
    options: '-cfklqtvN --stdout --to-stdout --list --test --quiet --verbose',
    check: printsOnly,
  },
  bzip2: {
    optionsFirst: true,
    options: '-cdfkqtv123456789 --stdout --decompress --test --quiet --verbose',
    check: printsOnly,
  },
  bunzip2: { optionsFirst: true, options: '-cfkqtv --stdout --test', check: printsOnly },
  xz: {
    optionsFirst: true,
    options: '-cdfklqtvT:0123456789e --stdout --to-stdout --decompress --list --test --robot',
    check: printsOnly,
  },
  unxz: { optionsFirst: true, options: '-cfklqtv --stdout --list --test', check: printsOnly },
  zstd: { optionsFirst: true, options: '-cdfklqtv --stdout --decompress --list --test', check: printsOnly },
  zgrep: {
    options: '-iIncvlLohHqwxEFe:m:A:B:C: --ignore-case --line-number --count',
    check: ({ operands, options }) => {
      const files = options.some(({ name }) => name === '-e') ? operands : operands.slice(1);
      // zgrep is a shell script around sed; unusual file names have been its weak spot (CVE-2022-1271).
      const odd = files.find(({ text }) => !/^[\w./+-]+$/.test(text));
      return odd === undefined ? undefined : refuse('This file name is unusual for zgrep.', odd);
    },
  },
  ar: {
    judge: (args) =>
      /^-?[tp]v?$/.test(args[0]?.text ?? '') ? fixedRest(args) : refuse('Only ar t and ar p read.', args[0]),
  },
};

function printsOnly({ options, operands }: { options: readonly { name: string }[]; operands: readonly Arg[] }) {
  const safe = ['-c', '-l', '-t', '--stdout', '--to-stdout', '--list', '--test'];
  if (options.some(({ name }) => safe.includes(name))) return undefined;
  return refuse('Without -c, -l or -t this replaces files.', operands[0]);
}

function fixedRest(args: readonly Arg[]): Refusal | undefined {
  const open = args.slice(1).find((arg) => !arg.fixed || arg.text.startsWith('-'));
  return open === undefined ? undefined : refuse('The value of this part is not known.', open);
}

/** xxd spells its options with one dash and does not bundle them; the second operand is a file it writes. */
function judgeXxd(args: readonly Arg[]): Refusal | undefined {
  let operands = 0;
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i]!;
    if (!arg.fixed) return refuse('The value of this part is not known.', arg);
    if (operands === 0 && /^-(?:[abCdeEhipruv]|ps|plain)$/.test(arg.text)) continue;
    if (operands === 0 && /^-[cglos](?:0x)?\d+$/.test(arg.text)) continue;
    if (operands === 0 && /^-[cglos]$/.test(arg.text)) {
      i += 1;
      if (!/^[+-]?(?:0x)?[0-9a-fA-F]+$/.test(args[i]?.text ?? '')) return refuse(`${arg.text} lacks its number.`, arg);
      continue;
    }
    if (arg.text.startsWith('-') && arg.text !== '-')
      return refuse(`The option ${arg.text} is not known to be harmless.`, arg);
    operands += 1;
    if (operands > 1) return refuse('xxd writes to its second file.', arg);
  }
  return undefined;
}

const tarOptions = {
  options:
    '-tvzjJaf:xO --list --verbose --gzip --bzip2 --xz --zstd --auto-compress --file: --extract --get --to-stdout --wildcards --no-wildcards --exclude: --strip-components: --numeric-owner --full-time --utc --warning: --occurrence?',
};

/** tar reads only when it lists, or when it extracts to standard output; an archive name with a colon is remote. */
function judgeTar(args: readonly Arg[]): Refusal | undefined {
  const [first, ...rest] = args;
  if (first === undefined) return refuse('tar has nothing to do.');
  if (['--help', '--version'].includes(first.text) && rest.length === 0) return undefined;
  const isOldStyle = /^[a-zA-Z]+$/.test(first.text);
  if (isOldStyle && /f./.test(first.text)) return refuse('The letter f must come last here.', first);
  const dashed = isOldStyle ? [{ ...first, text: `-${first.text}` }, ...rest] : args;
  const call = readOptions(dashed, { ...tarOptions, optionsFirst: true });
  if ('reason' in call) return call;
  const has = (...names: string[]) => call.options.some(({ name }) => names.includes(name));
  const lists = has('-t', '--list');
  const extracts = has('-x', '--extract', '--get');
  if (lists === extracts) return refuse('This use of tar does not only list.', first);
  if (extracts && !has('-O', '--to-stdout')) return refuse('tar unpacks files here.', first);
  const archives = call.options.filter(({ name }) => name === '-f' || name === '--file');
  const [archive] = archives;
  if (archive === undefined || archives.length > 1) return refuse('tar needs one archive named with f.', first);
  if (archive.value?.text.includes(':'))
    return refuse('An archive name with a colon is on another machine.', archive.arg);
  return undefined;
}
