import { type Arg, type Refusal, refuse } from '../arguments.ts';
import type { JudgedProgram, ProgramTable } from './program.ts';

/**
 * Tools that are known for nothing but their version and help. Left out are those that look at the project first and may
 * then download or start another version of themselves: cargo, go, pnpm, rustc, yarn.
 */
const tools =
  'node npm python python2 python3 pip pip3 ruby perl php gcc g++ cc clang clang++ make cmake ninja docker curl wget bash zsh dash gdb sqlite3 gpg ssh-keygen vim nano deno bun gh rsync'.split(
    ' ',
  );

const shortForms: Readonly<Record<string, readonly string[]>> = {
  node: ['-v'],
  npm: ['-v'],
  python: ['-V'],
  python2: ['-V'],
  python3: ['-V', '-VV'],
  pip: ['-V'],
  pip3: ['-V'],
  ruby: ['-v'],
  perl: ['-v'],
  php: ['-v'],
  curl: ['-V'],
  docker: ['-v'],
};

function versionOf(forms: readonly string[]): JudgedProgram {
  return {
    judge: (args: readonly Arg[]): Refusal | undefined => {
      const [only, second] = args;
      if (only?.fixed && forms.includes(only.text) && second === undefined) return undefined;
      return refuse('This program is known to only read when asked for its version or help.', second ?? only);
    },
  };
}

export const versionPrograms: ProgramTable = {
  ...Object.fromEntries(tools.map((tool) => [tool, versionOf(['--version', '--help', ...(shortForms[tool] ?? [])])])),
  java: versionOf(['-version', '--version']),
  javac: versionOf(['-version', '--version']),
  openssl: versionOf(['version']),
};
