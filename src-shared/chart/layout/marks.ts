import type { ColorName } from '../../theme/tokens.ts';
import { type Mark, marksOf } from '../../timeline/parts.ts';
import { plainBox } from '../display-list.ts';
import type { IconName } from '../icons.ts';
import type { BarBody, BarPlace } from './bar.ts';
import type { Drawing } from './drawing.ts';

const CORNER = 8;
const CHIP = 7;

type Chip = { readonly icon: IconName; readonly ink: ColorName };

const CHIPS: Readonly<Record<Exclude<Mark, 'saved'>, Chip>> = {
  'same-as': { icon: 'copy', ink: 'text.secondary' },
  stale: { icon: 'history', ink: 'wait.lock.edge' },
  edited: { icon: 'file-pen', ink: 'wait.human.edge' },
  fault: { icon: 'bug', ink: 'wait.human.edge' },
  'hook-changed': { icon: 'webhook', ink: 'wait.hook.edge' },
};

const isChip = (mark: Mark): mark is keyof typeof CHIPS => mark !== 'saved';

const marksAt = (d: Drawing, { call, item }: BarPlace): readonly Mark[] => marksOf(call, d.input.model.isStale(item));

/** px inside the bar that words must leave to the marks at its right end. */
export function chipsWidth(d: Drawing, place: BarPlace): number {
  const marks = marksAt(d, place);
  return marks.some(isChip) ? 4 : marks.includes('saved') ? CORNER - 4 : 0;
}

/** Folded corner, and one chip on the upper right corner: the mark, or how many. Returns the px it reaches beyond the bar. */
export function drawMarks(d: Drawing, { place, look, alpha, layer }: BarBody): number {
  const { x1, y } = place;
  const marks = marksAt(d, place);
  if (marks.length === 0 || x1 < -CHIP || x1 > d.width + CHIP) return 0;
  if (marks.includes('saved')) {
    const ink: ColorName = look.edge === 'work.edge' ? 'work.save' : look.edge;
    d.add(layer, {
      op: 'polygon',
      points: [x1 - CORNER - 0.5, y - 1, x1 + 1, y - 1, x1 + 1, y + CORNER + 0.5],
      fill: 'surface.base',
      stroke: undefined,
      width: 0,
      alpha,
    });
    d.add(layer, {
      op: 'polygon',
      points: [x1 - CORNER, y, x1, y + CORNER, x1 - CORNER, y + CORNER],
      fill: ink,
      stroke: undefined,
      width: 0,
      alpha,
    });
  }
  const chips = marks.filter(isChip);
  const [first] = chips;
  if (first === undefined) return 0;
  if (chips.length > 1) {
    const text = `+${chips.length}`;
    const w = d.measure(text, 'micro') + 9;
    const box = plainBox(x1 - w / 2 + 2, y - 6.5, w, 13, 6.5);
    d.fill('labels', box, 'surface.base', alpha);
    d.stroke('labels', box, 'border.control', 1, alpha);
    d.text('labels', text, x1 + 2, y, 'micro', 'text.primary', alpha, 'center');
    return w / 2 + 2;
  }
  const { icon, ink } = CHIPS[first];
  d.add('labels', { op: 'circle', x: x1, y: y + 1, r: CHIP, fill: 'surface.base', stroke: undefined, width: 0, alpha });
  d.icon('labels', icon, x1, y + 1, 9.5, ink, alpha, 1.3);
  return CHIP;
}
