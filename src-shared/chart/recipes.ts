import { type ColorName, tokens } from '../theme/tokens.ts';
import type { TextureName } from './display-list.ts';

const { texture } = tokens;

/** What a pattern is made of: lengths in CSS px, angles in degrees, counter-clockwise from level. */
export type Recipe =
  | {
      readonly kind: 'stripes';
      readonly angle: number;
      readonly pitch: number;
      readonly stroke: number;
      readonly ink: ColorName;
      readonly alpha: number;
    }
  | {
      readonly kind: 'cross';
      readonly pitch: number;
      readonly stroke: number;
      readonly ink: ColorName;
      readonly alpha: number;
    }
  | {
      readonly kind: 'dots';
      readonly pitch: number;
      readonly radius: number;
      readonly ink: ColorName;
      readonly alpha: number;
    };

const stripes = (
  from: { readonly angle: number; readonly pitch: number; readonly stroke: number; readonly alpha: number },
  ink: ColorName,
): Recipe => ({
  kind: 'stripes',
  angle: from.angle,
  pitch: from.pitch,
  stroke: from.stroke,
  ink,
  alpha: from.alpha,
});

/** What each pattern is made of. Angles as in the design: 45 rises to the right, 90 is upright, 0 level. */
export const RECIPES: Readonly<Record<TextureName, Recipe>> = {
  lock: stripes(texture['wait.lock'], 'wait.lock.edge'),
  hooks: { kind: 'dots', ...pick(texture['wait.hook']), ink: 'wait.hook.edge', alpha: 1 },
  permission: stripes(texture['wait.human'], 'wait.human.edge'),
  saving: stripes(texture['work.save'], 'work.save'),
  'saving-error': stripes(texture['work.save'], 'outcome.error.edge'),
  cancelled: {
    kind: 'cross',
    pitch: texture['outcome.cancelled'].pitch,
    stroke: texture['outcome.cancelled'].stroke,
    ink: 'outcome.cancelled.edge',
    alpha: texture['outcome.cancelled'].alpha,
  },
  inferred: stripes(texture.inferred, 'work.edge'),
  'inferred-error': stripes(texture.inferred, 'outcome.error.edge'),
  'inferred-cancelled': stripes(texture.inferred, 'outcome.cancelled.edge'),
  'inferred-human': stripes(texture.inferred, 'outcome.human.edge'),
  'inferred-hook': stripes(texture.inferred, 'wait.hook.edge'),
  'inferred-quiet': stripes(texture.inferred, 'outcome.unknown.edge'),
};

function pick({ pitch, radius }: { readonly pitch: number; readonly radius: number }): {
  readonly pitch: number;
  readonly radius: number;
} {
  return { pitch, radius };
}
