import { createChartStore } from '../../src-renderer/timeline/chart-store.ts';
import { Picture } from '../../src-renderer/timeline/picture.ts';
import { gutterFor } from '../../src-shared/chart/metrics.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { callAt } from '../../src-shared/timeline/tracks.ts';
import { type Contender, HEIGHT, WIDTH } from './contender.ts';

/** A picture with the elements it moves, in a page that has none of the app's. */
function pictureOn(canvas: HTMLCanvasElement): Picture {
  const element = (): HTMLElement => document.body.appendChild(document.createElement('div'));
  const minimap = document.body.appendChild(document.createElement('canvas'));
  const picture = new Picture(
    { canvas, minimap, miniWindow: element(), gutterRows: element(), scroller: element() },
    createChartStore(),
  );
  picture.resize(WIDTH + gutterFor(WIDTH), HEIGHT);
  return picture;
}

/** The same following a session that grows. `changed`: it has. */
export function following(state: SessionState, canvas: HTMLCanvasElement): { readonly changed: () => void } {
  const picture = pictureOn(canvas);
  picture.show(state);
  return { changed: () => picture.rebuild() };
}

/** The chart of the app: model, layout, painter, mini-map. Its words for screen readers and its gutter are React's. */
export function ours(): Contender {
  let picture: Picture | undefined;
  const isWhole = (): boolean => {
    const model = picture?.model;
    const lanes = model?.agents[0]?.lanes ?? [];
    return model !== undefined && lanes.reduce((sum, { length }) => sum + length, 0) === model.state.calls.length;
  };
  return {
    open: ({ state }, canvas) => {
      picture = pictureOn(canvas);
      picture.show(state);
    },
    isWhole,
    show: (stretch) => {
      picture?.camera.show(stretch);
      picture?.schedule();
    },
    // As a person would look for it: with the pointer, where its bar should be.
    hitsLast: () => {
      const last = (picture?.model?.state.calls.length ?? 0) - 1;
      const rect = picture?.model && picture.rectOfCall(callAt(picture.model, last).callId);
      const hit = rect && picture?.hit(rect.x + rect.w / 2, rect.y + rect.h / 2);
      return hit?.kind === 'call' && hit.item === last;
    },
  };
}
