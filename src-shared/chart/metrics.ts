import { tokens } from '../theme/tokens.ts';

const { size } = tokens;

export type Density = 'compact' | 'normal' | 'roomy';

/** Heights and widths of the chart, in CSS px (design 2). */
export type Metrics = {
  readonly ruler: number;
  readonly modelRow: number;
  readonly modelBar: number;
  readonly header: number;
  readonly queueRow: number;
  readonly queueBar: number;
  readonly strip: number;
  readonly lane: number;
  readonly bar: number;
  readonly subLane: number;
  readonly subBar: number;
  readonly track: number;
  readonly trackBar: number;
  readonly process: number;
  /** Room below the lanes of an agent, where its frames end. */
  readonly sectionEnd: number;
};

export function metricsOf(density: Density): Metrics {
  const lane = size.laneRow[density];
  const bar = size.bar[density];
  return {
    ruler: size.ruler,
    modelRow: 24,
    modelBar: 16,
    header: size.groupHeader,
    queueRow: size.queueRow,
    // The design draws outlines on the edge of a bar, half of them outside; here they lie inside.
    queueBar: size.queueBar + 1,
    strip: size.frameStrip,
    lane,
    bar,
    subLane: lane - 4,
    subBar: bar - 3,
    track: size.trackRow,
    trackBar: 13,
    process: 17,
    sectionEnd: 5,
  };
}

/** Room a section keeps above its queue, and bars keep around themselves. */
export const GAP = { queueTop: 2, frame: 3.5, label: 8, inside: 6 } as const;

/** Level of detail: the least width of a bar, in px, for each way to draw it (design 4). */
export const DETAIL = { full: 120, argument: 44, icon: 26, shape: 12, edge: 5, pitch: 1.5 } as const;

/** The widest label outside of a bar. */
export const OUTSIDE_MAX = 150;

/** Ruler labels keep this far from the label of `now`. */
export const NOW_CLEARANCE = 38;

export const GUTTER = { normal: size.gutter, small: 96, icons: 72 } as const;

/** Gutter for a chart of this width: texts in full, cut shorter, or icons alone. */
export const gutterFor = (width: number): number =>
  width >= 640 ? GUTTER.normal : width >= 440 ? GUTTER.small : GUTTER.icons;

/** Deeper agents are not indented further. */
export const INDENT = { step: 8, most: 3 } as const;
