import { formatCount } from '../../../src-shared/timeline/words.ts';
import { classes } from '../../widgets/classes.ts';
import './ansi.css';
import type { Piece } from './ansi.ts';
import styles from './LineView.module.css';
import type { PaintedLine } from './paint-page.ts';

/** One line of an output: its byte offset in the gutter (unless hidden) and its coloured text. */
export function LineView({ line, showsOffset }: { readonly line: PaintedLine; readonly showsOffset: boolean }) {
  return (
    <>
      {showsOffset ? <span className={styles.offset}>{formatCount(line.offset)}</span> : null}
      {line.cutBefore === 0 ? null : <span className={styles.cut}>… {formatCount(line.cutBefore)} bytes before </span>}
      <Pieces pieces={line.pieces} />
      {line.cutAfter === 0 ? null : (
        <span className={styles.cut}> … {formatCount(line.cutAfter)} more bytes in this line</span>
      )}
    </>
  );
}

/** Styled text. An empty line keeps its height. */
export function Pieces({ pieces }: { readonly pieces: readonly Piece[] }) {
  if (pieces.length === 0) return '\u200b';
  return pieces.map((piece, at) => {
    const { text, color, background } = piece;
    const names = classes(...piece.classes, piece.hit && styles.hit);
    if (names === '' && color === undefined && background === undefined) return text;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
      <span key={at} className={names} style={{ color, background }}>
        {text}
      </span>
    );
  });
}
