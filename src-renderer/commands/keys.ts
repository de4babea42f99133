/** The parts of a keyboard event that a shortcut looks at. */
export type KeyPress = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  /** The key by its place: what Shift with a digit types differs from keyboard to keyboard. */
  readonly code?: string;
};

const NAMED: Readonly<Record<string, string>> = {
  Esc: 'escape',
  Tab: 'tab',
  Space: ' ',
  Enter: 'enter',
  Delete: 'delete',
};

/**
 * Was this the shortcut `keys`, written as on the keys themselves: `Ctrl K`, `Shift Tab`, `F`, `?`, `0`, `Esc`?
 * `Ctrl` is also the command key of a Mac. A sign that needs Shift on some keyboards (`?`) is matched by what it types;
 * a letter is not matched with Shift, which has its own meaning there.
 */
export function matches(keys: string, press: KeyPress): boolean {
  const words = keys.split(' ');
  const name = words.at(-1) ?? '';
  const wantsCtrl = words.includes('Ctrl');
  const wantsShift = words.includes('Shift');
  if (press.altKey || wantsCtrl !== (press.ctrlKey || press.metaKey)) return false;
  if (wantsShift && /^\d$/.test(name)) return press.shiftKey && press.code === `Digit${name}`;
  const key = press.key.toLowerCase();
  if (key !== (NAMED[name] ?? name.toLowerCase())) return false;
  const isSign = name.length === 1 && !/[a-z]/i.test(name);
  return isSign || wantsShift === press.shiftKey;
}

/** May a key without Ctrl be a shortcut here? Single letters only in the chart, and nothing while a text is typed. */
export type Focus = 'chart' | 'field' | 'message' | 'nowhere' | 'elsewhere';

const FIELDS =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable=true]';

/** Where the focus is, as far as shortcuts care. `message`: the field in which the next message is written. */
export function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof Element) || target === document.body || target === document.documentElement) return 'nowhere';
  if (target.closest('[data-composer]') !== null) return 'message';
  if (target.closest(FIELDS) !== null) return 'field';
  return target.closest('[data-chart]') !== null ? 'chart' : 'elsewhere';
}

/**
 * Where a command's keys count.
 * `anywhere`: also while typing (they have Ctrl, or are Esc) · `outside-fields`: not while typing ·
 * `chart`: only while the chart has the focus · `mode`: in the chart, in the message field, or with the focus nowhere, so
 * that Shift+Tab stays the way back through the controls everywhere else.
 */
export type Scope = 'anywhere' | 'outside-fields' | 'chart' | 'mode';

export function counts(scope: Scope, focus: Focus): boolean {
  switch (scope) {
    case 'anywhere':
      return true;
    case 'outside-fields':
      return focus !== 'field' && focus !== 'message';
    case 'chart':
      return focus === 'chart';
    case 'mode':
      return focus === 'chart' || focus === 'message' || focus === 'nowhere';
  }
}
