/** A point in client coordinates. */
type Point = { readonly x: number; readonly y: number };
type Box = { readonly left: number; readonly top: number; readonly right: number };

const CORNER = 4;
/** How far ties keep from each other, and how far right of the bars the first one turns down. */
const STEP = { down: 13, across: 5 } as const;
const BESIDE_BARS = 52;

/** How the tie of a question is drawn: `solid`, `dashed` and `dotted` for the first three, the open one else solid. */
export type TieLook = 'solid' | 'dashed' | 'dotted';

export function tieLook(number: number, isOpen: boolean): TieLook | undefined {
  if (number === 1) return 'solid';
  if (number === 2) return 'dashed';
  if (number === 3) return 'dotted';
  return isOpen ? 'solid' : undefined;
}

/**
 * The way of a tie: from the bar's right end to the right, down beside the bars, along the board's upper edge to the
 * left, down to the card. `place` (from 0) keeps several ties apart. `barsRight` is the right end of the longest bar.
 */
export function tiePoints(way: {
  readonly bar: Point;
  readonly card: Point;
  readonly board: Box;
  readonly barsRight: number;
  readonly place: number;
}): readonly Point[] {
  const { bar, card, board, barsRight, place } = way;
  const down = Math.max(bar.x, Math.min(barsRight + BESIDE_BARS, board.right - 6) - place * STEP.down);
  const across = board.top + 2 + place * STEP.across;
  const left = board.left + 3 + place * STEP.across;
  return [bar, { x: down, y: bar.y }, { x: down, y: across }, { x: left, y: across }, { x: left, y: card.y }, card];
}

/** A path through the points with rounded corners. */
export function roundedPath(points: readonly Point[]): string {
  const [first] = points;
  if (first === undefined) return '';
  let path = `M${round(first.x)} ${round(first.y)}`;
  for (let at = 1; at < points.length; at++) {
    const before = points[at - 1] as Point;
    const here = points[at] as Point;
    const after = points[at + 1];
    if (after === undefined) {
      path += `L${round(here.x)} ${round(here.y)}`;
      continue;
    }
    const from = towards(here, before);
    const to = towards(here, after);
    path += `L${round(from.x)} ${round(from.y)}Q${round(here.x)} ${round(here.y)} ${round(to.x)} ${round(to.y)}`;
  }
  return path;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** The point one corner's length from here towards another one, at most half the way. */
function towards(here: Point, other: Point): Point {
  const length = Math.hypot(other.x - here.x, other.y - here.y);
  if (length === 0) return here;
  const share = Math.min(CORNER, length / 2) / length;
  return { x: here.x + (other.x - here.x) * share, y: here.y + (other.y - here.y) * share };
}
