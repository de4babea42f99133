import { ListFilter } from 'lucide-react';
import { Button } from '../widgets/Button.tsx';
import { Menu, MenuChoices } from '../widgets/Menu.tsx';
import type { CallFilter } from './rows.ts';

const OPTIONS: readonly { readonly value: CallFilter; readonly label: string }[] = [
  { value: 'all', label: 'All calls' },
  { value: 'problems', label: 'Only problems' },
  { value: 'none', label: 'No calls' },
];

export type CallFilterMenuProps = { readonly value: CallFilter; readonly onChange: (value: CallFilter) => void };

/** Which calls the conversation lists. */
export function CallFilterMenu({ value, onChange }: CallFilterMenuProps) {
  const name = OPTIONS.find((option) => option.value === value)?.label;
  return (
    <Menu
      align="end"
      trigger={
        <Button look="quiet" icon={ListFilter}>
          {name}
        </Button>
      }
    >
      <MenuChoices label="Calls in the conversation" value={value} options={OPTIONS} onChange={onChange} />
    </Menu>
  );
}
