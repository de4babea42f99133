import type { Arg } from '../bash/arguments.ts';
import type { Folders } from './bash-script.ts';
import type { Ground } from './ground.ts';
import { joinPath } from './paths.ts';
import { withoutWrappers } from './wrapped-commands.ts';

/** Commands after which nobody knows the folder: they run what is not in sight. */
const ANYWHERE = new Set(['pushd', 'popd', 'chdir', 'eval', 'source', '.']);

/**
 * Where the shell is after a command has ended well. `same`: the command has no effect on that.
 * @param folders where it may have been before.
 */
export function folderAfter(words: readonly Arg[], folders: Folders, ground: Ground): Folders | 'same' {
  const [name, ...args] = withoutWrappers(words);
  if (name === undefined) return 'same';
  if (ANYWHERE.has(name.text)) return undefined;
  if (name.text !== 'cd') return 'same';
  const target = targetOf(args);
  if (target === 'home') return [ground.home];
  if (target === undefined || !(target.fixed || target.home) || /^-/.test(target.text)) return undefined;
  const path = target.home ? target.text.replace(/^~(?=\/|$)/, ground.home) : target.text;
  // `~name` is somebody else's home.
  if (path.startsWith('~') && target.home) return undefined;
  return folders?.map((folder) => joinPath(folder, path));
}

function targetOf(args: readonly Arg[]): Arg | 'home' | undefined {
  const operands = args.filter(({ text }, index) => !(/^-[LPe@]+$/.test(text) || (text === '--' && index === 0)));
  const [first, second] = operands;
  if (first === undefined) return 'home';
  return second === undefined ? first : undefined;
}
