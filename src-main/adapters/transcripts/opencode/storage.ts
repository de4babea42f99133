import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { filesIn, foldersIn } from '../files.ts';

/** The files of one session in a storage folder. */
export type StoredSession = {
  /** `<root>/session/<project>/<id>.json`, where it is there. */
  readonly info: string | undefined;
  readonly sessionId: string;
  readonly root: string;
};

/** Older versions kept the parts of all messages in one folder. More than this are not looked through. */
const MOST_FLAT_PARTS = 20_000;

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** The storage folder that a folder is or holds: the one with `message` or `session` in it. */
export async function storageRoot(folder: string): Promise<string | undefined> {
  for (const root of [folder, join(folder, 'storage'), join(folder, 'opencode', 'storage')]) {
    if (
      (await isFolder(join(root, 'message'))) &&
      ((await isFolder(join(root, 'part'))) || (await isFolder(join(root, 'session'))))
    ) {
      return root;
    }
  }
  return undefined;
}

/** The storage folder a file of a session, a message or a part lies in. */
export async function rootOf(file: string): Promise<string | undefined> {
  let folder = dirname(file);
  for (let up = 0; up < 4; up++) {
    if (['session', 'message', 'part'].includes(basename(folder))) return dirname(folder);
    folder = dirname(folder);
  }
  return undefined;
}

/** All sessions of a storage folder: those with a file of their own, and those of which only messages are left. */
export async function sessionsIn(root: string): Promise<readonly StoredSession[]> {
  const infos: string[] = [];
  for (const folder of [join(root, 'session'), ...(await foldersIn(join(root, 'session')))]) {
    infos.push(...(await filesIn(folder, /\.json$/)));
  }
  const messageFolders = new Set((await foldersIn(join(root, 'message'))).map((path) => basename(path)));
  const named = infos.map((info): StoredSession => {
    const name = basename(info).replace(/\.json$/, '');
    // Some versions put a prefix before the id in the name of the file.
    const bare = name.replace(/^ses_/, '');
    const sessionId = !messageFolders.has(name) && messageFolders.has(bare) ? bare : name;
    return { info, sessionId, root };
  });
  const known = new Set(named.map(({ sessionId }) => sessionId));
  const left = [...messageFolders].filter((id) => !known.has(id));
  return [...named, ...left.map((sessionId): StoredSession => ({ info: undefined, sessionId, root }))];
}

/** Files of the messages of a session, and of their parts by message (`flat`: of all messages there are). */
export async function messageFiles(root: string, sessionId: string): Promise<readonly string[]> {
  return filesIn(join(root, 'message', sessionId), /\.json$/);
}

export async function partFiles(root: string, messageId: string): Promise<readonly string[]> {
  return filesIn(join(root, 'part', messageId), /\.json$/);
}

export async function flatPartFiles(root: string): Promise<readonly string[]> {
  return (await filesIn(join(root, 'part'), /\.json$/)).slice(0, MOST_FLAT_PARTS);
}
