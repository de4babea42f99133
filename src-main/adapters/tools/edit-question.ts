import type { Question } from '../../../src-shared/permission/event.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { diffToShow } from './diff-to-show.ts';
import { editTargetAt, locate, shownPath, shownWithTarget } from './paths.ts';

/**
 * What the dialog says about a change of a file: which one, where its links lead, and why it is asked about.
 * @param change.path absolute.
 * @param change.what a verb in the passive: `is written`.
 */
export async function editQuestion(
  change: {
    readonly title: string;
    readonly path: string;
    readonly what: string;
    readonly before: Uint8Array;
    readonly after: Uint8Array;
  },
  context: ToolContext,
): Promise<Omit<Question, 'proposedRule'>> {
  const { title, path, what, before, after } = change;
  const target = editTargetAt(await locate(path, context));
  return {
    title,
    reason: `${await shownWithTarget(path, context)} ${what}.${WHY[target]}`,
    risk: RISK[target],
    dangerous: target === 'protected',
    ...diffToShow(shownPath(path, context), before, after),
  };
}

const WHY = {
  none: '',
  inside: '',
  outside: ' It lies outside of the working folders.',
  protected: ' It is protected: what it holds can make programs run or decide what may run.',
} as const;
const RISK = {
  none: 'changes files',
  inside: 'changes files',
  outside: 'outside the folder',
  protected: 'protected file',
} as const;
