import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { KeyboardEvent, ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './DialogFrame.module.css';
import { IconButton } from './IconButton.tsx';

type FrameProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  /** The width, and what else is its own. */
  readonly className: string | undefined;
  /** Where the focus starts, as a selector within the dialog; by default its first control. */
  readonly startsAt?: string;
  readonly onEscapeKeyDown?: (event: globalThis.KeyboardEvent) => void;
  readonly children: ReactNode;
};

/** A dialog in the middle of the window, over a dimmed page. */
export function DialogFrame({ open, onClose, className, startsAt, onEscapeKeyDown, children }: FrameProps) {
  const focusStart = (event: Event): void => {
    if (startsAt === undefined || !(event.target instanceof HTMLElement)) return;
    const start = event.target.querySelector<HTMLElement>(startsAt);
    if (start === null) return;
    event.preventDefault();
    start.focus();
  };
  return (
    <Dialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        {/* Dialog.Overlay would inject a style element to lock scrolling, which the content policy refuses. */}
        <div className={styles.backdrop} />
        <Dialog.Content
          className={classes(styles.dialog, className)}
          aria-describedby={undefined}
          onOpenAutoFocus={focusStart}
          {...(onEscapeKeyDown === undefined ? {} : { onEscapeKeyDown })}
        >
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type FormProps = {
  readonly title: string;
  readonly onClose: () => void;
  /** Ctrl Enter, or Cmd Enter, in whatever field. */
  readonly onSubmit?: () => void;
  readonly children: ReactNode;
};

/** What most dialogs hold: a title with a way out, then fields. */
export function DialogForm({ title, onClose, onSubmit, children }: FormProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (onSubmit === undefined || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSubmit();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key comes up from whatever field has the focus
    <div className={styles.form} onKeyDown={onKeyDown}>
      <header className={styles.header}>
        <Dialog.Title className={styles.title}>{title}</Dialog.Title>
        <IconButton icon={X} name="Close" keys="Esc" onClick={onClose} />
      </header>
      {children}
    </div>
  );
}

/** Why what the dialog is for did not work. It stays as it is, to be tried again. */
export const DialogFailure = ({ message, hint }: { readonly message: string; readonly hint: string | undefined }) => (
  <p className={styles.failure} role="alert">
    <strong>{message}</strong> {hint}
  </p>
);

/** The buttons that end a dialog; the one it is for comes last. */
export const DialogFooter = ({ children }: { readonly children: ReactNode }) => (
  <footer className={styles.footer}>{children}</footer>
);
