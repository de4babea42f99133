import type { TrustEntry, TrustState } from '../../src-shared/ipc/contract.ts';
import type { GalleryPage } from '../gallery/page.ts';
import { TrustList } from './TrustPanel.tsx';

const folder = '/home/ada/work/shop';
const entry = (kind: string, full: string, line: number): TrustEntry => ({
  kind,
  full,
  file: `${folder}/.claude/settings.json`,
  line,
  key: full,
});
const state = (more: Partial<TrustState>): TrustState => ({
  folder,
  answer: 'none',
  waiting: [],
  granted: [],
  ...more,
});
const show = (more: Partial<TrustState>, problem?: string) => () => (
  <TrustList state={state(more)} isSending={false} problem={problem} />
);

const waiting = [
  entry('allow rule', 'Bash(npm run test:*)', 4),
  entry('folder', '../shared', 7),
  entry('mode', 'acceptEdits', 9),
  entry('variable', 'NODE_OPTIONS=--require ./trace.cjs', 11),
  entry('hook', `PostToolUse for Edit: "$CLAUDE_PROJECT_DIR"/.claude/hooks/format.sh ${'--option '.repeat(24)}`, 16),
  entry('MCP server', 'tickets: npx -y tickets-server', 3),
];

export const gallery: GalleryPage = [
  { title: 'A folder that is not trusted', height: 320, show: show({ waiting }) },
  {
    title: 'New since it was trusted',
    height: 260,
    show: show({ answer: 'trusted', waiting: waiting.slice(4, 5), granted: waiting.slice(0, 2) }),
  },
  { title: 'Trusted, looked at again', height: 240, show: show({ answer: 'trusted', granted: waiting.slice(0, 3) }) },
  { title: 'Nobody wants to be asked', height: 240, show: show({ answer: 'never', waiting: waiting.slice(0, 2) }) },
  {
    title: 'The list of trusted folders cannot be written',
    height: 240,
    show: show({ waiting: waiting.slice(0, 1) }, '/home/ada/.gantry/trusted.json cannot be written: the disk is full.'),
  },
  { title: 'Nothing to trust', height: 160, show: show({}) },
];
