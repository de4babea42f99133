import { readlinkSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Situation } from '../../src-shared/permission/event.ts';
import type { ChainInput } from '../core/permission/chain.ts';
import type { World } from '../core/permission/ground.ts';
import type { ToolContext } from '../ports/tool.ts';
import type { CallRun } from './call-run.ts';

/** More links behind one another than this are a circle; Linux gives up at the same number. */
const MOST_LINKS = 40;

/**
 * The path behind all symbolic links, as they are at this moment. Parts that do not exist yet are kept as they are
 * written; a link that leads to nothing yet leads to where a file would be made.
 *
 * At once and not later: a decision looks at a handful of paths, and nothing may change between its questions.
 *
 * @param path absolute.
 * @returns undefined when it cannot be known: links in a circle, a folder that may not be looked into.
 */
export function realPathNow(path: string, links = 0): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return undefined;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const realParent = realPathNow(parent, links);
  if (realParent === undefined) return undefined;
  const here = join(realParent, basename(path));
  const target = linkTarget(here);
  if (target === undefined) return here;
  return links < MOST_LINKS ? realPathNow(resolve(realParent, target), links + 1) : undefined;
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

type Heard = Partial<Pick<ChainInput, 'hook' | 'tool' | 'edit' | 'classifier'>>;

/** What a decision rests on besides rules and input, for the journal. What says nothing is left out. */
export function situationOf(
  { mode, context, asker }: Pick<CallRun, 'mode' | 'context' | 'asker'>,
  { hook, tool, edit, classifier }: Heard,
): Situation {
  return {
    mode: mode(),
    cwd: context.cwd,
    directories: [...context.directories],
    headless: !asker.hasPerson,
    ...(hook === undefined || hook.verdict === 'none' ? {} : { hook: { verdict: hook.verdict, reason: hook.reason } }),
    ...(tool === undefined || tool.verdict === 'pass'
      ? {}
      : { tool: { verdict: tool.verdict, because: tool.because } }),
    ...(edit === undefined || edit === 'none' ? {} : { edit }),
    ...(classifier === undefined
      ? {}
      : { classifier: { name: classifier.name, verdict: classifier.verdict, reason: classifier.reason } }),
  };
}

/** What the permission chain has to know of the folders a call works in. The first one is the session's own. */
export function worldOf({ cwd, directories }: ToolContext): World {
  const startedIn = directories[0] ?? cwd;
  return {
    cwd,
    startedIn,
    projectRoot: startedIn,
    home: homedir(),
    platform: process.platform,
    directories,
    realPath: (path) => realPathNow(path),
  };
}
