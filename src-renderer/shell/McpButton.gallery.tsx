import { SessionId } from '../../src-shared/ids.ts';
import type { McpServer } from '../../src-shared/mcp/state.ts';
import { emptySession } from '../../src-shared/session/state.ts';
import { sessionTime } from '../../src-shared/units.ts';
import type { GalleryPage } from '../gallery/page.ts';
import { McpButton } from './McpButton.tsx';

const sessionId = SessionId.parse('example');
const server = (name: string, over: Partial<McpServer>): McpServer => ({
  name,
  scope: 'user',
  status: 'connected',
  tools: 13,
  message: undefined,
  since: sessionTime(0),
  ...over,
});
const withServers = (...mcpServers: readonly McpServer[]) => ({ ...emptySession(), mcpServers });

export const gallery: GalleryPage = [
  {
    title: 'All connected',
    height: 60,
    show: () => (
      <McpButton sessionId={sessionId} state={withServers(server('files', {}), server('mail', { scope: 'project' }))} />
    ),
  },
  {
    title: 'One failed, one on its way',
    height: 60,
    show: () => (
      <McpButton
        sessionId={sessionId}
        state={withServers(
          server('files', {}),
          server('database', {
            status: 'connecting',
            message: 'It ended with exit code 1. It is started again in 2 s (2 of 3).',
          }),
          server('mail', { status: 'failed', tools: undefined, message: 'There is no program mail-server.' }),
        )}
      />
    ),
  },
];
