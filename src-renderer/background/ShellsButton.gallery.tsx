import type { CallId, SessionId, ShellId } from '../../src-shared/ids.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import type { GalleryPage } from '../gallery/page.ts';
import { ShellPart } from './ShellPart.tsx';
import { ShellsButton } from './ShellsButton.tsx';
import { sampleShell, stateWith } from './samples.ts';

const sessionId = 'example' as SessionId;
const quiet = sampleShell({ shellId: 'bash_2' as ShellId, command: 'tail -f server.log', progress: undefined });

export const gallery: GalleryPage = [
  {
    title: 'Two commands in the background',
    height: 40,
    show: () => <ShellsButton state={stateWith(sampleShell(), quiet)} sessionId={sessionId} />,
  },
  {
    title: 'In the inspector',
    height: 320,
    show: () => (
      <ShellPart
        sessionId={sessionId}
        state={stateWith(sampleShell())}
        call={{ callId: 'launch' as CallId } as ToolCall}
      />
    ),
  },
];
