import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { KeyList } from '../commands/KeyList.tsx';
import { viewStore } from '../state/view-store.ts';
import { DialogFrame } from '../widgets/DialogFrame.tsx';
import { IconButton } from '../widgets/IconButton.tsx';
import { Kbd } from '../widgets/Kbd.tsx';
import { Anatomy } from './Anatomy.tsx';
import styles from './HowToRead.module.css';
import { SamplePicture } from './SamplePicture.tsx';
import { CERTAINTY, FRAMES, type LegendSample, MARKS, OUTCOMES, WIDTHS } from './samples/legend.ts';

const show = (legendOpen: boolean): void => viewStore.setState({ legendOpen });

/** The legend: what bars, marks, frames and arrows mean, drawn by the chart itself. */
export function HowToRead() {
  const isOpen = useStore(viewStore, (view) => view.legendOpen);
  return (
    // The keyboard starts in the text, which scrolls, not on the button that closes it.
    <DialogFrame open={isOpen} onClose={() => show(false)} className={styles.dialog} startsAt="[data-legend]">
      <header className={styles.header}>
        <Dialog.Title className={styles.title}>How to read a bar</Dialog.Title>
        <p className={styles.intro}>
          Shown with <Kbd keys="?" />
          <span className="visually-hidden">the question mark key</span> in the timeline. The first picture is twice the
          normal size, the others are real size. All keys are at the end.
        </p>
        <IconButton icon={X} name="Close" keys="Esc" onClick={() => show(false)} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard. */}
      <section className={styles.content} tabIndex={0} aria-label="Legend" data-legend>
        <Anatomy />
        <Channels />
        <Outcomes />
        <div className={styles.columns}>
          <Marks />
          <Certainty />
          <Widths />
        </div>
        <Frames />
        <KeyList />
      </section>
    </DialogFrame>
  );
}

const CHANNELS = [
  [
    'Place: does it own a lane?',
    'Queue row: not yet. Lane: yes. Dotted line under the lane: no longer, its result waits for its turn.',
  ],
  [
    'Fill: does it work?',
    'Solid works. A texture waits: stripes for a lock, dots for a hook, upright lines for a person.',
  ],
  [
    'Hue: who is responsible?',
    'Blue the tool, amber another call, teal a hook, violet a person, red a failure and what it pulled down.',
  ],
  [
    'Right end: how did it end?',
    'Round: ok. Box with a cross: error. Slanted cut: stopped early. Torn: unknown. Diamond: never started.',
  ],
] as const;

function Channels() {
  return (
    <ul className={styles.channels}>
      {CHANNELS.map(([title, text]) => (
        <li key={title} className={styles.channel}>
          <h3 className={styles.name}>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  );
}

const OUTCOME_WORDS: readonly (readonly [keyof typeof OUTCOMES, string, string])[] = [
  ['ok', 'Ok', 'No sign. Normal is quiet.'],
  ['error', 'Error', 'The call itself failed.'],
  ['cancelled', 'Cancelled while running', 'By a failing sibling. Crossed out: work thrown away.'],
  ['neverStarted', 'Cancelled before start', 'No bar. The queue row ends in a diamond.'],
  ['discarded', 'Finished, but discarded', 'The model stream broke. The result was not used.'],
  ['rejected', 'Rejected', 'A person said no. Empty, because nothing ran.'],
  ['interrupted', 'Interrupted', 'Stopped by you with Esc or a new message.'],
  ['unknown', 'Unknown', 'The app ended first. Side effects are not known.'],
  ['running', 'Running now', 'Bright moving edge, open right end.'],
  ['waiting', 'Waiting now', 'Still in the queue, no lane yet.'],
];

function Outcomes() {
  return (
    <Section title="Outcomes">
      <ul className={styles.outcomes}>
        {OUTCOME_WORDS.map(([key, name, text]) => (
          <li key={key}>
            <Picture sample={OUTCOMES[key]} />
            <p className={styles.name}>{name}</p>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const MARK_WORDS: readonly (readonly [keyof typeof MARKS, string, string])[] = [
  ['saved', 'Saved to disk', ', folded corner'],
  ['same', 'Same as an earlier', ' result'],
  ['stale', 'Stale read', ': file changed later'],
  ['edited', 'Input edited', ' by you'],
  ['hook', 'Input changed', ' by a hook'],
  ['more', '+3', ': more marks, see inspector'],
];

function Marks() {
  return (
    <Section title="Marks on a bar">
      <ul className={styles.marks}>
        {MARK_WORDS.map(([key, strong, rest]) => (
          <Line key={key} sample={MARKS[key]}>
            <strong>{strong}</strong>
            {rest}
          </Line>
        ))}
      </ul>
    </Section>
  );
}

function Certainty() {
  return (
    <Section title="Measured or inferred">
      <ul>
        <Line sample={CERTAINTY.measured}>
          <strong>Measured</strong> start and end
        </Line>
        <Line sample={CERTAINTY.start}>
          <strong>Start inferred</strong>, between two known times
        </Line>
        <Line sample={CERTAINTY.both}>
          <strong>Both inferred</strong>, dashed edge all round
        </Line>
      </ul>
    </Section>
  );
}

const WIDTH_WORDS: Readonly<Record<number, string>> = {
  120: 'all parts, icon, name',
  40: 'icon; waits ≥ 2 px stay',
  12: 'hue, end shape; name outside',
  4: 'hue only; errors stay on top',
};

function Widths() {
  return (
    <Section title="The same call, zoomed out">
      <ul>
        {WIDTHS.map(({ width, sample }) => (
          <Line key={width} sample={sample}>
            <span className={styles.width}>{width} px</span> {WIDTH_WORDS[width]}
          </Line>
        ))}
      </ul>
    </Section>
  );
}

function Frames() {
  return (
    <Section title="Frames and cascades">
      <ul className={styles.frames}>
        <li>
          <Picture sample={FRAMES.safe} />
          <p>Round frame: these calls ran side by side.</p>
        </li>
        <li>
          <Picture sample={FRAMES.exclusive} />
          <p>Square frame, double sides: nothing else ran while this call held the lock.</p>
        </li>
        <li>
          <Picture sample={FRAMES.cascade} />
          <p>One trunk from the culprit, one arrow to each victim.</p>
        </li>
        <li>
          <Picture sample={FRAMES.fold} />
          <p>4 min 12 s with nothing to see is folded. Click to unfold.</p>
        </li>
      </ul>
    </Section>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>{title}</h3>
      {children}
    </section>
  );
}

const Picture = ({ sample }: { readonly sample: LegendSample }) => (
  <div className={styles.picture}>
    <SamplePicture sample={sample} />
  </div>
);

function Line({ sample, children }: { readonly sample: LegendSample; readonly children: ReactNode }) {
  return (
    <li className={styles.line}>
      <Picture sample={sample} />
      <p>{children}</p>
    </li>
  );
}
