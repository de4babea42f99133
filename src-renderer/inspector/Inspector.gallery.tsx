import type { CallId, SessionId } from '../../src-shared/ids.ts';
import { callById } from '../../src-shared/session/state.ts';
import { asksStory, pricesStory } from '../conversation/samples.ts';
import { Story } from '../conversation/story.ts';
import type { GalleryPage } from '../gallery/page.ts';
import type { InspectorTab } from '../state/view-store.ts';
import { DiffTab } from './DiffTab.tsx';
import { HooksTab } from './HooksTab.tsx';
import { InputTab } from './InputTab.tsx';
import styles from './Inspector.module.css';
import { CallView } from './Inspector.tsx';
import { OverviewTab } from './OverviewTab.tsx';
import { FullOutput } from './output/FullOutput.tsx';
import { ModelSaw } from './output/ModelSaw.tsx';
import { OutputReader } from './output/reader.ts';
import { PermissionTab } from './PermissionTab.tsx';
import { ProcessesTab } from './ProcessesTab.tsx';
import { RawTab } from './RawTab.tsx';
import { SessionOverview } from './SessionOverview.tsx';

const session = 'session' as SessionId;
const prices = pricesStory();
const state = prices.state();
const inferred = inferredStory().state();
const asks = asksStory();

const callOf = (from: typeof state, id: string) => {
  const call = callById(from, id as CallId);
  if (call === undefined) throw new Error(`the sample has no call ${id}`);
  return call;
};

/** A tab on its own, so that several can be seen side by side: the store holds one chosen tab only. */
const tabs: Readonly<Partial<Record<InspectorTab, () => React.ReactNode>>> = {
  overview: () => <OverviewTab sessionId={session} state={state} call={callOf(state, 'test')} />,
  input: () => <InputTab call={callOf(state, 'edit')} />,
  diff: () => <DiffTab call={callOf(asks.state(), 'package')} />,
  permission: () => <PermissionTab call={callOf(state, 'test')} events={prices.events} />,
  hooks: () => <HooksTab state={state} call={callOf(state, 'test')} />,
  processes: () => <ProcessesTab call={callOf(state, 'test')} />,
  raw: () => <RawTab events={prices.events} count={prices.events.length} />,
};

export const gallery: GalleryPage = [
  { title: 'The whole inspector, one tab chosen', width: 332, height: 760, show: () => framed(whole()) },
  ...Object.entries(tabs).map(([name, show]) => ({
    title: `Tab ${name}`,
    width: 332,
    height: 520,
    show: () => framed(show()),
  })),
  { title: 'Cancelled by a sibling, after a wait', width: 332, height: 520, show: () => framed(overview('invoice')) },
  { title: 'Started after a wait', width: 332, height: 520, show: () => framed(overview('edit')) },
  {
    title: 'Times that were not recorded',
    width: 332,
    height: 420,
    show: () => framed(<OverviewTab sessionId={session} state={inferred} call={callOf(inferred, 'read')} />),
  },
  {
    title: 'Nothing selected',
    width: 332,
    height: 420,
    show: () => framed(<SessionOverview state={state} sessionId={session} />),
  },
  {
    title: 'What the model saw',
    width: 480,
    height: 320,
    show: () => <ModelSaw sessionId={session} call={ended('log')} />,
  },
  { title: 'Full output, read from disk', width: 560, height: 360, show: () => <FullOutput reader={sampleReader()} /> },
];

const framed = (tab: React.ReactNode) => <div className={styles.inspector}>{tab}</div>;
const overview = (id: string) => <OverviewTab sessionId={session} state={state} call={callOf(state, id)} />;
const whole = () => <CallView sessionId={session} state={state} events={prices.events} call={callOf(state, 'test')} />;

function ended(id: string) {
  const call = callOf(state, id);
  if (call.phase !== 'completed' && call.phase !== 'yielded') throw new Error(`the sample's call ${id} has not ended`);
  return call;
}

/** A reader that already holds a page, and a search in it. */
export function sampleReader(): OutputReader {
  const lines = Array.from({ length: 900 }, (_, at) =>
    at % 9 === 0
      ? `\x1b[33mcommit ${(at * 7_919).toString(16).padStart(12, 'c')}\x1b[0m`
      : `    line ${at}: v.toFixed(2)`,
  );
  const bytes = new TextEncoder().encode(lines.join('\n'));
  const offset = 652_288;
  const reader = new OutputReader({ sessionId: session, callId: 'log' as CallId });
  const hit = offset + lines.slice(0, 4).join('\n').length + 1 + lines[4]!.indexOf('toFixed');
  reader.store.setState({
    page: { bytes, span: { offset, length: bytes.length }, total: 1_258_291, path: '/tmp/log.txt' },
    search: { text: 'toFixed', length: 7, offsets: [10, 20, hit], more: true, at: 2 },
  });
  return reader;
}

function inferredStory(): Story {
  const story = new Story('Imported', { kind: 'imported', format: 'claude-code', path: '/s.jsonl', clock: 'recorded' });
  story.you('Read it.').request().call('read', 'Read', 'README.md', { because: 'not-recorded' }).said();
  const timing = { certainty: 'inferred', source: 'block-time', earliest: 12_400, latest: 14_100 } as never;
  return story
    .at(12_400)
    .add({ type: 'call-started', callId: 'read' as CallId, lane: 0, batchId: 'b' as never, timing })
    .at(14_500)
    .ends('read', { result: '# Read me' });
}
