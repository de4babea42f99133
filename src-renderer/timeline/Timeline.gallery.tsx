import { useEffect, useState } from 'react';
import type { SessionState } from '../../src-shared/session/state.ts';
import { sessionTime } from '../../src-shared/units.ts';
import type { GalleryPage } from '../gallery/page.ts';
import { sessionStore } from '../state/session-store.ts';
import { resetView, viewStore } from '../state/view-store.ts';
import { Button } from '../widgets/Button.tsx';
import { Anatomy } from './Anatomy.tsx';
import { SamplePicture } from './SamplePicture.tsx';
import { bigSession } from './samples/big.ts';
import { CERTAINTY, FRAMES, type LegendSample, MARKS, OUTCOMES, WIDTHS } from './samples/legend.ts';
import { cascadesSession, crowdedSession, emptyChart, idleSession, orderOnlySession } from './samples/oddities.ts';
import { PERMISSIONS_COLLAPSED, PERMISSIONS_NOW, permissionSession } from './samples/permissions.ts';
import { ROUNDING_NOW, roundingSession } from './samples/rounding.ts';
import { Timeline } from './Timeline.tsx';

type Sample = {
  readonly make: () => SessionState;
  readonly now?: number;
  readonly selected?: string;
  readonly collapsed?: readonly string[];
};

const SAMPLES: Readonly<Record<string, Sample>> = {
  'Live, with a cascade': { make: () => roundingSession().state(), now: ROUNDING_NOW, selected: 'npm-test' },
  'Three questions': {
    make: () => permissionSession().state(),
    now: PERMISSIONS_NOW,
    collapsed: PERMISSIONS_COLLAPSED,
  },
  'Idle hours, a retry': { make: () => idleSession().state() },
  'Crowded queue': { make: () => crowdedSession().state() },
  'Three cascades': { make: () => cascadesSession().state() },
  'No calls yet': { make: () => emptyChart().state() },
  'No times': { make: () => orderOnlySession().state() },
  '10,000 calls': { make: () => bigSession(10_000) },
  '100,000 calls': { make: () => bigSession(100_000) },
};

/** Puts a made-up session on screen the way a real one comes: through the stores. */
function open({ make, now, selected, collapsed = [] }: Sample): void {
  const state = make();
  if (now !== undefined) state.now = sessionTime(Math.max(state.now, now));
  resetView();
  sessionStore.setState(
    { phase: 'open', sessionId: 'made-up' as never, state, events: [], version: 1, receivedAt: performance.now() },
    true,
  );
  viewStore.setState({ selectedCall: selected as never, collapsedAgents: collapsed as never });
}

/** The chart itself, on one session after the other: the stores hold only one. */
function Sessions() {
  const [name, setName] = useState(Object.keys(SAMPLES)[0] as string);
  useEffect(() => {
    const sample = SAMPLES[name];
    if (sample !== undefined) open(sample);
    return () => sessionStore.setState({ phase: 'none' }, true);
  }, [name]);
  return (
    <div style={{ display: 'flex', flexDirection: 'column', height: '100%' }}>
      <div role="toolbar" aria-label="Made-up sessions" style={{ display: 'flex', flexWrap: 'wrap' }}>
        {Object.keys(SAMPLES).map((one) => (
          <Button key={one} look="quiet" pressed={one === name} onClick={() => setName(one)}>
            {one}
          </Button>
        ))}
      </div>
      <div style={{ flex: 1, minHeight: 0 }}>
        <Timeline />
      </div>
    </div>
  );
}

const pictures = (samples: Readonly<Record<string, LegendSample>>) => (
  <div style={{ display: 'flex', flexWrap: 'wrap', gap: 16, padding: 16 }}>
    {Object.entries(samples).map(([name, sample]) => (
      <figure key={name}>
        <SamplePicture sample={sample} />
        <figcaption>{name}</figcaption>
      </figure>
    ))}
  </div>
);

export const gallery: GalleryPage = [
  { title: 'The whole chart', width: 1080, height: 560, show: () => <Sessions /> },
  { title: 'The parts of a bar', width: 1320, height: 260, show: () => <Anatomy /> },
  { title: 'Every ending', width: 900, show: () => pictures(OUTCOMES) },
  { title: 'Every mark', width: 900, show: () => pictures(MARKS) },
  { title: 'Measured and inferred', width: 900, show: () => pictures(CERTAINTY) },
  {
    title: 'The same call at several widths',
    width: 900,
    show: () => pictures(Object.fromEntries(WIDTHS.map(({ width, sample }) => [`${width} px`, sample]))),
  },
  { title: 'Frames, a cascade, a folded gap', width: 1080, show: () => pictures(FRAMES) },
];
