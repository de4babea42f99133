import { Shield, ShieldOff } from 'lucide-react';
import type { PermissionMode } from '../../src-shared/permission/event.ts';
import { Button } from '../widgets/Button.tsx';
import { classes } from '../widgets/classes.ts';
import { Menu, MenuChoices, MenuNote } from '../widgets/Menu.tsx';
import { chooseMode } from './choose-mode.ts';
import styles from './Modes.module.css';
import { MODE_HINTS, MODE_WORDS, MODES } from './mode-words.ts';

/** The mode, always in sight, and all others behind it. */
export function ModeMenu({
  mode,
  className,
}: {
  readonly mode: PermissionMode;
  readonly className?: string | undefined;
}) {
  const isBypass = mode === 'bypassPermissions';
  return (
    <Menu
      trigger={
        <Button
          icon={isBypass ? ShieldOff : Shield}
          keys="⇧Tab"
          className={classes(className, isBypass && styles.bypassButton)}
          aria-label={`Permission mode: ${MODE_WORDS[mode]}`}
          title="Change the permission mode"
        >
          {MODE_WORDS[mode]}
        </Button>
      }
    >
      <MenuChoices
        label="Permission mode"
        value={mode}
        options={MODES.map((value) => ({ value, label: MODE_WORDS[value], hint: MODE_HINTS[value] }))}
        onChange={(value) => void chooseMode(value)}
      />
      <MenuNote>It holds from the next decision on. Deny rules hold in every mode.</MenuNote>
    </Menu>
  );
}
