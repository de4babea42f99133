import { useEffect, useState } from 'react';
import { openDropped } from '../commands/actions.ts';
import styles from './DropTarget.module.css';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Takes a file or folder dropped anywhere on the window. While one hovers, a frame says what dropping it will do. */
export function DropTarget() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    // Enter and leave are told for every element under the pointer; only the last leave means the window.
    let depth = 0;
    const onEnter = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      depth++;
      setOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    // Without this the browser opens the file in place of the app.
    const onOver = (event: DragEvent): void => event.preventDefault();
    const onDrop = (event: DragEvent): void => {
      event.preventDefault();
      depth = 0;
      setOver(false);
      void openDropped([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener('dragenter', onEnter);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('dragover', onOver);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragenter', onEnter);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('drop', onDrop);
    };
  }, []);
  return over ? (
    <div className={styles.frame} data-testid="drop-frame">
      <p className={styles.text}>Drop it to read it, or to add a picture to the message. Files are not changed.</p>
    </div>
  ) : null;
}
