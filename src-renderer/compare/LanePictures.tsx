import { useEffect, useMemo, useRef } from 'react';
import { lanesHeight, lanesOnly } from '../../src-shared/chart/lanes-only.ts';
import type { Comparison } from '../../src-shared/compare/compare.ts';
import type { CallId } from '../../src-shared/ids.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { formatMillis } from '../../src-shared/timeline/words.ts';
import { currentTheme } from '../theme/theme-switch.ts';
import { paintOps } from '../timeline/paint.ts';
import { fitCanvas, pageMeasure, paintsFor } from '../timeline/painter.ts';
import styles from './Compare.module.css';
import { callOn, type SideName } from './compare-store.ts';
import { layoutLanes } from './lanes.ts';

type PicturesProps = {
  readonly a: SessionState;
  readonly b: SessionState;
  readonly result: Comparison;
  readonly selected: number | undefined;
};

/** Both runs one above the other, on one time scale from their starts. */
export function LanePictures({ a, b, result, selected }: PicturesProps) {
  const difference = selected === undefined ? undefined : result.differences[selected];
  const callAt = (side: SideName): CallId | undefined => difference && callOn(difference, side);
  return (
    <div className={styles.pictures}>
      <LanePicture name="a" state={a} result={result} selected={callAt('a')} />
      <LanePicture name="b" state={b} result={result} selected={callAt('b')} />
    </div>
  );
}

type PictureProps = {
  readonly name: SideName;
  readonly state: SessionState;
  readonly result: Comparison;
  readonly selected: CallId | undefined;
};

function LanePicture({ name, state, result, selected }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state may grow in place; a result is of one moment
  const made = useMemo(() => lanesOnly(state), [state, result]);
  const partsAt = result.first?.at[name];
  useEffect(() => {
    const element = canvas.current;
    const frame = element?.parentElement;
    const ctx = element?.getContext('2d');
    if (!element || !frame || !ctx) return;
    const measure = pageMeasure();
    const paint = (): void => {
      const [width, height, dpr] = [frame.clientWidth, lanesHeight(made), window.devicePixelRatio];
      fitCanvas(element, ctx, width, height, dpr);
      ctx.clearRect(0, 0, width, height);
      const longestMs = Math.max(result.a.wallMs, result.b.wallMs);
      const at = selected === undefined ? undefined : state.callIndex[selected];
      const input = { facts: result[name], longestMs, partsAt, width, dpr, measure, selected: at };
      paintOps(ctx, layoutLanes(made, input), paintsFor(currentTheme(), dpr, ctx));
      ctx.globalAlpha = 1;
    };
    const resized = new ResizeObserver(paint);
    resized.observe(frame);
    const themed = new MutationObserver(paint);
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      resized.disconnect();
      themed.disconnect();
    };
  }, [made, result, name, partsAt, selected, state]);
  const words = partsAt === undefined ? 'nothing differs' : `differs from ${formatMillis(partsAt)} on`;
  return (
    <div className={styles.picture}>
      <span className={styles.letter}>{name.toUpperCase()}</span>
      {/* Tall runs scroll; the keyboard reads the list. */}
      <div className={styles.scroll}>
        <canvas ref={canvas} role="img" aria-label={`Lanes of ${name.toUpperCase()}: ${words}.`} />
      </div>
    </div>
  );
}
