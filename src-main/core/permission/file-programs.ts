/** How a program's words name files. Every word that is not said to be something else may be one. */
export type FileProgram = {
  /** What it does with the files it is given. */
  readonly access: 'read' | 'write';
  /** That many operands in front are no files: a pattern, a script. */
  readonly skip?: number;
  /** Options that stand in for those operands. */
  readonly instead?: readonly string[];
  /** Options with a value that is no file. */
  readonly texts?: readonly string[];
  /** Options whose value is written. */
  readonly writes?: readonly string[];
  /** Whether whole folders are read: always, or with one of these options. */
  readonly recursive?: true | RegExp;
  /** Names that begin with a dot are passed over, except with one of these options. */
  readonly hiddenWith?: RegExp;
  /** Without operands it works on the folder it runs in. */
  readonly here?: boolean;
  /** Operands from this one on are written, or the last one when it is `last`. */
  readonly writesFrom?: number | 'last';
};

const words = (text: string): readonly string[] => text.split(' ');
const read = (more: Omit<FileProgram, 'access'> = {}): FileProgram => ({ access: 'read', ...more });
const write = (more: Omit<FileProgram, 'access'> = {}): FileProgram => ({ access: 'write', ...more });
const each = (names: string, program: FileProgram): readonly (readonly [string, FileProgram])[] =>
  words(names).map((name) => [name, program]);

/*
 * Options are listed as texts only where every version of a program takes a value for them, and only where that value may
 * look like a path: a number that is taken for a file name does no harm, a file that is taken for a text would.
 */
const grep = read({
  skip: 1,
  instead: words('-e --regexp -f --file'),
  texts: words('-e --regexp -A -B -m'),
  recursive: /^-\w*[rR]|^--(?:dereference-)?recursive$|^--directories=recurse$/,
});
const rg = read({
  skip: 1,
  instead: words('-e --regexp -f --file --files --type-list'),
  texts: words('-e --regexp -g --glob --iglob -r --replace'),
  recursive: true,
  hiddenWith: /^(?:-[.ug]|--hidden|--unrestricted|--no-ignore.*|--i?glob.*)$/,
  here: true,
});
const awk = read({ skip: 1, instead: words('-f --file'), texts: words('-F -v --field-separator --assign') });
const sed = read({ skip: 1, instead: words('-e --expression -f --file'), texts: words('-e --expression') });

/** Programs that open the files they are given by name (reference, section 3), and those that change them. */
export const FILE_PROGRAMS: ReadonlyMap<string, FileProgram> = new Map([
  ...each(
    'cat tac head tail wc comm cmp sdiff colordiff diff3 od hexdump hd xxd strings fold fmt expand unexpand',
    read(),
  ),
  ...each('pr rev iconv base64 base32 basenc look tsort shuf yq less more most bat batcat view open source .', read()),
  ...each('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5', read()),
  ...each('stat file size nm objdump readelf ar getfacl lsattr namei date', read()),
  ...each('zcat gzcat bzcat xzcat zstdcat zgrep unzip zipinfo zipgrep', read()),
  ...each('ls dir vdir tree du', read({ here: true })),
  ...each('grep egrep fgrep', grep),
  ...each('rg ag ack', rg),
  ...each('fd fdfind', read({ skip: 1, here: true })),
  ...each('sed gsed', sed),
  ...each('awk gawk mawk nawk', awk),
  ...each('cut paste', read({ texts: words('-d --delimiter --delimiters') })),
  ...each('join', read({ texts: ['-t'] })),
  ...each('nl', read({ texts: words('-d -s') })),
  ...each('column', read({ texts: words('-s --separator') })),
  ...each('sort', read({ texts: words('-t --field-separator'), writes: words('-o --output') })),
  ...each('uniq', read({ texts: words('-f -s -w'), writesFrom: 1 })),
  ...each('diff', read({ recursive: /^-\w*r|^--recursive$/ })),
  ...each('jq', read({ skip: 1, instead: words('-f --from-file'), texts: ['--indent'] })),
  ...each('tar', read({ recursive: true })),
  ...each('zip', read({ recursive: true, writesFrom: 0 })),
  ...each('cp mv ln install rsync scp', read({ recursive: true, writesFrom: 'last' })),
  ...each('tee rm rmdir unlink shred gzip gunzip bzip2 bunzip2 xz unxz zstd', write()),
  ...each('touch', write({ texts: words('-d -t --date') })),
  ...each('mkdir', write({ texts: words('-m --mode') })),
  ...each('truncate', write({ texts: words('-s --size') })),
  ...each('chmod chown chgrp chattr', write({ skip: 1, instead: ['--reference'] })),
]);

/** Programs whose words are texts, names of processes, or files they only look up. */
export const NAME_NO_FILES: ReadonlySet<string> = new Set([
  ...words('echo printf true false : test [ [[ expr seq tr pwd basename dirname realpath readlink which type hash'),
  ...words('id uname whoami hostname env printenv sleep kill ps pgrep exit return break continue shift umask ulimit'),
  ...words('wait jobs dirs times help let numfmt factor df findmnt lsblk pathchk whereis man locale tput stty'),
]);

/** Subcommands of git that show or take in what is in files. */
export const GIT_READERS: ReadonlySet<string> = new Set(
  words('diff show log blame annotate grep cat-file difftool format-patch whatchanged'),
);
/** Options of theirs with a value that is no file. */
export const GIT_TEXTS: readonly string[] = words('-S -G');
/** Options of git itself that take the next word. */
export const GIT_VALUES: ReadonlySet<string> = new Set(words('-C -c --git-dir --work-tree --namespace --exec-path'));
