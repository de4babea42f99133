import { PermissionMode } from '../../src-shared/permission/event.ts';

/** In the order of the menu: from the one that asks most to the one that asks least. */
export const MODES = PermissionMode.options;

const NEXT_MODE: Partial<Record<PermissionMode, PermissionMode>> = {
  default: 'acceptEdits',
  acceptEdits: 'plan',
  plan: 'auto',
  auto: 'default',
};

/**
 * The mode after this one when the person goes round with Shift+Tab. Modes outside the round lead back into it: nobody
 * should come into one that asks nothing by pressing a key once too often.
 */
export const nextMode = (mode: PermissionMode): PermissionMode => NEXT_MODE[mode] ?? 'default';

export const MODE_WORDS: Readonly<Record<PermissionMode, string>> = {
  default: 'default mode',
  acceptEdits: 'accept edits',
  plan: 'plan mode',
  auto: 'auto mode',
  dontAsk: 'no questions',
  bypassPermissions: 'no permissions',
};

export const MODE_HINTS: Readonly<Record<PermissionMode, string>> = {
  default: 'Asks where no rule decides.',
  acceptEdits: 'Edits in the folder run without asking.',
  plan: 'Nothing is changed before you agree to a plan.',
  auto: 'Edits run, a classifier looks at the rest and asks where it is not sure.',
  dontAsk: 'What would ask is denied.',
  bypassPermissions: 'Everything runs, but for what deny and ask rules mean.',
};

/** What the next decision will be like, for the announcement. */
export const modeSentence = (mode: PermissionMode): string => {
  const words = MODE_WORDS[mode];
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${MODE_HINTS[mode].charAt(0).toLowerCase()}${MODE_HINTS[mode].slice(1)}`;
};
