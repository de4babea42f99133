import { createContext, useContext, useId } from 'react';
import styles from './ScenarioPicture.module.css';

/**
 * The small picture of a scenario: what its chart will look like. Drawn in the chart's own signs and hues, so that the
 * tiles teach them. An unknown name gets the plainest picture rather than none.
 */
export function ScenarioPicture({ name }: { readonly name: string }) {
  const id = useId();
  const Drawing = DRAWINGS[name] ?? Parallel;
  return (
    <svg className={styles.picture} viewBox="0 0 260 95" aria-hidden="true" focusable="false">
      <Textures id={id} />
      <TextureId value={id}>
        <Drawing />
      </TextureId>
    </svg>
  );
}

/** Textures are named within a document, so every picture has its own. */
const TextureId = createContext('');

const BAR = 11;

type BarKind = 'work' | 'error' | 'lock' | 'hook' | 'human' | 'cancelled' | 'interrupted' | 'discarded';
type BarProps = {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h?: number;
  readonly kind?: BarKind;
};

const TEXTURED: Partial<Record<BarKind, string>> = {
  lock: 'stripes',
  hook: 'dots',
  human: 'uprights',
  cancelled: 'cross',
  interrupted: 'cross',
};

/** A bar, solid or textured. Stopped ones end in a slanted cut. */
function Bar({ x, y, w, h = BAR, kind = 'work' }: BarProps) {
  const id = useContext(TextureId);
  const cut = kind === 'cancelled' || kind === 'interrupted';
  const d = cut
    ? `M${x + 2} ${y}H${x + w}L${x + w - 4} ${y + h}H${x + 2}q-2 0-2-2v-${h - 4}q0-2 2-2z`
    : `M${x + 2} ${y}H${x + w - 2}q2 0 2 2v${h - 4}q0 2-2 2H${x + 2}q-2 0-2-2v-${h - 4}q0-2 2-2z`;
  const texture = TEXTURED[kind];
  return (
    <g>
      <path d={d} className={styles[kind]} />
      {texture === undefined ? null : <path d={d} fill={`url(#${id}-${texture})`} />}
      {cut ? <path d={`M${x + w} ${y - 1}L${x + w - 4} ${y + h + 1}`} className={styles.cut} /> : null}
    </g>
  );
}

function Textures({ id }: { readonly id: string }) {
  return (
    <defs>
      <pattern
        id={`${id}-stripes`}
        width="4.2"
        height="4.2"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <path d="M1 0V5" className={styles.lockInk} />
      </pattern>
      <pattern id={`${id}-dots`} width="4.4" height="4.4" patternUnits="userSpaceOnUse">
        <circle cx="2.2" cy="2.2" r="0.95" className={styles.hookInk} />
      </pattern>
      <pattern id={`${id}-uprights`} width="5" height="5" patternUnits="userSpaceOnUse">
        <path d="M2.5 0V5" className={styles.humanInk} />
      </pattern>
      <pattern id={`${id}-levels`} width="4" height="4" patternUnits="userSpaceOnUse">
        <path d="M0 2H4" className={styles.saveInk} />
      </pattern>
      <pattern id={`${id}-cross`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0 2.5H5M2.5 0V5" className={styles.cancelledInk} />
      </pattern>
    </defs>
  );
}

/** The end of a bar whose output goes to disk: level lines and a folded corner. */
function Saved({ x, y, w }: { readonly x: number; readonly y: number; readonly w: number }) {
  const id = useContext(TextureId);
  return (
    <g>
      <rect x={x} y={y} width={w} height={BAR} fill={`url(#${id}-levels)`} className={styles.part} />
      <path d={`M${x + w - 7} ${y}L${x + w} ${y + 7}H${x + w - 7}z`} className={styles.fold} />
    </g>
  );
}

const ErrorEnd = ({ x, y }: { readonly x: number; readonly y: number }) => (
  <g>
    <rect x={x - 10} y={y} width="10" height={BAR} rx="2" className={styles.errorEnd} />
    <path d={`M${x - 7.5} ${y + 3}l5 5m0-5l-5 5`} className={styles.errorSign} />
  </g>
);

const Safe = ({ x, y, w, h }: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }) => (
  <rect x={x} y={y} width={w} height={h} rx="6" className={styles.safe} />
);

const Exclusive = ({
  x,
  y,
  w,
  h = 22,
}: {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h?: number;
}) => (
  <g className={styles.exclusive}>
    <rect x={x} y={y} width={w} height={h} />
    <path d={`M${x + 3} ${y}v${h}M${x + w - 3} ${y}v${h}`} />
  </g>
);

const Drop = ({ x, from, to }: { readonly x: number; readonly from: number; readonly to: number }) => (
  <path d={`M${x} ${from}V${to}`} className={styles.drop} />
);

const Parallel = () => (
  <>
    <Safe x={14.5} y={19.5} w={140} h={68} />
    <Bar x={19} y={26} w={62} />
    <Bar x={31} y={41} w={90} />
    <Bar x={43} y={56} w={48} />
    <Bar x={54} y={71} w={94} />
    <Bar x={70} y={8} w={88} h={7} kind="lock" />
    <Drop x={158} from={15} to={26} />
    <Exclusive x={156} y={20} w={79} />
    <Bar x={160} y={26} w={71} />
  </>
);

const Cascade = () => (
  <>
    <Bar x={81} y={12} w={88} h={7} kind="lock" />
    <path d="M170 10.5l5 5-5 5-5-5z" className={styles.never} />
    <Bar x={21} y={34} w={148} kind="error" />
    <ErrorEnd x={169} y={34} />
    <Bar x={45} y={52} w={126} kind="cancelled" />
    <Bar x={61} y={70} w={44} />
    <path d="M169 39.5H183q4 0 4-4V19.5q0-4-4-4H182M187 35.500V53.500q0 4-4 4H180" className={styles.arrow} />
    <path d="M177 15.5l7-3.500v7zM175 57.500l7-3.500v7z" className={styles.arrowHead} />
  </>
);

const ASKS = [
  { x: 30, y: 22, hook: 16 },
  { x: 52, y: 41, hook: 16 },
  { x: 70, y: 60, hook: 16 },
] as const;

const Permissions = () => (
  <>
    {ASKS.map(({ x, y, hook }, at) => (
      <g key={y}>
        <Bar x={x} y={y} w={hook + 3} kind="hook" />
        <Bar x={x + hook} y={y} w={196 - x - hook} kind="human" />
        <circle cx="210" cy={y + 5.5} r="7.5" className={styles.human} />
        <text x="210" y={y + 9} className={styles.number}>
          {at + 1}
        </text>
      </g>
    ))}
  </>
);

const Agents = () => (
  <>
    <Bar x={17} y={12} w={174} />
    <Bar x={34} y={28} w={202} />
    <path d="M23 52V88" className={styles.nested} />
    <Bar x={34} y={51} w={47} />
    <Bar x={110} y={51} w={40} />
    <Bar x={190} y={51} w={40} />
    <Bar x={53} y={66} w={44} />
    <Bar x={122} y={66} w={60} />
    <Bar x={61} y={81} w={24} />
    <Bar x={140} y={81} w={36} />
  </>
);

const Big = () => (
  <>
    <Bar x={21} y={22} w={191} />
    <Saved x={151} y={22} w={61} />
    <Bar x={50} y={43} w={72} />
    <Saved x={94} y={43} w={28} />
    <Bar x={131} y={64} w={96} />
    <Saved x={181} y={64} w={46} />
  </>
);

const Break = () => (
  <>
    <Bar x={19} y={25} w={73} kind="discarded" />
    <Bar x={34} y={43} w={79} kind="discarded" />
    <Bar x={51} y={61} w={50} kind="discarded" />
    <path d="M124 10l6 6-6 6 6 6-6 6 6 6-6 6 6 6-6 6 6 6-6 6 6 6-6 6" className={styles.zigzag} />
    <Bar x={140} y={25} w={58} />
    <Bar x={154} y={43} w={78} />
    <Bar x={166} y={61} w={47} />
  </>
);

const Interrupt = () => (
  <>
    <Bar x={20} y={25} w={130} kind="interrupted" />
    <Bar x={36} y={43} w={114} kind="interrupted" />
    <Bar x={70} y={61} w={126} />
    <path d="M157 9V86" className={styles.escLine} />
    <text x="163" y="20" className={styles.esc}>
      Esc
    </text>
  </>
);

/** Three reads side by side, the tests alone, then what came of the edit behind them. */
const ThreeReads = () => (
  <>
    <Safe x={14.5} y={29.5} w={54} h={51} />
    <Bar x={19} y={36} w={30} />
    <Bar x={26} y={51} w={24} />
    <Bar x={34} y={66} w={30} />
  </>
);

const TestsPass = () => (
  <>
    <ThreeReads />
    <Bar x={112} y={12} w={66} h={7} kind="lock" />
    <Drop x={178} from={19} to={36} />
    <Exclusive x={78} y={30} w={96} />
    <Bar x={82} y={36} w={88} />
    <Exclusive x={178} y={30} w={58} />
    <Bar x={182} y={36} w={50} />
  </>
);

const TestsFail = () => (
  <>
    <ThreeReads />
    <Exclusive x={78} y={30} w={112} />
    <Bar x={82} y={36} w={104} kind="error" />
    <ErrorEnd x={186} y={36} />
    <Bar x={112} y={12} w={78} h={7} kind="lock" />
    <path d="M190 10.5l5 5-5 5-5-5z" className={styles.never} />
    <path d="M186 41.500H204q4 0 4-4V19.500q0-4-4-4H202" className={styles.arrow} />
    <path d="M197 15.5l7-3.500v7z" className={styles.arrowHead} />
  </>
);

const ExclusiveWrite = () => (
  <>
    <Bar x={52} y={12} w={44} h={7} kind="lock" />
    <Drop x={96} from={19} to={31} />
    <Bar x={78} y={23} w={74} h={7} kind="lock" />
    <Drop x={152} from={30} to={36} />
    <Safe x={14.5} y={29.5} w={76} h={36} />
    <Bar x={19} y={36} w={36} />
    <Bar x={28} y={51} w={58} />
    <Exclusive x={95} y={30} w={52} />
    <Bar x={99} y={36} w={44} />
    <Safe x={151.5} y={29.5} w={86} h={36} />
    <Bar x={156} y={36} w={40} />
    <Bar x={166} y={51} w={67} />
  </>
);

/** A hook goes before each call: a slow one, a short one, and one that says no. */
const Hooks = () => (
  <>
    <Bar x={86} y={4} w={78} h={7} kind="lock" />
    <Drop x={164} from={11} to={60} />
    <Safe x={14.5} y={17.5} w={144} h={37} />
    <Bar x={19} y={24} w={78} kind="hook" />
    <Bar x={94} y={24} w={60} />
    <Bar x={38} y={39} w={20} kind="hook" />
    <Bar x={55} y={39} w={84} />
    <Exclusive x={163} y={60} w={73} />
    <Bar x={167} y={66} w={65} kind="hook" />
    <path d="M217 68.500a4 4 0 1 0 6 6a4 4 0 1 0-6-6l6 6" className={styles.ban} />
  </>
);

/** A command waits in its lane for its person; what comes behind it waits in a held queue. */
const Breakpoint = () => (
  <>
    <Bar x={110} y={10} w={116} h={7} kind="human" />
    <Bar x={20} y={32} w={40} />
    <Bar x={34} y={50} w={84} />
    <Bar x={56} y={68} w={150} kind="human" />
    <path d="M206 24V88" className={styles.escLine} />
    <circle cx="216" cy="73.500" r="7.5" className={styles.human} />
    <path d="M214 70.500v6M218 70.500v6" className={styles.ban} />
  </>
);

/** By the name a scenario gives for its picture. */
const DRAWINGS: Readonly<Record<string, () => React.JSX.Element>> = {
  parallel: Parallel,
  cascade: Cascade,
  permissions: Permissions,
  agents: Agents,
  big: Big,
  break: Break,
  interrupt: Interrupt,
  'tests-pass': TestsPass,
  'tests-fail': TestsFail,
  exclusive: ExclusiveWrite,
  hooks: Hooks,
  breakpoint: Breakpoint,
};

export const PICTURE_NAMES = Object.keys(DRAWINGS);
