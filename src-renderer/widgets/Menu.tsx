import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { Kbd } from './Kbd.tsx';
import styles from './Menu.module.css';

export type MenuProps = {
  /** The one button that opens it; must take a ref. */
  readonly trigger: ReactElement;
  readonly children: ReactNode;
  readonly align?: 'start' | 'center' | 'end';
};

/** A menu that drops from a button. Not modal: the page behind stays as it is. */
export function Menu({ trigger, children, align = 'start' }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={styles.content} align={align} sideOffset={4} collisionPadding={8}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export type MenuItemProps = {
  readonly children: ReactNode;
  readonly keys?: string | undefined;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
};

export function MenuItem({ children, keys, disabled = false, onSelect }: MenuItemProps) {
  return (
    <DropdownMenu.Item className={styles.item} disabled={disabled} onSelect={onSelect}>
      <span className={styles.text}>{children}</span>
      {keys === undefined ? null : <Kbd keys={keys} />}
    </DropdownMenu.Item>
  );
}

export type MenuChoicesProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly hint?: string }[];
  readonly disabled?: boolean;
  readonly onChange: (value: Value) => void;
};

/** One of several: the chosen one has a tick. */
export function MenuChoices<Value extends string>(props: MenuChoicesProps<Value>) {
  const { label, value, options, disabled = false, onChange } = props;
  return (
    <DropdownMenu.RadioGroup
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      aria-label={label}
      className={styles.group}
    >
      <DropdownMenu.Label className={styles.label}>{label}</DropdownMenu.Label>
      {options.map((option) => (
        <DropdownMenu.RadioItem key={option.value} value={option.value} disabled={disabled} className={styles.item}>
          <span className={styles.tick}>
            <DropdownMenu.ItemIndicator>
              <Check aria-hidden="true" size={14} />
            </DropdownMenu.ItemIndicator>
          </span>
          <span className={styles.text}>
            {option.label}
            {option.hint === undefined ? null : <span className={styles.hint}>{option.hint}</span>}
          </span>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

export const MenuLine = () => <DropdownMenu.Separator className={styles.line} />;

/** A sentence in a menu that cannot be chosen. */
export const MenuNote = ({ children }: { readonly children: ReactNode }) => <p className={styles.note}>{children}</p>;
