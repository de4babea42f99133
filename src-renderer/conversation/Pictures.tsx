import { X } from 'lucide-react';
import { bytesOfBase64, type MessageImage } from '../../src-shared/model/image.ts';
import { formatBytes } from '../../src-shared/timeline/words.ts';
import { IconButton } from '../widgets/IconButton.tsx';
import styles from './Pictures.module.css';

export type PicturesProps = {
  readonly images: readonly MessageImage[];
  /** Given where a picture can be taken out again. */
  readonly onRemove?: (at: number) => void;
};

/** The pictures of a message, small. */
export function Pictures({ images, onRemove }: PicturesProps) {
  if (images.length === 0) return null;
  return (
    <ul className={styles.pictures} aria-label="Pictures">
      {images.map((image, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pictures have no name, and the same one may be there twice
        <li key={at} className={styles.picture}>
          <img src={`data:${image.mediaType};base64,${image.data}`} alt={wordsOf(image)} title={wordsOf(image)} />
          {onRemove === undefined ? null : (
            <IconButton
              icon={X}
              name="Remove the picture"
              side="top"
              iconSize={14}
              className={styles.remove}
              onClick={() => onRemove(at)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** `PNG, 12 KB`. */
const wordsOf = ({ mediaType, data }: MessageImage): string =>
  `${mediaType.replace('image/', '').toUpperCase()}, ${formatBytes(bytesOfBase64(data))}`;
