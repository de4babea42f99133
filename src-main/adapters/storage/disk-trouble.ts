/** Why the file system refused, as the end of a sentence: `the disk is full`. */
export function diskTrouble(cause: unknown): string {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'ENOSPC':
      return 'the disk is full';
    case 'EDQUOT':
      return 'the disk quota is used up';
    case 'EACCES':
    case 'EPERM':
      return 'there is no permission';
    case 'EROFS':
      return 'the disk is read-only';
    case 'ENOENT':
      return 'it does not exist';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'a file is where a folder has to be';
    case 'EISDIR':
      return 'it is a folder';
    case 'ENAMETOOLONG':
      return 'the name is too long';
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open';
    default:
      return cause instanceof Error ? cause.message : String(cause);
  }
}
