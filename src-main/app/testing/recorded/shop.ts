import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';

/** Where the recordings were made. */
export const RECORDED_FOLDER = '/home/dev/shop';

/** The files of the little project, byte for byte as the recorded calls have read and listed them. */
const FILES: Readonly<Record<string, string>> = {
  'README.md': '# Shop\n\nA small shop.\n',
  'price.ts': 'export const price = (n: number) => n * 1.2\n',
  'src/add.js': 'export function add(a, b) { return a + b }\n',
  'src/todo.txt': 'TODO: fix rounding\n',
};

const AUTHOR = { name: 'dev', email: 'dev@example.org', date: '2026-01-01T00:00:00Z' };

/** Lays the project into an empty folder: four files and a git repository with one commit, the same in every run. */
export async function layShop(folder: string): Promise<void> {
  for (const [name, content] of Object.entries(FILES)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { flag: 'wx' });
  }
  const { name, email, date } = AUTHOR;
  const env = {
    // Nothing of this machine's own git settings.
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
  const git = (...args: readonly string[]) => execa('git', args, { cwd: folder, env });
  await git('init', '--quiet', '--initial-branch=master');
  await git('add', '--all');
  await git('commit', '--quiet', '--message=init');
}
